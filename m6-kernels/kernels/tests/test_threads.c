/* Threads do every share of every piece of work once, and all that they wrote
 * is there when threads_run returns; also after they have slept, and when
 * there are more of them than cores.  `make race` runs this with the thread
 * sanitizer. */
#include "threads.h"

#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum pieces {
    N_ROUNDS = 2000, /* of as many threads as most machines have cores */
    N_CROWDED = 30,  /* of more */
    N_NUMBERS = 1000,
    MOST_TRIED = 40
};

/* Numbers that are counted up, no two threads the same one. */
struct counting {
    size_t numbers[N_NUMBERS];
    size_t count;       /* what each thread was told */
    size_t shares[256]; /* how often each was there */
};

static void count_up(void *work, size_t index, size_t count)
{
    struct counting *c = work;
    size_t first, end;
    threads_share(N_NUMBERS, 7, index, count, &first, &end);
    for (size_t i = first; i < end; i++)
        c->numbers[i]++;
    c->shares[index]++;
    if (index == 0)
        c->count = count;
}

static struct threads *open_threads(size_t count)
{
    struct threads *t;
    struct error e;
    assert_int_equal(threads_open(&t, count, &e), 0);
    return t;
}

/* Each number was counted up once in each of `rounds`. */
static void check_counting(const struct counting *c, size_t rounds,
                           size_t count)
{
    assert_int_equal(c->count, count);
    for (size_t i = 0; i < N_NUMBERS; i++)
        assert_int_equal(c->numbers[i], rounds);
    for (size_t i = 0; i < 256; i++)
        assert_int_equal(c->shares[i], i < count ? rounds : 0);
}

static void every_share_is_done_once(void **state)
{
    (void)state;
    for (size_t count = 1; count <= MOST_TRIED; count += count < 9 ? 1 : 31) {
        struct threads *t = open_threads(count);
        struct counting c = {0};
        size_t rounds = count <= 2 ? N_ROUNDS : N_CROWDED;
        assert_int_equal(threads_count(t), count);
        for (size_t i = 0; i < rounds; i++)
            threads_run(t, count_up, &c);
        check_counting(&c, rounds, count);
        threads_close(t);
    }
}

static void wait_microseconds(long n)
{
    nanosleep(&(struct timespec){0, n * 1000}, NULL);
}

/* A pause is sometimes too short for threads to fall asleep, sometimes about
 * as long as that takes, and sometimes longer; where there are more of them
 * than processors they sleep at once. */
static void threads_that_sleep_wake_up(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 4; count++) {
        struct threads *t = open_threads(count);
        struct counting c = {0};
        for (size_t i = 0; i < 60; i++) {
            threads_run(t, count_up, &c);
            wait_microseconds((long)(i % 20 * (i % 20) * 10));
        }
        check_counting(&c, 60, count);
        threads_close(t);
    }
}

/* One share that takes longer than the caller looks for. */
static void work_slowly(void *work, size_t index, size_t count)
{
    size_t *done = work;
    if (index == count - 1)
        wait_microseconds(3000);
    done[index]++;
}

static void a_caller_waits_for_the_slowest(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 3; count++) {
        struct threads *t = open_threads(count);
        size_t done[3] = {0};
        for (size_t i = 0; i < 10; i++) {
            threads_run(t, work_slowly, done);
            for (size_t j = 0; j < count; j++)
                assert_int_equal(done[j], i + 1);
        }
        threads_close(t);
    }
}

/* Threads that have worked, and of these those that have ended. */
static pthread_key_t ending;
static atomic_size_t n_ended;

static void note_end(void *counted)
{
    wait_microseconds(300);
    atomic_fetch_add((atomic_size_t *)counted, 1);
}

static void note_thread(void *work, size_t index, size_t count)
{
    count_up(work, index, count);
    if (index > 0)
        pthread_setspecific(ending, &n_ended);
}

/* And none is left when threads_close returns. */
static void threads_close_at_any_time(void **state)
{
    (void)state;
    assert_int_equal(pthread_key_create(&ending, note_end), 0);
    for (size_t i = 0; i < 60; i++) {
        size_t count = 1 + i % 5, rounds = i % 3 > 0;
        struct threads *t = open_threads(count);
        struct counting c = {0};
        atomic_store(&n_ended, 0);
        if (rounds)
            threads_run(t, note_thread, &c);
        if (i % 7 == 0)
            wait_microseconds(200);
        threads_close(t);
        check_counting(&c, rounds, rounds ? count : 0);
        assert_int_equal(atomic_load(&n_ended), rounds ? count - 1 : 0);
    }
    pthread_key_delete(ending);
    threads_close(NULL);
}

/* Several owners at once, as the caller's own threads may be. */
static void two_sets_of_threads_do_not_meet(void **state)
{
    (void)state;
    struct threads *t[2] = {open_threads(3), open_threads(2)};
    struct counting c[2] = {{{0}, 0, {0}}, {{0}, 0, {0}}};
    for (size_t i = 0; i < 100; i++)
        threads_run(t[i % 2], count_up, &c[i % 2]);
    check_counting(&c[0], 50, 3);
    check_counting(&c[1], 50, 2);
    threads_close(t[1]);
    threads_close(t[0]);
}

static void without_threads_the_caller_does_all(void **state)
{
    (void)state;
    struct counting c = {0};
    threads_run(NULL, count_up, &c);
    check_counting(&c, 1, 1);
    assert_int_equal(threads_count(NULL), 1);
}

/* --- rounding ------------------------------------------------------------ */

/* As a library built for speed leaves a thread: what is too small for all its
 * bits becomes 0. */
static void drop_small_numbers(void)
{
#if defined __x86_64__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined __aarch64__
    __builtin_aarch64_set_fpcr(__builtin_aarch64_get_fpcr() | 1 << 24);
#endif
}

struct rounded {
    float sum[3], small[3]; /* of each thread */
};

static void round_floats(void *work, size_t index, size_t count)
{
    struct rounded *r = work;
    volatile float little = 0x1p-30f, small = 0x1p-126f;
    (void)count;
    r->sum[index] = 1 + little;
    r->small[index] = small / 4;
}

static void threads_round_as_usual(void **state)
{
    (void)state;
    struct rounded r = {{0}, {0}};
    fesetround(FE_UPWARD);
    drop_small_numbers();
    struct threads *t = open_threads(3);
    threads_run(t, round_floats, &r);
    threads_close(t);
    for (size_t i = 0; i < 3; i++) {
        assert_true(r.sum[i] == 1);
        assert_true(r.small[i] == 0x1p-128f);
    }
}

static void as_many_as_the_machine_has(void **state)
{
    (void)state;
    struct threads *t = open_threads(0);
    struct counting c = {0};
    assert_true(threads_count(t) >= 1);
    threads_run(t, count_up, &c);
    check_counting(&c, 1, threads_count(t));
    threads_close(t);
}

/* Shares follow each other, in whole steps but for the last, and none is much
 * larger than another. */
static void shares_are_the_whole(void **state)
{
    (void)state;
    for (size_t n = 0; n < 100; n++)
        for (size_t step = 1; step < 20; step += 3)
            for (size_t count = 1; count < 12; count++) {
                size_t next = 0, most = (n / step / count + 2) * step;
                for (size_t i = 0; i < count; i++) {
                    size_t first, end;
                    threads_share(n, step, i, count, &first, &end);
                    if (first >= end)
                        continue;
                    assert_int_equal(first, next);
                    assert_int_equal(first % step, 0);
                    assert_true(end - first <= most);
                    next = end;
                }
                assert_int_equal(next, n);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_share_is_done_once),
        cmocka_unit_test(threads_that_sleep_wake_up),
        cmocka_unit_test(a_caller_waits_for_the_slowest),
        cmocka_unit_test(threads_close_at_any_time),
        cmocka_unit_test(two_sets_of_threads_do_not_meet),
        cmocka_unit_test(without_threads_the_caller_does_all),
        cmocka_unit_test(threads_round_as_usual),
        cmocka_unit_test(as_many_as_the_machine_has),
        cmocka_unit_test(shares_are_the_whole),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}

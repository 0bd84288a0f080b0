/* Shares of work: each thing is in one piece, pieces become shorter, and a
 * thread that is slow is helped.  `make race` runs this with the thread
 * sanitizer. */
#include "shares.h"

#include "threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum things {
    MOST_SHARES = 40,
    MOST_THINGS = 1000,
    N_TIMES = 50,    /* threads may meet anywhere */
    PATIENCE = 20000 /* milliseconds, after which nobody helps */
};

/* Things that threads take, and how often each was taken. */
struct taking {
    struct share shares[MOST_SHARES];
    size_t n;
    size_t taken[MOST_THINGS];
    atomic_size_t done;
    atomic_bool fails; /* a piece was wrong, or nobody helped in time */
};

static struct taking *new_taking(size_t count, size_t n)
{
    struct taking *t = aligned_alloc(64, sizeof *t);
    assert_non_null(t);
    *t = (struct taking){.n = n};
    shares_begin(t->shares, count, n);
    return t;
}

static void take_things(struct taking *t, size_t first, size_t end)
{
    if (first >= end || end > t->n)
        atomic_store(&t->fails, true);
    for (size_t i = first; i < end && i < t->n; i++)
        t->taken[i]++;
    atomic_fetch_add(&t->done, end - first);
}

static void take_all(void *work, size_t index, size_t count)
{
    struct taking *t = work;
    size_t first, end;
    while (next_piece(t->shares, index, count, &first, &end))
        take_things(t, first, end);
}

/* Each thing was taken once. */
static void check_taking(const struct taking *t)
{
    assert_int_equal(atomic_load(&t->done), t->n);
    for (size_t i = 0; i < t->n; i++)
        assert_int_equal(t->taken[i], 1);
}

static void take_by_threads(size_t count, size_t n, work_function *function)
{
    struct threads *threads;
    struct error e;
    assert_int_equal(threads_open(&threads, count, &e), 0);
    for (size_t i = 0; i < (function == take_all ? N_TIMES : 1); i++) {
        struct taking *t = new_taking(count, n);
        threads_run(threads, function, t);
        assert_false(atomic_load(&t->fails));
        check_taking(t);
        free(t);
    }
    threads_close(threads);
}

static void each_thing_is_taken_once(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 5, 8, 39, 304, MOST_THINGS};
    for (size_t count = 1; count <= MOST_SHARES; count += count < 5 ? 1 : 7)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            take_by_threads(count, sizes[i], take_all);
}

/* The same with one thread in place of all, so that the order is known. */
static void pieces_become_shorter(void **state)
{
    (void)state;
    static const size_t ends[] = {76,  114, 132, 142, 146, 150, 152,
                                  228, 266, 284, 294, 298, 302, 304};
    struct taking *t = new_taking(2, 304);
    size_t first, end, at = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++, at = end) {
        assert_true(next_piece(t->shares, 0, 2, &first, &end));
        assert_int_equal(first, at);
        assert_int_equal(end, ends[i]);
    }
    assert_false(next_piece(t->shares, 0, 2, &first, &end));
    assert_false(next_piece(t->shares, 1, 2, &first, &end));
    free(t);
}

static void a_thread_begins_with_its_own(void **state)
{
    (void)state;
    struct taking *t = new_taking(3, 30);
    size_t first, end;
    for (size_t index = 0; index < 3; index++) {
        assert_true(next_piece(t->shares, index, 3, &first, &end));
        assert_int_equal(first, index * 10);
        assert_int_equal(end, index * 10 + 4);
    }
    free(t);
}

/* Of the threads that have some left the first behind it, around the last. */
static void a_thread_helps_those_behind_it(void **state)
{
    (void)state;
    static const size_t starts[] = {4, 8, 12, 0};
    struct taking *t = new_taking(4, 16);
    size_t first, end;
    for (size_t i = 0; i < 4; i++) {
        assert_true(next_piece(t->shares, 1, 4, &first, &end));
        assert_int_equal(first, starts[i]);
        assert_int_equal(end, starts[i] + 4);
    }
    assert_false(next_piece(t->shares, 1, 4, &first, &end));
    free(t);
}

static void the_only_thread_takes_all_at_once(void **state)
{
    (void)state;
    struct taking *t = new_taking(1, 301);
    size_t first, end;
    assert_true(next_piece(t->shares, 0, 1, &first, &end));
    assert_int_equal(first, 0);
    assert_int_equal(end, 301);
    assert_false(next_piece(t->shares, 0, 1, &first, &end));
    free(t);
}

/* The first piece of thread 0 lasts until all else is done: by the others. */
static void dawdle(void *work, size_t index, size_t count)
{
    struct taking *t = work;
    size_t first, end;
    if (index == 0 && next_piece(t->shares, index, count, &first, &end)) {
        size_t others = t->n - (end - first);
        for (size_t i = 0; atomic_load(&t->done) < others; i++) {
            if (i == PATIENCE) {
                atomic_store(&t->fails, true);
                break;
            }
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
        take_things(t, first, end);
    }
    take_all(work, index, count);
}

static void a_slow_thread_is_helped(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 5; count++)
        take_by_threads(count, 304, dawdle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thing_is_taken_once),
        cmocka_unit_test(pieces_become_shorter),
        cmocka_unit_test(a_thread_begins_with_its_own),
        cmocka_unit_test(a_thread_helps_those_behind_it),
        cmocka_unit_test(the_only_thread_takes_all_at_once),
        cmocka_unit_test(a_slow_thread_is_helped),
    };
    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}

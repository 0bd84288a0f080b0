/* What remains to be done is done in its order, by another thread. */
#include "finisher.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum finisher_sizes {
    N_ENTRIES = 100
};

struct note {
    struct finisher_entry entry;
    int number;
};

static struct note notes[N_ENTRIES];
static int done[N_ENTRIES], n_done;
static pthread_t by;

static void note(void *context)
{
    const struct note *n = context;
    by = pthread_self();
    done[n_done++] = n->number;
}

static void leave(struct finisher *d, int number)
{
    struct note *n = &notes[number];
    n->number = number;
    finisher_submit(d, &n->entry, note, n);
}

static void all_is_done_in_order_on_its_thread(void **state)
{
    (void)state;
    struct error e;
    struct finisher *d = finisher_start(&e);
    assert_non_null(d);
    n_done = 0;
    for (int i = 0; i < N_ENTRIES; i++)
        leave(d, i);
    finisher_stop(d);
    assert_int_equal(n_done, N_ENTRIES);
    for (int i = 0; i < N_ENTRIES; i++)
        assert_int_equal(done[i], i);
    assert_false(pthread_equal(by, pthread_self()));
    finisher_free(d);
}

static void once_stopped_it_is_done_at_once(void **state)
{
    (void)state;
    struct error e;
    struct finisher *d = finisher_start(&e);
    assert_non_null(d);
    finisher_stop(d);
    finisher_stop(d);
    n_done = 0;
    leave(d, 7);
    assert_int_equal(n_done, 1);
    assert_int_equal(done[0], 7);
    assert_true(pthread_equal(by, pthread_self()));
    finisher_free(d);
    finisher_stop(NULL);
    finisher_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_done_in_order_on_its_thread),
        cmocka_unit_test(once_stopped_it_is_done_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How many cores there are, of processors of which two or more may be one. */
#include "cores.h"

#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Let the folder that the test stands in say what it says of a processor. */
static void say_siblings(size_t processor, const char *list)
{
    char path[100];
    snprintf(path, sizeof path, "cpu%zu", processor);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "cpu%zu/topology", processor);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "cpu%zu/topology/thread_siblings_list",
             processor);
    write_text(path, list);
}

static const bool all[8] = {true, true, true, true, true, true, true, true};

static void processors_that_share_a_core_count_once(void **state)
{
    (void)state;
    static const char *const lists[] = {"0,4\n", "1,5\n", "2-3\n", "2-3\n",
                                        "0,4\n", "1,5\n", "6\n",   "7\n"};
    for (size_t i = 0; i < 8; i++)
        say_siblings(i, lists[i]);
    assert_int_equal(count_cores_of(".", all, 8), 5);
    assert_int_equal(count_cores_of(".", all, 4), 3);

    const bool second_halves[8] = {[3] = true, [4] = true, [5] = true};
    assert_int_equal(count_cores_of(".", second_halves, 8), 3);
    const bool both[8] = {[1] = true, [5] = true};
    assert_int_equal(count_cores_of(".", both, 8), 1);
    assert_int_equal(count_cores_of(".", (bool[8]){false}, 8), 0);
}

static void what_nothing_is_said_of_is_a_core(void **state)
{
    (void)state;
    assert_int_equal(count_cores_of("nowhere", all, 8), 8);
    say_siblings(0, "");
    say_siblings(1, "none\n");
    say_siblings(2, "99999999\n");
    assert_int_equal(count_cores_of(".", all, 3), 3);
}

struct limit {
    const char *says;
    size_t processors;
};

static const struct limit limits[] = {
    {"200000 100000\n", 2},   {"250000 100000\n", 3},
    {"1000 100000\n", 1},     {"6400000 100000\n", 64},
    {"max 100000\n", SIZE_MAX}, {"", SIZE_MAX},
    {"100000\n", SIZE_MAX},   {"0 100000\n", SIZE_MAX},
    {"100000 0\n", SIZE_MAX}};

static void time_may_be_for_fewer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        write_text("cpu.max", limits[i].says);
        assert_true(count_quota("cpu.max") == limits[i].processors);
    }
    assert_true(count_quota("nowhere") == SIZE_MAX);
}

static void this_machine_has_some(void **state)
{
    (void)state;
    assert_true(count_cores() >= 1);
    assert_true(count_processors() >= count_cores());
    assert_true(count_processors() < SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            processors_that_share_a_core_count_once, scratch_enter,
            scratch_leave),
        cmocka_unit_test_setup_teardown(what_nothing_is_said_of_is_a_core,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(time_may_be_for_fewer, scratch_enter,
                                        scratch_leave),
        cmocka_unit_test(this_machine_has_some),
    };
    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}

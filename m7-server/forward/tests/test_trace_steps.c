/* Steps add up, and say how many operations there are for a byte. */
#include "test_step.h"

static void steps_add_up_count_by_count(void **state)
{
    (void)state;
    struct step all = {false, 0, 1, 20, 300, 4000, 50000, 600000};
    const struct step more = {false, 0, 2, 30, 400, 5000, 60000, 700000};
    const struct step both = {false, 0, 3, 50, 700, 9000, 110000, 1300000};
    step_add(&all, &more);
    assert_step(&all, &both);
}

static void intensity_is_operations_for_a_byte(void **state)
{
    (void)state;
    const struct step s = {.weights = 600,
                           .cache_read = 300,
                           .cache_written = 100,
                           .flops = 2500};
    const struct step nothing = {0};
    assert_int_equal(step_bytes(&s), 1000);
    assert_true(step_intensity(&s) == 2.5);
    assert_true(step_intensity(&nothing) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_add_up_count_by_count),
        cmocka_unit_test(intensity_is_operations_for_a_byte),
    };
    return cmocka_run_group_tests_name("trace, its steps", tests, NULL, NULL);
}

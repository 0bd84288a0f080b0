/* Softmax and the soft cap agree with torch. */
#include "ops.h"

#include "test_in_place.h"

static void soft_cap_of_50(float *x, size_t n)
{
    soft_cap(x, 50, n);
}

static void a_soft_cap_bounds_and_no_cap_does_not(void **state)
{
    assert_changed(*state, "soft_cap", soft_cap_of_50, 3e-7, 0);
    float far = 1e30f;
    soft_cap(&far, 0, 1);
    assert_equal(far, 1e30f);
}

static void a_softmax_is_a_distribution(void **state)
{
    assert_changed(*state, "softmax", softmax, 2e-6, 1e-37);
    assert_changed(*state, "softmax_far", softmax, 2e-6, 1e-37);
    float one = -5;
    softmax(&one, 1);
    assert_equal(one, 1);
}

/* exp of it alone would be infinite; the number behind them stays. */
static void the_largest_may_stand_anywhere(void **state)
{
    (void)state;
    for (size_t at = 0; at < 4; at++) {
        float x[5] = {0, 0, 0, 0, 7}, expected[5] = {0, 0, 0, 0, 7};
        x[at] = 1000;
        expected[at] = 1;
        softmax(x, 4);
        assert_same("softmax", x, expected, 5);
    }
}

/* One token stands out of a vocabulary of 100,000: p = 1 / (1 + 99999 / e^11).
 */
static void a_softmax_of_many_loses_no_digits(void **state)
{
    (void)state;
    const size_t many = 100000;
    float *x = malloc(many * sizeof *x);
    for (size_t i = 0; i < many; i++)
        x[i] = i == 7 ? 0 : -11;
    softmax(x, many);
    const float expected = (float)(1 / (1 + (double)(many - 1) * exp(-11)));
    assert_close("softmax of many", &x[7], &expected, 1, 2e-7, 0);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soft_cap_bounds_and_no_cap_does_not),
        cmocka_unit_test(a_softmax_is_a_distribution),
        cmocka_unit_test(the_largest_may_stand_anywhere),
        cmocka_unit_test(a_softmax_of_many_loses_no_digits),
    };
    return cmocka_run_group_tests_name("softmax", tests, open_goldens,
                                       close_goldens);
}

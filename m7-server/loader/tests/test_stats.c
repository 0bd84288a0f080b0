/* Statistics tell what is in a tensor, and do not let bad values spoil it. */
#include "stats.h"

#include "test_equal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct stats stats_of(const float *values, size_t n)
{
    struct tensor t = {
        .dtype = DTYPE_F32, .count = n, .data = (const unsigned char *)values};
    return tensor_stats(&t);
}

static void the_least_the_mean_and_the_most_are_found(void **state)
{
    (void)state;
    const float values[] = {3, -1, 5, -1, 4};
    struct stats s = stats_of(values, 5);
    assert_equal(s.least, -1);
    assert_equal(s.most, 5);
    assert_equal(s.mean, 2);
    assert_int_equal(s.n_finite, 5);
}

static void zero_is_not_assumed_between_them(void **state)
{
    (void)state;
    const float below[] = {-3, -2}, above[] = {2, 3};
    assert_equal(stats_of(below, 2).most, -2);
    assert_equal(stats_of(above, 2).least, 2);
}

/* C leaves open which of the two fminf and fmaxf choose. */
static void of_two_zeros_the_first_is_told(void **state)
{
    (void)state;
    const float plus_first[] = {0.0f, -0.0f}, minus_first[] = {-0.0f, 0.0f};
    struct stats s = stats_of(plus_first, 2);
    assert_false(signbit(s.least) || signbit(s.most));
    s = stats_of(minus_first, 2);
    assert_true(signbit(s.least) && signbit(s.most));
}

static void what_is_not_finite_is_counted_apart(void **state)
{
    (void)state;
    const float values[] = {NAN, 1, INFINITY, 3, -INFINITY, NAN, NAN};
    struct stats s = stats_of(values, 7);
    assert_int_equal(s.n_nan, 3);
    assert_int_equal(s.n_infinite, 2);
    assert_int_equal(s.n_finite, 2);
    assert_equal(s.least, 1);
    assert_equal(s.most, 3);
    assert_equal(s.mean, 2);
}

static void nothing_has_no_statistics_but_zeros(void **state)
{
    (void)state;
    const float nan = NAN;
    struct stats s = stats_of(NULL, 0);
    assert_equal(s.least, 0);
    assert_equal(s.most, 0);
    assert_equal(s.mean, 0);
    s = stats_of(&nan, 1);
    assert_equal(s.least, 0);
    assert_equal(s.most, 0);
    assert_equal(s.mean, 0);
}

static void a_tensor_longer_than_a_block_is_read_to_its_end(void **state)
{
    (void)state;
    static float values[10000];
    for (int i = 0; i < 10000; i++)
        values[i] = (float)i;
    struct stats s = stats_of(values, 10000);
    assert_int_equal(s.n_finite, 10000);
    assert_equal(s.most, 9999);
    assert_equal(s.mean, 4999.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_the_mean_and_the_most_are_found),
        cmocka_unit_test(zero_is_not_assumed_between_them),
        cmocka_unit_test(of_two_zeros_the_first_is_told),
        cmocka_unit_test(what_is_not_finite_is_counted_apart),
        cmocka_unit_test(nothing_has_no_statistics_but_zeros),
        cmocka_unit_test(a_tensor_longer_than_a_block_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

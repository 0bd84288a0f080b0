/* The border is where a full sort would find it. */
#include "select.h"

#include "random.h"
#include "test_equal.h"
#include "test_numbers.h"

static void the_border_is_the_kth_largest(void **state)
{
    (void)state;
    const float x[] = {2, -7, 5, 0.5f, 5, -1e-40f, 3e38f};
    const float sorted[] = {3e38f, 5, 5, 2, 0.5f, -1e-40f, -7};
    for (size_t k = 1; k <= 7; k++)
        assert_equal(find_border(x, NULL, 7, (double)k).value, sorted[k - 1]);
    assert_equal(find_border(x, NULL, 7, 3).above, 1);
    assert_equal(find_border(x, NULL, 7, 4).above, 3);
    const float alike[] = {1, 1.125f}; /* in their first 11 bits */
    assert_equal(find_border(alike, NULL, 2, 2).value, 1);
    assert_equal(find_border(alike, NULL, 2, 2).above, 1);
}

static void beyond_all_it_is_the_smallest(void **state)
{
    (void)state;
    const float x[] = {4, 1, 3};
    struct border b = find_border(x, NULL, 3, 100);
    assert_equal(b.value, 1);
    assert_equal(b.above, 2);
    b = find_border(x, NULL, 3, 0);
    assert_equal(b.value, 4);
    assert_equal(b.above, 0);
}

static void weights_are_added_from_the_largest_down(void **state)
{
    (void)state;
    const float x[] = {1, 2, 3, 4}, w[] = {0.5f, 0.25f, 0.125f, 0.125f};
    struct border b = find_border(x, w, 4, 0.25);
    assert_equal(b.value, 3);
    assert_equal(b.above, 0.125);
    b = find_border(x, w, 4, 0.2501);
    assert_equal(b.value, 2);
    assert_equal(b.above, 0.25);
}

static void what_weighs_nothing_is_no_border(void **state)
{
    (void)state;
    const float x[] = {9, 5, 1}, w[] = {0, 1, 0};
    assert_equal(find_border(x, w, 3, 0).value, 5);
    assert_equal(find_border(x, w, 3, 2).value, 5);
}

static void both_zeros_are_equal(void **state)
{
    (void)state;
    const float x[] = {-0.0f, 0.0f, -0.0f, -1};
    struct border b = find_border(x, NULL, 4, 2);
    assert_equal(b.value, 0);
    assert_equal(b.above, 0);
}

static int compare_down(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* Numbers that share their first bits, and some their last. */
static void fill_random(float *x, float *sorted, size_t n)
{
    struct random r;
    random_init(&r, n, 0);
    for (size_t i = 0; i < n; i++)
        x[i] = sorted[i] = (float)(random_share(&r) - 0.5) *
                           (random_bits(&r) % 3 ? 1 : 1e-3f);
    for (size_t i = 0; i + 9 < n; i += 9)
        x[i] = sorted[i] = x[i + 4];
    qsort(sorted, n, sizeof *sorted, compare_down);
}

static void it_agrees_with_a_sort(void **state)
{
    (void)state;
    enum sizes {
        MOST = 3000
    };
    static float x[MOST], sorted[MOST];
    for (size_t n = 1; n < MOST; n = n * 3 + 1) {
        fill_random(x, sorted, n);
        for (size_t k = 1; k <= n; k += 1 + n / 50) {
            struct border b = find_border(x, NULL, n, (double)k);
            assert_equal(b.value, sorted[k - 1]);
            assert_true(b.above < (double)k);
            size_t above = (size_t)b.above;
            assert_equal(sorted[above], b.value);
            assert_true(above == 0 || sorted[above - 1] > b.value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_border_is_the_kth_largest),
        cmocka_unit_test(beyond_all_it_is_the_smallest),
        cmocka_unit_test(weights_are_added_from_the_largest_down),
        cmocka_unit_test(what_weighs_nothing_is_no_border),
        cmocka_unit_test(both_zeros_are_equal),
        cmocka_unit_test(it_agrees_with_a_sort),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}

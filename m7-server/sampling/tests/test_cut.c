/* Cuts, on weights that can be added in one's head; those of transformers are
 * in test_sample.c. */
#include "cut.h"

#include "test_numbers.h"

/* Choices with these weights, and logits that fit them. */
static struct choices weighed(const float *weights, size_t n)
{
    struct choices c;
    struct error e;
    assert_ok(choices_init(&c, n, &e), &e);
    choices_begin(&c, weights);
    for (size_t i = 0; i < n; i++) {
        c.weights[i] = weights[i];
        c.logits[i] = logf(weights[i]);
    }
    return c;
}

/* The ids that are left, ended by -1; frees the choices. */
static void assert_left(struct choices *c, const int *ids)
{
    size_t n = 0;
    while (ids[n] >= 0)
        n++;
    assert_int_equal(c->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(c->ids[i], ids[i]);
    choices_free(c);
}

static const float tenths[] = {1, 4, 2, 3}; /* 0.1, 0.4, 0.2, 0.3 */

static void top_k_keeps_the_k_likeliest_in_the_order_of_ids(void **state)
{
    (void)state;
    struct choices c = weighed(tenths, 4);
    cut_top_k(&c, 2);
    assert_left(&c, (int[]){1, 3, -1});
}

static void top_k_keeps_all_that_equal_the_last(void **state)
{
    (void)state;
    const float weights[] = {1, 3, 1, 1};
    struct choices c = weighed(weights, 4);
    cut_top_k(&c, 2);
    assert_left(&c, (int[]){0, 1, 2, 3, -1});
}

static void top_p_keeps_as_few_as_reach_it(void **state)
{
    (void)state;
    struct choices c = weighed(tenths, 4);
    cut_top_p(&c, 0.69);
    assert_left(&c, (int[]){1, 3, -1});
    c = weighed(tenths, 4);
    cut_top_p(&c, 0.71);
    assert_left(&c, (int[]){1, 2, 3, -1});
}

static void top_p_keeps_one_however_small_it_is(void **state)
{
    (void)state;
    struct choices c = weighed(tenths, 4);
    cut_top_p(&c, 0);
    assert_left(&c, (int[]){1, -1});
}

static void of_equally_likely_ones_top_p_keeps_the_lower_ids(void **state)
{
    (void)state;
    const float weights[] = {2, 2, 8, 2, 2};
    struct choices c = weighed(weights, 5);
    cut_top_p(&c, 0.7);
    assert_left(&c, (int[]){0, 1, 2, -1});
    c = weighed(weights, 5);
    cut_top_p(&c, 0.55);
    assert_left(&c, (int[]){0, 2, -1});
}

static void top_p_of_one_keeps_what_weighs_anything(void **state)
{
    (void)state;
    struct choices c = weighed(tenths, 4);
    cut_top_p(&c, 1);
    assert_left(&c, (int[]){0, 1, 2, 3, -1});
}

static void min_p_is_a_share_of_the_best(void **state)
{
    (void)state;
    struct choices c = weighed(tenths, 4);
    cut_min_p(&c, 0.5f);
    assert_left(&c, (int[]){1, 2, 3, -1});
    c = weighed(tenths, 4);
    cut_min_p(&c, 1);
    assert_left(&c, (int[]){1, -1});
}

/* Probabilities 0.6, 0.28 and six times 0.02: a surprise of 1.13 is to be
 * expected.  Theirs are 0.51, 1.27 and 3.91, so the second is the nearest. */
static const float steep[] = {30, 14, 1, 1, 1, 1, 1, 1};

static void typical_may_drop_the_likeliest(void **state)
{
    (void)state;
    struct choices c = weighed(steep, 8);
    cut_typical(&c, 0.27);
    assert_left(&c, (int[]){1, -1});
    c = weighed(steep, 8);
    cut_typical(&c, 0.29);
    assert_left(&c, (int[]){0, 1, -1});
}

/* Two are about as near to what is expected, one on either side.  Of the
 * first, 0.83 is expected, and 0.47 and 1.16 lie 0.36 and 0.33 from it; of the
 * second, 1.20, and 1.10 and 1.32 lie 0.10 and 0.12 from it. */
static void typical_knows_what_surprise_is_to_be_expected(void **state)
{
    (void)state;
    const float more[] = {10, 5, 1}, less[] = {11, 10, 8, 1};
    struct choices c = weighed(more, 3);
    cut_typical(&c, 0.2);
    assert_left(&c, (int[]){1, -1});
    c = weighed(less, 4);
    cut_typical(&c, 0.2);
    assert_left(&c, (int[]){1, -1});
}

static void what_weighs_nothing_is_not_expected(void **state)
{
    (void)state;
    const float weights[] = {10, 5, 0, 1};
    struct choices c = weighed(weights, 4);
    cut_typical(&c, 0.2);
    assert_left(&c, (int[]){1, -1});
}

static void typical_keeps_all_that_equal_the_last(void **state)
{
    (void)state;
    struct choices c = weighed(steep, 8);
    cut_typical(&c, 0.89);
    assert_left(&c, (int[]){0, 1, 2, 3, 4, 5, 6, 7, -1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_k_keeps_the_k_likeliest_in_the_order_of_ids),
        cmocka_unit_test(top_k_keeps_all_that_equal_the_last),
        cmocka_unit_test(top_p_keeps_as_few_as_reach_it),
        cmocka_unit_test(top_p_keeps_one_however_small_it_is),
        cmocka_unit_test(of_equally_likely_ones_top_p_keeps_the_lower_ids),
        cmocka_unit_test(top_p_of_one_keeps_what_weighs_anything),
        cmocka_unit_test(min_p_is_a_share_of_the_best),
        cmocka_unit_test(typical_may_drop_the_likeliest),
        cmocka_unit_test(typical_knows_what_surprise_is_to_be_expected),
        cmocka_unit_test(what_weighs_nothing_is_not_expected),
        cmocka_unit_test(typical_keeps_all_that_equal_the_last),
    };
    return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}

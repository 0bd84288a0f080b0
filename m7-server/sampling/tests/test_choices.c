/* Choices keep their order, and are drawn as likely as they weigh. */
#include "choices.h"
#include "random.h"

#include "test_equal.h"
#include "test_numbers.h"

static struct choices start(const float *logits, size_t n)
{
    struct choices c;
    struct error e;
    assert_ok(choices_init(&c, n, &e), &e);
    choices_begin(&c, logits);
    return c;
}

/* The ids that are left, ended by -1. */
static void assert_left(const struct choices *c, const int *ids)
{
    size_t n = 0;
    while (ids[n] >= 0)
        n++;
    assert_int_equal(c->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(c->ids[i], ids[i]);
}

static void what_is_forbidden_is_taken_out(void **state)
{
    (void)state;
    const float logits[] = {-INFINITY, 2, -INFINITY, -3, 5};
    struct choices c = start(logits, 5);
    choices_drop_forbidden(&c);
    assert_left(&c, (int[]){1, 3, 4, -1});
    assert_equal(c.logits[1], -3);
    choices_begin(&c, logits);
    assert_left(&c, (int[]){0, 1, 2, 3, 4, -1});
    choices_free(&c);
}

static void of_equals_the_first_are_kept(void **state)
{
    (void)state;
    const float logits[] = {1, 3, 1, 4, 1};
    struct choices c = start(logits, 5);
    choices_keep(&c, c.logits, 1, 2);
    assert_left(&c, (int[]){0, 1, 2, 3, -1});
    choices_keep(&c, c.logits, 3, 0);
    assert_left(&c, (int[]){3, -1});
    choices_free(&c);
}

static void weights_are_relative_to_the_best(void **state)
{
    (void)state;
    const float logits[] = {300, 300 + logf(2), -300};
    struct choices c = start(logits, 3);
    choices_weigh(&c, find_most(c.logits, c.n));
    const float expected[] = {0.5f, 1, 0};
    assert_close("weights", c.weights, expected, 3, 1e-4, 0);
    float p[3];
    choices_probabilities(&c, p);
    const float shares[] = {1 / 3.0f, 2 / 3.0f, 0};
    assert_close("probabilities", p, shares, 3, 1e-4, 0);
    choices_free(&c);
}

/* The likeliest is taken out; it must not be weighed, nor keep a share. */
static void what_is_taken_out_has_no_share(void **state)
{
    (void)state;
    const float logits[] = {0, logf(2), 300}, keys[] = {1, 1, 0};
    const float shares[] = {1 / 3.0f, 2 / 3.0f, 0};
    struct choices c = start(logits, 3);
    float p[] = {7, 7, 7};
    choices_keep(&c, keys, 0, 0);
    choices_probabilities(&c, p);
    assert_close("probabilities", p, shares, 3, 1e-6, 0);
    choices_free(&c);
}

/* Weights 1, 2, 1: quarters. */
static void a_draw_walks_through_the_weights(void **state)
{
    (void)state;
    const float logits[] = {0, logf(2), 0};
    struct choices c = start(logits, 3);
    c.weights[0] = 1, c.weights[1] = 2, c.weights[2] = 1;
    assert_int_equal(choices_draw(&c, 0), 0);
    assert_int_equal(choices_draw(&c, 0.2499), 0);
    assert_int_equal(choices_draw(&c, 0.25), 1);
    assert_int_equal(choices_draw(&c, 0.7499), 1);
    assert_int_equal(choices_draw(&c, 0.75), 2);
    assert_int_equal(choices_draw(&c, 1 - 0x1p-53), 2);
    choices_free(&c);
}

static void what_weighs_nothing_is_never_drawn(void **state)
{
    (void)state;
    const float logits[] = {0, 0, 0, 0};
    struct choices c = start(logits, 4);
    c.weights[0] = 0, c.weights[1] = 1, c.weights[2] = 3, c.weights[3] = 0;
    assert_int_equal(choices_draw(&c, 0), 1);
    assert_int_equal(choices_draw(&c, 0.25), 2);
    assert_int_equal(choices_draw(&c, 1 - 0x1p-53), 2);
    c.weights[1] = c.weights[2] = 0;
    assert_int_equal(choices_draw(&c, 0.5), 0);
    c.weights[0] = 1;
    c.n = 2;
    assert_int_equal(choices_draw(&c, 1), 0);
    choices_free(&c);
}

/* Weights of very different sizes, so that the order of a sum shows. */
static void fill_weights(struct choices *c, struct random *r)
{
    for (size_t i = 0; i < c->n; i++)
        c->weights[i] = expf((float)(40 * random_share(r)));
}

/* The walk adds the weights in another order than the total did, and may end
 * below the largest share of it. */
static void rounding_draws_nothing_that_weighs_nothing(void **state)
{
    (void)state;
    const float logits[100] = {0};
    struct choices c = start(logits, 100);
    struct random r;
    random_init(&r, 1, 0);
    for (size_t i = 0; i < 1000; i++) {
        fill_weights(&c, &r);
        c.weights[98] = c.weights[99] = 0;
        assert_in_range(choices_draw(&c, 1 - 0x1p-53), 0, 97);
        c.weights[98] = 1; /* of a choice that was cut off */
        c.n = 98;
        assert_in_range(choices_draw(&c, 1 - 0x1p-53), 0, 97);
        c.n = 100;
    }
    choices_free(&c);
}

static void the_most_is_found_in_all_lanes(void **state)
{
    (void)state;
    float x[37];
    for (size_t n = 1; n <= 37; n++)
        for (size_t at = 0; at < n; at++) {
            for (size_t i = 0; i < n; i++)
                x[i] = -5 - (float)i;
            x[at] = -1;
            assert_int_equal(find_most(x, n), -1);
        }
}

static void the_total_misses_none(void **state)
{
    (void)state;
    float logits[37] = {0};
    struct choices c = start(logits, 37);
    for (size_t i = 0; i < 37; i++)
        c.weights[i] = (float)i;
    for (c.n = 1; c.n < 37; c.n++)
        assert_equal(choices_total(&c), (double)(c.n * (c.n - 1) / 2));
    choices_free(&c);
}

/* Weight i in lane i mod 8, then the lanes one after the other. */
static void the_total_has_one_order(void **state)
{
    (void)state;
    const float logits[61] = {0};
    struct choices c = start(logits, 61);
    struct random r;
    random_init(&r, 1, 0);
    for (size_t run = 0; run < 100; run++) {
        double lanes[8] = {0}, total = 0;
        fill_weights(&c, &r);
        for (size_t i = 0; i < 61; i++)
            lanes[i % 8] += (double)c.weights[i];
        for (size_t k = 0; k < 8; k++)
            total += lanes[k];
        assert_true(choices_total(&c) == total);
        for (size_t i = 0; i < 61; i++)
            c.logits[i] = logf(c.weights[i]);
        choices_weigh(&c, 40);
        double weighed = choices_total(&c);
        c.total = 0;
        assert_true(choices_total(&c) == weighed);
    }
    choices_free(&c);
}

/* The total is of the weights that are there now. */
static void the_total_follows_the_cuts(void **state)
{
    (void)state;
    const float logits[] = {0, logf(2), -INFINITY, logf(4)};
    struct choices c = start(logits, 4);
    choices_weigh(&c, 0);
    assert_true(fabs(choices_total(&c) - 7) < 1e-5);
    choices_keep(&c, c.weights, 1.5f, 0);
    assert_true(fabs(choices_total(&c) - 6) < 1e-5);
    choices_weigh(&c, logf(4));
    assert_true(fabs(choices_total(&c) - 1.5) < 1e-5);
    choices_drop_forbidden(&c);
    assert_true(fabs(choices_total(&c) - 1.5) < 1e-5);
    choices_begin(&c, logits);
    for (size_t i = 0; i < 4; i++)
        c.weights[i] = 1;
    assert_true(choices_total(&c) == 4);
    choices_free(&c);
}

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    struct choices c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(choices_init(&c, (size_t)1 << 58, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_true(!c.ids && !c.logits && !c.weights && !c.keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_had_is_said),
        cmocka_unit_test(what_is_forbidden_is_taken_out),
        cmocka_unit_test(of_equals_the_first_are_kept),
        cmocka_unit_test(weights_are_relative_to_the_best),
        cmocka_unit_test(what_is_taken_out_has_no_share),
        cmocka_unit_test(a_draw_walks_through_the_weights),
        cmocka_unit_test(what_weighs_nothing_is_never_drawn),
        cmocka_unit_test(rounding_draws_nothing_that_weighs_nothing),
        cmocka_unit_test(the_most_is_found_in_all_lanes),
        cmocka_unit_test(the_total_misses_none),
        cmocka_unit_test(the_total_has_one_order),
        cmocka_unit_test(the_total_follows_the_cuts),
    };
    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}

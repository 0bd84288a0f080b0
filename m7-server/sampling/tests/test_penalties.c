/* Penalties, on numbers that can be checked in one's head; those of
 * transformers are in test_sample.c. */
#include "penalties.h"

#include "test_numbers.h"

static const int ids[] = {0, 1, 0, 2, 2, 3};
static const struct history history = {ids, 6, 3}; /* 2 2 3 are new */

static void a_repeated_token_is_less_likely_on_both_sides_of_zero(void **state)
{
    (void)state;
    float logits[] = {4, -4, 0, 1, 1};
    int counts[5] = {0};
    penalize_repetition(logits, &history, 2, counts);
    const float expected[] = {2, -8, 0, 0.5f, 1};
    assert_same("logits", logits, expected, 5);
}

/* The first of all tokens, too, and a logit between 0 and 1. */
static void a_token_that_is_there_once_is_a_repetition(void **state)
{
    (void)state;
    const struct history one = {(int[]){1, 3}, 2, 0};
    float logits[] = {4, -4, 0, 0.5f, 1};
    int counts[5] = {0};
    penalize_repetition(logits, &one, 2, counts);
    const float expected[] = {4, -8, 0, 0.25f, 1};
    assert_same("logits", logits, expected, 5);
}

static void presence_counts_once_and_only_what_is_new(void **state)
{
    (void)state;
    float logits[] = {4, -4, 0, 1, 1};
    int counts[5] = {0};
    penalize_presence(logits, &history, 0.5f, 0, counts);
    const float expected[] = {4, -4, -0.5f, 0.5f, 1};
    assert_same("logits", logits, expected, 5);
}

static void frequency_counts_each_time(void **state)
{
    (void)state;
    float logits[] = {4, -4, 0, 1, 1};
    int counts[5] = {0};
    penalize_presence(logits, &history, 0.5f, 0.25f, counts);
    const float expected[] = {4, -4, -1, 0.25f, 1};
    assert_same("logits", logits, expected, 5);
}

static void assert_zeros(const int *counts)
{
    for (int i = 0; i < 5; i++)
        assert_int_equal(counts[i], 0);
}

static void the_counts_are_zero_again(void **state)
{
    (void)state;
    float logits[5] = {0};
    int counts[5] = {0};
    penalize_repetition(logits, &history, 2, counts);
    assert_zeros(counts);
    penalize_presence(logits, &history, 1, 1, counts);
    assert_zeros(counts);
}

static void biases_add_up(void **state)
{
    (void)state;
    float logits[] = {1, 2, 3};
    const struct bias biases[] = {{2, 1.5f}, {0, -4}, {2, 1}};
    add_biases(logits, biases, 3);
    const float expected[] = {-3, 2, 5.5f};
    assert_same("logits", logits, expected, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_repeated_token_is_less_likely_on_both_sides_of_zero),
        cmocka_unit_test(a_token_that_is_there_once_is_a_repetition),
        cmocka_unit_test(presence_counts_once_and_only_what_is_new),
        cmocka_unit_test(frequency_counts_each_time),
        cmocka_unit_test(the_counts_are_zero_again),
        cmocka_unit_test(biases_add_up),
    };
    return cmocka_run_group_tests_name("penalties", tests, NULL, NULL);
}

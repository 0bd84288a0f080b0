/* Which lengths of a text turn it by the same angles. */
#include "rope.h"

#include "test_numbers.h"

enum test_sizes {
    ORIGINAL = 16 /* tokens; longer texts have other factors */
};

/* Two pairs, whose factors are 1, and in longer texts these.  What stands
 * behind the factors of the second is no pair's. */
static struct rope rope_of(float first, float second)
{
    return (struct rope){.config = {.theta = 10,
                                    .dim = 4,
                                    .scaling = ROPE_LONGROPE,
                                    .original_positions = ORIGINAL,
                                    .short_factors = {1, 1, 1, 1, 1, 1, 1, 1},
                                    .long_factors = {first, second, 9, 9, 9,
                                                     9, 9, 9}},
                         .dim = 4,
                         .by_length = true};
}

static bool is_border(float first, float second)
{
    struct rope r = rope_of(first, second);
    return !rope_same_angles(&r, ORIGINAL, ORIGINAL + 1);
}

static void angles_differ_where_any_pair_turns_otherwise(void **state)
{
    (void)state;
    assert_true(is_border(2, 2));
    assert_true(is_border(2, 1));
    assert_true(is_border(1, 2));
    assert_false(is_border(1, 1));
}

static void on_one_side_of_the_border_they_are_the_same(void **state)
{
    (void)state;
    struct rope r = rope_of(2, 2);
    assert_true(rope_same_angles(&r, 1, ORIGINAL));
    assert_true(rope_same_angles(&r, ORIGINAL + 1, 900));
    assert_false(rope_same_angles(&r, 900, 1));
}

/* Such a rope has the angles of its frequencies, whatever its factors are. */
static void a_rope_may_not_ask_for_the_length(void **state)
{
    (void)state;
    struct rope r = rope_of(2, 2);
    r.by_length = false;
    assert_true(rope_same_angles(&r, ORIGINAL, ORIGINAL + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_differ_where_any_pair_turns_otherwise),
        cmocka_unit_test(on_one_side_of_the_border_they_are_the_same),
        cmocka_unit_test(a_rope_may_not_ask_for_the_length),
    };
    return cmocka_run_group_tests_name("rope, by length", tests, NULL, NULL);
}

/* Values are Python's: equality, order, truth, arithmetic, slices, and how
 * they are written. */
#include "test_python.h"

static const char *const rules[] = {
    "a_slice_counts_from_the_end_and_goes_backwards",
    "a_slice_needs_whole_numbers_and_a_sequence",
    "an_index_that_is_not_there_is_undefined",
    "numbers_of_different_types_are_equal_when_they_are_exactly",
    "equal_numbers_are_one_key_of_a_dict",
    "a_dict_keeps_the_order_in_which_its_keys_came",
    "values_of_different_types_have_no_order",
    "division_goes_towards_minus_infinity",
    "division_by_zero_is_an_error",
    "a_power_is_whole_when_both_are_and_the_exponent_is_not_negative",
    "text_and_lists_are_joined_and_repeated",
    "what_is_empty_or_zero_is_false",
    "and_and_or_give_the_operand_that_decided",
    "in_looks_for_items_keys_and_parts_of_text",
    "floats_are_written_with_the_fewest_digits_that_read_back",
    "repr_chooses_quotes_and_escapes_what_cannot_be_seen",
    "string_escapes_are_those_of_python",
};

int main(void)
{
    return python_test("values", rules, sizeof rules / sizeof rules[0]);
}

/* Values are Python's: equality, order, truth, arithmetic, slices, and how
 * they are written. */
#include "test_python.h"

PYTHON_RULE(a_slice_counts_from_the_end_and_goes_backwards)
PYTHON_RULE(a_slice_needs_whole_numbers_and_a_sequence)
PYTHON_RULE(an_index_that_is_not_there_is_undefined)
PYTHON_RULE(numbers_of_different_types_are_equal_when_they_are_exactly)
PYTHON_RULE(equal_numbers_are_one_key_of_a_dict)
PYTHON_RULE(a_dict_keeps_the_order_in_which_its_keys_came)
PYTHON_RULE(values_of_different_types_have_no_order)
PYTHON_RULE(division_goes_towards_minus_infinity)
PYTHON_RULE(division_by_zero_is_an_error)
PYTHON_RULE(a_power_is_whole_when_both_are_and_the_exponent_is_not_negative)
PYTHON_RULE(text_and_lists_are_joined_and_repeated)
PYTHON_RULE(what_is_empty_or_zero_is_false)
PYTHON_RULE(and_and_or_give_the_operand_that_decided)
PYTHON_RULE(in_looks_for_items_keys_and_parts_of_text)
PYTHON_RULE(floats_are_written_with_the_fewest_digits_that_read_back)
PYTHON_RULE(repr_chooses_quotes_and_escapes_what_cannot_be_seen)
PYTHON_RULE(string_escapes_are_those_of_python)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_counts_from_the_end_and_goes_backwards),
        cmocka_unit_test(a_slice_needs_whole_numbers_and_a_sequence),
        cmocka_unit_test(an_index_that_is_not_there_is_undefined),
        cmocka_unit_test(
            numbers_of_different_types_are_equal_when_they_are_exactly),
        cmocka_unit_test(equal_numbers_are_one_key_of_a_dict),
        cmocka_unit_test(a_dict_keeps_the_order_in_which_its_keys_came),
        cmocka_unit_test(values_of_different_types_have_no_order),
        cmocka_unit_test(division_goes_towards_minus_infinity),
        cmocka_unit_test(division_by_zero_is_an_error),
        cmocka_unit_test(
            a_power_is_whole_when_both_are_and_the_exponent_is_not_negative),
        cmocka_unit_test(text_and_lists_are_joined_and_repeated),
        cmocka_unit_test(what_is_empty_or_zero_is_false),
        cmocka_unit_test(and_and_or_give_the_operand_that_decided),
        cmocka_unit_test(in_looks_for_items_keys_and_parts_of_text),
        cmocka_unit_test(
            floats_are_written_with_the_fewest_digits_that_read_back),
        cmocka_unit_test(repr_chooses_quotes_and_escapes_what_cannot_be_seen),
        cmocka_unit_test(string_escapes_are_those_of_python),
    };
    python_open("values");
    return cmocka_run_group_tests_name("python_values", tests, NULL, python_close);
}

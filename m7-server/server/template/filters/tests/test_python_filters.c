/* Filters, tests and functions are jinja2's, tojson and the time those of
 * transformers. */
#include "test_python.h"

PYTHON_RULE(sort_is_stable_and_ignores_case_unless_told)
PYTHON_RULE(sort_of_mixed_types_is_an_error)
PYTHON_RULE(round_goes_to_the_even_neighbour_of_what_the_digits_say)
PYTHON_RULE(int_and_float_give_their_default_for_what_is_no_number)
PYTHON_RULE(tojson_writes_unicode_as_it_is_and_nothing_for_html)
PYTHON_RULE(tojson_has_separators_an_order_and_an_indent)
PYTHON_RULE(map_and_select_read_names_and_paths)
PYTHON_RULE(default_stands_for_what_is_undefined_or_if_told_false)
PYTHON_RULE(lists_give_their_first_last_and_unique)
PYTHON_RULE(join_writes_all_and_batch_and_slice_fill_up)
PYTHON_RULE(dictsort_and_items_give_pairs)
PYTHON_RULE(text_is_indented_cut_counted_and_centred)
PYTHON_RULE(tests_ask_for_type_order_and_sameness)
PYTHON_RULE(a_range_is_counted_not_made)
PYTHON_RULE(time_is_written_as_python_writes_a_time_without_a_zone)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sort_is_stable_and_ignores_case_unless_told),
        cmocka_unit_test(sort_of_mixed_types_is_an_error),
        cmocka_unit_test(
            round_goes_to_the_even_neighbour_of_what_the_digits_say),
        cmocka_unit_test(
            int_and_float_give_their_default_for_what_is_no_number),
        cmocka_unit_test(tojson_writes_unicode_as_it_is_and_nothing_for_html),
        cmocka_unit_test(tojson_has_separators_an_order_and_an_indent),
        cmocka_unit_test(map_and_select_read_names_and_paths),
        cmocka_unit_test(
            default_stands_for_what_is_undefined_or_if_told_false),
        cmocka_unit_test(lists_give_their_first_last_and_unique),
        cmocka_unit_test(join_writes_all_and_batch_and_slice_fill_up),
        cmocka_unit_test(dictsort_and_items_give_pairs),
        cmocka_unit_test(text_is_indented_cut_counted_and_centred),
        cmocka_unit_test(tests_ask_for_type_order_and_sameness),
        cmocka_unit_test(a_range_is_counted_not_made),
        cmocka_unit_test(
            time_is_written_as_python_writes_a_time_without_a_zone),
    };
    python_open("filters");
    return cmocka_run_group_tests_name("python_filters", tests, NULL, python_close);
}

/* Filters, tests and functions are jinja2's, tojson and the time those of
 * transformers. */
#include "test_python.h"

static const char *const rules[] = {
    "sort_is_stable_and_ignores_case_unless_told",
    "sort_of_mixed_types_is_an_error",
    "round_goes_to_the_even_neighbour_of_what_the_digits_say",
    "int_and_float_give_their_default_for_what_is_no_number",
    "tojson_writes_unicode_as_it_is_and_nothing_for_html",
    "tojson_has_separators_an_order_and_an_indent",
    "map_and_select_read_names_and_paths",
    "default_stands_for_what_is_undefined_or_if_told_false",
    "lists_give_their_first_last_and_unique",
    "join_writes_all_and_batch_and_slice_fill_up",
    "dictsort_and_items_give_pairs",
    "text_is_indented_cut_counted_and_centred",
    "a_cycler_turns_round_and_a_joiner_waits_for_the_second",
    "namespaces_take_pairs_and_no_name_with_an_underscore",
    "tests_ask_for_type_order_and_sameness",
    "a_range_is_counted_not_made",
    "time_is_written_as_python_writes_a_time_without_a_zone",
};

int main(void)
{
    return python_test("filters", rules, sizeof rules / sizeof rules[0]);
}

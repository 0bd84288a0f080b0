/* Methods of strings, dicts and lists are Python's; so are "%" and format().
 */
#include "test_python.h"

static const char *const rules[] = {
    "split_without_a_separator_ignores_blanks_at_the_ends",
    "strip_takes_characters_not_a_word",
    "places_in_text_count_characters",
    "replace_finds_the_empty_string_everywhere",
    "cases_are_those_of_unicode",
    "lines_end_at_more_than_newlines",
    "padding_puts_the_odd_blank_where_python_does",
    "partition_gives_three_parts",
    "percent_takes_a_tuple_a_dict_or_one_value",
    "percent_formats_numbers_as_c_does",
    "braces_name_their_value_or_count",
    "a_format_says_fill_sign_width_and_kind",
    "dicts_and_lists_answer_but_do_not_change",
    "a_safe_text_stays_safe_and_escapes_what_joins_it",
};

int main(void)
{
    return python_test("methods", rules, sizeof rules / sizeof rules[0]);
}

/* Methods of strings, dicts and lists are Python's; so are "%" and format().
 */
#include "test_python.h"

PYTHON_RULE(split_without_a_separator_ignores_blanks_at_the_ends)
PYTHON_RULE(strip_takes_characters_not_a_word)
PYTHON_RULE(places_in_text_count_characters)
PYTHON_RULE(replace_finds_the_empty_string_everywhere)
PYTHON_RULE(cases_are_those_of_unicode)
PYTHON_RULE(lines_end_at_more_than_newlines)
PYTHON_RULE(padding_puts_the_odd_blank_where_python_does)
PYTHON_RULE(partition_gives_three_parts)
PYTHON_RULE(percent_takes_a_tuple_a_dict_or_one_value)
PYTHON_RULE(percent_formats_numbers_as_c_does)
PYTHON_RULE(braces_name_their_value_or_count)
PYTHON_RULE(a_format_says_fill_sign_width_and_kind)
PYTHON_RULE(dicts_and_lists_answer_but_do_not_change)
PYTHON_RULE(a_safe_text_stays_safe_and_escapes_what_joins_it)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_without_a_separator_ignores_blanks_at_the_ends),
        cmocka_unit_test(strip_takes_characters_not_a_word),
        cmocka_unit_test(places_in_text_count_characters),
        cmocka_unit_test(replace_finds_the_empty_string_everywhere),
        cmocka_unit_test(cases_are_those_of_unicode),
        cmocka_unit_test(lines_end_at_more_than_newlines),
        cmocka_unit_test(padding_puts_the_odd_blank_where_python_does),
        cmocka_unit_test(partition_gives_three_parts),
        cmocka_unit_test(percent_takes_a_tuple_a_dict_or_one_value),
        cmocka_unit_test(percent_formats_numbers_as_c_does),
        cmocka_unit_test(braces_name_their_value_or_count),
        cmocka_unit_test(a_format_says_fill_sign_width_and_kind),
        cmocka_unit_test(dicts_and_lists_answer_but_do_not_change),
        cmocka_unit_test(a_safe_text_stays_safe_and_escapes_what_joins_it),
    };
    python_open("methods");
    return cmocka_run_group_tests_name("python_methods", tests, NULL, python_close);
}

/* Labels have room, and say what they stand for. */
#include "axis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void steps_are_round_numbers(void **state)
{
    (void)state;
    static const double cases[][2] = {
        {1, 1},          {1.1, 2},     {2, 2},      {2.5, 5},
        {5, 5},          {5.01, 10},   {73, 100},   {0.15, 0.2},
        {0.0031, 0.005}, {1e-7, 1e-7}, {0.06, 0.1}, {1500, 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_float_equal(axis_round_up(cases[i][0]), cases[i][1],
                           cases[i][1] * 1e-12);
}

static void numbers_get_as_many_labels_as_have_room(void **state)
{
    (void)state;
    assert_int_equal(axis_step(&(struct axis){NULL, 10, 60, 50}), 1);
    assert_int_equal(axis_step(&(struct axis){NULL, 10, 40, 50}), 2);
    assert_int_equal(axis_step(&(struct axis){NULL, 4096, 0.25, 50}), 200);
}

static void names_need_no_round_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    assert_int_equal(axis_step(&(struct axis){names, 2, 7, 20}), 3);
}

static void assert_text(const char *name, const char *expected)
{
    char text[AXIS_TEXT];
    struct axis a = {&name, 1, 1, 1};
    axis_text(&a, 0, text);
    assert_string_equal(text, expected);
}

static void a_long_name_is_cut_between_characters(void **state)
{
    (void)state;
    assert_text("", "");
    assert_text("Paris", "Paris");
    assert_text("123456789012345678901234", "123456789012345678901234");
    assert_text("1234567890123456789012345", "12345678901234567890123\u2026");
    assert_text("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                "\u00e9\u00e9\u00e9\u00e9\u00e9",
                "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
                "\u00e9\u00e9\u00e9\u2026");
}

static void broken_text_is_cut_in_time(void **state)
{
    (void)state;
    char broken[1001], out[4 * 24 + 1];
    memset(broken, '\x80', sizeof broken - 1);
    broken[1000] = 0;
    axis_shorten(broken, 24, out);
    assert_int_equal(strlen(out), 4 * 23 + 3);
}

static void without_names_places_are_numbered(void **state)
{
    (void)state;
    char text[AXIS_TEXT];
    axis_text(&(struct axis){NULL, 100, 1, 1}, 42, text);
    assert_string_equal(text, "42");
}

/* Six pixels a character but for the gap behind the last, and all twice as
 * large: 0, 200 ... 1000 are four wide at most. */
static void the_widest_label_shown_is_measured(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "not shown", "bc"};
    assert_int_equal(axis_widest(&(struct axis){NULL, 1001, 0.25, 50}),
                     2 * (4 * 6 - 1));
    assert_int_equal(axis_widest(&(struct axis){names, 3, 10, 20}),
                     2 * (2 * 6 - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_round_numbers),
        cmocka_unit_test(numbers_get_as_many_labels_as_have_room),
        cmocka_unit_test(names_need_no_round_steps),
        cmocka_unit_test(a_long_name_is_cut_between_characters),
        cmocka_unit_test(broken_text_is_cut_in_time),
        cmocka_unit_test(without_names_places_are_numbered),
        cmocka_unit_test(the_widest_label_shown_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

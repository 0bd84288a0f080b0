/* The normalizer keeps track of what the text's first character became. */
#include "normalize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Normalize `text`, whose first character has `first_size` bytes, by the
 * steps, a list as JSON. */
static void expect_normal(const char *steps, const char *text,
                          size_t first_size, const char *expected,
                          size_t expected_first_size)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes json = {0}, buffers[3] = {{0}}; /* it needs only two */
    struct normalizer n = {0};
    struct piece out;
    bytes_add_string(&json, "{\"type\":\"Sequence\",\"normalizers\":[");
    bytes_add_string(&json, steps);
    bytes_add_string(&json, "]}");
    json_t *value = json_parse(json.data, json.size, "steps", 0, &e);
    struct node root = node_root("steps", value);
    assert_int_equal(normalizer_read(&root, &n, &e), 0);
    struct piece in = {text, strlen(text), first_size};
    assert_int_equal(normalize(&n, in, buffers, &out, &e), 0);
    assert_int_equal(out.size, strlen(expected));
    assert_memory_equal(out.text, expected, out.size);
    assert_int_equal(out.first_size, expected_first_size);
    assert_null(buffers[2].data);
    normalizer_free(&n);
    json_decref(value);
    bytes_free(&json);
    bytes_free(&buffers[0]);
    bytes_free(&buffers[1]);
}

#define FORM(name)    "{\"type\":\"" name "\"}"
#define PREPEND(text) "{\"type\":\"Prepend\",\"prepend\":\"" text "\"}"

#define STRIP "{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":true}"

#define REPLACE(from, to)                                                     \
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\"" from "\"},"            \
    "\"content\":\"" to "\"}"

static void without_steps_nothing_changes(void **state)
{
    (void)state;
    expect_normal("", "text", 1, "text", 1);
}

static void a_composed_character_is_the_first_one_whole(void **state)
{
    (void)state;
    expect_normal(FORM("NFC"), "e\xCC\x81x", 1, "\xC3\xA9x", 2);
    expect_normal(FORM("NFC") "," FORM("NFD"), "e\xCC\x81x", 1, "e\xCC\x81x",
                  3);
    expect_normal(FORM("NFD"), "\xC3\xA9x", 2, "e\xCC\x81x", 3);
    expect_normal(FORM("NFKD"), "\xEF\xAC\x81x", 3, "fix", 2);
    expect_normal(FORM("NFC"), "e\xCC\x81x", 0, "\xC3\xA9x", 0);
}

/* O with a dot below and a macron needs 5 bytes, since no one character is
 * both; with the ogonek behind them too it needs 4, in another order. */
static void the_first_character_does_not_end_behind_the_text(void **state)
{
    (void)state;
    expect_normal(PREPEND("O\xCC\xA3") "," FORM("NFC"), "\xCC\x84\xCC\xA8",
                  2, "\xC7\xAC\xCC\xA3", 4);
}

static void what_is_put_in_front_belongs_to_it(void **state)
{
    (void)state;
    expect_normal(PREPEND("__"), "ab", 1, "__ab", 3);
    expect_normal(PREPEND("__"), "ab", 0, "__ab", 0);
    expect_normal(PREPEND("__"), "", 0, "", 0);
}

static void what_is_stripped_takes_it_away(void **state)
{
    (void)state;
    expect_normal(STRIP, " a ", 1, "a", 0);
    expect_normal(STRIP, "a b ", 1, "a b", 1);
    expect_normal(STRIP, "\xE3\x80\x80", 3, "", 0);
}

static void what_replaces_it_is_it(void **state)
{
    (void)state;
    expect_normal(REPLACE("a", "xyz"), "aba", 1, "xyzbxyz", 3);
    expect_normal(REPLACE("ab", "x"), "abc", 1, "xc", 0);
    expect_normal(REPLACE("b", ""), "abc", 1, "ac", 1);
    expect_normal(REPLACE("a", "x"), "aba", 0, "xbx", 0);
}

#define STRIP_LEFT                                                            \
    "{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":false}"
#define STRIP_RIGHT                                                           \
    "{\"type\":\"Strip\",\"strip_left\":false,\"strip_right\":true}"

/* Spaces of one, two and three bytes: U+0020, U+00A0, U+2003, U+3000. */
static void space_is_stripped_on_the_side_that_is_said(void **state)
{
    (void)state;
    expect_normal(STRIP_LEFT, "  a ", 1, "a ", 0);
    expect_normal(STRIP_RIGHT, "  a ", 1, "  a", 1);
    expect_normal(STRIP_LEFT, "\xE3\x80\x80\xC2\xA0\xE3\x80\x80x", 3, "x", 0);
    expect_normal(STRIP_RIGHT, "x\xE3\x80\x80\xC2\xA0\xE2\x80\x83", 1, "x",
                  1);
    expect_normal(STRIP_RIGHT, "x\xC3\xA9", 1, "x\xC3\xA9", 1);
    expect_normal(STRIP_RIGHT, "\xC2\xA0", 2, "", 2);
    expect_normal(STRIP_RIGHT, "  ", 1, "", 1);
    expect_normal(STRIP, "a", 1, "a", 1);
}

/* Of " xa" the first character became "xa". */
static void what_is_left_of_it_is_it(void **state)
{
    (void)state;
    expect_normal(PREPEND(" x") "," STRIP_LEFT, "ab", 1, "xab", 2);
    expect_normal(PREPEND("  ") "," STRIP_LEFT, "ab", 1, "ab", 1);
    expect_normal(PREPEND("__"), "a", 1, "__a", 3);
}

/* What stands before the text is not a part of it. */
static void nothing_is_read_before_a_text(void **state)
{
    (void)state;
    expect_normal(STRIP_RIGHT, &"     "[4], 1, "", 1);
    expect_normal(STRIP, &"     "[4], 1, "", 0);
    expect_normal(FORM("Lowercase"), &"  AbCd"[2], 1, "abcd", 1);
}

#define REGEX(from, to)                                                       \
    "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"" from "\"},"             \
    "\"content\":\"" to "\"}"

static void what_is_replaced_elsewhere_is_not_it(void **state)
{
    (void)state;
    expect_normal(REPLACE("q", "xyz"), "abc", 1, "abc", 1);
    expect_normal(REPLACE("c", "xyz"), "abc", 1, "abxyz", 1);
    expect_normal(REPLACE("b", "xyz"), "ababcd", 1, "axyzaxyzcd", 1);
    expect_normal(REPLACE("b", "x"), "abcd", 2, "axcd", 2);
    expect_normal(REPLACE("c", "x"), "abcd", 2, "abxd", 2);
    expect_normal(REPLACE("d", ""), "abcd", 2, "abc", 2);
    expect_normal(REPLACE("a", "xyz"), "abab", 2, "xyzbxyzb", 4);
}

/* Between characters, too: what stands before the first one belongs to it,
 * where there is one. */
static void nothing_can_be_replaced(void **state)
{
    (void)state;
    expect_normal(REGEX("^", ">"), "ab", 1, ">ab", 2);
    expect_normal(REGEX("^", ">"), "ab", 0, ">ab", 0);
}

static void steps_follow_each_other(void **state)
{
    (void)state;
    expect_normal(PREPEND("ccc") "," REPLACE("c", "d") "," PREPEND("e") ","
                  REPLACE("d", "") "," FORM("Lowercase"), "Ab", 1, "eab", 2);
}

/* There is room for as many as are asked for. */
static void there_may_be_many_steps(void **state)
{
    (void)state;
    char steps[2000] = PREPEND("a"), expected[60] = "aX";
    for (int i = 1; i < 40; i++) {
        strcat(steps, "," PREPEND("a"));
        memmove(expected + 1, expected, strlen(expected) + 1);
    }
    expect_normal(steps, "X", 1, expected, 41);
}

/* The expression tries every way to cut the letters into ones and twos. */
static void a_search_that_gives_up_is_an_error(void **state)
{
    (void)state;
    static const char step[] = REGEX("(?:a|aa)+[^a]y", "");
    static const char text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabxy";
    struct error e = {ERROR_NONE, ""};
    struct normalizer n = {0};
    struct bytes buffers[2] = {{0}};
    struct piece in = {text, strlen(text), 1}, out;
    json_t *value = json_parse(step, strlen(step), "step", 0, &e);
    struct node root = node_root("step", value);
    assert_int_equal(normalizer_read(&root, &n, &e), 0);
    assert_int_equal(normalize(&n, in, buffers, &out, &e), -1);
    assert_string_equal(e.message, "regular expression: byte 0 of the text: "
                                   "match limit exceeded");
    normalizer_free(&n);
    json_decref(value);
    bytes_free(&buffers[0]);
}

static void expect_refused(const char *step, const char *message)
{
    struct error e = {ERROR_NONE, ""};
    struct normalizer n = {0};
    json_t *value = json_parse(step, strlen(step), "steps", 0, &e);
    struct node root = node_root("steps", value);
    assert_int_equal(normalizer_read(&root, &n, &e), -1);
    assert_string_equal(e.message, message);
    normalizer_free(&n);
    json_decref(value);
}

static void a_step_says_all_that_it_needs(void **state)
{
    (void)state;
    expect_refused("{\"type\":\"Prepend\",\"prepend\":3}",
                   "steps: prepend: expected a string, found an integer");
    expect_refused("{\"type\":\"Strip\",\"strip_left\":true}",
                   "steps: strip_right: is missing: expected true or false");
    expect_refused("{\"type\":\"Strip\",\"strip_right\":true}",
                   "steps: strip_left: is missing: expected true or false");
    expect_refused("{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"}}",
                   "steps: content: is missing: expected a string");
    expect_refused("{\"type\":\"Replace\",\"content\":\"a\"}",
                   "steps: pattern: is missing: expected an object");
}

static void letters_become_small_one_by_one(void **state)
{
    (void)state;
    expect_normal(FORM("Lowercase"), "\xC4\xB0X", 2, "i\xCC\x87x", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_steps_nothing_changes),
        cmocka_unit_test(a_composed_character_is_the_first_one_whole),
        cmocka_unit_test(the_first_character_does_not_end_behind_the_text),
        cmocka_unit_test(what_is_put_in_front_belongs_to_it),
        cmocka_unit_test(what_is_stripped_takes_it_away),
        cmocka_unit_test(what_replaces_it_is_it),
        cmocka_unit_test(space_is_stripped_on_the_side_that_is_said),
        cmocka_unit_test(what_is_left_of_it_is_it),
        cmocka_unit_test(nothing_is_read_before_a_text),
        cmocka_unit_test(what_is_replaced_elsewhere_is_not_it),
        cmocka_unit_test(nothing_can_be_replaced),
        cmocka_unit_test(steps_follow_each_other),
        cmocka_unit_test(there_may_be_many_steps),
        cmocka_unit_test(a_search_that_gives_up_is_an_error),
        cmocka_unit_test(a_step_says_all_that_it_needs),
        cmocka_unit_test(letters_become_small_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

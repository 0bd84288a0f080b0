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
    struct bytes json = {0}, buffers[2] = {{0}};
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
        cmocka_unit_test(what_is_put_in_front_belongs_to_it),
        cmocka_unit_test(what_is_stripped_takes_it_away),
        cmocka_unit_test(what_replaces_it_is_it),
        cmocka_unit_test(letters_become_small_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

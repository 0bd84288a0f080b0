/* A text becomes ids, whatever its bytes; and what is said when it cannot. */
#include "tokenizer_parts.h"

#include "test_ids.h"

#include <string.h>

/* A tokenizer of the letters a to c with a normalizer and added tokens, as
 * JSON. */
static struct tokenizer *with(const char *normalizer, const char *added)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes text = {0};
    bytes_add_string(&text, "{\"normalizer\":");
    bytes_add_string(&text, normalizer);
    bytes_add_string(&text, ",\"added_tokens\":[");
    bytes_add_string(&text, added);
    bytes_add_string(
        &text, "],\"model\":{\"type\":\"BPE\",\"vocab\":{\"<x>\":0,"
               "\"b\":1,\"c\":2,\"\uFFFD\":3,\"ab\":4,\"a\":5},\"merges\":"
               "[\"a b\"]}}");
    json_t *json = json_parse(text.data, text.size, "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    assert_string_equal(e.message, "");
    json_decref(json);
    bytes_free(&text);
    return t;
}

static void expect(const struct tokenizer *t, const char *text, size_t size,
                   const int *ids, size_t n)
{
    struct error e = {ERROR_NONE, ""};
    struct ids out = {0};
    assert_int_equal(tokenizer_encode(t, text, size, true, &out, &e), 0);
    assert_ids(out.data, out.size, ids, n);
    ids_free(&out);
}

#define ADDED(id, content, normalized)                                        \
    "{\"id\":" id ",\"content\":\"" content "\",\"single_word\":false,"       \
    "\"lstrip\":false,\"rstrip\":false,\"normalized\":" normalized ","        \
    "\"special\":false}"

static void no_text_has_no_ids(void **state)
{
    (void)state;
    struct tokenizer *t = with("null", "");
    expect(t, "", 0, NULL, 0);
    expect(t, NULL, 0, NULL, 0);
    expect(t, "abc", 0, NULL, 0);
    tokenizer_free(t);
}

static void a_text_ends_where_it_is_said_to(void **state)
{
    (void)state;
    struct tokenizer *t = with("null", "");
    expect(t, "cabc", 2, (int[]){2, 5}, 2);
    expect(t, "cabc", 3, (int[]){2, 4}, 2);
    tokenizer_free(t);
}

/* Each maximal part of a character is one of U+FFFD: the Unicode Standard,
 * section 3.9, "Substitution of Maximal Subparts". */
static void what_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    struct tokenizer *t = with("null", "");
    expect(t,
           "a\xFF"
           "b",
           3, (int[]){5, 3, 1}, 3);
    expect(t,
           "\xE2\x82"
           "ab",
           4, (int[]){3, 4}, 2);
    expect(t, "\xC0\xAF", 2, (int[]){3, 3}, 2);
    expect(t, "\xEF\xBF\xBD", 3, (int[]){3}, 1);
    tokenizer_free(t);
}

/* Id 0 is as good as any other. */
static void an_added_token_may_have_any_id(void **state)
{
    (void)state;
    struct tokenizer *t = with("null", ADDED("0", "<x>", "false"));
    expect(t, "a<x>b", 5, (int[]){5, 0, 1}, 3);
    tokenizer_free(t);
    t = with("{\"type\":\"Lowercase\"}", ADDED("0", "<x>", "true"));
    expect(t, "AB<X>b", 6, (int[]){4, 0, 1}, 3);
    tokenizer_free(t);
}

static void ids_that_were_lost_are_an_error(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct ids out = {.failed = true};
    struct tokenizer *t = with("null", "");
    assert_int_equal(tokenizer_encode(t, "ab", 2, true, &out, &e), -1);
    assert_string_equal(e.message, "out of memory for the ids");
    tokenizer_free(t);
}

/* The expression tries every way to cut the letters into ones and twos; the
 * token before them is no answer either. */
static void a_failed_text_has_no_ids(void **state)
{
    (void)state;
    static const char text[] = "baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacac";
    struct error e = {ERROR_NONE, ""};
    struct ids out = {0};
    struct tokenizer *t = with("{\"type\":\"Replace\",\"pattern\":{\"Regex\":"
                               "\"(?:a|aa)+[^a]c\"},\"content\":\"\"}",
                               ADDED("1", "b", "false"));
    assert_int_equal(tokenizer_encode(t, text, strlen(text), true, &out, &e),
                     -1);
    assert_string_equal(e.message, "regular expression: byte 0 of the text: "
                                   "match limit exceeded");
    assert_int_equal(out.size, 0);
    ids_free(&out);
    tokenizer_free(t);
}

/* Where a word that is a token is that token, whatever its merges: "bab" is
 * one, and in a longer word it is b and ab. */
static void a_part_of_a_word_is_not_a_word(void **state)
{
    (void)state;
    static const char json[] =
        "{\"model\":{\"type\":\"BPE\",\"ignore_merges\":true,\"vocab\":"
        "{\"_\":0,\"a\":1,\"b\":2,\"ab\":3,\"bab\":4,\"ba\":5},"
        "\"merges\":[\"a b\",\"b a\"]}}";
    static const char text[] = "________________bab________________";
    static const int ids[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                              0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0,
                              0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(json, sizeof json - 1, "t.json", 0, &e);
    struct node root = node_root("t.json", value);
    struct tokenizer *t = tokenizer_read(&root, &e);
    assert_non_null(t);
    expect(t, "bab", 3, (int[]){4}, 1);
    expect(t, text, sizeof text - 1, ids, 34);
    tokenizer_free(t);
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_has_no_ids),
        cmocka_unit_test(a_text_ends_where_it_is_said_to),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(an_added_token_may_have_any_id),
        cmocka_unit_test(ids_that_were_lost_are_an_error),
        cmocka_unit_test(a_failed_text_has_no_ids),
        cmocka_unit_test(a_part_of_a_word_is_not_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

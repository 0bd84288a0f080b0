/* A text that has more tokens than it may have is let go. */
#include "tokenizer_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Two letters are a token; words end at spaces, which are none. */
static const char pairs[] =
    "{\"version\": \"1.0\", \"truncation\": null, \"padding\": null,"
    " \"normalizer\": null, \"pre_tokenizer\": {\"type\": \"Split\","
    "  \"pattern\": {\"String\": \" \"}, \"behavior\": \"Removed\","
    "  \"invert\": false}, \"post_processor\": null, \"decoder\": null,"
    " \"added_tokens\": [{\"id\": 2, \"content\": \"<n>\","
    "  \"single_word\": false, \"lstrip\": false, \"rstrip\": false,"
    "  \"normalized\": false, \"special\": true}],"
    " \"model\": {\"type\": \"BPE\", \"merges\": [\"a a\"],"
    "  \"vocab\": {\"a\": 0, \"aa\": 1}}}";

/* Two spaces are a token; U+0120 is how bytes spell one. */
static const char pairs_of_bytes[] =
    "{\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"use_regex\": false,"
    "  \"add_prefix_space\": false}, \"model\": {\"type\": \"BPE\","
    "  \"merges\": [\"\u0120 \u0120\"],"
    "  \"vocab\": {\"\u0120\": 0, \"\u0120\u0120\": 1}}}";

static struct tokenizer *read_json(const char *text)
{
    struct error e = {ERROR_NONE, ""};
    json_t *json = json_parse(text, strlen(text), "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    json_decref(json);
    assert_string_equal(e.message, "");
    return t;
}

static int open_pairs(void **state)
{
    *state = read_json(pairs);
    return *state ? 0 : -1;
}

static int close_pairs(void **state)
{
    tokenizer_free(*state);
    return 0;
}

/* What becomes of n copies of a text, of which `most` tokens may come, and how
 * many came. */
static int cut(const struct tokenizer *t, const char *text, size_t n,
               size_t most, size_t *came)
{
    const struct encode_rules rules = {.most = most};
    size_t size = strlen(text);
    char *copies = malloc(n * size);
    struct ids ids = {0};
    struct error e = {ERROR_NONE, ""};
    assert_non_null(copies);
    for (size_t i = 0; i < n; i++)
        memcpy(copies + i * size, text, size);
    int result = tokenizer_encode_by(t, copies, n * size, &rules, &ids, &e);
    assert_string_equal(e.message, "");
    *came = ids.size;
    ids_free(&ids);
    free(copies);
    return result;
}

static void as_many_as_there_may_be_come(void **state)
{
    static const char *const texts[] = {"a ", "aa ", "aa", "<n>"};
    size_t came;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(cut(*state, texts[i], 10, 10, &came), 0);
        assert_int_equal(came, 10);
        assert_int_equal(cut(*state, texts[i], 10, 0, &came), 0);
        assert_int_equal(came, 10);
        assert_int_equal(cut(*state, texts[i], 11, 10, &came), 1);
        assert_int_equal(came, 0);
    }
}

/* A word of 400,000 letters is 200,000 tokens; the longest token is <n>. */
static void a_long_word_may_fit(void **state)
{
    const size_t n = 200000;
    size_t came;
    assert_int_equal(cut(*state, "aa", n, n, &came), 0);
    assert_int_equal(came, n);
    assert_int_equal(cut(*state, "aa", n, n - 1, &came), 1);
    assert_int_equal(cut(*state, "aa", n, 2 * n / 3 - 1, &came), 1);
    assert_int_equal(cut(*state, "     ", n, 1, &came), 0);
    assert_int_equal(came, 0);
}

/* Its symbols are counted as they are spelled. */
static void a_long_word_of_bytes_may_fit(void **state)
{
    (void)state;
    struct tokenizer *t = read_json(pairs_of_bytes);
    const size_t n = 100000;
    size_t came;
    assert_int_equal(cut(t, "  ", n, n, &came), 0);
    assert_int_equal(came, n);
    assert_int_equal(cut(t, "  ", n, n - 1, &came), 1);
    assert_int_equal(cut(t, "  ", n, 10, &came), 1);
    tokenizer_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_there_may_be_come),
        cmocka_unit_test(a_long_word_may_fit),
        cmocka_unit_test(a_long_word_of_bytes_may_fit),
    };
    return cmocka_run_group_tests_name("tokens that may be", tests, open_pairs,
                                       close_pairs);
}

/* The tokenizer in a GGUF file is the one of its tokenizer.json: the same
 * merges, the same tokens of any text, the same text of any tokens; and
 * SentencePiece's own.  tests/gguf, made by gguf_whole.py and
 * gguf_sentencepiece.py of tests/oracle/quant. */
#include "gguf_files.h"
#include "test_run.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum texts {
    TEXTS = 3000,
    LONGEST = 60
};

static unsigned next_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A text of pieces that are hard to cut: tokens, marks, digits, spaces,
 * letters of several alphabets, combining accents, broken UTF-8. */
static size_t random_text(const struct tokenizer *t, unsigned *seed, char *out)
{
    static const char *const odd[] = {
        " ", "  ", "\n",    "\n\n",      "\r\n", "\t",   "'s",       "'LL",
        "1", "42", "🙂",  "e\xCC\x81", "é",    "ſ",    "中",       "文",
        "Ж", ".",  "...",   "!?",        "_",    "\xff", "\xE4\xB8", "▁",
        "<", "|>", "don't", "A",         "tea"};
    size_t size = 0, n = next_number(seed) % 8;
    for (size_t i = 0; i <= n; i++) {
        const char *text = odd[next_number(seed) % (sizeof odd / sizeof *odd)];
        const char *token =
            tokenizer_token(t, (int)(next_number(seed) % tokenizer_size(t)));
        if (token && next_number(seed) % 2 && strlen(token) < 7)
            text = token;
        size += (size_t)snprintf(out + size, LONGEST * 4 - size, "%s", text);
    }
    return size;
}

static void assert_same_ids(const struct tokenizer *a,
                            const struct tokenizer *b, const char *text,
                            size_t size)
{
    struct ids x = {0}, y = {0};
    struct bytes p = {0}, q = {0};
    struct error e;
    assert_int_equal(tokenizer_encode(a, text, size, true, &x, &e), 0);
    assert_int_equal(tokenizer_encode(b, text, size, true, &y, &e), 0);
    if (x.size != y.size ||
        (x.size && memcmp(x.data, y.data, x.size * sizeof *x.data) != 0))
        fail_msg("\"%.*s\" has other ids", (int)size, text);
    assert_int_equal(tokenizer_decode(a, x.data, x.size, false, &p, &e), 0);
    assert_int_equal(tokenizer_decode(b, x.data, x.size, false, &q, &e), 0);
    assert_int_equal(p.size, q.size);
    assert_true(p.size == 0 || memcmp(p.data, q.data, p.size) == 0);
    ids_free(&x);
    ids_free(&y);
    bytes_free(&p);
    bytes_free(&q);
}

/* A path in the tests' folder, which the caller frees. */
static struct tokenizer *load(const char *name)
{
    char *path = test_path(name);
    struct error e = {ERROR_NONE, ""};
    struct tokenizer *t = NULL;
    if (access(path, R_OK) == 0) {
        t = tokenizer_load(path, &e);
        if (!t)
            fail_msg("%s", e.message);
    }
    free(path);
    return t;
}

static void assert_same_tokenizers(const char *gguf, const char *json)
{
    struct tokenizer *a = load(gguf), *b = load(json);
    if (!a || !b)
        skip();
    assert_int_equal(tokenizer_size(a), tokenizer_size(b));
    for (int id = 0; id < (int)tokenizer_size(a); id++) {
        const char *token = tokenizer_token(a, id);
        assert_non_null(token);
        assert_string_equal(token, tokenizer_token(b, id));
        assert_int_equal(tokenizer_is_special(a, id),
                         tokenizer_is_special(b, id));
    }
    unsigned seed = 1;
    char text[LONGEST * 4];
    for (size_t i = 0; i < TEXTS; i++) {
        size_t size = random_text(a, &seed, text);
        assert_same_ids(a, b, text, size);
    }
    tokenizer_free(a);
    tokenizer_free(b);
}

static void merges_that_are_there_give_the_same_tokens(void **state)
{
    (void)state;
    assert_same_tokenizers("gguf/merges.gguf",
                           "models/tiny-chat/tokenizer.json");
}

static void merges_from_scores_give_the_same_tokens(void **state)
{
    (void)state;
    assert_same_tokenizers("gguf/pieces.gguf", "gguf/pieces.json");
}

/* Not only those that a text happens to need. */
static void merges_from_scores_are_those_of_transformers(void **state)
{
    (void)state;
    char *gguf = test_path("gguf/pieces.gguf");
    char *json = test_path("gguf/pieces.json"), *path = NULL;
    struct error e = {ERROR_NONE, ""};
    json_t *expected = json_load_file(json, 0, NULL);
    if (!expected)
        skip();
    json_t *found = gguf_open_tokenizer(gguf, &path, &e);
    assert_non_null(found);
    assert_string_equal(path, gguf);
    json_t *a = json_object_get(found, "model");
    json_t *b = json_object_get(expected, "model");
    assert_int_equal(json_array_size(json_object_get(a, "merges")), 422);
    assert_true(json_equal(json_object_get(a, "merges"),
                           json_object_get(b, "merges")));
    assert_true(
        json_equal(json_object_get(a, "vocab"), json_object_get(b, "vocab")));
    json_decref(found);
    json_decref(expected);
    free(path);
    free(gguf);
    free(json);
}

/* A text and its ids. */
static void check_pair(const struct tokenizer *t, const json_t *pair)
{
    const json_t *text = json_array_get(pair, 0);
    const json_t *expected = json_array_get(pair, 1);
    struct ids ids = {0};
    struct error e;
    size_t same = 0;
    assert_int_equal(tokenizer_encode(t, json_string_value(text),
                                      json_string_length(text), true, &ids,
                                      &e),
                     0);
    while (same < ids.size &&
           ids.data[same] ==
               json_integer_value(json_array_get(expected, same)))
        same++;
    if (same < ids.size || ids.size != json_array_size(expected))
        fail_msg("\"%s\" has another id in place %zu", json_string_value(text),
                 same);
    ids_free(&ids);
}

/* tests/gguf/sentencepiece.json, by gguf_sentencepiece.py. */
static void pieces_are_those_of_sentencepiece(void **state)
{
    (void)state;
    static const char *const names[] = {"plain", "prefix"};
    char *path = test_path("gguf/sentencepiece.json"), file[64];
    json_t *all = json_load_file(path, 0, NULL), *pair;
    size_t i;
    free(path);
    if (!all)
        skip();
    for (size_t k = 0; k < 2; k++) {
        snprintf(file, sizeof file, "gguf/sentencepiece-%s.gguf", names[k]);
        struct tokenizer *t = load(file);
        assert_non_null(t);
        json_t *pairs = json_object_get(all, names[k]);
        assert_int_equal(json_array_size(pairs), 700);
        json_array_foreach(pairs, i, pair)
        {
            check_pair(t, pair);
        }
        tokenizer_free(t);
    }
    json_decref(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_that_are_there_give_the_same_tokens),
        cmocka_unit_test(merges_from_scores_give_the_same_tokens),
        cmocka_unit_test(merges_from_scores_are_those_of_transformers),
        cmocka_unit_test(pieces_are_those_of_sentencepiece),
    };
    return cmocka_run_group_tests_name("gguf_tokenizer", tests, NULL, NULL);
}

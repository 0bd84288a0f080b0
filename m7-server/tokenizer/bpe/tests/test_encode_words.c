/* From a word to its tokens, whatever was encoded before it. */
#include "encode_words.h"

#include "test_ids.h"

#include <string.h>

struct fixture {
    struct vocabulary vocabulary;
    struct bpe_model model;
    struct bpe bpe;
    struct ids out;
};

static void open_words(struct fixture *f, const char *json)
{
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(json, strlen(json), "model", 0, &e);
    struct node root = node_root("model", value);
    struct node vocab = node_member(&root, "vocab");
    *f = (struct fixture){.bpe.model = &f->model};
    assert_int_equal(vocabulary_read(&vocab, &f->vocabulary, &e), 0);
    assert_int_equal(bpe_read(&root, &f->vocabulary, &f->model, &e), 0);
    json_decref(value);
}

static void close_words(struct fixture *f)
{
    bpe_free(&f->bpe);
    bpe_model_free(&f->model);
    vocabulary_free(&f->vocabulary);
    ids_free(&f->out);
}

static void expect_ids(struct fixture *f, const char *word, const int *ids,
                       size_t n)
{
    struct error e = {ERROR_NONE, ""};
    f->out.size = 0;
    assert_int_equal(encode_word(&f->bpe, word, strlen(word), &f->out, &e), 0);
    assert_ids(f->out.data, f->out.size, ids, n);
}

/* "_" only ever begins a token; "?" has none. */
static const char letters[] =
    "{\"vocab\":{\"a\":0,\"b\":1,\"_\":2,\"_a\":3,\"ab\":4,\"_ab\":5,"
    "\"<unk>\":6,\"ba\":7,\"bab\":8,\"\xC3\xA9\":9,\"\xC3\xA9"
    "a\":10,"
    "\"<0x21>\":11,\"<0x21>a\":12,\"b<0x21>\":13},"
    "\"merges\":[\"a b\",\"_ a\",\"_ ab\",\"b ab\",\"b a\",\"\xC3\xA9 a\","
    "\"<0x21> a\",\"b <0x21>\"],"
    "\"unk_token\":\"<unk>\",\"fuse_unk\":true,\"byte_fallback\":true}";

static void a_word_is_the_same_the_second_time(void **state)
{
    (void)state;
    struct fixture f;
    open_words(&f, letters);
    for (int i = 0; i < 3; i++) {
        expect_ids(&f, "_abab", (int[]){5, 4}, 2);
        expect_ids(&f, "abba", (int[]){4, 7}, 2);
        expect_ids(&f, "?", (int[]){6}, 1);
        expect_ids(&f, "", NULL, 0);
    }
    close_words(&f);
}

/* What a longer word left on the workbench is no part of a shorter one. */
static void words_of_all_lengths_share_the_workbench(void **state)
{
    (void)state;
    struct fixture f;
    char word[64];
    open_words(&f, letters);
    for (int i = 0; i < 3000; i++) {
        int n = i % 60 + 1, ids[60];
        memset(word, '_', (size_t)n);
        word[n] = 0;
        for (int k = 0; k < n; k++)
            ids[k] = 2;
        expect_ids(&f, word, ids, (size_t)n);
    }
    close_words(&f);
}

static void a_whole_word_that_is_a_token_needs_no_merges(void **state)
{
    (void)state;
    struct fixture f;
    open_words(&f, "{\"vocab\":{\"a\":0,\"b\":1,\"bab\":2},\"merges\":[],"
                   "\"ignore_merges\":true}");
    expect_ids(&f, "bab", (int[]){2}, 1);
    expect_ids(&f, "baba", (int[]){1, 0, 1, 0}, 4);
    close_words(&f);
    open_words(&f, "{\"vocab\":{\"ab\":0,\"a\":1,\"b\":2},\"merges\":[],"
                   "\"ignore_merges\":true}");
    expect_ids(&f, "ab", (int[]){0}, 1);
    close_words(&f);
}

static void without_that_option_it_does(void **state)
{
    (void)state;
    struct fixture f;
    open_words(&f, "{\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[]}");
    expect_ids(&f, "ab", (int[]){0, 1}, 2);
    close_words(&f);
}

/* As many symbols as a word has bytes need more room than there is. */
static void a_word_too_long_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    open_words(&f, letters);
    assert_int_equal(encode_word(&f.bpe, "a", SIZE_MAX, &f.out, &e), -1);
    assert_string_equal(e.message, "out of memory for a long word");
    expect_ids(&f, "ab", (int[]){4}, 1);
    close_words(&f);
}

static void the_unknown_without_a_token_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    open_words(&f,
               "{\"vocab\":{\"a\":0},\"merges\":[],\"unk_token\":\"<unk>\"}");
    assert_int_equal(encode_word(&f.bpe, "ab", 2, &f.out, &e), -1);
    assert_string_equal(e.message, "\"b\" is not in the vocabulary, and "
                                   "neither is model.unk_token");
    expect_ids(&f, "aa", (int[]){0, 0}, 2);
    close_words(&f);
}

/* Words of bytes come spelled as in bytelevel.h: U+0120 is the space, and
 * U+0100 the zero byte, which has no token here. */
static void a_byte_falls_back_as_the_character_that_spells_it(void **state)
{
    (void)state;
    struct fixture f;
    open_words(&f, "{\"vocab\":{\"\xC4\xA0\":0,\"a\":1,\"\xC4\xA0"
                   "a\":2,\"<0xC4>\":3,\"<0x80>\":4},"
                   "\"merges\":[\"\xC4\xA0 a\"],\"byte_fallback\":true}");
    expect_ids(&f, "\xC4\xA0\x61", (int[]){2}, 1);
    expect_ids(&f, "a\xC4\xA0", (int[]){1, 0}, 2);
    expect_ids(&f, "a\xC4\x80", (int[]){1, 3, 4}, 3);
    close_words(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_the_same_the_second_time),
        cmocka_unit_test(words_of_all_lengths_share_the_workbench),
        cmocka_unit_test(a_whole_word_that_is_a_token_needs_no_merges),
        cmocka_unit_test(without_that_option_it_does),
        cmocka_unit_test(a_word_too_long_is_an_error),
        cmocka_unit_test(the_unknown_without_a_token_is_an_error),
        cmocka_unit_test(a_byte_falls_back_as_the_character_that_spells_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

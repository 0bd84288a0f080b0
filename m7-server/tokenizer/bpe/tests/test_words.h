/* For the tests of words: a small model, and random words of its letters. */
#ifndef TEST_WORDS_H
#define TEST_WORDS_H

#include "encode_words.h"
#include "test_ids.h"

#include <stdlib.h>
#include <string.h>

struct words_fixture {
    struct vocabulary vocabulary;
    struct bpe_model model;
    struct bpe bpe;
    struct ids out, expected;
};

/* "_" only ever begins a token; "?" has none. */
static const char letters_of_words[] =
    "{\"vocab\":{\"a\":0,\"b\":1,\"_\":2,\"_a\":3,\"ab\":4,\"_ab\":5,"
    "\"<unk>\":6,\"ba\":7,\"bab\":8,\"\xC3\xA9\":9,\"\xC3\xA9"
    "a\":10,"
    "\"<0x21>\":11,\"<0x21>a\":12,\"b<0x21>\":13},"
    "\"merges\":[\"a b\",\"_ a\",\"_ ab\",\"b ab\",\"b a\",\"\xC3\xA9 a\","
    "\"<0x21> a\",\"b <0x21>\"],"
    "\"unk_token\":\"<unk>\",\"fuse_unk\":true,\"byte_fallback\":true}";

static inline void words_open(struct words_fixture *f, const char *json)
{
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(json, strlen(json), "model", 0, &e);
    struct node root = node_root("model", value);
    struct node vocab = node_member(&root, "vocab");
    *f = (struct words_fixture){.bpe.model = &f->model};
    assert_int_equal(vocabulary_read(&vocab, &f->vocabulary, &e), 0);
    assert_int_equal(bpe_read(&root, &f->vocabulary, &f->model, &e), 0);
    json_decref(value);
}

static inline void words_close(struct words_fixture *f)
{
    bpe_free(&f->bpe);
    bpe_model_free(&f->model);
    vocabulary_free(&f->vocabulary);
    ids_free(&f->out);
    ids_free(&f->expected);
}

/* Up to `most` letters, of the first `kinds` of six. */
static inline void random_word(char *word, int most, int kinds)
{
    static const char *const parts[] = {"a", "b", "_", "?", "!", "\xC3\xA9"};
    word[0] = 0;
    for (int i = rand() % most; i >= 0; i--)
        strcat(word, parts[rand() % kinds]);
}

/* Let the fixture expect what encode_word gives. */
static inline void words_expect(struct words_fixture *f, const char *word)
{
    struct error e = {ERROR_NONE, ""};
    f->expected.size = f->out.size = 0;
    assert_int_equal(
        encode_word(&f->bpe, word, strlen(word), &f->expected, &e), 0);
}

static inline void words_compare(const struct words_fixture *f)
{
    assert_ids(f->out.data, f->out.size, f->expected.data, f->expected.size);
}

#endif

/* Short words: what all words mean, in another order of work. */
#include "bpe.h"

#include "test_ids.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct vocabulary vocabulary;
    struct bpe_model model;
};

static void open_letters(struct fixture *f)
{
    static const char json[] =
        "{\"vocab\": {\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"ab\":4,\"bc\":5,"
        "\"abc\":6,\"aa\":7,\"aaaa\":8,\"cd\":9,\"bcd\":10,\"ca\":11,"
        "\"abca\":12},"
        " \"merges\": [\"b c\",\"a b\",\"a a\",\"ab ca\",\"aa aa\",\"c a\","
        "\"bc d\",\"c d\",\"ab c\",\"a bc\"]}";
    struct error e = {ERROR_NONE, ""};
    json_t *value = json_parse(json, strlen(json), "model", 0, &e);
    struct node root = node_root("model", value);
    struct node vocab = node_member(&root, "vocab");
    *f = (struct fixture){.vocabulary = {0}};
    assert_int_equal(vocabulary_read(&vocab, &f->vocabulary, &e), 0);
    assert_int_equal(bpe_read(&root, &f->vocabulary, &f->model, &e), 0);
    json_decref(value);
}

static void close_letters(struct fixture *f)
{
    bpe_model_free(&f->model);
    vocabulary_free(&f->vocabulary);
}

static void start_word(struct bpe *b, const uint32_t *symbols, size_t n)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(bpe_start(b, n, &e), 0);
    for (size_t i = 0; i < n; i++)
        bpe_add(b, symbols[i]);
}

static void a_short_word_is_merged_like_a_long_one(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    uint32_t word[SHORT_WORD];
    open_letters(&f);
    struct bpe one = {.model = &f.model}, other = {.model = &f.model};
    srand(3);
    for (int round = 0; round < 5000; round++) {
        size_t n = (size_t)rand() % SHORT_WORD + 1;
        for (size_t i = 0; i < n; i++)
            word[i] = (uint32_t)(rand() % (round % 4 + 1));
        start_word(&one, word, n);
        start_word(&other, word, n);
        bpe_merge_short(&one);
        assert_int_equal(bpe_merge_long(&other, &e), 0);
        assert_ids((int *)one.symbols, one.n_symbols, (int *)other.symbols,
                   other.n_symbols);
    }
    bpe_free(&one);
    bpe_free(&other);
    close_letters(&f);
}

/* Counted: a word that is too long to be short takes no more steps than a few
 * for each symbol. */
static void a_longer_word_goes_the_other_way(void **state)
{
    (void)state;
    struct fixture f;
    struct error e = {ERROR_NONE, ""};
    uint32_t word[SHORT_WORD + 1] = {0};
    open_letters(&f);
    struct bpe b = {.model = &f.model};
    start_word(&b, word, SHORT_WORD + 1);
    assert_int_equal(bpe_merge(&b, &e), 0);
    assert_true(b.steps < 8 * (SHORT_WORD + 1));
    b.steps = 0;
    start_word(&b, word, SHORT_WORD);
    assert_int_equal(bpe_merge(&b, &e), 0);
    assert_true(b.steps > 8 * (SHORT_WORD + 1));
    bpe_free(&b);
    close_letters(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_word_is_merged_like_a_long_one),
        cmocka_unit_test(a_longer_word_goes_the_other_way),
    };
    return cmocka_run_group_tests_name("bpe_short", tests, NULL, NULL);
}

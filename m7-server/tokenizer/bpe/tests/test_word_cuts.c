/* Cutting a long word changes no token. */
#include "word_cuts.h"

#include "test_words.h"

struct cuts_fixture {
    struct words_fixture words;
    struct word_cache cache;
    struct word_cuts cuts;
};

static void open_cuts(struct cuts_fixture *f)
{
    struct error e = {ERROR_NONE, ""};
    *f = (struct cuts_fixture){0};
    words_open(&f->words, letters_of_words);
    assert_int_equal(word_cache_open(&f->cache, 0, &e), 0);
    assert_int_equal(word_cuts_find(&f->cuts, &f->words.model, &e), 0);
}

static void close_cuts(struct cuts_fixture *f)
{
    word_cuts_free(&f->cuts);
    word_cache_close(&f->cache);
    words_close(&f->words);
}

static void encode_long(struct cuts_fixture *f, const char *word)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(encode_long_word(&f->cuts, &f->cache, &f->words.bpe, word,
                                      strlen(word), &f->words.out, &e),
                     0);
}

static void a_long_word_has_the_tokens_that_it_has_whole(void **state)
{
    (void)state;
    struct cuts_fixture f;
    char word[2000];
    open_cuts(&f);
    srand(2);
    for (int round = 0; round < 3000; round++) {
        random_word(word, 400, 2 + round % 5);
        words_expect(&f.words, word);
        encode_long(&f, word);
        words_compare(&f.words);
    }
    close_cuts(&f);
}

/* Tokens are "_ab" and the like: merges join "_" to "a", and nothing to
 * "_".  So of 40 times the same there are 39 cuts. */
static void a_part_that_came_before_is_not_merged_again(void **state)
{
    (void)state;
    struct cuts_fixture f;
    char word[200] = "";
    open_cuts(&f);
    encode_long(&f, "_ab");
    size_t steps = f.words.bpe.steps;
    for (int i = 0; i < 40; i++)
        strcat(word, "_ab");
    encode_long(&f, word);
    assert_int_equal(f.words.out.size, 41);
    assert_int_equal(f.words.bpe.steps, steps);
    close_cuts(&f);
}

/* "!" has no token and becomes "<0x21>", which merges join to both letters;
 * and neighbours that are unknown become one. */
static void nothing_is_cut_beside_the_unknown(void **state)
{
    (void)state;
    struct cuts_fixture f;
    static const char word[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab!a??_";
    open_cuts(&f);
    words_expect(&f.words, word);
    encode_long(&f, word);
    words_compare(&f.words);
    close_cuts(&f);
}

static void without_a_model_nothing_is_cut(void **state)
{
    (void)state;
    struct cuts_fixture f;
    char word[200] = "";
    open_cuts(&f);
    encode_long(&f, "_ab");
    f.cuts.model = NULL;
    for (int i = 0; i < 40; i++)
        strcat(word, "_ab");
    words_expect(&f.words, word);
    size_t steps = f.words.bpe.steps;
    encode_long(&f, word);
    words_compare(&f.words);
    assert_true(f.words.bpe.steps > steps);
    close_cuts(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_word_has_the_tokens_that_it_has_whole),
        cmocka_unit_test(a_part_that_came_before_is_not_merged_again),
        cmocka_unit_test(nothing_is_cut_beside_the_unknown),
        cmocka_unit_test(without_a_model_nothing_is_cut),
    };
    return cmocka_run_group_tests_name("word_cuts", tests, NULL, NULL);
}

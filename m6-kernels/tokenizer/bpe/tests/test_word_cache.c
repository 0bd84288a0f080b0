/* The cache of words changes no token. */
#include "bytelevel.h"
#include "word_cache.h"
#include "test_words.h"

static void expect_same(struct words_fixture *f, struct word_cache *c,
                        const char *word)
{
    struct error e = {ERROR_NONE, ""};
    words_expect(f, word);
    assert_int_equal(
        encode_cached_word(c, &f->bpe, word, strlen(word), &f->out, &e), 0);
    words_compare(f);
}

/* So few slots that words push each other out, and so few words that they
 * come again; some are too long to be kept, or have too many tokens. */
static void words_have_the_tokens_that_they_had_without(void **state)
{
    (void)state;
    static const int lengths[] = {3, 8, 40};
    struct words_fixture f;
    struct word_cache c = {0};
    struct error e = {ERROR_NONE, ""};
    char word[100];
    words_open(&f, letters_of_words);
    assert_int_equal(word_cache_open(&c, 0, &e), 0);
    srand(4);
    for (int round = 0; round < 6000; round++) {
        random_word(word, lengths[round % 3], 2 + round % 5);
        expect_same(&f, &c, word);
        expect_same(&f, &c, word);
    }
    word_cache_close(&c);
    words_close(&f);
}

/* What stands in the ids before a word is none of its tokens. */
static void a_word_known_is_not_merged_again(void **state)
{
    (void)state;
    struct words_fixture f;
    struct word_cache c = {0};
    struct error e = {ERROR_NONE, ""};
    words_open(&f, letters_of_words);
    assert_int_equal(word_cache_open(&c, 1000, &e), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            encode_cached_word(&c, &f.bpe, "_abab", 5, &f.out, &e), 0);
    assert_ids(f.out.data, f.out.size, (int[]){5, 4, 5, 4}, 4);
    size_t steps = f.bpe.steps;
    assert_int_equal(encode_cached_word(&c, &f.bpe, "_abab", 5, &f.out, &e),
                     0);
    assert_int_equal(f.bpe.steps, steps);
    word_cache_close(&c);
    words_close(&f);
}

/* " a", spelled with U+0120, is one token. */
static const char letters_of_bytes[] =
    "{\"vocab\":{\"\xC4\xA0\":0,\"a\":1,\"\xC4\xA0"
    "a\":2,\"\xC3\x83\":3,\"\xC2\xA9\":4,\"\xC3\x83\xC2\xA9\":5},"
    "\"merges\":[\"\xC4\xA0 a\",\"\xC3\x83 \xC2\xA9\"]}";

/* The second time it is found as it stands in the text, and not merged. */
static void a_word_not_known_is_spelled(void **state)
{
    (void)state;
    struct words_fixture f;
    struct word_cache c = {.spells = true};
    struct error e = {ERROR_NONE, ""};
    char word[45];
    words_open(&f, letters_of_bytes);
    assert_int_equal(word_cache_open(&c, 1000, &e), 0);
    assert_int_equal(encode_cached_word(&c, &f.bpe, " a", 2, &f.out, &e), 0);
    size_t steps = f.bpe.steps;
    assert_true(steps > 0);
    assert_int_equal(encode_cached_word(&c, &f.bpe, " a", 2, &f.out, &e), 0);
    assert_int_equal(f.bpe.steps, steps);
    assert_ids(f.out.data, f.out.size, (int[]){2, 2}, 2);
    f.out.size = 0;
    memset(word, ' ', sizeof word - 1);
    word[sizeof word - 1] = 'a';
    assert_int_equal(
        encode_cached_word(&c, &f.bpe, word, sizeof word, &f.out, &e), 0);
    assert_int_equal(f.out.size, sizeof word - 1);
    assert_int_equal(f.out.data[f.out.size - 1], 2);
    word_cache_close(&c);
    words_close(&f);
}

/* Of any bytes, as long as they are spelled at some time. */
static void spelling_late_changes_no_token(void **state)
{
    (void)state;
    struct words_fixture f;
    struct word_cache late = {.spells = true};
    struct error e = {ERROR_NONE, ""};
    struct bytes spelled = {0};
    words_open(&f, letters_of_bytes);
    assert_int_equal(word_cache_open(&late, 0, &e), 0);
    srand(5);
    for (int round = 0; round < 5000; round++) {
        static const char bytes[] = " a \xC3\xA9\n";
        char word[60];
        size_t size = 1 + (size_t)rand() % sizeof word;
        for (size_t i = 0; i < size; i++)
            word[i] = bytes[rand() % (2 + round % 5)];
        f.out.size = f.expected.size = spelled.size = 0;
        bytelevel_spell(word, size, &spelled);
        assert_int_equal(encode_word(&f.bpe, spelled.data, spelled.size,
                                     &f.expected, &e),
                         0);
        assert_int_equal(
            encode_cached_word(&late, &f.bpe, word, size, &f.out, &e), 0);
        words_compare(&f);
    }
    bytes_free(&spelled);
    word_cache_close(&late);
    words_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_the_tokens_that_they_had_without),
        cmocka_unit_test(a_word_known_is_not_merged_again),
        cmocka_unit_test(a_word_not_known_is_spelled),
        cmocka_unit_test(spelling_late_changes_no_token),
    };
    return cmocka_run_group_tests_name("word_cache", tests, NULL, NULL);
}

/* Many words are found in one pass. */
#include "word_search.h"

#include "random.h"
#include "test_numbers.h"

/* Words that a blank ends each, and a text: those found are "1". */
static void expect_found(const char *words, const char *text,
                         const char *expected)
{
    struct word_search s = {0};
    char copy[64];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        assert_int_equal(word_search_add(&s, w), 0);
    assert_int_equal(word_search_run(&s, text, strlen(text)), 0);
    assert_int_equal(s.n_words, strlen(expected));
    for (size_t i = 0; i < s.n_words; i++)
        assert_int_equal(word_search_found(&s, i), expected[i] == '1');
    word_search_free(&s);
}

static void words_are_found_wherever_they_stand(void **state)
{
    (void)state;
    expect_found("look city days", "look(city, days)", "111");
    expect_found("look city days", "look(city)", "110");
    expect_found("a", "", "0");
    expect_found("a b", "b", "01");
    expect_found("abcd", "abc", "0");
    expect_found("\xC3\xA9 \xC3\xA8", "\xC3\xA9", "10");
}

/* As in the paper: he, she, his, hers. */
static void a_word_may_be_in_another_or_overlap_it(void **state)
{
    (void)state;
    expect_found("he she his hers", "ushers", "1101");
    expect_found("abcd bc c bcx", "abcd", "1110");
    expect_found("abc bcd cde", "abcde", "111");
    expect_found("aab", "aaab", "1");
    expect_found("same same", "same", "11");
}

static void the_empty_word_is_everywhere(void **state)
{
    (void)state;
    struct word_search s = {0};
    assert_int_equal(word_search_add(&s, ""), 0);
    assert_int_equal(word_search_run(&s, NULL, 0), 0);
    assert_true(word_search_found(&s, 0));
    word_search_free(&s);
}

/* Words and texts of a and b by chance: strstr says the same. */
static void it_is_what_strstr_says(void **state)
{
    (void)state;
    struct random r;
    random_init(&r, 1, 0);
    for (int round = 0; round < 2000; round++) {
        struct word_search s = {0};
        char words[8][8] = {""}, text[33] = "";
        for (size_t i = 0; i < 32; i++)
            text[i] = 'a' + (char)(random_bits(&r) % 2);
        for (size_t w = 0; w < 8; w++) {
            for (size_t i = 0; i < 1 + w % 7; i++)
                words[w][i] = 'a' + (char)(random_bits(&r) % 2);
            assert_int_equal(word_search_add(&s, words[w]), 0);
        }
        assert_int_equal(word_search_run(&s, text, 32), 0);
        for (size_t w = 0; w < 8; w++)
            assert_int_equal(word_search_found(&s, w),
                             strstr(text, words[w]) != NULL);
        word_search_free(&s);
    }
}

enum hostile_sizes {
    TEXT = 1 << 20,
    WORDS = 400 /* of 1, 2, 3 ... letters */
};

/* A million letters, and words that are nearly everywhere in them, one at a
 * time: 80,000 letters of words, looked for in some steps for each letter and
 * not in 400 million. */
static void hostile_words_cost_their_sum(void **state)
{
    (void)state;
    char *text = malloc(TEXT), *letters = malloc(WORDS + 2);
    char *copies[WORDS];
    struct word_search s = {0};
    assert_non_null(text);
    assert_non_null(letters);
    memset(text, 'a', TEXT);
    for (size_t i = 0; i < WORDS; i++) {
        memset(letters, 'a', WORDS);
        letters[i] = 'b';
        letters[i + 1] = '\0';
        copies[i] = strdup(letters);
        assert_non_null(copies[i]);
        assert_int_equal(word_search_add(&s, copies[i]), 0);
    }
    assert_int_equal(word_search_run(&s, text, TEXT), 0);
    assert_true(s.n_steps <= 2 * (uint64_t)TEXT + 4 * (uint64_t)s.size);
    for (size_t i = 0; i < WORDS; i++) {
        assert_false(word_search_found(&s, i));
        free(copies[i]);
    }
    word_search_free(&s);
    free(text);
    free(letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_wherever_they_stand),
        cmocka_unit_test(a_word_may_be_in_another_or_overlap_it),
        cmocka_unit_test(the_empty_word_is_everywhere),
        cmocka_unit_test(it_is_what_strstr_says),
        cmocka_unit_test(hostile_words_cost_their_sum),
    };
    return cmocka_run_group_tests_name("word search", tests, NULL, NULL);
}

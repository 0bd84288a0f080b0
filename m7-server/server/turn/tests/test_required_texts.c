/* Of many texts one must come: the same answers as comparing with each, by
 * comparing with few. */
#include "required_texts.h"

#include "test_run.h"

#include <stdio.h>
#include <string.h>

static void add(struct required_texts *r, const char *text)
{
    struct bytes b = {0};
    bytes_add_string(&b, text);
    required_texts_add(r, &b);
    bytes_free(&b);
    assert_false(r->failed);
}

/* Every text of at most `most` letters a, b and c; the i-th goes to `out`.
 * False: there are fewer. */
static bool letters_of(size_t i, size_t most, char *out)
{
    size_t n = 0;
    for (; i > 0; i = (i - 1) / 3)
        out[n++] = (char)('a' + (i - 1) % 3);
    out[n] = '\0';
    return n <= most;
}

static bool agree(const char *a, const char *b)
{
    size_t n = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return memcmp(a, b, n) == 0;
}

static const char *const texts[] = {"abca", "abb",  "cab", "abcb", "cabb",
                                    "abca", "abcc", "b",   "cac"};
enum text_count {
    N_TEXTS = sizeof texts / sizeof *texts,
    MOST_LETTERS = 4
};

/* By comparing with each text; no text has come in `said`. */
static bool one_goes_on(const char *said, const char *token)
{
    char both[2 * MOST_LETTERS + 1];
    snprintf(both, sizeof both, "%s%s", said, token);
    for (size_t i = 0; i < N_TEXTS; i++)
        if (agree(texts[i], both) && strlen(texts[i]) > strlen(said))
            return true;
    return false;
}

static bool one_has_come(const char *said)
{
    for (size_t i = 0; i < N_TEXTS; i++)
        if (strncmp(said, texts[i], strlen(texts[i])) == 0)
            return true;
    return false;
}

static void the_answers_are_those_of_comparing_with_each(void **state)
{
    struct required_texts r = {0};
    char said[8], token[8];
    (void)state;
    for (size_t i = 0; i < N_TEXTS; i++)
        add(&r, texts[i]);
    required_texts_sort(&r);
    for (size_t i = 0; letters_of(i, MOST_LETTERS, said); i++) {
        size_t n = strlen(said);
        assert_int_equal(required_text_has_come(&r, said, n),
                         one_has_come(said));
        if (one_has_come(said))
            continue;
        struct required_rests rests = required_rests_after(&r, said, n);
        for (size_t j = 0; letters_of(j, MOST_LETTERS, token); j++)
            assert_int_equal(
                required_rests_agree(&rests, token, strlen(token)),
                one_goes_on(said, token));
    }
    required_texts_free(&r);
}

static void what_begins_with_another_goes(void **state)
{
    struct required_texts r = {0};
    (void)state;
    add(&r, "cabb");
    add(&r, "cab");
    add(&r, "abc");
    add(&r, "abc");
    required_texts_sort(&r);
    assert_int_equal(r.n, 2);
    add(&r, "a");
    required_texts_sort(&r);
    assert_int_equal(r.n, 2);
    assert_true(required_text_has_come(&r, "ab", 2));
    required_texts_free(&r);
}

enum many_tools {
    N_TOOLS = 4096,
    HALVINGS = 12, /* of so many, until one is left */
    N_TOKENS = 24000
};

/* Tools whose names share a long beginning, and a vocabulary in which one
 * token of 8 begins as all of them go on, and one of 24 goes on with them. */
static void of_many_texts_few_are_compared(void **state)
{
    struct required_texts r = {0};
    char text[80];
    size_t n_agree = 0;
    (void)state;
    for (int i = 0; i < N_TOOLS; i++) {
        snprintf(text, sizeof text, "%060d%d(", 0, i);
        add(&r, text);
    }
    required_texts_sort(&r);
    struct required_rests rests = required_rests_after(&r, text, 30);
    assert_int_equal(rests.n, N_TOOLS);
    for (int id = 0; id < N_TOKENS; id++) {
        char token[] = {(char)('0' + id % 8), (char)('0' + id % 3)};
        n_agree += required_rests_agree(&rests, token, sizeof token);
    }
    assert_int_equal(n_agree, N_TOKENS / 24);
    assert_in_range(rests.compared, n_agree, N_TOKENS / 8 * (HALVINGS + 1));
    required_texts_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answers_are_those_of_comparing_with_each),
        cmocka_unit_test(what_begins_with_another_goes),
        cmocka_unit_test(of_many_texts_few_are_compared),
    };
    return cmocka_run_group_tests_name("required texts", tests, NULL, NULL);
}

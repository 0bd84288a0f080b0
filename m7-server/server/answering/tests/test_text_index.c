/* What an index excludes does not stand in the text. */
#include "text_index.h"

#include "random.h"
#include "test_numbers.h"

static bool excludes(const struct text_index *x, size_t from,
                     const char *words)
{
    return text_index_excludes(x, from, words, strlen(words));
}

static struct text_index index_of(const char *text)
{
    struct text_index x;
    struct error e = {ERROR_NONE, ""};
    assert_ok(text_index_init(&x, text, strlen(text), &e), &e);
    return x;
}

static void what_has_other_pieces_is_excluded(void **state)
{
    (void)state;
    struct text_index x = index_of("one two three");
    assert_false(excludes(&x, 0, "one two three"));
    assert_false(excludes(&x, 0, "two"));
    assert_true(excludes(&x, 0, "one two thref"));
    assert_true(excludes(&x, 0, "one\ntwo three"));
    assert_true(excludes(&x, 0, "tow"));
    text_index_free(&x);
}

static void what_stands_before_is_excluded(void **state)
{
    (void)state;
    struct text_index x = index_of("one two three");
    assert_false(excludes(&x, 4, "two"));
    assert_true(excludes(&x, 5, "two"));
    assert_true(excludes(&x, 1, "one two three"));
    text_index_free(&x);
}

static void of_a_single_byte_nothing_is_known(void **state)
{
    (void)state;
    struct text_index x = index_of("one");
    assert_false(excludes(&x, 0, "x"));
    assert_false(excludes(&x, 0, ""));
    text_index_free(&x);
    x = index_of("");
    assert_true(excludes(&x, 0, "xy"));
    text_index_free(&x);
    assert_false(excludes(&x, 0, "xy"));
}

/* Texts of a and b by chance: what is there is never excluded. */
static void it_is_never_wrong(void **state)
{
    (void)state;
    struct random r;
    char text[65] = "";
    size_t n_excluded = 0;
    random_init(&r, 1, 0);
    for (size_t i = 0; i < 64; i++)
        text[i] = 'a' + (char)(random_bits(&r) % 2);
    struct text_index x = index_of(text);
    for (int round = 0; round < 20000; round++) {
        char words[12] = "";
        size_t from = random_bits(&r) % 64;
        for (size_t i = 0; i < 1 + (size_t)round % 11; i++)
            words[i] = 'a' + (char)(random_bits(&r) % 2);
        bool excluded = excludes(&x, from, words);
        n_excluded += excluded;
        assert_false(excluded && strstr(text + from, words));
    }
    assert_true(n_excluded > 5000);
    text_index_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_other_pieces_is_excluded),
        cmocka_unit_test(what_stands_before_is_excluded),
        cmocka_unit_test(of_a_single_byte_nothing_is_known),
        cmocka_unit_test(it_is_never_wrong),
    };
    return cmocka_run_group_tests_name("text index", tests, NULL, NULL);
}

/* Stop strings end a text wherever they lie, and are never shown in part. */
#include "stop.h"

#include "test_numbers.h"

/* Feed text in the pieces that "|" separates: `expected` is what comes out
 * after each, and at the end, in the same way. */
static void expect_all(const char *const *stops, size_t n, const char *text,
                       const char *expected)
{
    struct stop s;
    struct error e;
    struct bytes out = {0};
    assert_ok(stop_init(&s, stops, n, &e), &e);
    for (;; text++) {
        size_t size = strcspn(text, "|");
        assert_ok(stop_put(&s, text, size, &out, &e), &e);
        bytes_add_string(&out, "|");
        text += size;
        if (!*text)
            break;
    }
    assert_ok(stop_end(&s, &out, &e), &e);
    assert_int_equal(s.held.size, 0);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
    stop_free(&s);
}

static void expect(const char *stop, const char *text, const char *expected)
{
    expect_all(&stop, 1, text, expected);
}

static void without_a_stop_string_all_text_passes_at_once(void **state)
{
    (void)state;
    expect_all(NULL, 0, "Par|is.|", "Par|is.||");
}

static void a_text_ends_before_its_stop_string(void **state)
{
    (void)state;
    expect("END", "one END two", "one |");
    expect("END", "END", "|");
}

static void a_stop_string_may_lie_across_tokens(void **state)
{
    (void)state;
    expect("END", "one E|N|D two", "one |||");
    expect("\n\n", "a\n|\nb", "a||");
}

static void what_may_begin_one_is_held_back(void **state)
{
    (void)state;
    expect("END", "one E|N|Y", "one ||ENY|");
    expect("END", "EN", "|EN");
}

/* "aab" in "aaab": after "aa", another "a" leaves a match of two, not of
 * none; and "abab" in "ababab" is found at once. */
static void a_wrong_byte_may_leave_a_shorter_match(void **state)
{
    (void)state;
    expect("aab", "a|a|a|b", "||a||");
    expect("ababc", "abab|ab|c", "|ab||");
    expect("aaba", "aabaab", "|");
}

static void the_first_of_several_ends_the_text(void **state)
{
    (void)state;
    static const char *const stops[] = {"three", "two"};
    expect_all(stops, 2, "one two three", "one |");
}

/* Both end at the same byte: the text ends before the one that began first. */
static void of_two_that_end_together_the_longer_counts(void **state)
{
    (void)state;
    static const char *const stops[] = {"b", "ab"};
    static const char *const turned[] = {"ab", "b"};
    expect_all(stops, 2, "xab", "x|");
    expect_all(turned, 2, "xab", "x|");
}

/* Then nothing is held back for a longer one that has begun as well. */
static void a_whole_string_counts_more_than_a_begun_one(void **state)
{
    (void)state;
    static const char *const stops[] = {"b", "abcd"};
    static const char *const turned[] = {"abcd", "b"};
    expect_all(stops, 2, "xa|b", "x|a|");
    expect_all(turned, 2, "xa|b", "x|a|");
}

static void what_one_string_drops_another_may_still_hold(void **state)
{
    (void)state;
    static const char *const stops[] = {"abcd", "bcx"};
    expect_all(stops, 2, "abc|x", "|a|");
    expect_all(stops, 2, "abc|y", "|abcy|");
}

static void after_the_end_nothing_comes(void **state)
{
    (void)state;
    expect(".", "a.b|c|d", "a|||");
}

static const char *const three[] = {"abab", "aab", "bbb"};

/* Where the first of the three to end begins, or the text's end. */
static size_t search(const char *text)
{
    size_t n = strlen(text);
    for (size_t end = 1; end <= n; end++)
        for (size_t i = 0; i < 3; i++) {
            size_t size = strlen(three[i]);
            if (end >= size && memcmp(text + end - size, three[i], size) == 0)
                return end - size;
        }
    return n;
}

/* All texts of up to 8 letters a and b, one letter at a time. */
static void it_agrees_with_a_search(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits < 1 << 9; bits++) {
        char text[10] = "";
        struct stop s;
        struct error e;
        struct bytes out = {0};
        assert_ok(stop_init(&s, three, 3, &e), &e);
        for (unsigned b = bits; b > 1; b >>= 1) {
            const char *letter = b & 1 ? "b" : "a";
            strcat(text, letter);
            assert_ok(stop_put(&s, letter, 1, &out, &e), &e);
        }
        assert_ok(stop_end(&s, &out, &e), &e);
        size_t end = search(text);
        assert_int_equal(s.found, end < strlen(text));
        assert_int_equal(out.size, end);
        if (end > 0)
            assert_memory_equal(out.data, text, end);
        bytes_free(&out);
        stop_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_stop_string_all_text_passes_at_once),
        cmocka_unit_test(a_text_ends_before_its_stop_string),
        cmocka_unit_test(a_stop_string_may_lie_across_tokens),
        cmocka_unit_test(what_may_begin_one_is_held_back),
        cmocka_unit_test(a_wrong_byte_may_leave_a_shorter_match),
        cmocka_unit_test(the_first_of_several_ends_the_text),
        cmocka_unit_test(of_two_that_end_together_the_longer_counts),
        cmocka_unit_test(a_whole_string_counts_more_than_a_begun_one),
        cmocka_unit_test(what_one_string_drops_another_may_still_hold),
        cmocka_unit_test(after_the_end_nothing_comes),
        cmocka_unit_test(it_agrees_with_a_search),
    };
    return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}

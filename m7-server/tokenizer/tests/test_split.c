/* Cutting a text: the five behaviours, on the example of split.h. */
#include "split.h"

#include "buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* The pieces, each followed by "|", with a "^" for each byte of the first
 * character. */
static int collect(void *context, struct piece piece, struct error *e)
{
    (void)e;
    struct bytes *out = context;
    assert_true(piece.size > 0);
    assert_true(piece.first_size <= piece.size);
    for (size_t i = 0; i < piece.first_size; i++)
        bytes_add_string(out, "^");
    bytes_add(out, piece.text, piece.size);
    bytes_add_string(out, "|");
    return 0;
}

static void expect_first_sizes(size_t first_size, const char *text,
                               enum split_behavior behavior, bool invert,
                               const char *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct split s = {.behavior = behavior, .invert = invert};
    struct piece whole = {text, strlen(text), first_size};
    struct bytes out = {0};
    assert_int_equal(pattern_literal("-", 1, &s.pattern, &e), 0);
    assert_int_equal(split_run(&s, whole, collect, &out, &e), 0);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
    pattern_free(&s.pattern);
}

static void expect_cut(const char *text, enum split_behavior behavior,
                       bool invert, const char *expected)
{
    expect_first_sizes(1, text, behavior, invert, expected);
}

static const char example[] = "the-final--countdown";

static void removed_drops_the_matches(void **state)
{
    (void)state;
    expect_cut(example, SPLIT_REMOVED, false, "^the|final|countdown|");
    expect_cut(example, SPLIT_REMOVED, true, "-|-|-|");
    expect_cut("--", SPLIT_REMOVED, false, "");
}

static void isolated_keeps_them_apart(void **state)
{
    (void)state;
    expect_cut(example, SPLIT_ISOLATED, false, "^the|-|final|-|-|countdown|");
}

static void merged_with_previous_ends_a_piece(void **state)
{
    (void)state;
    expect_cut(example, SPLIT_MERGED_WITH_PREVIOUS, false,
               "^the-|final-|-|countdown|");
    expect_cut("-a", SPLIT_MERGED_WITH_PREVIOUS, false, "^-|a|");
    expect_cut("--a", SPLIT_MERGED_WITH_PREVIOUS, false, "^-|-|a|");
    expect_cut("a--b", SPLIT_MERGED_WITH_PREVIOUS, true, "^a|-|-b|");
}

static void merged_with_next_begins_a_piece(void **state)
{
    (void)state;
    expect_cut(example, SPLIT_MERGED_WITH_NEXT, false,
               "^the|-final|-|-countdown|");
    expect_cut("a-", SPLIT_MERGED_WITH_NEXT, false, "^a|-|");
    expect_cut("a--", SPLIT_MERGED_WITH_NEXT, false, "^a|-|-|");
    expect_cut("a--b", SPLIT_MERGED_WITH_NEXT, true, "^a-|-|b|");
}

static void contiguous_joins_neighbours(void **state)
{
    (void)state;
    expect_cut(example, SPLIT_CONTIGUOUS, false, "^the|-|final|--|countdown|");
}

static void without_a_match_the_piece_stays_whole(void **state)
{
    (void)state;
    for (int b = SPLIT_REMOVED; b <= SPLIT_CONTIGUOUS; b++)
        expect_cut("word", (enum split_behavior)b, false, "^word|");
}

static void the_head_is_shared_out(void **state)
{
    (void)state;
    expect_first_sizes(4, "a-bcd", SPLIT_ISOLATED, false, "^a|^-|^^bcd|");
    expect_first_sizes(0, "a-bcd", SPLIT_ISOLATED, false, "a|-|bcd|");
}

static int refuse(void *context, struct piece piece, struct error *e)
{
    (void)piece;
    ++*(int *)context;
    return fail(e, ERROR_INPUT, "enough");
}

/* At the first piece, whichever range it comes from. */
static void the_sink_can_stop_it(void **state)
{
    (void)state;
    static const char *const texts[] = {example, "-a-", "-a", "a", "-"};
    struct error e = {ERROR_NONE, ""};
    struct split s = {.behavior = SPLIT_ISOLATED};
    assert_int_equal(pattern_literal("-", 1, &s.pattern, &e), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct piece whole = {texts[i], strlen(texts[i]), 0};
        int calls = 0;
        assert_int_equal(split_run(&s, whole, refuse, &calls, &e), -1);
        assert_int_equal(calls, 1);
        assert_string_equal(e.message, "enough");
    }
    pattern_free(&s.pattern);
}

/* The expression tries every way to cut the letters into ones and twos. */
static void a_search_that_gives_up_is_an_error(void **state)
{
    (void)state;
    static const char hopeless[] = "(?:a|aa)+[^a]y|-";
    static const char text[] = "-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabxy";
    struct error e = {ERROR_NONE, ""};
    struct split s = {.behavior = SPLIT_ISOLATED};
    struct piece whole = {text, strlen(text), 0};
    struct bytes out = {0};
    s.pattern.regex = regex_new(hopeless, strlen(hopeless), &e);
    assert_non_null(s.pattern.regex);
    assert_int_equal(split_run(&s, whole, collect, &out, &e), -1);
    assert_string_equal(e.message, "regular expression: byte 1 of the text: "
                                   "match limit exceeded");
    bytes_free(&out);
    pattern_free(&s.pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removed_drops_the_matches),
        cmocka_unit_test(isolated_keeps_them_apart),
        cmocka_unit_test(merged_with_previous_ends_a_piece),
        cmocka_unit_test(merged_with_next_begins_a_piece),
        cmocka_unit_test(contiguous_joins_neighbours),
        cmocka_unit_test(without_a_match_the_piece_stays_whole),
        cmocka_unit_test(the_head_is_shared_out),
        cmocka_unit_test(the_sink_can_stop_it),
        cmocka_unit_test(a_search_that_gives_up_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

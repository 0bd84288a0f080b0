/* What PCRE2 cannot do exactly as Oniguruma does is refused: the message names
 * the construct and its byte offset in the pattern. */
#include "regex.h"
#include "test_sum.h"

struct refusal {
    const char *pattern, *message;
};

static void check_refusals(const struct refusal *refusals, size_t n)
{
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        struct error e = {0};
        struct regex *r =
            regex_new(refusals[i].pattern, strlen(refusals[i].pattern), &e);
        struct bytes message = text_of(r ? "" : e.message);
        struct bytes expected = text_of("regular expression: byte ");
        bytes_add_string(&expected, refusals[i].message);
        bytes_add(&expected, "", 1);
        same &= same_text(refusals[i].pattern, &message, expected.data);
        bytes_free(&message);
        bytes_free(&expected);
        regex_free(r);
    }
    assert_true(same);
}

static void constructs_are_refused_by_name_and_place(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"(a)\\1", "3: a reference back to a group is not supported"},
        {"(?<n>a)\\k<n>", "7: a reference back to a group is not supported"},
        {"(a)\\g<1>", "3: a call of a group is not supported"},
        {"a\\Kb",
         "1: \\K, which moves the start of a match, is not supported"},
        {"\\X", "0: a text segment: \\X, \\y or \\Y is not supported"},
        {"a\\y", "1: a text segment: \\X, \\y or \\Y is not supported"},
        {"a\\Y", "1: a text segment: \\X, \\y or \\Y is not supported"},
        {"a(?~b)", "1: an absent group (?~ is not supported"},
        {"(a)(?(1)b)", "3: a condition (?( is not supported"},
        {"a(?{b})", "1: a callout is not supported"},
        {"(*FAIL)", "0: a callout is not supported"},
        {"(?x)a b", "0: this kind of group, or option, is not supported"},
        {"(?P<n>a)", "0: this kind of group, or option, is not supported"},
        {"a(?=b)*", "6: a repeat of an assertion is not supported"},
        {"^+", "1: a repeat of an assertion is not supported"},
        {"a+?*", "3: a repeat of a reluctant repeat is not supported"},
        {"a{70000}", "1: a repeat of more than 65535 is not supported"},
        {"a\\xE4", "1: a byte that is not ASCII is not supported"},
        {"\\x{41 42}", "0: this way to write a code point is not supported"},
        {"\\cA", "0: this escape is not supported"},
        {"\\pL", "0: \\p without a { behind it is not supported"},
        {"a\\p{Kawi}", "1: this character property is not supported"},
        {"[[:lower:]]", "1: this set in [: and :] is not supported"},
        {"[a&&]", "4: an empty side of && is not supported"},
        {"[a-\\d]", "2: a range with a set at its end is not supported"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

/* Oniguruma reads U+00DF, U+FB06 and others as several letters, so that what
 * seems to be one set or two letters is more. */
static void ignoring_case_is_refused_where_letters_may_join(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"(?i:aSs)", "6: two letters that a ligature may stand for, where "
                     "case is ignored, is not supported"},
        {"(?i)s(?:t)", "8: two letters that a ligature may stand for, where "
                       "case is ignored, is not supported"},
        {"(?i:\u00e9)", "4: a letter beyond ASCII where case is ignored is "
                        "not supported"},
        {"(?i:[a-\u00ff])", "5: a letter beyond ASCII where case is ignored "
                            "is not supported"},
        {"(?i:[\\p{L}])", "5: a set of letters in a set that ignores case "
                          "is not supported"},
        {"(?i:[a&&b])", "6: && where case is ignored is not supported"},
        {"(?i:[a[^b]])", "6: this set in a set that ignores case is not "
                         "supported"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

/* Where a pattern names one of two characters that are one in the shadow. */
static void naming_unstable_characters_is_refused(void **state)
{
    (void)state;
    static const char message[] =
        " to name a character that is not the same in all versions of "
        "Unicode is not supported";
    static const struct refusal patterns[] = {
        {"a\u1c89", "1:"}, {"[\\x{1F6DC}]", "1:"}, {"[b\u0800-\u0890]", "2:"}};
    for (size_t i = 0; i < 3; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s%s", patterns[i].message, message);
        struct refusal refusal = {patterns[i].pattern, text};
        check_refusals(&refusal, 1);
    }
}

static void what_is_no_expression_is_an_error(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"a(b", "2: a group without its )"},
        {"ab)", "2: a ) without its ("},
        {"a[b", "3: a set without its ]"},
        {"*a", "0: a repeat of nothing"},
        {"a|+", "2: a repeat of nothing"},
        {"[b-a]", "1: a range that ends before it begins"},
        {"ab\\", "2: a backslash with nothing behind it"},
        {"[a\\", "2: a backslash with nothing behind it"},
        {"\\p{L", "0: \\p{ without its }"},
        {"(?#a", "0: a comment without its )"},
        {"(?<n", "0: a group's name without its end"},
        {"\\x{110000}", "0: this is no code point"},
        {"\\uD800", "0: this is no code point"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

static void depth_is_limited(void **state)
{
    (void)state;
    struct bytes groups = {0}, sets = {0};
    for (int i = 0; i < 100000; i++) {
        bytes_add(&groups, "(", 1);
        bytes_add(&sets, "[", 1);
    }
    struct error e;
    assert_null(regex_new(groups.data, groups.size, &e));
    assert_string_equal(e.message, "regular expression: byte 101: this depth "
                                   "of groups in groups is not supported");
    assert_null(regex_new(sets.data, sets.size, &e));
    assert_string_equal(e.message, "regular expression: byte 101: this depth "
                                   "of sets in sets is not supported");
    bytes_free(&groups);
    bytes_free(&sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructs_are_refused_by_name_and_place),
        cmocka_unit_test(ignoring_case_is_refused_where_letters_may_join),
        cmocka_unit_test(naming_unstable_characters_is_refused),
        cmocka_unit_test(what_is_no_expression_is_an_error),
        cmocka_unit_test(depth_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

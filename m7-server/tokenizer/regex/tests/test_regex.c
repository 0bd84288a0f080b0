/* Expressions match where Oniguruma, inside `tokenizers`, has them match. */
#include "regex.h"

#include "test_long.h"
#include "test_sum.h"

static json_t *golden;

static struct regex *compiled(const char *pattern)
{
    struct error e;
    struct regex *r = regex_new(pattern, strlen(pattern), &e);
    if (!r)
        print_error("%s: %s\n", pattern, e.message);
    assert_non_null(r);
    return r;
}

static struct scan *begin(const struct regex *r, const struct bytes *text)
{
    struct error e;
    struct scan *s = scan_new(r, text->data, text->size, &e);
    assert_non_null(s);
    return s;
}

/* --- What tokenizers says ---------------------------------------------- */

/* The text of all code points, U+D800 to U+DFFF left out. */
static struct bytes all_characters(void)
{
    struct bytes text = {0};
    for (uint32_t code = 0; code < 0x110000; code++)
        if (code < 0xD800 || code >= 0xE000)
            utf8_add(&text, code);
    return text;
}

static bool same_set(const json_t *set, const struct bytes *all)
{
    const char *pattern = golden_string(set, 0);
    struct regex *r = compiled(pattern);
    struct scan *s = begin(r, all);
    struct bytes found = {0};
    struct error e;
    size_t from, to;
    while (scan_next(s, &from, &to, &e) == 1)
        bytes_add(&found, all->data + from, to - from);
    char sum[9];
    bool same = strcmp(crc_of(&found, sum), golden_string(set, 1)) == 0;
    if (!same)
        print_error("%s: matches other characters\n", pattern);
    bytes_free(&found);
    scan_free(s);
    regex_free(r);
    return same;
}

/* Each set against every character; where the tests must be quick, one set in
 * four. */
static void sets_hold_the_same_characters(void **state)
{
    (void)state;
    struct bytes all = all_characters();
    size_t i;
    const json_t *set;
    bool same = true;
    json_array_foreach(golden_get(golden, "sets"), i, set)
    {
        if (is_long() || i % 4 == 0)
            same &= same_set(set, &all);
    }
    bytes_free(&all);
    assert_true(same);
}

/* Where the pieces end into which the matches cut a text, written "1 4 5". */
static struct bytes cuts(const struct regex *r, const struct bytes *text)
{
    struct bytes out = {0};
    struct scan *s = begin(r, text);
    struct error e;
    size_t from, to, end = 0;
    char number[32];
    while (scan_next(s, &from, &to, &e) == 1) {
        const size_t ends[] = {from, to};
        for (int i = 0; i < 2; i++)
            if (ends[i] > end) {
                snprintf(number, sizeof number, "%zu ", end = ends[i]);
                bytes_add_string(&out, number);
            }
    }
    if (end < text->size) {
        snprintf(number, sizeof number, "%zu ", text->size);
        bytes_add_string(&out, number);
    }
    scan_free(s);
    return out;
}

static struct bytes golden_cuts(const json_t *ends)
{
    struct bytes out = {0};
    size_t i;
    const json_t *end;
    json_array_foreach(ends, i, end)
    {
        char number[32];
        snprintf(number, sizeof number, "%lld ",
                 (long long)json_integer_value(end));
        bytes_add_string(&out, number);
    }
    bytes_add(&out, "", 1);
    return out;
}

static bool same_cuts(const json_t *c, struct regex *r)
{
    const char *pattern = golden_string(c, 0), *string = golden_string(c, 1);
    struct bytes text = text_of(string), found = cuts(r, &text);
    struct bytes expected = golden_cuts(json_array_get(c, 2));
    bool same = same_text(pattern, &found, expected.data);
    if (!same)
        print_error("... in \"%s\"\n", string);
    bytes_free(&text);
    bytes_free(&found);
    bytes_free(&expected);
    regex_free(r);
    return same;
}

static void matches_are_those_of_oniguruma(void **state)
{
    (void)state;
    size_t i;
    const json_t *c;
    bool same = true;
    json_array_foreach(golden_get(golden, "cases"), i, c) same &=
        same_cuts(c, compiled(golden_string(c, 0)));
    assert_true(same);
}

static void without_a_compiler_they_are_the_same(void **state)
{
    (void)state;
    size_t i;
    const json_t *c;
    bool same = true;
    json_array_foreach(golden_get(golden, "cases"), i, c)
    {
        struct error e;
        const char *pattern = golden_string(c, 0);
        same &=
            same_cuts(c, regex_new_interpreted(pattern, strlen(pattern), &e));
    }
    assert_true(same);
}

/* --- Long texts -------------------------------------------------------- */

static const char *const expressions[] = {
    /* GPT-2, Llama 3, GPT-OSS, and two that need memory for each character */
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+"
    "|\\s+(?!\\S)|\\s+",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*"
    "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    "|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+"
    "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)"
    "|\\s+",
    "(?:\\s|\\p{L}{1,3}|[^\\s\\p{L}])+",
    "(?:[\\p{L}&&[^a]]|[a \\p{S}])+",
};

struct long_text {
    const char *unit, *name;
    size_t size;
};

static const struct long_text long_texts[] = {
    {" ", "spaces", 10000000},     {"a", "one letter", 10000000},
    {"A", "one capital", 1000000}, {"\U0001F600", "emoji", 1000000},
    {"\u4e2d", "Han", 1000000},    {"\U00031350", "new Han", 1000000},
};

static struct bytes repeated(const char *unit, size_t size)
{
    struct bytes text = {0};
    while (text.size < size)
        bytes_add_string(&text, unit);
    return text;
}

/* Matches cover a text of 10 MB from end to end, of 1 MB where the tests must
 * be quick; what took a time that grows with the square of the length would
 * not end in a day. */
static void megabytes_of_one_thing_match(void **state)
{
    (void)state;
    for (size_t u = 0; u < sizeof long_texts / sizeof *long_texts; u++) {
        size_t size = long_texts[u].size / (is_long() ? 1 : 10);
        struct bytes text = repeated(long_texts[u].unit, size);
        for (size_t p = 0; p < sizeof expressions / sizeof *expressions; p++) {
            struct regex *r = compiled(expressions[p]);
            struct scan *s = begin(r, &text);
            struct error e = {0};
            size_t from, to = 0, end = 0;
            int status;
            while ((status = scan_next(s, &from, &to, &e)) == 1 && from == end)
                end = to;
            if (status != 0)
                print_error("%s, expression %zu: %s\n", long_texts[u].name, p,
                            e.message);
            assert_int_equal(status, 0);
            assert_int_equal(end, text.size);
            scan_free(s);
            regex_free(r);
        }
        bytes_free(&text);
    }
}

static void hopeless_work_is_given_up(void **state)
{
    (void)state;
    struct regex *r = compiled("(?:a|aa)+[^a]y");
    struct bytes text = repeated("a", 2000);
    bytes_add_string(&text, "bxy");
    struct scan *s = begin(r, &text);
    struct error e;
    size_t from, to;
    assert_int_equal(scan_next(s, &from, &to, &e), -1);
    assert_string_equal(e.message, "regular expression: byte 0 of the text: "
                                   "match limit exceeded");
    scan_free(s);
    regex_free(r);
    bytes_free(&text);
}

/* Whether the search for a pattern that has to try every way to cut n letters
 * into ones and twos comes to its end, in a text of this size. */
static bool is_worked_out(size_t n, size_t size)
{
    static const char pattern[] = "\\A(?:a|aa)+[^a\n]";
    struct error e;
    struct regex *r = regex_new_interpreted(pattern, strlen(pattern), &e);
    struct bytes text = repeated("a", n);
    while (text.size < size)
        bytes_add_string(&text, "\n");
    struct scan *s = begin(r, &text);
    size_t from, to;
    int status = scan_next(s, &from, &to, &e);
    scan_free(s);
    regex_free(r);
    bytes_free(&text);
    return status == 0;
}

/* Ten million steps, or 64 a byte when that is more.  30 letters take 7
 * million, 32 take 18 and 34 take 48: the number grows like Fibonacci's. */
static void the_limit_of_the_work_grows_with_the_text(void **state)
{
    (void)state;
    assert_true(is_worked_out(30, 0));
    assert_false(is_worked_out(32, 0));
    assert_true(is_worked_out(32, 400000));
    assert_false(is_worked_out(34, 400000));
}

static void an_empty_text_has_its_empty_match(void **state)
{
    (void)state;
    struct regex *r = compiled("x*");
    struct error e;
    struct scan *s = scan_new(r, NULL, 0, &e);
    size_t from = 1, to = 1;
    assert_int_equal(scan_next(s, &from, &to, &e), 1);
    assert_int_equal(from + to, 0);
    assert_int_equal(scan_next(s, &from, &to, &e), 0);
    scan_free(s);
    regex_free(r);
}

static int open_golden(void **state)
{
    (void)state;
    golden = golden_open("golden/regex.json");
    return 0;
}

static int close_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_hold_the_same_characters),
        cmocka_unit_test(matches_are_those_of_oniguruma),
        cmocka_unit_test(without_a_compiler_they_are_the_same),
        cmocka_unit_test(megabytes_of_one_thing_match),
        cmocka_unit_test(hopeless_work_is_given_up),
        cmocka_unit_test(the_limit_of_the_work_grows_with_the_text),
        cmocka_unit_test(an_empty_text_has_its_empty_match),
    };
    return cmocka_run_group_tests(tests, open_golden, close_golden);
}

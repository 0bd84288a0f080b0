/* Where a value in JSON ends, and whether it is one, agrees with jansson. */
#include "json_scan.h"

#include "test_numbers.h"

#include <jansson.h>

/* How many bytes of the text are read as a value; -1: it is none; -2: it
 * goes on. */
static int scan(const char *text)
{
    struct json_scan s;
    json_scan_init(&s);
    for (int i = 0; text[i]; i++)
        switch (json_scan_put(&s, text[i])) {
        case SCAN_BAD:
            return -1;
        case SCAN_DONE:
            return i + 1;
        case SCAN_PAST:
            return i;
        default:
            break;
        }
    return json_scan_whole(&s) ? (int)strlen(text) : -2;
}

static void a_value_ends_with_its_last_byte(void **state)
{
    (void)state;
    assert_int_equal(scan("{\"a\": [1, {\"b\": null}]}tail"), 23);
    assert_int_equal(scan(" \n\"a\\\"b\" "), 8);
    assert_int_equal(scan("true}"), 4);
    assert_int_equal(scan("[] ]"), 2);
}

static void a_number_ends_before_what_follows(void **state)
{
    (void)state;
    assert_int_equal(scan("12,"), 2);
    assert_int_equal(scan("-0.5e+3 "), 7);
    assert_int_equal(scan("12"), 2);
    assert_int_equal(scan("1e"), -2);
    assert_int_equal(scan("01"), 1);
}

static void what_is_no_json_is_seen_at_once(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{a",      "{\"a\" 1", "{\"a\": 1,}", "[1,]", "[1 2",  "tru_", "'a'",
        "\"\\x\"", "\"\\u12g", "[1}",         "-a",   "1.a",   "}",    "{1",
        "[,",      "{,",       "1e+}",        ":",    "nul\"", ",",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(scan(bad[i]), -1);
}

static void a_value_that_goes_on_is_not_whole(void **state)
{
    (void)state;
    static const char *const begun[] = {"{", "[1", "\"a", "\"\\",    "\"\\u00",
                                        "-", "1.", "tr",  "{\"a\":", ""};
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++)
        assert_int_equal(scan(begun[i]), -2);
}

static void a_bare_line_end_in_a_string_passes(void **state)
{
    (void)state;
    assert_int_equal(scan("\"a\nb\""), 5);
}

static void values_in_values_have_a_bound(void **state)
{
    (void)state;
    char text[JSON_SCAN_DEEPEST + 2] = "";
    memset(text, '[', JSON_SCAN_DEEPEST);
    assert_int_equal(scan(text), -2);
    text[JSON_SCAN_DEEPEST] = '[';
    assert_int_equal(scan(text), -1);
}

/* All texts of up to six of these signs. */
static void it_agrees_with_jansson(void **state)
{
    (void)state;
    static const char signs[] = "{}[],:\"1-. ";
    enum sign_bounds {
        N = sizeof signs - 1,
        LONGEST = 6
    };
    for (size_t size = 1, count = N; size <= LONGEST; size++, count *= N)
        for (size_t i = 0; i < count; i++) {
            char text[LONGEST + 1] = "";
            for (size_t b = 0, rest = i; b < size; b++, rest /= N)
                text[b] = signs[rest % N];
            if (strchr(" ", text[size - 1]))
                continue; /* space after a value is jansson's to pass over */
            json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
            assert_int_equal(scan(text) == (int)size, value != NULL);
            json_decref(value);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_ends_with_its_last_byte),
        cmocka_unit_test(a_number_ends_before_what_follows),
        cmocka_unit_test(what_is_no_json_is_seen_at_once),
        cmocka_unit_test(a_value_that_goes_on_is_not_whole),
        cmocka_unit_test(a_bare_line_end_in_a_string_passes),
        cmocka_unit_test(values_in_values_have_a_bound),
        cmocka_unit_test(it_agrees_with_jansson),
    };
    return cmocka_run_group_tests_name("json scan", tests, NULL, NULL);
}

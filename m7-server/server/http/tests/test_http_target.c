/* The path and the query of a request's first line. */
#include "http_target.h"

#include "http_request.h"
#include "test_http_client.h"

/* Split and decode: "HOST|PATH|QUERY", or "-" when it is malformed. */
static void expect(const char *text, const char *expected)
{
    struct target t;
    struct bytes path = {0};
    char found[256] = "-";
    if (target_split(text, &t) == 0 && target_path(&t, &path) == 0)
        snprintf(found, sizeof found, "%.*s|%s|%s", (int)t.host_size,
                 t.host ? t.host : "", path.data, t.query);
    assert_string_equal(found, expected);
    bytes_free(&path);
}

static void a_target_has_a_path_and_perhaps_more(void **state)
{
    (void)state;
    expect("/", "|/|");
    expect("/a/b", "|/a/b|");
    expect("/a?b=c?d", "|/a|b=c?d");
    expect("/?", "|/|");
    expect("http://h:1/a?b", "h:1|/a|b");
    expect("HTTPS://h/", "h|/|");
}

static void what_is_no_path_is_malformed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",         "a",    "*",    "?",    "http://",   "http://h",
        "ftp://h/", "/a b", "/a\n", "/a#b", "/\xc3\xa9", "/%",
        "/%4",      "/%4g", "/%00", "/%80", "/%ed%a0%80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], "-");
}

static void percent_signs_are_decoded_once(void **state)
{
    (void)state;
    expect("/a%20b+c", "|/a b+c|");
    expect("/%c3%A9", "|/\xc3\xa9|");
    expect("/%2541", "|/%41|");
    expect("/a%2fb", "|/a/b|");
    expect("/a%3fb?c%20d", "|/a?b|c%20d");
}

static void a_field_of_a_query_is_found(void **state)
{
    (void)state;
    const struct http_request q = {.query = "a=1&&b&%63=x+y%26=&d=%zz"};
    struct bytes value = {0};
    assert_int_equal(http_query(&q, "a", &value), 1);
    assert_int_equal(http_query(&q, "c", &value), 1);
    assert_int_equal(value.size, 6);
    assert_memory_equal(value.data, "1x y&=", 6);
    assert_int_equal(http_query(&q, "b", &value), 1);
    assert_int_equal(value.size, 6);
    assert_int_equal(http_query(&q, "e", &value), 0);
    assert_int_equal(http_query(&q, "d", &value), -1);
    bytes_free(&value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_has_a_path_and_perhaps_more),
        cmocka_unit_test(what_is_no_path_is_malformed),
        cmocka_unit_test(percent_signs_are_decoded_once),
        cmocka_unit_test(a_field_of_a_query_is_found),
    };
    return cmocka_run_group_tests_name("http_target", tests, NULL, NULL);
}

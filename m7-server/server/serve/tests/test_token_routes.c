/* How much text becomes tokens at once. */
#include "test_serving.h"

/* The bodies are a text of so many letters. */
static void expect_long_refused(int port, size_t size, const char *words)
{
    char *body = calloc(1, size + 20);
    struct response r;
    assert_non_null(body);
    int begin = sprintf(body, "{'content':'");
    memset(body + begin, 'a', size);
    strcpy(body + begin + size, "'}");
    ask_post(port, "/tokenize", body, &r);
    assert_int_equal(r.status, 400);
    assert_value(r.body.data, "param", "\"content\"");
    assert_value(r.body.data, "code", "\"string_above_max_length\"");
    if (!strstr(r.body.data, words))
        print_error("%s\n", r.body.data);
    assert_non_null(strstr(r.body.data, words));
    response_free(&r);
    free(body);
}

static void a_text_has_no_tokens_without_end(void **state)
{
    (void)state;
    struct serving s;
    serving_start(&s, &(struct rung_options){.threads = 1});
    expect_long_refused(s.port, 1100000,
                        "expected up to 1048576 tokens, found at least "
                        "1048577");
    expect_long_refused(s.port, 8388609,
                        "expected up to 8388608 bytes, found 8388609");
    serving_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_has_no_tokens_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Who is refused is told why, also where memory or an error's own words fail.
 */
#include "test_http_fixture.h"

#define GET "GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n"

/* Ask, and let the reply be given by the caller. */
struct asked {
    struct fixture f;
    struct response r;
    int fd;
    struct http_reply *reply;
};

static void ask(struct asked *a, const char *request)
{
    *a = (struct asked){.fd = -1};
    fixture_plain(&a->f);
    a->fd = client_open(a->f.port);
    client_say(a->fd, request);
    a->reply = fixture_held(&a->f, 0);
}

/* The client is told a status and some words in JSON. */
static void expect_told(struct asked *a, int status, const char *words)
{
    client_next(a->fd, &a->r, false);
    assert_int_equal(a->r.status, status);
    assert_string_equal(response_header(&a->r, "Content-Type"),
                        "application/json");
    if (!bytes_have(&a->r.body, words))
        print_error("%.*s\n", (int)a->r.body.size, a->r.body.data);
    assert_true(bytes_have(&a->r.body, words));
    assert_true(a->r.whole);
    close(a->fd);
    response_free(&a->r);
    fixture_stop(&a->f);
}

static const struct http_head head = {.status = 200, .type = "text/plain"};

static void a_body_without_memory_is_an_error_with_words(void **state)
{
    (void)state;
    struct asked a;
    struct bytes lost = {.failed = true};
    ask(&a, GET);
    http_reply_send(a.reply, &head, &lost);
    expect_told(&a, 500, "\"message\":\"out of memory\"");
}

/* One that nobody gave, too. */
static void no_answer_is_one(void **state)
{
    (void)state;
    struct asked a;
    ask(&a, GET);
    http_reply_end(a.reply);
    expect_told(&a, 500, "\"message\":\"the server has given no answer\"");
}

/* A message that was cut short within a character. */
static void words_that_are_not_utf8_are_told(void **state)
{
    (void)state;
    const struct http_error cut = {.message = "no role caf\xc3",
                                   .param = "\xff"};
    struct asked a;
    ask(&a, GET);
    http_reply_error(a.reply, 400, &cut);
    expect_told(&a, 400,
                "\"message\":\"no role caf\xef\xbf\xbd\","
                "\"type\":\"invalid_request_error\","
                "\"param\":\"\xef\xbf\xbd\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_without_memory_is_an_error_with_words),
        cmocka_unit_test(no_answer_is_one),
        cmocka_unit_test(words_that_are_not_utf8_are_told),
    };
    return cmocka_run_group_tests_name("http_words", tests, NULL, NULL);
}

/* What requests and replies hold together is counted until it is freed. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

/* The client has left, and whoever was to answer still reads the body. */
static void a_body_counts_until_it_is_freed(void **state)
{
    (void)state;
    struct fixture f;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 10;
    fixture_start(&f, &(struct http_options){.limits = limits});
    int fd = client_open(f.port);
    client_say(fd, "POST /hold HTTP/1.1\r\n" LOCAL
                   "Content-Length: 8\r\n\r\n12345678");
    struct http_reply *reply = fixture_held(&f, 0);
    close(fd);
    assert_true(fixture_wait(&f, &f.n_logged, 1));
    static const char *const more =
        "POST /echo HTTP/1.1\r\n" LOCAL "Content-Length: 3\r\n\r\n123";
    expect_status(&f, more, 503, "too many large requests");
    http_reply_end(reply);
    expect_status(&f, more, 200, "123");
    fixture_stop(&f);
}

/* Eight megabytes to who does not read them stay here. */
static void large_replies_together_have_a_limit(void **state)
{
    (void)state;
    static const char *const ask = "GET /large HTTP/1.1\r\n" LOCAL "\r\n";
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = http_default_limits;
    limits.all_replies = 100000;
    fixture_start(&f, &(struct http_options){.limits = limits});
    int slow = client_try(f.port, true);
    assert_true(slow >= 0);
    client_say(slow, ask);
    assert_true(client_until(slow, &r.rest, "\r\n\r\n", &r.head));
    expect_status(&f, ask, 503, "too many large replies");
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, "well");
    size_t logged = 2;
    assert_true(fixture_wait(&f, &f.n_logged, logged));
    close(slow);
    assert_true(fixture_wait(&f, &f.n_logged, logged + 1));
    response_free(&r);
    expect_status(&f, ask, 200, "01234567");
    fixture_stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_counts_until_it_is_freed),
        cmocka_unit_test(large_replies_together_have_a_limit),
    };
    return cmocka_run_group_tests_name("http_room", tests, NULL, NULL);
}

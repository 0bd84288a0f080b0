/* Who asks for too much, or too slowly, is told so. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

static void limited(struct fixture *f, struct http_limits limits)
{
    fixture_start(f, &(struct http_options){.limits = limits});
}

static struct http_limits usual(void)
{
    return http_default_limits;
}

/* Send text (size,) a few bytes at a time, until the server has had enough. */
static void dribble(int fd, const char *text, double seconds)
{
    for (double end = clock_now() + seconds; clock_now() < end; nap(0.02))
        if (!client_send(fd, text, strlen(text)))
            return;
}

static void a_body_too_large_is_refused_before_it_comes(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "POST /echo HTTP/1.1\r\n" LOCAL
                   "Content-Length: 10000000000\r\n\r\n");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 413);
    assert_true(r.whole);
    assert_true(bytes_have(&r.body, "33554432 bytes"));
    assert_non_null(response_header(&r, "x-request-id"));
    assert_string_equal(response_header(&r, "Connection"), "close");
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

/* A client that sends all before it reads finds the reply, not a reset. */
static void who_sends_it_nonetheless_is_told(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.body_bytes = 1000;
    limited(&f, limits);
    char *body = calloc(1, 3000000);
    assert_non_null(body);
    int fd = client_open(f.port);
    client_say(fd, "POST /echo HTTP/1.1\r\n" LOCAL
                   "Content-Length: 3000000\r\n\r\n");
    assert_true(client_send(fd, body, 3000000));
    client_next(fd, &r, false);
    assert_int_equal(r.status, 413);
    assert_true(r.whole);
    assert_true(client_is_closed(fd));
    close(fd);
    free(body);
    response_free(&r);
    fixture_stop(&f);
}

static void chunks_are_counted(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.body_bytes = 1000;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_say(fd, "POST /echo HTTP/1.1\r\n" LOCAL
                   "Transfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 101; i++)
        client_say(fd, "A\r\n0123456789\r\n");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 413);
    assert_true(r.whole);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

/* Of each the first 64 KiB do not count; see test_http_room.c. */
static void all_bodies_together_have_a_limit(void **state)
{
    (void)state;
    static char blank[65536 + 1];
    memset(blank, ' ', 65536);
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.all_bodies = 10;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_say(fd, "POST /hold HTTP/1.1\r\n" LOCAL
                   "Content-Length: 65544\r\n\r\n");
    client_say(fd, blank);
    client_say(fd, "12345678");
    struct http_reply *reply = fixture_held(&f, 0);
    int more = client_open(f.port);
    client_say(more, "POST /echo HTTP/1.1\r\n" LOCAL
                     "Content-Length: 65539\r\n\r\n");
    client_say(more, blank);
    client_say(more, "123");
    client_next(more, &r, false);
    close(more);
    assert_int_equal(r.status, 503);
    assert_string_equal(response_header(&r, "Retry-After"), "1");
    send_text(reply, 200, "", 0);
    client_next(fd, &r, false);
    assert_int_equal(r.status, 200);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void who_asks_before_sending_is_told_to_go_on(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "POST /echo HTTP/1.1\r\n" LOCAL
                   "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    assert_true(client_until(fd, &r.rest, "\r\n\r\n", &r.head));
    assert_memory_equal(r.head.data, "HTTP/1.1 100", 12);
    client_say(fd, "ok");
    client_next(fd, &r, false);
    assert_body(&r, "ok");
    close(fd);
    fd = client_open(f.port);
    client_say(fd, "POST /none HTTP/1.1\r\n" LOCAL
                   "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 404);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void headers_have_a_limit(void **state)
{
    (void)state;
    struct fixture f;
    struct http_limits limits = usual();
    limits.header_bytes = 4000;
    limited(&f, limits);
    struct bytes text = {0};
    bytes_add_string(&text, "GET /health HTTP/1.1\r\n" LOCAL "X: ");
    for (int i = 0; i < 4000; i++)
        bytes_add(&text, "x", 1);
    bytes_add(&text, "\r\n\r\n", 5);
    expect_status(&f, text.data, 431, "headers_too_large");
    text.size = 0;
    bytes_add_string(&text, "GET /health?");
    for (int i = 0; i < 4000; i++)
        bytes_add(&text, "x", 1);
    bytes_add_string(&text, " HTTP/1.1\r\n" LOCAL "\r\n");
    bytes_add(&text, "", 1);
    expect_status(&f, text.data, 431, "headers_too_large");
    bytes_free(&text);
    fixture_stop(&f);
}

/* What the library has no room for it refuses in words of its own. */
static void headers_without_end_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL);
    while (
        client_say(fd, "X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n"))
        ;
    close(fd);
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, NULL);
    response_free(&r);
    fixture_stop(&f);
}

static void a_slow_writer_of_headers_is_told(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.header_seconds = 0.3;
    limited(&f, limits);
    int fd = client_open(f.port), silent = client_open(f.port);
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL);
    dribble(fd, "X: y\r\n", 0.6);
    client_next(fd, &r, false);
    assert_int_equal(r.status, 408);
    assert_true(bytes_have(&r.body, "\"code\":\"timeout\""));
    client_next(silent, &r, false);
    assert_int_equal(r.status, 408);
    assert_true(client_is_closed(silent));
    close(fd);
    close(silent);
    response_free(&r);
    fixture_stop(&f);
}

static void a_slow_writer_of_a_body_is_told(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.body_seconds = 0.3;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 200);
    client_say(fd, "POST /echo HTTP/1.1\r\n" LOCAL
                   "Content-Length: 1000000\r\n\r\n");
    dribble(fd, "x", 0.6);
    client_next(fd, &r, false);
    assert_int_equal(r.status, 408);
    assert_true(client_is_closed(fd));
    assert_true(fixture_wait(&f, &f.n_logged, 2));
    assert_string_equal(f.log, "POST /echo 408 0 cut");
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void a_silent_connection_is_closed(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.idle_seconds = 0.1;
    limits.header_seconds = 0.2;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    assert_int_equal(r.status, 200);
    double begun = clock_now();
    client_next(fd, &r, false);
    assert_int_equal(r.status, 0);
    assert_true(clock_now() - begun < PATIENCE / 2);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void too_many_connections_are_told_to_come_back(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.connections = 2;
    limited(&f, limits);
    static const char *const ask = "GET /health HTTP/1.1\r\n" LOCAL "\r\n";
    int fds[2];
    for (int i = 0; i < 2; i++) {
        fds[i] = client_open(f.port);
        client_say(fds[i], ask);
        client_next(fds[i], &r, false);
        assert_int_equal(r.status, 200);
    }
    client_ask(f.port, ask, &r);
    assert_int_equal(r.status, 503);
    assert_string_equal(response_header(&r, "Retry-After"), "1");
    close(fds[0]);
    for (double end = clock_now() + PATIENCE;
         r.status != 200 && clock_now() < end; nap(0.01))
        client_ask(f.port, ask, &r);
    assert_int_equal(r.status, 200);
    close(fds[1]);
    response_free(&r);
    fixture_stop(&f);
}

static void compressed_bodies_are_not_read(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    expect_status(&f,
                  "POST /echo HTTP/1.1\r\n" LOCAL
                  "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx",
                  415, "Content-Encoding");
    fixture_stop(&f);
}

static void a_request_has_its_time(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.request_seconds = 0.2;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_patience(fd, 5);
    client_say(fd, "GET /hold HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    close(fd);
    assert_int_equal(r.status, 504);
    assert_true(bytes_have(&r.body, "\"code\":\"timeout\""));
    assert_true(fixture_wait(&f, &f.n_gone, 1));
    assert_int_equal(f.why, REPLY_LATE);
    send_text(fixture_held(&f, 0), 200, "too late", 8);
    response_free(&r);
    fixture_stop(&f);
}

static void a_stream_that_is_late_gets_its_last_words(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct http_limits limits = usual();
    limits.request_seconds = 0.2;
    limited(&f, limits);
    int fd = client_open(f.port);
    client_say(fd, "GET /hold HTTP/1.1\r\n" LOCAL "\r\n");
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &(struct http_head){.status = 200},
                      &(struct http_stream){.late = "late\n"});
    http_reply_write(reply, "early\n", 6);
    client_next(fd, &r, false);
    assert_true(r.whole);
    assert_body(&r, "early\nlate\n");
    assert_int_equal(http_reply_write(reply, "x", 1), REPLY_LATE);
    http_reply_end(reply);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_too_large_is_refused_before_it_comes),
        cmocka_unit_test(who_sends_it_nonetheless_is_told),
        cmocka_unit_test(chunks_are_counted),
        cmocka_unit_test(all_bodies_together_have_a_limit),
        cmocka_unit_test(who_asks_before_sending_is_told_to_go_on),
        cmocka_unit_test(headers_have_a_limit),
        cmocka_unit_test(headers_without_end_are_refused),
        cmocka_unit_test(a_slow_writer_of_headers_is_told),
        cmocka_unit_test(a_slow_writer_of_a_body_is_told),
        cmocka_unit_test(a_silent_connection_is_closed),
        cmocka_unit_test(too_many_connections_are_told_to_come_back),
        cmocka_unit_test(compressed_bodies_are_not_read),
        cmocka_unit_test(a_request_has_its_time),
        cmocka_unit_test(a_stream_that_is_late_gets_its_last_words),
    };
    return cmocka_run_group_tests_name("http_limits", tests, NULL, NULL);
}

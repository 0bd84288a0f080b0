/* Clients leave, and servers stop, at every stage of a request. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

static const char *const ask = "GET /hold HTTP/1.1\r\n" LOCAL "\r\n";
static const struct http_head plain = {.status = 200, .type = "text/plain"};

/* The client of the only reply leaves: its producer hears of it, soon. */
static void leave(struct fixture *f, int fd)
{
    double begun = clock_now();
    close(fd);
    assert_true(fixture_wait(f, &f->n_gone, 1));
    assert_int_equal(f->why, REPLY_LEFT);
    double seconds = clock_now() - begun;
    print_message("noticed after %.0f ms\n", 1000 * seconds);
    assert_true(seconds < 5);
}

static void who_leaves_while_queued_is_noticed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    assert_int_equal(http_reply_state(reply), REPLY_OPEN);
    leave(&f, fd);
    assert_int_equal(http_reply_state(reply), REPLY_LEFT);
    send_text(reply, 200, "nobody", 6);
    fixture_stop(&f);
}

static void who_leaves_a_silent_stream_is_noticed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    http_reply_write(reply, "once", 4);
    nap(0.05);
    leave(&f, fd);
    assert_int_equal(http_reply_write(reply, "x", 1), REPLY_LEFT);
    http_reply_end(reply);
    fixture_stop(&f);
}

static void who_leaves_without_having_read_is_noticed(void **state)
{
    (void)state;
    static char block[2000000];
    struct fixture f;
    fixture_plain(&f);
    int fd = client_try(f.port, true);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    http_reply_write(reply, block, sizeof block);
    http_reply_write(reply, block, sizeof block);
    nap(0.05);
    leave(&f, fd);
    http_reply_end(reply);
    fixture_stop(&f);
}

static void who_has_asked_for_more_and_leaves_is_noticed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    int fd = client_open(f.port);
    for (int i = 0; i < 3; i++)
        client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    leave(&f, fd);
    http_reply_end(reply);
    assert_int_equal(f.n_held, 1);
    fixture_stop(&f);
}

static void half_a_request_leaves_nothing_behind(void **state)
{
    (void)state;
    static const char *const begun[] = {
        "",
        "GE",
        "GET /hold HTTP/1.1\r\n",
        "GET /hold HTTP/1.1\r\n" LOCAL,
        "POST /hold HTTP/1.1\r\n" LOCAL "Content-Length: 10\r\n\r\n12345",
        "POST /hold HTTP/1.1\r\n" LOCAL
        "Transfer-Encoding: chunked\r\n\r\n5\r\n123"};
    struct fixture f;
    fixture_plain(&f);
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
        int fd = client_open(f.port);
        client_say(fd, begun[i]);
        nap(0.01);
        close(fd);
    }
    assert_true(http_wait(f.server, PATIENCE));
    assert_int_equal(f.n_held, 0);
    fixture_stop(&f);
}

static void who_asks_too_late_is_told_at_once(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    leave(&f, fd);
    http_reply_on_gone(reply, note_gone, &f);
    assert_int_equal(f.n_gone, 2);
    http_reply_end(reply);
    assert_int_equal(f.n_gone, 2);
    fixture_stop(&f);
}

/* The end of a reply and its client's leaving meet in every order. */
static void leaving_and_ending_may_meet(void **state)
{
    (void)state;
    struct fixture f;
    fixture_plain(&f);
    for (size_t i = 0; i < 70; i++) {
        int fd = client_open(f.port);
        client_say(fd, ask);
        struct http_reply *reply = fixture_held(&f, i);
        if (i % 2) {
            http_reply_stream(reply, &plain, NULL);
            http_reply_write(reply, "some", 4);
        }
        close(fd);
        nap((double)(i % 7) * 0.008);
        if (i % 4 == 1)
            http_reply_write(reply, "more", 4);
        if (i % 4 == 2)
            send_text(reply, 200, "whole", 5);
        else
            http_reply_end(reply);
    }
    assert_true(http_wait(f.server, PATIENCE));
    fixture_stop(&f);
}

static void a_graceful_stop_lets_those_at_work_end(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port), other = client_open(f.port);
    client_say(other, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(other, &r, false);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_drain(f.server);
    assert_false(http_wait(f.server, 0.02));
    assert_int_equal(client_try(f.port, false), -1);
    client_say(other, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(other, &r, false);
    assert_int_equal(r.status, 503);
    assert_non_null(response_header(&r, "Retry-After"));
    assert_true(client_is_closed(other));
    http_reply_stream(reply, &plain, NULL);
    for (int i = 0; i < 100; i++)
        assert_int_equal(http_reply_write(reply, "still", 5), REPLY_OPEN);
    http_reply_end(reply);
    assert_true(http_wait(f.server, PATIENCE));
    fixture_stop(&f);
    client_next(fd, &r, false);
    assert_true(r.whole);
    assert_int_equal(r.body.size, 500);
    close(fd);
    close(other);
    response_free(&r);
}

/* Some wait, one is streamed, one does not read; all are told, and may end
 * their replies when the server is gone. */
static void a_second_stop_ends_at_once(void **state)
{
    (void)state;
    static char block[2000000];
    struct fixture f;
    int fds[6];
    fixture_plain(&f);
    for (size_t i = 0; i < 6; i++) {
        fds[i] = client_try(f.port, true);
        client_say(fds[i], ask);
        fixture_held(&f, i);
    }
    http_reply_stream(f.held[1], &plain, NULL);
    http_reply_write(f.held[1], "some", 4);
    http_reply_stream(f.held[2], &plain, NULL);
    http_reply_write(f.held[2], block, sizeof block);
    http_drain(f.server);
    assert_false(http_wait(f.server, 0.02));
    double begun = clock_now();
    fixture_stop(&f);
    assert_true(clock_now() - begun < PATIENCE / 2);
    assert_int_equal(f.n_gone, 6);
    assert_int_equal(f.why, REPLY_STOPPED);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(http_reply_state(f.held[i]), REPLY_STOPPED);
        http_reply_end(f.held[i]);
        assert_true(client_is_closed(fds[i]));
        close(fds[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_leaves_while_queued_is_noticed),
        cmocka_unit_test(who_leaves_a_silent_stream_is_noticed),
        cmocka_unit_test(who_leaves_without_having_read_is_noticed),
        cmocka_unit_test(who_has_asked_for_more_and_leaves_is_noticed),
        cmocka_unit_test(half_a_request_leaves_nothing_behind),
        cmocka_unit_test(who_asks_too_late_is_told_at_once),
        cmocka_unit_test(leaving_and_ending_may_meet),
        cmocka_unit_test(a_graceful_stop_lets_those_at_work_end),
        cmocka_unit_test(a_second_stop_ends_at_once),
    };
    return cmocka_run_group_tests_name("http_leave", tests, NULL, NULL);
}

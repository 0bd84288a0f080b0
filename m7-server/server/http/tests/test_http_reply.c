/* Replies that come later, or bit by bit, to readers that are slow or gone. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

static const char *const ask = "GET /hold HTTP/1.1\r\n" LOCAL "\r\n";
static const struct http_head plain = {.status = 200, .type = "text/plain"};

static void a_reply_may_come_later(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    send_text(fixture_held(&f, 0), 201, "later", 5);
    client_next(fd, &r, false);
    assert_int_equal(r.status, 201);
    assert_body(&r, "later");
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 1);
    http_reply_header(reply, "X-One", "a\r\nb");
    http_reply_error(reply, 429,
                     &(struct http_error){.message = "wait", .param = "n"});
    client_next(fd, &r, false);
    assert_int_equal(r.status, 429);
    assert_string_equal(response_header(&r, "X-One"), "a  b");
    assert_true(bytes_have(&r.body, "\"param\":\"n\""));
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void a_reply_that_is_not_given_is_an_error(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    http_reply_end(fixture_held(&f, 0));
    client_next(fd, &r, false);
    assert_int_equal(r.status, 500);
    client_say(fd, ask);
    http_reply_send(fixture_held(&f, 1), &plain,
                    &(struct bytes){.failed = true});
    client_next(fd, &r, false);
    assert_int_equal(r.status, 500);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void a_stream_comes_as_it_is_written(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    assert_true(client_until(fd, &r.rest, "\r\n\r\n", &r.head));
    assert_string_equal(response_header(&r, "Content-Type"), "text/plain");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(http_reply_write(reply, "part", 4), REPLY_OPEN);
        r.body.size = 0;
        assert_true(client_until(fd, &r.rest, "4\r\npart\r\n", &r.body));
    }
    http_reply_end(reply);
    assert_true(client_until(fd, &r.rest, "0\r\n\r\n", &r.body));
    client_say(fd, "GET /health HTTP/1.1\r\n" LOCAL "\r\n");
    client_next(fd, &r, false);
    assert_body(&r, "well\n");
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void an_old_client_gets_a_stream_to_the_end(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "GET /hold HTTP/1.0\r\n\r\n");
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    http_reply_write(reply, "one ", 4);
    http_reply_write(reply, "two", 3);
    http_reply_end(reply);
    client_next(fd, &r, false);
    assert_body(&r, "one two");
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void nobody_reads_the_stream_of_a_head(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "HEAD /hold HTTP/1.1\r\n" LOCAL "\r\n");
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    client_next(fd, &r, true);
    assert_int_equal(r.status, 200);
    assert_true(fixture_wait(&f, &f.n_gone, 1));
    assert_int_equal(http_reply_write(reply, "x", 1), REPLY_LEFT);
    http_reply_end(reply);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void silence_is_broken_by_the_clock(void **state)
{
    (void)state;
    struct fixture f;
    struct bytes got = {0}, rest = {0};
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain,
                      &(struct http_stream){.silence = ": still here\n\n",
                                            .silence_seconds = 0.1});
    for (int i = 0; i < 3; i++)
        assert_true(client_until(fd, &rest, ": still here\n\n", &got));
    http_reply_end(reply);
    assert_true(client_until(fd, &rest, "0\r\n\r\n", &got));
    close(fd);
    bytes_free(&got);
    bytes_free(&rest);
    fixture_stop(&f);
}

enum writer_sizes {
    CLIENTS = 100,
    WRITERS = 4,
    PARTS = 400
};

struct writer {
    struct fixture *f;
    size_t first;
    pthread_t thread;
};

/* Part p of stream n: its number, and a tail whose length depends on both. */
static size_t make_part(char *text, size_t n, size_t p)
{
    size_t size = (size_t)snprintf(text, 32, "%zu.%zu:", n, p);
    size_t tail = (n * 7 + p * 13) % 300;
    memset(text + size, 'a' + (int)(p % 26), tail);
    text[size + tail] = '\n';
    return size + tail + 1;
}

static void *write_streams(void *context)
{
    struct writer *w = context;
    char text[512];
    for (size_t n = w->first; n < CLIENTS; n += WRITERS)
        http_reply_stream(w->f->held[n], &plain, NULL);
    for (size_t p = 0; p < PARTS; p++)
        for (size_t n = w->first; n < CLIENTS; n += WRITERS)
            http_reply_write(w->f->held[n], text, make_part(text, n, p));
    for (size_t n = w->first; n < CLIENTS; n += WRITERS)
        http_reply_end(w->f->held[n]);
    return NULL;
}

static void a_hundred_streams_come_whole(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    struct writer writers[WRITERS];
    int fds[CLIENTS];
    fixture_plain(&f);
    for (size_t n = 0; n < CLIENTS; n++) {
        fds[n] = client_open(f.port);
        client_say(fds[n], ask);
        fixture_held(&f, n);
    }
    for (size_t i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.f = &f, .first = i};
        assert_int_equal(pthread_create(&writers[i].thread, NULL,
                                        write_streams, &writers[i]),
                         0);
    }
    for (size_t n = 0; n < CLIENTS; n++) {
        char text[512];
        size_t at = 0;
        client_next(fds[n], &r, false);
        assert_true(r.whole);
        for (size_t p = 0; p < PARTS; p++) {
            size_t size = make_part(text, n, p);
            assert_true(at + size <= r.body.size);
            assert_memory_equal(r.body.data + at, text, size);
            at += size;
        }
        assert_int_equal(at, r.body.size);
        close(fds[n]);
    }
    for (size_t i = 0; i < WRITERS; i++)
        pthread_join(writers[i].thread, NULL);
    response_free(&r);
    fixture_stop(&f);
}

/* Write `size` bytes, or until nobody reads any more; what was written. */
static size_t write_much(struct http_reply *reply, size_t size)
{
    static char block[10000];
    size_t written = 0;
    while (written < size &&
           http_reply_write(reply, block, sizeof block) < REPLY_LEFT)
        written += sizeof block;
    return written;
}

static void a_slow_reader_is_cut_off_and_delays_nobody(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int slow = client_try(f.port, true), fast = client_open(f.port);
    client_say(slow, ask);
    struct http_reply *to_slow = fixture_held(&f, 0);
    client_say(fast, ask);
    struct http_reply *to_fast = fixture_held(&f, 1);
    http_reply_stream(to_slow, &plain, NULL);
    http_reply_stream(to_fast, &plain, NULL);
    double begun = clock_now();
    write_much(to_slow, 3 << 20);
    assert_int_equal(http_reply_state(to_slow), REPLY_OPEN);
    http_reply_write(to_fast, "fast", 4);
    assert_true(write_much(to_slow, 100 << 20) < 99 << 20);
    assert_int_equal(http_reply_state(to_slow), REPLY_FULL);
    assert_true(clock_now() - begun < PATIENCE / 2);
    http_reply_end(to_fast);
    client_next(fast, &r, false);
    assert_body(&r, "fast");
    assert_true(fixture_wait(&f, &f.n_gone, 1));
    assert_int_equal(f.why, REPLY_FULL);
    http_reply_end(to_slow);
    client_next(slow, &r, false);
    assert_false(r.whole);
    close(slow);
    close(fast);
    response_free(&r);
    fixture_stop(&f);
}

static void a_slow_reader_may_catch_up(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_try(f.port, true);
    client_say(fd, ask);
    struct http_reply *reply = fixture_held(&f, 0);
    http_reply_stream(reply, &plain, NULL);
    size_t written = 0;
    for (int i = 0; i < 4; i++) { /* together more than the bound */
        written += write_much(reply, 3 << 20);
        while (r.rest.size < written && client_more(fd, &r.rest))
            ;
        assert_int_equal(http_reply_state(reply), REPLY_OPEN);
    }
    http_reply_end(reply);
    client_next(fd, &r, false);
    assert_true(r.whole);
    assert_int_equal(r.body.size, written);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

static void a_large_reply_waits_for_its_reader(void **state)
{
    (void)state;
    struct fixture f;
    struct response r = {0};
    fixture_plain(&f);
    int fd = client_try(f.port, true);
    client_say(fd, "GET /large HTTP/1.1\r\n" LOCAL "\r\n");
    expect_status(&f, "GET /health HTTP/1.1\r\n" LOCAL "\r\n", 200, NULL);
    client_next(fd, &r, false);
    assert_true(r.whole);
    assert_int_equal(r.body.size, 8000000);
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_may_come_later),
        cmocka_unit_test(a_reply_that_is_not_given_is_an_error),
        cmocka_unit_test(a_stream_comes_as_it_is_written),
        cmocka_unit_test(an_old_client_gets_a_stream_to_the_end),
        cmocka_unit_test(nobody_reads_the_stream_of_a_head),
        cmocka_unit_test(silence_is_broken_by_the_clock),
        cmocka_unit_test(a_hundred_streams_come_whole),
        cmocka_unit_test(a_slow_reader_is_cut_off_and_delays_nobody),
        cmocka_unit_test(a_slow_reader_may_catch_up),
        cmocka_unit_test(a_large_reply_waits_for_its_reader),
    };
    return cmocka_run_group_tests_name("http_reply", tests, NULL, NULL);
}

/* What requests and replies hold together is counted until it is freed. */
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

enum body_sizes {
    UNCOUNTED = 64 << 10 /* of each body */
};

/* POST a body of `size` bytes. */
static int post_body(int port, const char *path, size_t size)
{
    char head[128];
    char *body = malloc(size + 1);
    assert_non_null(body);
    memset(body, 'a', size);
    body[size] = '\0';
    snprintf(head, sizeof head,
             "POST %s HTTP/1.1\r\n" LOCAL "Content-Length: %zu\r\n\r\n",
             path, size);
    int fd = client_open(port);
    client_say(fd, head);
    client_say(fd, body);
    free(body);
    return fd;
}

static void expect_body(int port, size_t size, int status)
{
    struct response r = {0};
    int fd = post_body(port, "/echo", size);
    client_next(fd, &r, false);
    assert_int_equal(r.status, status);
    close(fd);
    response_free(&r);
}

/* The client has left, and whoever was to answer still reads the body. */
static void a_body_counts_until_it_is_freed(void **state)
{
    (void)state;
    struct fixture f;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 10;
    fixture_start(&f, &(struct http_options){.limits = limits});
    int fd = post_body(f.port, "/hold", UNCOUNTED + 8);
    struct http_reply *reply = fixture_held(&f, 0);
    close(fd);
    assert_true(fixture_wait(&f, &f.n_logged, 1));
    expect_body(f.port, UNCOUNTED + 3, 503);
    expect_body(f.port, UNCOUNTED, 200);
    http_reply_end(reply);
    expect_body(f.port, UNCOUNTED + 3, 200);
    fixture_stop(&f);
}

/* Who answers has read the body, and goes on without it. */
static void a_body_may_be_forgotten(void **state)
{
    (void)state;
    struct fixture f;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 10;
    fixture_start(&f, &(struct http_options){.limits = limits});
    int fd = post_body(f.port, "/hold", UNCOUNTED + 8);
    struct http_reply *reply = fixture_held(&f, 0);
    expect_body(f.port, UNCOUNTED + 3, 503);
    http_reply_forget_body(reply);
    assert_null(f.requests[0]->body);
    expect_body(f.port, UNCOUNTED + 10, 200);
    expect_body(f.port, UNCOUNTED + 11, 503);
    http_reply_end(reply);
    expect_body(f.port, UNCOUNTED + 10, 200);
    close(fd);
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
        cmocka_unit_test(a_body_may_be_forgotten),
        cmocka_unit_test(large_replies_together_have_a_limit),
    };
    return cmocka_run_group_tests_name("http_room", tests, NULL, NULL);
}

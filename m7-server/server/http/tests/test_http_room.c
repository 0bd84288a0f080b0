/* What requests and replies hold together is counted until it is freed. */
#include "http_exchange.h"
#include "test_http_fixture.h"

#define LOCAL "Host: localhost\r\n"

enum body_sizes {
    UNCOUNTED = 64 << 10 /* of each body */
};

enum race_lengths {
    REFUSALS = 1 << 20, /* at least, beside bodies that fit */
    FITTING = 20000     /* at least, beside refusals */
};

struct room_race {
    struct http_reply *large;
    atomic_bool over;
    atomic_size_t refusals;
    bool taken;
    char bytes[UNCOUNTED + 8];
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

/* A body whose head ends in `how` is refused while it comes, and what had come
 * of it leaves at once, while the client goes on sending: one of `size` bytes
 * has room then. */
static void refuse_while_it_comes(const struct http_limits *limits,
                                  const char *how, int status, size_t size)
{
    struct fixture f;
    struct response r = {0};
    fixture_start(&f, &(struct http_options){.limits = *limits});
    char head[128], *body = calloc(1, UNCOUNTED + 300001);
    assert_non_null(body);
    memset(body, 'a', UNCOUNTED + 300000);
    snprintf(head, sizeof head, "POST /echo HTTP/1.1\r\n" LOCAL "%s", how);
    int fd = client_open(f.port);
    client_say(fd, head);
    client_say(fd, body);
    client_next(fd, &r, false);
    assert_int_equal(r.status, status);
    expect_body(f.port, size, 200);
    close(fd);
    free(body);
    response_free(&r);
    fixture_stop(&f);
}

static void a_refused_body_leaves_its_room(void **state)
{
    (void)state;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 200000;
    refuse_while_it_comes(&limits, "Content-Length: 465536\r\n\r\n", 503,
                          UNCOUNTED + 200000);
}

/* One in chunks does not say beforehand that it is too long. */
static void so_does_one_that_is_too_long(void **state)
{
    (void)state;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 200000;
    limits.body_bytes = UNCOUNTED + 200000;
    refuse_while_it_comes(&limits,
                          "Transfer-Encoding: chunked\r\n\r\n71a80\r\n",
                          413, UNCOUNTED + 200000);
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
    http_reply_forget_body(reply, UNCOUNTED + 6);
    assert_null(f.requests[0]->body);
    expect_body(f.port, UNCOUNTED + 4, 200);
    expect_body(f.port, UNCOUNTED + 5, 503);
    http_reply_forget_body(reply, UNCOUNTED);
    expect_body(f.port, UNCOUNTED + 10, 200);
    expect_body(f.port, UNCOUNTED + 11, 503);
    http_reply_end(reply);
    expect_body(f.port, UNCOUNTED + 10, 200);
    close(fd);
    fixture_stop(&f);
}

/* Who answers may be later than the server. */
static void a_reply_may_end_after_its_server(void **state)
{
    (void)state;
    struct fixture f;
    fixture_start(&f,
                  &(struct http_options){.limits = http_default_limits});
    int fd = post_body(f.port, "/hold", UNCOUNTED + 8);
    struct http_reply *reply = fixture_held(&f, 0);
    fixture_stop(&f);
    assert_int_equal(f.n_gone, 1);
    assert_int_equal(http_reply_state(reply), REPLY_STOPPED);
    send_text(reply, 200, "late", 4);
    close(fd);
}

/* Adds more than there is room for, again and again. */
static void *ask_for_too_much(void *argument)
{
    struct room_race *race = argument;
    for (; !race->over; race->refusals++)
        race->taken |= exchange_collect(race->large, race->bytes, 11);
    return NULL;
}

/* Who is refused takes no room from who is not, not even for a moment. */
static void who_does_not_fit_is_in_nobodys_way(void **state)
{
    (void)state;
    static struct room_race race;
    struct http_limits limits = http_default_limits;
    limits.all_bodies = 10;
    struct exchange_room *room = exchange_room_new(&limits);
    struct http_reply *small = exchange_new(NULL, -1, 0, room);
    pthread_t thread;
    race.large = exchange_new(NULL, -1, 0, room);
    assert_true(exchange_collect(race.large, race.bytes, UNCOUNTED));
    assert_int_equal(
        pthread_create(&thread, NULL, ask_for_too_much, &race), 0);
    for (size_t i = 0; i < FITTING || race.refusals < REFUSALS; i++) {
        assert_true(exchange_collect(small, race.bytes, UNCOUNTED + 8));
        exchange_forget_body(small, 0);
    }
    race.over = true;
    pthread_join(thread, NULL);
    assert_false(race.taken);
    exchange_leave(small);
    exchange_leave(race.large);
    exchange_room_leave(room);
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
        cmocka_unit_test(a_refused_body_leaves_its_room),
        cmocka_unit_test(so_does_one_that_is_too_long),
        cmocka_unit_test(a_body_may_be_forgotten),
        cmocka_unit_test(a_reply_may_end_after_its_server),
        cmocka_unit_test(who_does_not_fit_is_in_nobodys_way),
        cmocka_unit_test(large_replies_together_have_a_limit),
    };
    return cmocka_run_group_tests_name("http_room", tests, NULL, NULL);
}

/* Many clients of one server: what each gets, who waits, who leaves, and how
 * it ends. */
#include "test_serving.h"

#include <poll.h>

enum crowd_sizes {
    CROWD = 16, /* clients at once */
    ENDLESS = 900,
    LARGE = 1000000 /* bytes of a text */
};

#define CHAT "/v1/chat/completions"
#define TEXT "/v1/completions"

/* A text that goes on for long: the end token cannot come. */
#define STORY                                                                 \
    "{'prompt':'Once upon a time','temperature':0,'max_tokens':900,"          \
    "'logit_bias':{'4087':-100,'4089':-100},'stream':true}"

/* What the client number i asks. */
static void body_of(size_t i, char *body, size_t room)
{
    static const char *const begins[] = {"The capital of France is",
                                         "Once upon a time", "One, two,",
                                         "The weather in Oslo"};
    snprintf(body, room,
             "{'prompt':'%s','max_tokens':%zu,'seed':%zu,'temperature':%s,"
             "'logprobs':2,'stream':%s}",
             begins[i % 4], 12 + i, i, i % 3 ? "1" : "0",
             i % 2 ? "true" : "false");
}

/* The part of an answer that does not change from request to request. */
static void texts_of(const struct response *r, struct bytes *out)
{
    join_values(r->body.data, "text", out);
    join_values(r->body.data, "finish_reason", out);
    const char *at = strstr(r->body.data, "token_logprobs");
    for (; at; at = strstr(at + 1, "token_logprobs"))
        bytes_add(out, at, strcspn(at, "}"));
}

static void all_at_once_get_what_each_gets_alone(void **state)
{
    (void)state;
    struct serving s;
    struct bytes alone[CROWD] = {{0}};
    char body[512];
    int lines[CROWD];
    serving_start(&s, &(struct rung_options){.threads = 1});
    for (size_t i = 0; i < CROWD; i++) {
        struct response r;
        body_of(i, body, sizeof body);
        ask_post(s.port, TEXT, body, &r);
        assert_int_equal(r.status, 200);
        texts_of(&r, &alone[i]);
        response_free(&r);
    }
    for (size_t i = 0; i < CROWD; i++) {
        body_of(i, body, sizeof body);
        lines[i] = send_post(s.port, TEXT, body);
    }
    for (size_t i = 0; i < CROWD; i++) {
        struct response r = {0};
        struct bytes text = {0};
        client_next(lines[i], &r, false);
        bytes_add(&r.body, "", 1);
        assert_int_equal(r.status, 200);
        texts_of(&r, &text);
        assert_int_equal(text.size, alone[i].size);
        assert_memory_equal(text.data, alone[i].data, text.size);
        bytes_free(&text);
        bytes_free(&alone[i]);
        response_free(&r);
        close(lines[i]);
    }
    serving_stop(&s);
}

/* Ask /metrics for a number of tiny-chat. */
static long number_of(int port, const char *name)
{
    struct response r;
    char key[128];
    ask_get(port, "/metrics", &r);
    snprintf(key, sizeof key, "\n%s{model=\"tiny-chat\"} ", name);
    const char *at = strstr(r.body.data, key);
    assert_non_null(at);
    long value = atol(at + strlen(key));
    response_free(&r);
    return value;
}

/* Wait until a number is what it should become. */
static void await(int port, const char *name, long expected)
{
    double until = clock_now() + PATIENCE;
    while (number_of(port, name) != expected) {
        assert_true(clock_now() < until);
        nap(0.01);
    }
}

/* Begin a long answer, and read its first bytes. */
static int begin_story(int port)
{
    struct bytes some = {0};
    int fd = send_post(port, TEXT, STORY);
    assert_true(client_more(fd, &some));
    assert_memory_equal(some.data, "HTTP/1.1 200", 12);
    bytes_free(&some);
    return fd;
}

/* Ends the server *state, also behind a test that failed: else it would go on
 * computing, and the next test would wait for it. */
static int end_serving(void **state)
{
    serving_stop(*state);
    return 0;
}

static void who_leaves_frees_his_place(void **state)
{
    static struct serving s;
    serving_start(&s, &(struct rung_options){.threads = 1, .requests = 1});
    *state = &s;
    int reading = begin_story(s.port);
    int waiting = send_post(s.port, TEXT, STORY);
    await(s.port, "rung_requests_queued", 1);
    close(waiting);
    await(s.port, "rung_requests_queued", 0);
    assert_true(number_of(s.port, "rung_new_tokens_total") < ENDLESS);
    assert_int_equal(number_of(s.port, "rung_requests_running"), 1);
    close(reading);
    await(s.port, "rung_requests_running", 0);
    assert_true(number_of(s.port, "rung_new_tokens_total") < ENDLESS);
}

/* A chat whose texts are parsed twice while they come, for no thought may
 * begin but in a call; the answer is large, if it is no stream. */
static int send_silent_chat(int port, size_t i)
{
    char body[512];
    snprintf(body, sizeof body,
             "{'messages':[{'role':'user','content':'Hi'}],'max_tokens':8,"
             "'tools':[{'type':'function','function':{'name':'f'}}],"
             "'enable_thinking':false,'logprobs':true,'top_logprobs':20,"
             "'seed':%zu,'n':%zu,'stream':%s}",
             i, 1 + i % 4, i % 3 ? "false" : "true");
    return send_post(port, CHAT, body);
}

/* Of four clients one leaves at once, one when its answer comes, and one when
 * others have got theirs. */
static void who_leaves_at_any_moment_leaves_nothing_behind(void **state)
{
    (void)state;
    struct serving s;
    int lines[CROWD];
    serving_start(&s, &(struct rung_options){.threads = 1, .requests = 4});
    for (size_t i = 0; i < CROWD; i++) {
        lines[i] = send_silent_chat(s.port, i);
        if (i % 4 == 0)
            close(lines[i]);
    }
    for (size_t i = 0; i < CROWD; i++) {
        struct response r = {0};
        struct bytes some = {0};
        if (i % 4 == 1)
            assert_true(client_more(lines[i], &some));
        if (i % 4 == 3) {
            client_next(lines[i], &r, false);
            assert_int_equal(r.status, 200);
            close(lines[i - 1]);
        }
        if (i % 4 == 1 || i % 4 == 3)
            close(lines[i]);
        bytes_free(&some);
        response_free(&r);
    }
    await(s.port, "rung_requests_queued", 0);
    await(s.port, "rung_requests_running", 0);
    serving_stop(&s);
}

static void who_finds_the_queue_full_may_come_again(void **state)
{
    (void)state;
    struct serving s;
    struct response r;
    serving_start(
        &s, &(struct rung_options){.threads = 1, .requests = 1, .queue = 1});
    int reading = begin_story(s.port);
    int waiting = send_post(s.port, TEXT, STORY);
    await(s.port, "rung_requests_queued", 1);
    ask_post(s.port, TEXT, STORY, &r);
    assert_int_equal(r.status, 429);
    assert_string_equal(response_header(&r, "Retry-After"), "1");
    assert_value(r.body.data, "code", "\"rate_limit_exceeded\"");
    response_free(&r);
    close(reading);
    close(waiting);
    await(s.port, "rung_requests_queued", 0);
    await(s.port, "rung_requests_running", 0);
    ask_post(s.port, TEXT, "{'prompt':'Hi','max_tokens':1}", &r);
    assert_int_equal(r.status, 200);
    response_free(&r);
    serving_stop(&s);
}

/* Two places, and eight answers to one question. */
static void more_answers_than_places_come_one_after_the_other(void **state)
{
    (void)state;
    struct serving s;
    struct response r;
    serving_start(
        &s, &(struct rung_options){.threads = 1, .requests = 2, .queue = 1});
    ask_post(s.port, CHAT,
             "{'messages':[{'role':'user','content':'Hi'}],'n':8,"
             "'max_tokens':3,'temperature':0}",
             &r);
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(r.body.data, "\"index\":7"));
    assert_value(r.body.data, "completion_tokens", "24");
    response_free(&r);
    serving_stop(&s);
}

/* One of them waits, and there is no room for the others. */
static void of_many_answers_some_wait_until_the_queue_has_room(void **state)
{
    (void)state;
    struct serving s;
    struct response r = {0};
    serving_start(
        &s, &(struct rung_options){.threads = 1, .requests = 2, .queue = 1});
    int one = begin_story(s.port), two = begin_story(s.port);
    int fd = send_post(s.port, CHAT,
                       "{'messages':[{'role':'user','content':'Hi'}],'n':3,"
                       "'max_tokens':3,'temperature':0}");
    await(s.port, "rung_requests_refused_total", 1);
    close(one);
    close(two);
    client_next(fd, &r, false);
    bytes_add(&r.body, "", 1);
    assert_int_equal(r.status, 200);
    assert_value(r.body.data, "completion_tokens", "9");
    response_free(&r);
    close(fd);
    serving_stop(&s);
}

/* Cutting a megabyte into tokens takes a second or so. */
static void a_large_body_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct serving s;
    struct response small, large = {0};
    struct bytes body = {0};
    serving_start(&s, &(struct rung_options){.threads = 1});
    bytes_add_string(&body, "{'content':'");
    for (size_t i = 0; i < LARGE; i++)
        bytes_add(&body, "1", 1);
    bytes_add(&body, "'}", 3);
    int fd = send_post(s.port, "/tokenize", body.data);
    nap(0.02); /* it is read, and its work begins */
    ask_post(s.port, "/tokenize", "{'content':'1'}", &small);
    assert_int_equal(small.status, 200);
    struct pollfd answer = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&answer, 1, 0), 0);
    client_next(fd, &large, false);
    assert_int_equal(large.status, 200);
    close(fd);
    response_free(&small);
    response_free(&large);
    bytes_free(&body);
    serving_stop(&s);
}

static void what_has_begun_is_ended_before_the_server_is(void **state)
{
    (void)state;
    struct serving s;
    struct bytes all = {0}, rest = {0};
    serving_start(&s, &(struct rung_options){.threads = 1});
    int fd = begin_story(s.port);
    serve_drain(s.server);
    assert_int_equal(client_try(s.port, false), -1);
    while (!serve_wait(s.server, 1))
        ;
    assert_true(client_until(fd, &rest, "data: [DONE]", &all));
    bytes_add(&all, "", 1);
    assert_non_null(strstr(all.data, "\"finish_reason\":\"length\""));
    bytes_free(&all);
    bytes_free(&rest);
    close(fd);
    serving_stop(&s);
}

static void at_once_is_at_once(void **state)
{
    (void)state;
    struct serving s;
    struct bytes all = {0};
    serving_start(&s, &(struct rung_options){.threads = 1, .requests = 1});
    int reading = begin_story(s.port);
    int waiting = send_post(s.port, TEXT, STORY);
    await(s.port, "rung_requests_queued", 1);
    double begun = clock_now();
    serving_stop(&s);
    assert_true(clock_now() - begun < 2);
    while (client_more(reading, &all))
        ;
    bytes_add(&all, "", 1);
    assert_null(strstr(all.data, "[DONE]"));
    bytes_free(&all);
    close(reading);
    close(waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_at_once_get_what_each_gets_alone),
        cmocka_unit_test_teardown(who_leaves_frees_his_place, end_serving),
        cmocka_unit_test(who_leaves_at_any_moment_leaves_nothing_behind),
        cmocka_unit_test(who_finds_the_queue_full_may_come_again),
        cmocka_unit_test(more_answers_than_places_come_one_after_the_other),
        cmocka_unit_test(of_many_answers_some_wait_until_the_queue_has_room),
        cmocka_unit_test(a_large_body_keeps_nobody_waiting),
        cmocka_unit_test(what_has_begun_is_ended_before_the_server_is),
        cmocka_unit_test(at_once_is_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a client is told of an answer that the engine could not give. */
#include "answering.h"

#include "test_http_fixture.h"
#include "test_run.h"
#undef fail

#include <math.h>

/* A request of one token, all of which are forbidden. */
static void forbid_all(void *context, const int *ids, size_t n,
                       size_t n_prompt, float *logits, size_t vocab_size)
{
    (void)context;
    (void)ids;
    (void)n;
    (void)n_prompt;
    for (size_t id = 0; id < vocab_size; id++)
        logits[id] = -INFINITY;
}

static int take_nothing(struct answering_part *part,
                        const struct rung_token_event *t)
{
    (void)part;
    (void)t;
    return 0;
}

static int end_nothing(struct answering_part *part,
                       const struct rung_result *r)
{
    (void)part;
    (void)r;
    return 0;
}

static json_t *say_nothing(struct answering *a)
{
    (void)a;
    return json_object();
}

static void free_nothing(void *work, size_t n)
{
    (void)work;
    (void)n;
}

static void note_nothing(void *context, const char *id, const char *model,
                         const struct answering_figures *figures)
{
    (void)context;
    (void)id;
    (void)model;
    (void)figures;
}

static const struct answering_kind nothing = {.prefix = "none-",
                                              .token = take_nothing,
                                              .end = end_nothing,
                                              .body = say_nothing,
                                              .free = free_nothing};

static struct served_list models;

static int open_model(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat");
    struct error e;
    if (access(path, R_OK) == 0)
        assert_int_equal(served_open(&models, (const char *const *)&path, 1,
                                     &(struct rung_options){.threads = 1},
                                     &e),
                         0);
    free(path);
    return 0;
}

static int close_model(void **state)
{
    (void)state;
    served_close(&models);
    return 0;
}

/* Begin a request whose filter lets nothing pass, for that reason. */
static void begin_forbidden(struct fixture *f, const bool *lacks_memory)
{
    static const int prompt[] = {5};
    struct http_reply *reply = fixture_held(f, 0);
    struct bytes unknown = {0};
    struct api_error e;
    struct answering *a = answering_new(
        &nothing,
        &(struct answering_arrival){.http = f->requests[0],
                                    .reply = reply,
                                    .note = note_nothing},
        1, NULL);
    assert_non_null(a);
    assert_int_equal(answering_describe(a, models.items, &unknown, &e), 0);
    a->unknown = "";
    a->parts->request.ids = prompt;
    a->parts->request.n_ids = 1;
    a->parts->request.sampling.forbid = forbid_all;
    a->parts->lacks_memory = lacks_memory;
    answering_begin(a);
    bytes_free(&unknown);
}

static void expect_told(const bool *lacks_memory, int status,
                        const char *words)
{
    struct fixture f;
    struct response r = {0};
    if (models.n == 0) {
        print_message("SKIPPED: the tests' models are not there: set "
                      "RUNG_TESTS to the folder tests\n");
        skip();
    }
    fixture_plain(&f);
    int fd = client_open(f.port);
    client_say(fd, "GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
    begin_forbidden(&f, lacks_memory);
    client_next(fd, &r, false);
    assert_int_equal(r.status, status);
    assert_true(bytes_have(&r.body, words));
    close(fd);
    response_free(&r);
    fixture_stop(&f);
}

/* A filter that has no memory forbids all tokens: the client, who may not have
 * asked for one, is not to blame. */
static void a_filter_without_memory_is_the_servers_fault(void **state)
{
    (void)state;
    static const bool lacks_memory = true;
    expect_told(&lacks_memory, 500,
                "\"message\":\"out of memory\",\"type\":\"server_error\"");
}

static void one_with_memory_is_the_clients(void **state)
{
    (void)state;
    static const bool lacks_memory = false;
    const char *words = "\"message\":\"all 4096 tokens are forbidden\","
                        "\"type\":\"invalid_request_error\"";
    expect_told(&lacks_memory, 400, words);
    expect_told(NULL, 400, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_without_memory_is_the_servers_fault),
        cmocka_unit_test(one_with_memory_is_the_clients),
    };
    return cmocka_run_group_tests_name("answering", tests, open_model,
                                       close_model);
}

/* For the tests of the engine: a client who writes down what is told. */
#ifndef TEST_CLIENT_H
#define TEST_CLIENT_H

#include "buffer.h"
#include "random.h"
#include "rung.h"
#include "test_run.h"
#include "unicode.h"

#undef fail
#include "test_numbers.h"

/* What one request was told. */
struct client {
    struct ids prompt;
    struct rung_request asks;
    struct rung_ticket *ticket;

    struct ids ids;     /* new ones */
    struct bytes text;  /* of them */
    double logprobs;    /* of them, added up */
    double others;      /* those of the likeliest, added up */
    size_t enough;      /* after so many the client wants no more; 0: never */
    int ends;           /* how often it was told the end */
    bool whole;         /* every piece of text was valid UTF-8 */
    bool orderly;       /* tokens came in their order, and the end last */
    float *vector;      /* where it goes; not owned */
    size_t width;
    struct rung_result result;

    struct rung_model *model;  /* whose stats are of interest; NULL: none */
    struct rung_stats at_end;  /* they */
};

static inline bool client_whole(const char *text, size_t size)
{
    return utf8_valid(text, size) == size;
}

/* On the engine's thread, where nothing can be asserted: it is noted. */
static inline int client_token(void *context, const struct rung_token_event *t)
{
    struct client *c = context;
    c->orderly = c->orderly && c->ends == 0 && t->index == c->ids.size;
    ids_add(&c->ids, t->id);
    bytes_add(&c->text, t->text, t->size);
    c->whole = c->whole && client_whole(t->text, t->size);
    c->logprobs += t->logprob;
    for (size_t i = 0; i < t->n_top; i++)
        c->others += t->top[i].logprob;
    return c->enough > 0 && c->ids.size >= c->enough;
}

static inline void client_end(void *context, const struct rung_result *r)
{
    struct client *c = context;
    c->ends++;
    bytes_add(&c->text, r->text, r->size);
    c->whole = c->whole && client_whole(r->text, r->size);
    if (r->vector && c->vector)
        memcpy(c->vector, r->vector, c->width * sizeof *c->vector);
    c->result = *r;
    if (c->model)
        rung_stats(c->model, &c->at_end);
}

/* A client who asks for `most` tokens after a text, the likeliest ones. */
static inline void client_init(struct client *c, const struct rung_model *m,
                               const char *prompt, size_t most)
{
    int *ids;
    size_t n;
    struct rung_error e;
    *c = (struct client){.whole = true, .orderly = true};
    assert_int_equal(
        rung_encode(m, prompt, strlen(prompt), NULL, &ids, &n, &e), 0);
    for (size_t i = 0; i < n; i++)
        ids_add(&c->prompt, ids[i]);
    rung_free_ids(ids);
    rung_request_init(&c->asks);
    c->asks.max_tokens = most;
    c->asks.sampling.temperature = 0;
}

static inline struct rung_request *client_request(struct client *c)
{
    c->asks.ids = c->prompt.data;
    c->asks.n_ids = c->prompt.size;
    c->asks.on_token = client_token;
    c->asks.on_end = client_end;
    c->asks.context = c;
    return &c->asks;
}

static inline void client_submit(struct client *c, struct rung_model *m)
{
    struct rung_error e;
    c->ticket = rung_submit(m, client_request(c), &e);
    if (!c->ticket)
        print_error("%s\n", e.message);
    assert_non_null(c->ticket);
}

static inline void client_wait(struct client *c)
{
    struct rung_result r;
    rung_wait(c->ticket, &r);
    assert_int_equal(c->ends, 1);
    assert_int_equal(r.reason, c->result.reason);
    assert_true(c->whole);
    assert_true(c->orderly);
    rung_release(c->ticket);
    c->ticket = NULL;
}

static inline void client_run(struct client *c, struct rung_model *m)
{
    client_submit(c, m);
    client_wait(c);
}

/* Forget the answer, to ask again. */
static inline void client_forget(struct client *c)
{
    ids_free(&c->ids);
    bytes_free(&c->text);
    c->logprobs = c->others = 0;
    c->ends = 0;
}

static inline void client_free(struct client *c)
{
    client_forget(c);
    ids_free(&c->prompt);
}

/* Both were told the same, to the bit. */
static inline void assert_same_answer(const struct client *a,
                                      const struct client *b)
{
    assert_int_equal(a->ids.size, b->ids.size);
    for (size_t i = 0; i < a->ids.size; i++)
        assert_int_equal(a->ids.data[i], b->ids.data[i]);
    assert_int_equal(a->text.size, b->text.size);
    if (a->text.size)
        assert_memory_equal(a->text.data, b->text.data, a->text.size);
    assert_true(a->logprobs == b->logprobs && a->others == b->others);
    assert_int_equal(a->result.reason, b->result.reason);
    assert_int_equal(a->result.end_token, b->result.end_token);
    assert_int_equal(a->result.new_tokens, b->result.new_tokens);
}

/* A model of the tests, or a skipped test. */
static inline struct rung_model *open_model(const char *name,
                                            const struct rung_options *o)
{
    struct rung_error e;
    char *path = test_path(name);
    if (access(path, R_OK)) {
        free(path);
        skip_without_models();
    }
    struct rung_model *m = rung_open(path, o, &e);
    if (!m)
        print_error("%s\n", e.message);
    assert_non_null(m);
    free(path);
    return m;
}

#endif

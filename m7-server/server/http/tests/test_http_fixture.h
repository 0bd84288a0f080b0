/* For the tests of HTTP: a server with a few routes, whose held replies the
 * test itself answers. */
#ifndef TEST_HTTP_FIXTURE_H
#define TEST_HTTP_FIXTURE_H

#include "http.h"
#include "test_http_client.h"

#include <pthread.h>

enum fixture_sizes {
    MOST_HELD = 256
};

struct fixture {
    struct http_server *server;
    int port;
    struct http_options options;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct http_reply *held[MOST_HELD];
    const struct http_request *requests[MOST_HELD];
    size_t n_held, n_gone, n_logged;
    enum http_reply_state why; /* of the last that was gone */
    char log[256];             /* the last outcome */
};

static inline void send_text(struct http_reply *reply, int status,
                             const char *text, size_t size)
{
    struct bytes body = {0};
    bytes_add(&body, text, size);
    http_reply_send(
        reply, &(struct http_head){.status = status, .type = "text/plain"},
        &body);
}

static inline void answer_health(void *context,
                                 const struct http_request *request,
                                 struct http_reply *reply)
{
    (void)context;
    (void)request;
    send_text(reply, 200, "well\n", 5);
}

static inline void answer_echo(void *context,
                               const struct http_request *request,
                               struct http_reply *reply)
{
    (void)context;
    send_text(reply, 200, request->body, request->body_size);
}

static inline void answer_item(void *context,
                               const struct http_request *request,
                               struct http_reply *reply)
{
    (void)context;
    send_text(reply, 200, request->rest, strlen(request->rest));
}

static inline void answer_large(void *context,
                                const struct http_request *request,
                                struct http_reply *reply)
{
    (void)context;
    (void)request;
    struct bytes body = {0};
    for (int i = 0; i < 1000000; i++)
        bytes_add(&body, "01234567", 8);
    http_reply_send(reply, &(struct http_head){.status = 200}, &body);
}

static inline void note_gone(void *context, enum http_reply_state why)
{
    struct fixture *f = context;
    pthread_mutex_lock(&f->lock);
    f->n_gone++;
    f->why = why;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static inline void hold(void *context, const struct http_request *request,
                        struct http_reply *reply)
{
    struct fixture *f = context;
    http_reply_on_gone(reply, note_gone, f);
    pthread_mutex_lock(&f->lock);
    assert_true(f->n_held < MOST_HELD);
    f->requests[f->n_held] = request;
    f->held[f->n_held++] = reply;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static inline void note_outcome(void *context, const struct http_outcome *o)
{
    struct fixture *f = context;
    pthread_mutex_lock(&f->lock);
    snprintf(f->log, sizeof f->log, "%s %s %d %zu %s", o->method, o->path,
             o->status, o->bytes, o->whole ? "whole" : "cut");
    f->n_logged++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

/* Wait until *count is at least `least`; false when our patience ends. */
static inline bool fixture_wait(struct fixture *f, const size_t *count,
                                size_t least)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    int late = 0;
    pthread_mutex_lock(&f->lock);
    while (*count < least && !late)
        late = pthread_cond_timedwait(&f->changed, &f->lock, &until);
    pthread_mutex_unlock(&f->lock);
    return !late;
}

/* The n-th reply that was held, from 0. */
static inline struct http_reply *fixture_held(struct fixture *f, size_t n)
{
    assert_true(fixture_wait(f, &f->n_held, n + 1));
    pthread_mutex_lock(&f->lock);
    struct http_reply *reply = f->held[n];
    pthread_mutex_unlock(&f->lock);
    return reply;
}

static const struct http_route fixture_routes[] = {
    {"GET", "/health", false, true, answer_health},
    {"POST", "/echo", false, false, answer_echo},
    {"GET", "/echo", false, false, answer_health},
    {"GET", "/items/", true, false, answer_item},
    {"GET", "/large", false, false, answer_large},
    {"GET", "/hold", false, false, hold},
    {"POST", "/hold", false, false, hold},
};

static inline void fixture_start(struct fixture *f,
                                 const struct http_options *options)
{
    struct error e;
    *f = (struct fixture){.options = *options};
    f->options.log = note_outcome;
    f->options.log_context = f;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->server =
        http_start(&f->options, fixture_routes,
                   sizeof fixture_routes / sizeof *fixture_routes, f, &e);
    if (!f->server)
        print_error("%s\n", e.message);
    assert_non_null(f->server);
    f->port = http_port(f->server);
}

/* A server with the usual limits, but a short patience. */
static inline void fixture_plain(struct fixture *f)
{
    fixture_start(f, &(struct http_options){.limits = http_default_limits});
}

static inline void fixture_stop(struct fixture *f)
{
    http_free(f->server);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
}

/* Ask on a connection of its own, and expect a status and, unless it is NULL,
 * a text in the body. */
static inline void expect_status(struct fixture *f, const char *request,
                                 int status, const char *text)
{
    struct response r = {0};
    client_ask(f->port, request, &r);
    if (r.status != status)
        print_error("%s: %d\n", request, r.status);
    assert_int_equal(r.status, status);
    assert_true(r.whole);
    if (text && !bytes_have(&r.body, text))
        print_error("no %s in %.*s\n", text, (int)r.body.size, r.body.data);
    if (text)
        assert_true(bytes_have(&r.body, text));
    response_free(&r);
}

#endif

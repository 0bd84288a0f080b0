/* What a producer does with a reply: see http_reply.h. */
#include "http_exchange.h"

#include <string.h>

enum http_reply_state http_reply_state(const struct http_reply *r)
{
    return (enum http_reply_state)atomic_load(&r->state);
}

void http_reply_on_gone(struct http_reply *r,
                        void (*gone)(void *context, enum http_reply_state why),
                        void *context)
{
    pthread_mutex_lock(&r->lock);
    enum http_reply_state state = (enum http_reply_state)r->state;
    if (state < REPLY_LEFT) {
        r->gone = gone;
        r->gone_context = context;
    }
    pthread_mutex_unlock(&r->lock);
    if (state >= REPLY_LEFT)
        gone(context, state);
}

void http_reply_forget_body(struct http_reply *r, size_t stays)
{
    pthread_mutex_lock(&r->lock);
    exchange_forget_body(r, stays);
    pthread_mutex_unlock(&r->lock);
}

void http_reply_header(struct http_reply *r, const char *name,
                       const char *value)
{
    pthread_mutex_lock(&r->lock);
    if (!r->begun)
        exchange_header(r, name, value);
    pthread_mutex_unlock(&r->lock);
}

static void add_headers(struct http_reply *r, const struct http_head *head)
{
    for (size_t i = 0; i < head->n_headers; i++)
        exchange_header(r, head->headers[i].name, head->headers[i].value);
}

void http_reply_send(struct http_reply *r, const struct http_head *head,
                     struct bytes *body)
{
    pthread_mutex_lock(&r->lock);
    if (!r->begun) {
        add_headers(r, head);
        exchange_answer(r, head->status, head->type, body);
    }
    bytes_free(body);
    exchange_end(r);
}

void http_reply_error(struct http_reply *r, int status,
                      const struct http_error *error)
{
    pthread_mutex_lock(&r->lock);
    if (!r->begun)
        exchange_refuse(r, status, error);
    exchange_end(r);
}

/* A copy, which nobody changes while the reply lives. */
static void keep(struct bytes *copy, const char *string)
{
    if (string)
        bytes_add_string(copy, string);
}

static void begin_stream(struct http_reply *r, const struct http_head *head,
                         const struct http_stream *stream)
{
    add_headers(r, head);
    if (head->type)
        exchange_header(r, "Content-Type", head->type);
    if (stream) {
        keep(&r->silence, stream->silence);
        keep(&r->late, stream->late);
        r->silence_seconds = stream->silence_seconds;
    }
    r->status = head->status;
    r->wrote_at = exchange_clock();
    r->begun = r->streamed = true;
}

/* Without memory the stream becomes a 500, and nobody reads more of it. */
static void lose_stream(struct http_reply *r)
{
    struct bytes lost = {.failed = true};
    r->streamed = false;
    r->state = REPLY_FULL;
    exchange_answer(r, 500, NULL, &lost);
}

void http_reply_stream(struct http_reply *r, const struct http_head *head,
                       const struct http_stream *stream)
{
    pthread_mutex_lock(&r->lock);
    bool begins = !r->begun;
    if (begins)
        begin_stream(r, head, stream);
    bool failed = r->headers.failed || r->silence.failed || r->late.failed;
    if (begins && failed)
        lose_stream(r);
    pthread_mutex_unlock(&r->lock);
    exchange_wake(r);
}

enum http_reply_state http_reply_write(struct http_reply *r, const void *data,
                                       size_t size)
{
    pthread_mutex_lock(&r->lock);
    if (r->state < REPLY_LEFT && r->streamed && !r->complete)
        exchange_write(r, data, size);
    enum http_reply_state state = (enum http_reply_state)r->state;
    pthread_mutex_unlock(&r->lock);
    return state;
}

void http_reply_end(struct http_reply *r)
{
    static const struct http_error nothing = {
        .message = "the server has given no answer"};
    pthread_mutex_lock(&r->lock);
    if (!r->begun)
        exchange_refuse(r, 500, &nothing);
    r->complete = true;
    exchange_end(r);
}

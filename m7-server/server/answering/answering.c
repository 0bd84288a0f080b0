/* One request at work: see answering.h. */
#include "answering.h"

#include "asking.h"
#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char body_type[] = "application/json";
static const char event_type[] = "text/event-stream; charset=utf-8";

/* --- replies ------------------------------------------------------------- */

/* The headers of a reply; unknown is "" or names. */
static struct http_head head_of(int status, const char *type,
                                const struct http_header *unknown)
{
    return (struct http_head){.status = status,
                              .type = type,
                              .headers = unknown,
                              .n_headers = *unknown->value ? 1 : 0};
}

void reply_with(struct http_reply *reply, json_t *body, const char *unknown)
{
    const struct http_header header = {"x-unknown-parameters", unknown};
    struct http_head head = head_of(200, body_type, &header);
    struct bytes out = {0};
    struct error e;
    if (answer_write(body, &out, &e))
        out.failed = true;
    http_reply_send(reply, &head, &out);
}

void reply_refused(struct http_reply *reply, const struct api_error *error)
{
    struct http_error told = api_http_error(error);
    if (error->status == 429)
        http_reply_header(reply, "Retry-After", "1");
    http_reply_error(reply, error->status, &told);
}

enum finish_reason finish_of(const struct rung_result *r)
{
    return r->reason == RUNG_LENGTH ? FINISH_LENGTH : FINISH_STOP;
}

/* --- a request ----------------------------------------------------------- */

/* "chatcmpl-1a2b..." of the request "req_1a2b...". */
static void name_answer(struct answering *a)
{
    const char *id = a->from.http->id, *number = strchr(id, '_');
    snprintf(a->id, sizeof a->id, "%s%s", a->kind->prefix,
             number ? number + 1 : id);
    a->head.id = a->id;
    a->head.created = (long long)time(NULL);
}

struct answering *answering_new(const struct answering_kind *kind,
                                const struct answering_arrival *arrival,
                                size_t n, void *work)
{
    struct answering *a = calloc(1, sizeof *a);
    struct answering_part *parts = calloc(n, sizeof *parts);
    if (!a || !parts) {
        kind->free(work, n);
        reply_with(arrival->reply, NULL, "");
        free(a);
        free(parts);
        return NULL;
    }
    *a = (struct answering){.kind = kind,
                            .from = *arrival,
                            .unknown = "",
                            .work = work,
                            .parts = parts,
                            .n = n,
                            .figures = {.parts = n}};
    pthread_mutex_init(&a->lock, NULL);
    name_answer(a);
    for (size_t i = 0; i < n; i++) {
        parts[i].whole = a;
        parts[i].index = i;
        rung_request_init(&parts[i].request);
    }
    return a;
}

int answering_describe(struct answering *a, struct served *model,
                       struct bytes *unknown, struct api_error *e)
{
    if (!model)
        return -1;
    a->model = model;
    a->head.model = model->facts->name;
    a->head.fingerprint = model->fingerprint;
    bytes_add(unknown, "", 1);
    if (unknown->failed)
        return api_fail(e, 500, "out of memory");
    a->unknown = unknown->data;
    return 0;
}

static void answering_free(struct answering *a)
{
    a->kind->free(a->work, a->n);
    for (size_t i = 0; i < a->n; i++)
        rung_release(a->parts[i].ticket);
    free(a->parts);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void answering_refuse(struct answering *a, const struct api_error *error)
{
    reply_refused(a->from.reply, error);
    answering_free(a);
}

int answering_fail_memory(struct answering *a)
{
    return api_fail(&a->error, 500, "out of memory");
}

/* --- what is sent -------------------------------------------------------- */

int answering_send(struct answering *a, json_t *chunk)
{
    struct bytes event = {0};
    struct error e;
    if (answer_event(chunk, &event, &e)) {
        bytes_free(&event);
        return answering_fail_memory(a);
    }
    if (http_reply_write(a->from.reply, event.data, event.size) >= REPLY_LEFT)
        a->gone = true;
    bytes_free(&event);
    return 0;
}

/* What the server itself says in a stream: that it is still there, and that
 * the time is over. */
static const struct http_stream stream_words = {
    .silence = ": the answer is being made\n\n",
    .silence_seconds = 15,
    .late = "data: {\"error\":{\"message\":\"the request took too long\","
            "\"type\":\"server_error\",\"param\":null,\"code\":\"timeout\"}}"
            "\n\n",
};

static void open_stream(struct answering *a)
{
    const struct http_header unknown[] = {
        {"x-unknown-parameters", a->unknown}};
    struct http_head head = head_of(200, event_type, unknown);
    http_reply_stream(a->from.reply, &head, &stream_words);
    a->opened = true;
    if (a->kind->open && a->kind->open(a))
        a->failed = true;
}

/* An error that comes when the stream has begun is an event; without memory
 * for it, one that needs none. */
static void send_error(struct answering *a)
{
    static const char no_memory[] =
        "data: {\"error\":{\"message\":\"out of memory\",\"type\":"
        "\"server_error\",\"param\":null,\"code\":\"server_error\"}}\n\n";
    struct bytes event = {0};
    struct http_error told = api_http_error(&a->error);
    bytes_add_string(&event, "data: ");
    http_error_body(&event, a->error.status, &told);
    bytes_add_string(&event, "\n\n");
    if (event.failed)
        http_reply_write(a->from.reply, no_memory, sizeof no_memory - 1);
    else
        http_reply_write(a->from.reply, event.data, event.size);
    bytes_free(&event);
}

static void end_stream(struct answering *a)
{
    struct bytes done = {0};
    answer_done(&done);
    if (!a->failed && a->kind->close(a))
        a->failed = true;
    else if (!a->failed && done.failed)
        a->failed = answering_fail_memory(a);
    if (a->failed)
        send_error(a);
    else
        http_reply_write(a->from.reply, done.data, done.size);
    bytes_free(&done);
    http_reply_end(a->from.reply);
}

/* All parts have ended: the last word.  No lock is held, and no other thread
 * knows of *a any more but the one that tells of a client who leaves, for
 * which ending the reply waits. */
static void finish_reply(void *context)
{
    struct answering *a = context;
    a->from.note(a->from.context, a->from.http->id, a->head.model,
                 &a->figures);
    if (a->gone)
        http_reply_end(a->from.reply);
    else if (a->opened)
        end_stream(a);
    else if (a->failed)
        reply_refused(a->from.reply, &a->error);
    else
        reply_with(a->from.reply, a->kind->body(a), a->unknown);
    answering_free(a);
}

/* JSON values of an end that no other request notices: a millisecond or two.
 * A vector has thousands, a token with 20 alternatives 190, its text 1/16. */
enum small_ends {
    SMALL_END = 4096,
    TEXTS_A_VALUE = 16
};

static bool ends_at_once(const struct answering *a)
{
    const struct answering_figures *f = &a->figures;
    size_t tokens = f->prompt_tokens + f->new_tokens; /* some may be echoed */
    size_t written =
        a->opened ? 0 : tokens * a->token_values + tokens / TEXTS_A_VALUE;
    return a->values + written <= SMALL_END;
}

/* --- what the engine tells ----------------------------------------------- */

static void submit_parts(struct answering *a);

static void cancel_parts(struct answering *a)
{
    for (size_t i = 0; i < a->n; i++) {
        struct rung_ticket *ticket = a->parts[i].ticket;
        if (ticket)
            rung_cancel(ticket);
    }
}

static void time_token(struct answering_part *part)
{
    struct answering *a = part->whole;
    double now = latency_clock();
    if (part->last > 0) {
        latencies_add(&a->model->metrics.next_token, now - part->last);
    } else {
        double first = now - a->from.seconds;
        latencies_add(&a->model->metrics.first_token, first);
        if (first > a->figures.first_token)
            a->figures.first_token = first;
    }
    part->last = now;
}

static int on_prompt(void *context, const struct rung_token_event *t)
{
    struct answering_part *part = context;
    struct answering *a = part->whole;
    pthread_mutex_lock(&a->lock);
    if (!a->failed && !a->gone)
        a->failed = a->kind->prompt(part, t) != 0;
    bool over = a->failed || a->gone;
    pthread_mutex_unlock(&a->lock);
    return over;
}

static int on_token(void *context, const struct rung_token_event *t)
{
    struct answering_part *part = context;
    struct answering *a = part->whole;
    pthread_mutex_lock(&a->lock);
    time_token(part);
    int result = a->failed || a->gone ? 1 : a->kind->token(part, t);
    a->failed = a->failed || result < 0;
    part->enough = part->enough || result > 0;
    pthread_mutex_unlock(&a->lock);
    return result != 0;
}

static void count_result(struct answering *a, const struct rung_result *r)
{
    struct answering_figures *f = &a->figures;
    f->prompt_tokens += r->prompt_tokens;
    f->cached_tokens += r->cached_tokens;
    f->new_tokens += r->new_tokens;
    f->draft_tokens += r->draft_tokens;
    f->accepted_tokens += r->accepted_tokens;
    f->cache_bytes += (r->prompt_tokens + r->new_tokens) *
                      a->model->facts->cache_token_bytes;
    f->queued = r->queued > f->queued ? r->queued : f->queued;
    f->prefill = r->prefill > f->prefill ? r->prefill : f->prefill;
    f->decode = r->decode > f->decode ? r->decode : f->decode;
    f->draft = r->draft > f->draft ? r->draft : f->draft;
    f->verify = r->verify > f->verify ? r->verify : f->verify;
    metrics_add_result(&a->model->metrics, r);
}

/* Who cancels is the client, who has left, the part's own kind, when it had
 * enough, or the engine, when it is closed. */
static int end_part(struct answering_part *part, const struct rung_result *r)
{
    struct answering *a = part->whole;
    if (a->failed || a->gone)
        return 0;
    if (r->reason == RUNG_FAILED && part->lacks_memory && *part->lacks_memory)
        return answering_fail_memory(a);
    if (r->reason == RUNG_FAILED)
        return fail_rung(&a->error, "", 0, &r->error);
    if (r->reason == RUNG_CANCELLED && !part->enough)
        return api_fail(&a->error, 503, "the server is stopping");
    return a->kind->end(part, r);
}

static void on_end(void *context, const struct rung_result *r)
{
    struct answering_part *part = context;
    struct answering *a = part->whole;
    pthread_mutex_lock(&a->lock);
    count_result(a, r);
    if (end_part(part, r))
        a->failed = true;
    a->in_flight--;
    submit_parts(a);
    bool over = a->in_flight == 0, at_once = ends_at_once(a);
    pthread_mutex_unlock(&a->lock);
    if (over && at_once)
        finish_reply(a);
    else if (over)
        finisher_submit(a->from.finisher, &a->finish_entry, finish_reply, a);
}

/* --- what the engine is asked -------------------------------------------- */

/* Returns whether the engine has taken it. */
static bool submit_part(struct answering *a, struct answering_part *part)
{
    struct rung_error why;
    part->request.on_prompt = part->asks_prompt ? on_prompt : NULL;
    part->request.on_token = on_token;
    part->request.on_end = on_end;
    part->request.context = part;
    struct rung_ticket *ticket =
        rung_submit(a->model->engine, &part->request, &why);
    if (!ticket && why.code == RUNG_BUSY && a->in_flight > 0)
        return false; /* when one of ours ends, there is room again */
    if (!ticket) {
        fail_rung(&a->error, "", 0, &why);
        a->failed = true;
        return false;
    }
    part->ticket = ticket;
    a->next++;
    a->in_flight++;
    if (a->gone)
        rung_cancel(ticket);
    return true;
}

/* The lock is held. */
static void submit_parts(struct answering *a)
{
    size_t most = larger_size(a->model->facts->requests, 1);
    while (!a->failed && !a->gone && a->next < a->n && a->in_flight < most)
        if (!submit_part(a, &a->parts[a->next]))
            break;
    if (a->failed || a->gone)
        cancel_parts(a);
}

/* On a thread of http: the client has left, or the time is over. */
static void on_gone(void *context, enum http_reply_state why)
{
    struct answering *a = context;
    (void)why;
    a->gone = true;
    cancel_parts(a);
}

void answering_begin(struct answering *a)
{
    http_reply_on_gone(a->from.reply, on_gone, a);
    pthread_mutex_lock(&a->lock);
    submit_parts(a);
    if (a->in_flight > 0 && a->stream && !a->failed)
        open_stream(a);
    bool over = a->in_flight == 0;
    pthread_mutex_unlock(&a->lock);
    if (over)
        finish_reply(a);
}

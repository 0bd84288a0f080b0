/* Tickets: see ticket.h. */
#include "ticket.h"

#include "logprobs.h"
#include "rung_errors.h"

#include <stdlib.h>
#include <string.h>

/* --- what is asked, copied ----------------------------------------------- */

static void copy_ids(struct ids *to, const int *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ids_add(to, from[i]);
}

static int copy_biases(struct rung_ticket *t)
{
    const struct rung_sampling *s = &t->asked.sampling;
    t->biases = calloc(s->n_biases + 1, sizeof *t->biases);
    for (size_t i = 0; t->biases && i < s->n_biases; i++)
        t->biases[i] = (struct bias){s->biases[i].id, s->biases[i].value};
    return t->biases ? 0 : -1;
}

static int copy_stops(struct rung_ticket *t)
{
    const struct rung_request *r = &t->asked;
    size_t size = 1, at = 0;
    for (size_t i = 0; i < r->n_stops; i++)
        size += strlen(r->stops[i]) + 1;
    t->stop_text = malloc(size);
    t->stops = calloc(r->n_stops + 1, sizeof *t->stops);
    if (!t->stop_text || !t->stops)
        return -1;
    for (size_t i = 0; i < r->n_stops; i++) {
        t->stops[i] = strcpy(t->stop_text + at, r->stops[i]);
        at += strlen(r->stops[i]) + 1;
    }
    return 0;
}

static int copy_lists(struct rung_ticket *t, struct error *e)
{
    const struct rung_request *r = &t->asked;
    copy_ids(&t->ids, r->ids, r->n_ids);
    copy_ids(&t->ends, r->ends, r->embeds ? 0 : r->n_ends);
    bool failed = t->ids.failed || t->ends.failed;
    if (!failed && !r->embeds)
        failed = copy_biases(t) || copy_stops(t);
    return failed ? fail_memory(e, "the request") : 0;
}

struct rung_ticket *ticket_new(const struct rung_request *r, struct error *e)
{
    struct rung_ticket *t = calloc(1, sizeof *t);
    if (!t) {
        fail_memory(e, "the request");
        return NULL;
    }
    t->asked = *r;
    t->owners = 1;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->over, NULL);
    if (copy_lists(t, e)) {
        ticket_drop(t);
        return NULL;
    }
    t->owners = 2;
    t->asked.ids = NULL; /* only the copies are looked at from here on */
    t->asked.ends = NULL;
    t->asked.stops = NULL;
    t->asked.sampling.biases = NULL;
    t->result = (struct rung_result){.end_token = -1,
                                     .prompt_tokens = r->n_ids};
    return t;
}

/* --- what it needs to run ------------------------------------------------ */

static void forbid(void *context, const struct history *h, float *logits,
                   size_t n_vocab)
{
    const struct rung_sampling *s = context;
    s->forbid(s->forbid_context, h->ids, h->n, h->n_prompt, logits, n_vocab);
}

static int start_sampler(struct rung_ticket *t, size_t n_vocab,
                         struct error *e)
{
    struct rung_sampling *s = &t->asked.sampling;
    struct sampling how = {
        .repetition = s->repetition,
        .presence = s->presence,
        .frequency = s->frequency,
        .biases = t->biases,
        .n_biases = s->n_biases,
        .forbid = s->forbid ? forbid : NULL,
        .forbid_context = s,
        .temperature = s->temperature,
        .top_k = s->top_k,
        .top_p = s->top_p,
        .min_p = s->min_p,
        .typical_p = s->typical_p,
    };
    return sampler_init(&t->sampler, &how, n_vocab, s->seed, 0, e);
}

static int start_writing(struct rung_ticket *t,
                         const struct tokenizer *tokenizer, size_t n_vocab,
                         struct error *e)
{
    size_t n_top = t->asked.logprobs ? t->asked.top_logprobs : 0;
    t->top = calloc(n_top + 1, sizeof *t->top);
    t->choices = calloc(n_top + 1, sizeof *t->choices);
    if (!t->top || !t->choices)
        return fail_memory(e, "the log probabilities");
    if (reply_init(&t->reply, tokenizer, t->stops, t->asked.n_stops, e))
        return -1;
    return start_sampler(t, n_vocab, e);
}

int ticket_start(struct rung_ticket *t, const struct tokenizer *tokenizer,
                 size_t n_vocab, size_t width, struct error *e)
{
    t->started = true;
    if (!t->asked.embeds)
        return start_writing(t, tokenizer, n_vocab, e);
    t->vector = calloc(width, sizeof *t->vector);
    return t->vector ? 0 : fail_memory(e, "the vector");
}

/* --- the end ------------------------------------------------------------- */

/* The clock's part of the result: each time from the one before it. */
static void set_times(struct rung_ticket *t, double now)
{
    struct rung_result *r = &t->result;
    double placed = t->placed > 0 ? t->placed : now;
    double first = t->first > 0 ? t->first : now;
    r->queued = placed - t->submitted;
    r->prefill = first - placed;
    r->decode = now - first;
}

/* Without memory the end of the text is lost, and that is an error; of two
 * errors the first is told. */
static enum rung_reason set_rest(struct rung_ticket *t,
                                 enum rung_reason reason)
{
    struct error e;
    t->text.size = 0;
    if (t->reply.stream && reply_end(&t->reply, &t->text, &e) &&
        reason != RUNG_FAILED) {
        reason = RUNG_FAILED;
        fail_out(&t->result.error, &e);
    }
    t->result.text = t->text.size ? t->text.data : "";
    t->result.size = t->text.size;
    return reason;
}

static void free_running(struct rung_ticket *t)
{
    if (!t->started)
        return;
    sampler_free(&t->sampler);
    reply_free(&t->reply);
    bytes_free(&t->text);
    free(t->top);
    free(t->choices);
    free(t->vector);
    t->started = false;
}

enum rung_reason ticket_finish(struct rung_ticket *t, enum rung_reason reason,
                               double now)
{
    reason = set_rest(t, reason);
    t->result.reason = reason;
    set_times(t, now);
    if (t->asked.embeds && reason == RUNG_STOP)
        t->result.vector = t->vector;
    return reason;
}

void ticket_end(struct rung_ticket *t)
{
    if (t->asked.on_end)
        t->asked.on_end(t->asked.context, &t->result);
    t->result.text = NULL;
    t->result.size = 0;
    t->result.vector = NULL;
    free_running(t);
    pthread_mutex_lock(&t->lock);
    t->ended = true;
    pthread_cond_broadcast(&t->over);
    pthread_mutex_unlock(&t->lock);
    ticket_drop(t);
}

void ticket_drop(struct rung_ticket *t)
{
    pthread_mutex_lock(&t->lock);
    bool last = --t->owners == 0;
    pthread_mutex_unlock(&t->lock);
    if (!last)
        return;
    free_running(t);
    ids_free(&t->ids);
    ids_free(&t->ends);
    free(t->biases);
    free(t->stop_text);
    free(t->stops);
    pthread_cond_destroy(&t->over);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

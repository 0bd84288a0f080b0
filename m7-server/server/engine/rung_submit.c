/* Requests come: see rung.h. */
#include "engine.h"
#include "rung_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rung_request_init(struct rung_request *r)
{
    *r = (struct rung_request){.max_tokens = 1};
    r->sampling.repetition = 1;
    r->sampling.temperature = 1;
    r->sampling.top_p = 1;
    r->sampling.typical_p = 1;
}

/* --- what is asked must make sense --------------------------------------- */

static int check_token_ids(const struct rung_model *m, const char *what,
                           const int *ids, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] < 0 || (size_t)ids[i] >= m->facts.vocab_size)
            return fail(e, ERROR_INPUT,
                        "%s: number %zu is %d, and the model has the ids 0 "
                        "to %zu",
                        what, i, ids[i], m->facts.vocab_size - 1);
    return 0;
}

/* A setting, and the numbers that it may have. */
struct bounds {
    const char *name;
    double value, least, most;
};

static int check_sampling(const struct rung_sampling *s, struct error *e)
{
    const double any = 1e30;
    const struct bounds list[] = {
        {"repetition", (double)s->repetition, 1e-30, any},
        {"presence", (double)s->presence, -any, any},
        {"frequency", (double)s->frequency, -any, any},
        {"temperature", (double)s->temperature, 0, any},
        {"top_p", s->top_p, 0, 1},
        {"min_p", (double)s->min_p, 0, 1},
        {"typical_p", s->typical_p, 0, 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        if (!(list[i].value >= list[i].least &&
              list[i].value <= list[i].most))
            return fail(e, ERROR_INPUT,
                        "sampling: %s is %g; it may be from %g to %g",
                        list[i].name, list[i].value, list[i].least,
                        list[i].most);
    for (size_t i = 0; i < s->n_biases; i++)
        if (!isfinite(s->biases[i].value))
            return fail(e, ERROR_INPUT, "sampling: bias %zu is no number", i);
    return 0;
}

static int check_biases(const struct rung_model *m,
                        const struct rung_sampling *s, struct error *e)
{
    for (size_t i = 0; i < s->n_biases; i++)
        if (check_token_ids(m, "a bias", &s->biases[i].id, 1, e))
            return -1;
    return 0;
}

/* What is made of them is made on the engine's thread, for which all wait. */
static int check_stops(const struct rung_request *r, struct error *e)
{
    for (size_t i = 0; i < r->n_stops; i++) {
        size_t size = strlen(r->stops[i]);
        if (size == 0)
            return fail(e, ERROR_INPUT, "stop string %zu is empty", i);
        if (size > RUNG_STOP_BYTES)
            return fail(e, ERROR_INPUT,
                        "stop string %zu has %zu bytes; it may have up to %d",
                        i, size, RUNG_STOP_BYTES);
    }
    return 0;
}

static int check_writing(const struct rung_model *m,
                         const struct rung_request *r, struct error *e)
{
    if (check_stops(r, e))
        return -1;
    if (r->max_tokens == 0)
        return fail(e, ERROR_INPUT, "no tokens are asked for");
    if (r->logprobs && r->top_logprobs > m->facts.vocab_size)
        return fail(e, ERROR_INPUT,
                    "%zu log probabilities are more than the model's %zu "
                    "tokens",
                    r->top_logprobs, m->facts.vocab_size);
    if (check_sampling(&r->sampling, e) || check_biases(m, &r->sampling, e))
        return -1;
    return check_token_ids(m, "ends", r->ends, r->n_ends, e);
}

static int check_rung_request(const struct rung_model *m,
                              const struct rung_request *r, struct error *e)
{
    if (r->n_ids == 0)
        return fail(e, ERROR_INPUT, "the prompt has no token");
    if (check_token_ids(m, "the prompt", r->ids, r->n_ids, e))
        return -1;
    if (!r->embeds)
        return check_writing(m, r, e);
    if (m->pooling.refused.code == ERROR_NONE)
        return 0;
    *e = m->pooling.refused;
    return -1;
}

static int check_length(const struct rung_model *m,
                        const struct rung_request *r, struct rung_error *e)
{
    size_t more = r->embeds ? 0 : r->max_tokens, limit = m->facts.context;
    if (r->n_ids <= limit && more <= limit - r->n_ids)
        return 0;
    size_t asked = more > SIZE_MAX - r->n_ids ? SIZE_MAX : r->n_ids + more;
    return fail_out_limit(e, RUNG_TOO_LONG, asked, limit,
                           "a prompt of %zu tokens and %zu new ones are more "
                           "than the context of %zu",
                           r->n_ids, more, limit);
}

/* --- submit -------------------------------------------------------------- */

/* Under the lock. */
static enum schedule_answer enqueue(struct rung_model *m,
                                    struct rung_ticket *t)
{
    size_t more = t->asked.embeds ? 1 : t->asked.max_tokens;
    enum schedule_answer answer =
        schedule_add(&m->schedule, t, t->ids.size, more);
    if (answer == SCHEDULE_ACCEPTED) {
        t->number = ++m->numbers;
        m->stats.accepted++;
        pthread_cond_signal(&m->work);
    } else {
        m->stats.refused++;
    }
    return answer;
}

/* The lengths were checked: only the queue can refuse. */
static int hand_over(struct rung_model *m, struct rung_ticket *t,
                     struct rung_error *e)
{
    size_t most = m->facts.requests + m->facts.queue;
    t->submitted = engine_clock();
    pthread_mutex_lock(&m->lock);
    enum schedule_answer answer = enqueue(m, t);
    pthread_mutex_unlock(&m->lock);
    if (answer == SCHEDULE_ACCEPTED)
        return 0;
    ticket_drop(t); /* for the engine, */
    ticket_drop(t); /* and for who will not get it */
    return fail_out_limit(e, RUNG_BUSY, most + 1, most,
                           "there are %zu requests already", most);
}

struct rung_ticket *rung_submit(struct rung_model *m,
                                const struct rung_request *r,
                                struct rung_error *out)
{
    struct error e;
    if (check_rung_request(m, r, &e)) {
        fail_out(out, &e);
        return NULL;
    }
    if (check_length(m, r, out))
        return NULL;
    struct rung_ticket *t = ticket_new(r, &e);
    if (!t) {
        fail_out(out, &e);
        return NULL;
    }
    return hand_over(m, t, out) ? NULL : t;
}

/* --- tickets ------------------------------------------------------------- */

/* The engine looks before every step, and works as long as there is anybody:
 * it need not be woken. */
void rung_cancel(struct rung_ticket *t)
{
    atomic_store(&t->cancelled, true);
}

void rung_wait(struct rung_ticket *t, struct rung_result *r)
{
    pthread_mutex_lock(&t->lock);
    while (!t->ended)
        pthread_cond_wait(&t->over, &t->lock);
    if (r)
        *r = t->result;
    pthread_mutex_unlock(&t->lock);
}

void rung_release(struct rung_ticket *t)
{
    if (t)
        ticket_drop(t);
}

uint64_t rung_number(const struct rung_ticket *t)
{
    return t->number;
}

int rung_generate(struct rung_model *m, const struct rung_request *r,
                  struct rung_result *result, struct rung_error *e)
{
    struct rung_result end;
    struct rung_ticket *t = rung_submit(m, r, e);
    if (!t)
        return -1;
    rung_wait(t, &end);
    rung_release(t);
    if (result)
        *result = end;
    if (end.reason == RUNG_FAILED && e)
        *e = end.error;
    return end.reason == RUNG_FAILED ? -1 : 0;
}

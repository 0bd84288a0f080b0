/* What comes of a step for a single request: a token, or a part of a vector.
 * See engine.h. */
#include "engine.h"

#include "generate.h"
#include "logprobs.h"
#include "pool.h"
#include "sizes.h"

#include <math.h>
#include <string.h>

/* --- tokens -------------------------------------------------------------- */

static bool ends_text(const struct rung_model *m, const struct rung_ticket *t,
                      int id)
{
    return (!t->asked.ignore_eos && contains_id(&m->model.config.eos, id)) ||
           contains_id(&t->ends, id);
}

/* The next token by the logits (vocab_size,), which are made usable; -1: *e
 * is filled in. */
static int choose_token(const struct rung_model *m, struct rung_ticket *t,
                        float *logits, struct error *e)
{
    struct history history = {t->ids.data, t->ids.size,
                              t->result.prompt_tokens};
    if (usable_logits(&m->non_tokens, logits, m->facts.vocab_size, e))
        return -1;
    int id = sampler_choose(&t->sampler, logits, &history, e);
    if (id < 0)
        return -1;
    ids_add(&t->ids, id);
    return t->ids.failed ? fail_memory(e, "the new tokens") : id;
}

/* How likely it was, and what was likeliest. */
static void judge_choice(const struct rung_model *m, struct rung_ticket *t,
                         const float *logits, struct rung_token_event *event)
{
    size_t n = m->facts.vocab_size, most = t->asked.top_logprobs;
    if (!t->asked.logprobs)
        return;
    event->logprob = (double)logits[event->id] - logprob_base(logits, n);
    event->n_top = most ? logprob_top(logits, n, t->top, most) : 0;
    for (size_t i = 0; i < event->n_top; i++)
        t->choices[i] =
            (struct rung_choice){t->top[i].id, t->top[i].value};
    event->top = t->choices;
}

/* Let the client have a token; false: it wants no more. */
static bool tell_client(const struct rung_model *m, struct rung_ticket *t,
                        int id, const float *logits)
{
    struct rung_token_event event = {
        .index = t->result.new_tokens - 1,
        .id = id,
        .text = t->text.size ? t->text.data : "",
        .size = t->text.size};
    if (!t->asked.on_token)
        return true;
    judge_choice(m, t, logits, &event);
    return t->asked.on_token(t->asked.context, &event) == 0;
}

static bool end_with(struct rung_model *m, struct rung_ticket *t,
                     enum rung_reason reason)
{
    engine_end(m, t, reason);
    return false;
}

static bool fail_with(struct rung_model *m, struct rung_ticket *t,
                      const struct error *e)
{
    engine_fail(m, t, e);
    return false;
}

/* Before the client is told of the token: who asks then finds it counted. */
static void count_right_guess(struct rung_model *m, struct rung_ticket *t)
{
    t->result.accepted_tokens++;
    pthread_mutex_lock(&m->lock);
    m->stats.accepted_tokens++;
    pthread_mutex_unlock(&m->lock);
}

/* What becomes of the ticket after it was given a token. */
static bool go_on_with(struct rung_model *m, struct rung_ticket *t)
{
    if (t->reply.stop.found)
        return end_with(m, t, RUNG_STOP);
    if (t->result.new_tokens == t->asked.max_tokens)
        return end_with(m, t, RUNG_LENGTH);
    return true;
}

/* Whoever reads marks puts a special token in when it comes: what was held
 * back before it goes first, and no stop string lies across it. */
static int let_held_go(struct rung_ticket *t, struct error *e)
{
    struct stop *s = &t->reply.stop;
    for (size_t i = 0; i < s->n; i++)
        s->strings[i].matched = 0;
    return stop_end(s, &t->text, e);
}

/* The text that became certain with a token.  A special one has none. */
static int write_token(const struct rung_model *m, struct rung_ticket *t,
                       int id, struct error *e)
{
    t->text.size = 0;
    if (tokenizer_is_special(m->tokenizer, id))
        return let_held_go(t, e);
    return reply_put(&t->reply, id, &t->text, e);
}

bool engine_choose(struct rung_model *m, struct rung_ticket *t, size_t row,
                   int *id)
{
    struct error e;
    float *logits = m->state.logits + row * m->facts.vocab_size;
    int guess = *id;
    if (atomic_load(&t->cancelled))
        return end_with(m, t, RUNG_CANCELLED);
    *id = choose_token(m, t, logits, &e);
    if (*id < 0)
        return fail_with(m, t, &e);
    if (t->result.new_tokens++ == 0)
        t->first = engine_clock();
    if (*id == guess)
        count_right_guess(m, t);
    if (ends_text(m, t, *id)) {
        t->result.end_token = *id;
        return end_with(m, t, RUNG_STOP);
    }
    if (write_token(m, t, *id, &e))
        return fail_with(m, t, &e);
    if (!tell_client(m, t, *id, logits))
        return end_with(m, t, RUNG_CANCELLED);
    return go_on_with(m, t);
}

/* --- the prompt's tokens ------------------------------------------------- */

/* Tell token `at` of the prompt, by the logits before it.  Where they are no
 * numbers, nothing is known of it, and the answer is going to fail. */
static void tell_of_prompt(const struct rung_model *m, struct rung_ticket *t,
                           size_t at, float *logits)
{
    struct error e;
    struct rung_token_event event = {
        .index = at, .id = t->ids.data[at], .text = ""};
    if (usable_logits(&m->non_tokens, logits, m->facts.vocab_size, &e))
        event.logprob = NAN;
    else
        judge_choice(m, t, logits, &event);
    if (t->asked.on_prompt(t->asked.context, &event))
        atomic_store(&t->cancelled, true);
}

void engine_judge_prompt(struct rung_model *m, struct rung_ticket *t,
                         size_t from, size_t n)
{
    size_t rows[STATE_SCORED], width = m->facts.vocab_size;
    size_t at = t->slot->cache.length - n + 1; /* what comes after the first */
    size_t end = smaller_size(at + n, t->result.prompt_tokens);
    if (t->asked.embeds || !t->asked.on_prompt)
        return;
    while (at < end && !atomic_load(&t->cancelled)) {
        size_t count = smaller_size(end - at, STATE_SCORED);
        for (size_t i = 0; i < count; i++)
            rows[i] = from++;
        logits_of_rows(&m->model, &m->state, rows, count, NULL);
        for (size_t i = 0; i < count && !atomic_load(&t->cancelled); i++)
            tell_of_prompt(m, t, at + i, m->state.logits + i * width);
        at += count;
    }
}

/* --- vectors ------------------------------------------------------------- */

static void add_vector(float *sum, const float *row, size_t width)
{
    for (size_t i = 0; i < width; i++)
        sum[i] += row[i];
}

/* Rows (n, width) of the tokens at, at + 1 ... of a text of `length`.  A mean
 * is a sum here, whose length is made 1 in the end. */
static void pool_rows(enum rung_pooling how, const float *rows, size_t n,
                      size_t at, size_t length, float *out, size_t width)
{
    if (how == RUNG_POOL_MEAN)
        for (size_t i = 0; i < n; i++)
            add_vector(out, rows + i * width, width);
    else if (how == RUNG_POOL_FIRST && at == 0)
        memcpy(out, rows, width * sizeof *out);
    else if (how == RUNG_POOL_LAST && at + n == length)
        memcpy(out, rows + (n - 1) * width, width * sizeof *out);
}

static int check_vector(const float *x, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return fail(e, ERROR_INPUT,
                        "number %zu of the vector is %g: the weights are "
                        "damaged, or too large for 32-bit numbers",
                        i, (double)x[i]);
    return 0;
}

void engine_pool(struct rung_model *m, struct rung_ticket *t, size_t from,
                 size_t n, size_t at)
{
    struct error e;
    size_t width = m->facts.width;
    pool_rows(m->pooling.how, m->state.normed + from * width, n, at,
              t->ids.size, t->vector, width);
    if (at + n < t->ids.size)
        return;
    t->first = engine_clock();
    make_unit(t->vector, width);
    if (check_vector(t->vector, width, &e))
        engine_fail(m, t, &e);
    else
        engine_end(m, t, RUNG_STOP);
}

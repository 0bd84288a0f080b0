/* The engine's thread: see engine.h. */
#include "engine.h"

#include "rung_errors.h"

#include <fenv.h>
#include <time.h>

double engine_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- who leaves ---------------------------------------------------------- */

static void count_end(struct rung_stats *s, enum rung_reason reason)
{
    uint64_t *const counts[] = {
        [RUNG_STOP] = &s->stopped,
        [RUNG_LENGTH] = &s->at_length,
        [RUNG_CANCELLED] = &s->cancelled,
        [RUNG_FAILED] = &s->failed,
    };
    ++*counts[reason];
}

void engine_end(struct rung_model *m, struct rung_ticket *t,
                enum rung_reason reason)
{
    if (t->slot)
        slots_leave(t->slot);
    reason = ticket_finish(t, reason, engine_clock());
    pthread_mutex_lock(&m->lock);
    schedule_end(&m->schedule, t);
    count_end(&m->stats, reason);
    m->stats.cache_tokens_used = slots_positions(&m->slots);
    pthread_mutex_unlock(&m->lock);
    ticket_end(t);
}

void engine_fail(struct rung_model *m, struct rung_ticket *t,
                 const struct error *e)
{
    fail_out(&t->result.error, e);
    engine_end(m, t, RUNG_FAILED);
}

/* Somebody who has a ticket, but does not want it any more; with `all`,
 * anybody.  NULL: nobody. */
static struct rung_ticket *find_leaving(struct rung_model *m, bool all)
{
    struct rung_ticket *found = NULL;
    pthread_mutex_lock(&m->lock);
    for (size_t i = 0; i < m->schedule.n && !found; i++) {
        struct rung_ticket *t = m->schedule.jobs[i].job;
        if (all || atomic_load(&t->cancelled))
            found = t;
    }
    pthread_mutex_unlock(&m->lock);
    return found;
}

static void let_leave(struct rung_model *m, bool all)
{
    struct rung_ticket *t;
    while ((t = find_leaving(m, all)))
        engine_end(m, t, RUNG_CANCELLED);
}

/* --- who comes ----------------------------------------------------------- */

/* Whether what was read for others may serve: not where each row counts. */
static bool may_reuse(const struct rung_model *m, const struct rung_ticket *t)
{
    return t->asked.embeds ? m->pooling.how == RUNG_POOL_LAST
                           : !t->asked.on_prompt;
}

/* Under the lock: what of its prompt the ticket finds. */
static void note_start(struct rung_model *m, const struct rung_ticket *t)
{
    size_t held = t->slot->cache.length;
    schedule_found(&m->schedule, t, held, slot_positions(t->slot));
    m->stats.prompt_tokens += t->ids.size;
    m->stats.cached_tokens += held;
    m->stats.cache_hits += held > 0;
}

static int start_ticket(struct rung_model *m, struct rung_ticket *t,
                        size_t need, struct error *e)
{
    t->placed = engine_clock();
    t->slot = slots_take(&m->slots, t->ids.data, t->ids.size, need,
                         may_reuse(m, t), e);
    if (!t->slot || ticket_start(t, m->tokenizer, m->facts.vocab_size,
                                 m->facts.width, e))
        return -1;
    sampler_use(&t->sampler, m->model.set);
    t->result.cached_tokens = t->slot->cache.length;
    engine_begin_guesses(m, t);
    pthread_mutex_lock(&m->lock);
    note_start(m, t);
    pthread_mutex_unlock(&m->lock);
    return 0;
}

static void let_come(struct rung_model *m)
{
    struct error e;
    for (;;) {
        pthread_mutex_lock(&m->lock);
        struct rung_ticket *t = schedule_admit(&m->schedule);
        pthread_mutex_unlock(&m->lock);
        if (!t)
            return;
        size_t more = t->asked.embeds ? 1 : t->asked.max_tokens;
        if (start_ticket(m, t, t->ids.size + more - 1, &e))
            engine_fail(m, t, &e);
    }
}

/* --- a step -------------------------------------------------------------- */

static void plan(struct rung_model *m)
{
    struct engine_step *s = &m->step;
    pthread_mutex_lock(&m->lock);
    s->n = schedule_plan(&m->schedule, s->shares);
    engine_grant(m);
    m->stats.cache_tokens_used = slots_positions(&m->slots);
    pthread_mutex_unlock(&m->lock);
    engine_guess(m);
    for (size_t i = 0; i < s->n; i++) {
        const struct rung_ticket *t = s->shares[i].job;
        struct cache *c = &t->slot->cache;
        s->spans[i] = (struct span){c, t->ids.data + c->length, s->shares[i].n,
                                    t->ids.size};
        if (s->shares[i].guesses > 0)
            s->spans[i] = (struct span){c, s->guessed[i], s->shares[i].n, 0};
    }
}

/* One pass for all; then the logits of all who have read their texts. */
static void compute(struct rung_model *m)
{
    struct engine_step *s = &m->step;
    size_t row = 0;
    s->from = engine_clock();
    read_spans(&m->model, &m->state, s->spans, s->n, NULL);
    s->n_rows = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct rung_ticket *t = s->shares[i].job;
        row += s->shares[i].n;
        slot_touch(t->slot);
        engine_judge_prompt(m, t, row - s->shares[i].n, s->shares[i].n);
        if (t->asked.embeds || t->slot->cache.length < t->ids.size)
            continue;
        for (size_t k = s->shares[i].guesses + 1; k > 0; k--) {
            s->says[s->n_rows] = i;
            s->rows[s->n_rows++] = row - k;
        }
    }
    if (s->n_rows > 0)
        logits_of_rows(&m->model, &m->state, s->rows, s->n_rows, NULL);
    s->end = engine_clock();
}

/* Under the lock: what the step has read. */
static void note_step(struct rung_model *m)
{
    const struct engine_step *s = &m->step;
    schedule_done(&m->schedule, s->shares, s->n);
    m->stats.steps++;
    m->stats.busy += s->drafting + s->end - s->from;
    engine_count_guesses(m);
    for (size_t i = 0; i < s->n; i++) {
        const struct schedule_share *share = &s->shares[i];
        const struct rung_ticket *t = share->job;
        struct rung_part part = {
            m->stats.steps,      t->number, s->from - m->opened,
            s->end - m->opened, share->n,  share->decodes,
            share->guesses};
        timeline_add(&m->timeline, &part);
        *(share->decodes ? &m->stats.decoded : &m->stats.prefilled) +=
            share->n;
    }
}

/* Each ticket is looked at once: one that ends with this may be gone. */
static void deliver_step(struct rung_model *m)
{
    const struct engine_step *s = &m->step;
    size_t row = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct rung_ticket *t = s->shares[i].job;
        size_t n = s->shares[i].n;
        if (t->asked.embeds)
            engine_pool(m, t, row, n, t->slot->cache.length - n);
        row += n;
    }
    for (size_t i = 0; i < s->n_rows;) {
        size_t share = s->says[i], first = i;
        i += 1 + s->shares[share].guesses;
        engine_answer(m, share, first);
    }
}

static void run_step(struct rung_model *m)
{
    let_leave(m, false);
    let_come(m);
    plan(m);
    if (m->step.n == 0)
        return;
    compute(m);
    pthread_mutex_lock(&m->lock);
    note_step(m);
    pthread_mutex_unlock(&m->lock);
    deliver_step(m);
}

/* --- the thread ---------------------------------------------------------- */

/* Sleep until there is something to do; false: the model is being closed.
 *
 * Who brings work changes what is looked at here, under the lock, before it
 * signals.  So between the look and the sleep, which lets go of the lock, no
 * work can come unseen. */
static bool wait_for_tickets(struct rung_model *m)
{
    pthread_mutex_lock(&m->lock);
    while (m->schedule.n == 0 && !m->closing)
        pthread_cond_wait(&m->work, &m->lock);
    bool closing = m->closing;
    pthread_mutex_unlock(&m->lock);
    return !closing;
}

/* Rounds as threads.h says, whatever the thread did that opened the model. */
static void *run_engine(void *model)
{
    struct rung_model *m = model;
    fesetenv(FE_DFL_ENV);
    while (wait_for_tickets(m))
        run_step(m);
    let_leave(m, true);
    return NULL;
}

int engine_start(struct rung_model *m, struct error *e)
{
    if (pthread_create(&m->thread, NULL, run_engine, m))
        return fail(e, ERROR_SYSTEM, "the engine's thread does not start");
    m->runs = true;
    return 0;
}

void engine_stop(struct rung_model *m)
{
    if (!m->runs)
        return;
    pthread_mutex_lock(&m->lock);
    m->closing = true;
    pthread_cond_signal(&m->work);
    pthread_mutex_unlock(&m->lock);
    pthread_join(m->thread, NULL);
    m->runs = false;
}

/* Guesses in a step: who may have some, what they are, and which were right.
 * See engine.h. */
#include "engine.h"

/* --- who may have some --------------------------------------------------- */

/* The small model keeps of each slot's text no more than the slot has held, so
 * that the caches' budget is one for both. */
void engine_begin_guesses(struct rung_model *m, const struct rung_ticket *t)
{
    const struct slots *s = &m->slots;
    struct guess_model *small = &m->guesser.small;
    if (!m->guesser.asks_model)
        return;
    for (size_t i = 0; i < s->n; i++)
        guess_model_limit(small, i, s->list[i].touched);
    guess_model_begin(small, (size_t)(t->slot - s->list), t->ids.data,
                      t->ids.size);
}

static size_t count_rows_of(const struct engine_step *s)
{
    size_t rows = 0;
    for (size_t i = 0; i < s->n; i++)
        rows += s->shares[i].n;
    return rows;
}

/* How many guesses pay for a share. */
static size_t count_wanted(const struct rung_model *m,
                           const struct schedule_share *share)
{
    const struct guesser *g = &m->guesser;
    struct rung_ticket *t = share->job;
    if (!share->decodes)
        return 0;
    guess_budget_step(&t->budget, m->step.row_share);
    return guess_budget_count(&t->budget, &g->costs, g->most);
}

void engine_grant(struct rung_model *m)
{
    struct engine_step *s = &m->step;
    size_t wanted[STATE_SCORED];
    if (!m->guesser.guesses || s->n == 0)
        return;
    s->n_sure = count_rows_of(s);
    s->row_share = guess_share(&m->guesser.costs, s->n_sure);
    guess_purse_step(&m->guesser.purse, s->row_share, s->n_sure);
    for (size_t i = 0; i < s->n; i++)
        wanted[i] = count_wanted(m, &s->shares[i]);
    schedule_guess(&m->schedule, wanted, s->shares, s->n);
}

/* --- what they are ------------------------------------------------------- */

/* What is to be guessed for share i: first comes its last token. */
static struct guessed_text text_of_share(struct rung_model *m, size_t i)
{
    struct engine_step *s = &m->step;
    struct rung_ticket *t = s->shares[i].job;
    s->guessed[i][0] = t->ids.data[t->ids.size - 1];
    return (struct guessed_text){.place = (size_t)(t->slot - m->slots.list),
                                 .ids = t->ids.data,
                                 .n = t->ids.size,
                                 .n_prompt = t->result.prompt_tokens,
                                 .sampler = &t->sampler,
                                 .most = s->shares[i].guesses,
                                 .guesses = s->guessed[i] + 1};
}

/* The share reads what was guessed, which may be less than it was granted:
 * nothing where the text would get other angles with it. */
static void take_guesses(const struct rung_model *m,
                         struct schedule_share *share, size_t n)
{
    struct rung_ticket *t = share->job;
    if (!still_valid(&m->model, &t->slot->cache, t->ids.size + n))
        n = 0;
    share->n -= share->guesses - n;
    share->guesses = n;
    guess_budget_pay(&t->budget, &m->guesser.costs, n);
    t->result.draft_tokens += n;
}

void engine_guess(struct rung_model *m)
{
    struct engine_step *s = &m->step;
    struct guessed_text texts[STATE_SCORED];
    size_t shares[STATE_SCORED], n = 0;
    double from = engine_clock();
    s->drafting = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->shares[i].guesses > 0) {
            shares[n] = i;
            texts[n++] = text_of_share(m, i);
        }
    if (n == 0)
        return;
    guesser_propose(&m->guesser, texts, n,
                    m->schedule.limits.rows - s->n_sure);
    s->drafting = engine_clock() - from;
    for (size_t i = 0; i < n; i++) {
        struct schedule_share *share = &s->shares[shares[i]];
        struct rung_ticket *t = share->job;
        t->result.draft += s->drafting;
        take_guesses(m, share, texts[i].n_guesses);
    }
}

void engine_count_guesses(struct rung_model *m)
{
    const struct engine_step *s = &m->step;
    size_t guesses = 0;
    for (size_t i = 0; i < s->n; i++)
        guesses += s->shares[i].guesses;
    m->stats.draft_tokens += guesses;
    m->stats.draft += s->drafting;
    m->stats.verify += guesses > 0 ? s->end - s->from : 0;
}

/* --- which were right ---------------------------------------------------- */

/* Choose token after token, as long as each was guessed.  Returns how many
 * were; *goes_on says whether the ticket does. */
static size_t choose_on(struct rung_model *m, size_t i, size_t row,
                        bool *goes_on)
{
    const struct schedule_share *share = &m->step.shares[i];
    const int *guesses = m->step.guessed[i] + 1;
    size_t right = 0;
    for (;;) {
        bool guessed = right < share->guesses;
        int guess = guessed ? guesses[right] : -1, id = guess;
        *goes_on = engine_choose(m, share->job, row + right, &id);
        bool same = guessed && id == guess;
        right += same;
        if (!*goes_on || !same)
            return right;
    }
}

/* The cache forgets the guesses that were wrong: all that the text does not
 * have, and its last token, which is to be read. */
void engine_answer(struct rung_model *m, size_t i, size_t row)
{
    const struct engine_step *s = &m->step;
    const struct schedule_share *share = &s->shares[i];
    struct rung_ticket *t = share->job;
    bool goes_on;
    if (share->guesses > 0)
        t->result.verify += s->end - s->from;
    size_t right = choose_on(m, i, row, &goes_on);
    if (share->guesses == 0)
        return;
    guess_purse_add(&m->guesser.purse, &m->guesser.costs, s->row_share,
                    share->guesses, right);
    if (!goes_on)
        return;
    pthread_mutex_lock(&m->lock);
    schedule_guessed(&m->schedule, t, right);
    pthread_mutex_unlock(&m->lock);
    guess_budget_save(&t->budget, s->row_share, right);
    cache_truncate(&t->slot->cache, t->ids.size - 1);
}

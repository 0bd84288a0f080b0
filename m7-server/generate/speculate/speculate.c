/* Speculative decoding: see speculate.h. */
#include "speculate.h"

#include "forward.h"
#include "sizes.h"

bool keeps(float p, float q, double share)
{
    return share * (double)q < (double)p;
}

/* What the model gives to token i beyond what the drafter gave. */
static double beyond(const float *p, const float *q, size_t i, int proposed)
{
    double given = q ? (double)q[i] : (int)i == proposed;
    return (double)p[i] > given ? (double)p[i] - given : 0;
}

int draw_other(const float *p, const float *q, size_t n, int proposed,
               double share)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        total += beyond(p, q, i, proposed);
    for (size_t i = 0; i < n; i++) {
        sum += beyond(p, q, i, proposed);
        if (sum > share * total)
            return (int)i;
    }
    return (int)find_largest(p, n); /* rounding has left no rest */
}

/* The walk through one draft. */
struct trial {
    const struct model *model;
    const struct ids *non_tokens;
    struct ids *ids;
    size_t n_prompt;
    const struct generation *g;
    const struct draft *draft;
};

/* The token behind the text, when the draft says number i of it: that one or
 * another, and with i past its end the model's own choice.  -1 on error. */
static int judge(const struct trial *w, size_t i, const float *logits,
                 struct error *e)
{
    const struct draft *d = w->draft;
    struct sampler *sampler = w->g->sampler;
    struct history text = {w->ids->data, w->ids->size, w->n_prompt};
    if (i == d->n)
        return sampler_choose(sampler, logits, &text, e);
    const float *q =
        d->probabilities ? d->probabilities + i * d->n_vocab : NULL;
    const float *p = sampler_probabilities(sampler, logits, &text, NULL, e);
    int proposed = d->ids[i];
    if (!p)
        return -1;
    if (keeps(p[proposed], q ? q[proposed] : 1,
              random_share(&sampler->random)))
        return proposed;
    return draw_other(p, q, d->n_vocab, proposed,
                      random_share(&sampler->random));
}

/* What a step of the walk says, or -1 for an error. */
enum walk {
    GO_ON = 0,
    ENOUGH = 1,
    STOPPED = 2 /* a pass was told to end early */
};

/* Let the cache hold the text but for its last token, so that this one and
 * the draft behind it are a chunk of their own.  Behind a prompt, that is to
 * forget what was not kept of the last draft, and to read again what a ring
 * has lost on the way back.  What the last token would make invalid is not
 * read yet, or it would be read twice. */
static int hold_all_but_last(const struct trial *w)
{
    struct cache *c = w->g->cache;
    const struct ids *ids = w->ids;
    size_t n = ids->size - 1;
    size_t held = ids->size == w->n_prompt
                      ? reuse_prefix(w->model, c, ids->data, n + 1)
                      : cache_truncate(c, n);
    if (held >= n || !still_valid(w->model, c, n))
        return GO_ON;
    int stopped = prefill(w->model, w->g->state, c, ids->data + held, n - held,
                          w->g->observer);
    return stopped ? STOPPED : GO_ON;
}

/* Read the last token of the text, or all that is not held, and the whole
 * draft. */
static int read_draft(const struct trial *w, struct error *e)
{
    struct ids *ids = w->ids;
    size_t n = ids->size, from = smaller_size(w->g->cache->length, n - 1);
    for (size_t i = 0; i < w->draft->n; i++)
        ids_add(ids, w->draft->ids[i]);
    if (ids->failed)
        return fail_memory(e, "the draft");
    int stopped = prefill(w->model, w->g->state, w->g->cache,
                          ids->data + from, ids->size - from, w->g->observer);
    ids->size = n;
    return stopped ? STOPPED : GO_ON;
}

/* The logits (n + 1, vocab_size) behind the text and behind each of the n
 * guesses: the last rows of the pass. */
static float *draft_logits(const struct trial *w)
{
    struct state *s = w->g->state;
    size_t rows[STATE_SCORED], n = w->draft->n + 1;
    for (size_t i = 0; i < n; i++)
        rows[i] = s->rows - n + i;
    logits_of_rows(w->model, s, rows, n, w->g->observer);
    return s->logits;
}

/* Count a pass, which reads n guesses. */
static void count_pass(struct speculation *spec, size_t n)
{
    spec->n_passes++;
    spec->n_proposed += n;
    spec->saved -= spec->guess_cost * (double)n;
}

/* Of passes that were saved only some count: a stretch in which no guess is
 * right must end. */
static void count_kept(struct speculation *spec, bool kept)
{
    const double most_saved = 4;
    spec->n_kept += kept;
    spec->saved += kept ? 1 : 0;
    spec->saved = spec->saved > most_saved ? most_saved : spec->saved;
}

/* Add the tokens that one pass gives. */
static int run_pass(const struct trial *w, struct speculation *spec,
                    struct error *e)
{
    size_t n = w->draft->n, n_vocab = w->model->config.vocab_size;
    int result = read_draft(w, e);
    if (result)
        return result;
    float *logits = draft_logits(w);
    count_pass(spec, n);
    for (size_t i = 0; i <= n; i++, logits += n_vocab) {
        result = usable_logits(w->non_tokens, logits, n_vocab, e);
        int id = result == 0 ? judge(w, i, logits, e) : -1;
        if (id < 0)
            return -1;
        bool kept = i < n && id == w->draft->ids[i];
        count_kept(spec, kept);
        int enough = generation_add(w->model, w->ids, w->g, id, logits, e);
        if (enough || !kept)
            return enough;
    }
    return GO_ON;
}

/* How many guesses may all be wrong, of `most`: one pass may be lost, and 2%
 * of all that were made or saved. */
static size_t count_affordable(const struct speculation *spec, size_t most)
{
    if (spec->guess_cost == 0)
        return most;
    double passes = 1 + 0.02 * (double)(spec->n_passes + spec->n_kept) +
                    spec->saved - spec->late_cost * (double)spec->n_late;
    double guesses = passes / spec->guess_cost;
    if (guesses < 1)
        return 0;
    return guesses < (double)most ? (size_t)guesses : most;
}

static int ask_drafter(const struct trial *w, struct speculation *spec,
                       struct error *e)
{
    struct history text = {w->ids->data, w->ids->size, w->n_prompt};
    spec->saved -= spec->late_cost * (double)spec->n_late;
    spec->n_late = 0;
    int result = spec->propose(spec->context, &text, &spec->draft, e);
    spec->draft.begins = false;
    return result;
}

/* Let the drafter propose what the next pass can read: at most `most` tokens,
 * and none over a length at which the angles change, since one pass has one
 * length for all that it reads; nor where the text itself is still to read. */
static int propose(const struct trial *w, struct speculation *spec,
                   size_t most, struct error *e)
{
    struct draft *d = &spec->draft;
    size_t room = d->most;
    most = smaller_size(most, room);
    d->most = count_affordable(spec, most);
    d->n = 0;
    spec->n_silent += d->most < most && d->most == 0;
    int result = d->most > 0 ? ask_drafter(w, spec, e) : 0;
    spec->n_late += d->most == 0;
    d->most = room;
    if (w->g->cache->length + 1 < w->ids->size ||
        !still_valid(w->model, w->g->cache, w->ids->size + d->n))
        d->n = 0;
    return result > 0 ? STOPPED : result;
}

int speculate(const struct model *m, const struct ids *non_tokens,
              struct ids *ids, const struct generation *g,
              struct speculation *spec, struct error *e)
{
    struct trial w = {m, non_tokens, ids, ids->size, g, &spec->draft};
    size_t end = ids->size + g->most;
    int result = GO_ON;
    spec->draft.begins = true;
    if (model_check_length(m, ids->size, g->most, e))
        return -1;
    size_t room =
        smaller_size(longest_chunk(g->state, g->cache), STATE_SCORED) - 1;
    while (ids->size < end && result == GO_ON) {
        size_t left = end - ids->size - 1;
        result = hold_all_but_last(&w);
        if (result == GO_ON)
            result = propose(&w, spec, smaller_size(left, room), e);
        if (result == GO_ON)
            result = run_pass(&w, spec, e);
    }
    return result < 0 ? -1 : result == STOPPED;
}

/* Speculative decoding: see speculate.h. */
#include "speculate.h"

#include "forward.h"

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
    int last = proposed;
    for (size_t i = 0; i < n; i++)
        total += beyond(p, q, i, proposed);
    for (size_t i = 0; i < n; i++) {
        double more = beyond(p, q, i, proposed);
        sum += more;
        if (more > 0)
            last = (int)i;
        if (sum > share * total)
            return (int)i;
    }
    return last;
}

/* The walk through one draft. */
struct trial {
    const struct model *model;
    const struct tokenizer *tokenizer;
    struct ids *ids;
    size_t n_prompt;
    const struct generation *g;
    const struct draft *draft;
};

/* The token behind the text, when the draft says number i of it: that one or
 * another, and with i past its end the model's own choice.  -1 on error. */
static int judge(const struct trial *w, size_t i, const float *scores,
                 struct error *e)
{
    const struct draft *d = w->draft;
    struct sampler *sampler = w->g->sampler;
    struct text text = {w->ids->data, w->ids->size, w->n_prompt};
    if (i == d->n)
        return sampler_choose(sampler, scores, &text, e);
    const float *q =
        d->probabilities ? d->probabilities + i * d->n_vocab : NULL;
    const float *p = sampler_probabilities(sampler, scores, &text, NULL, e);
    int proposed = d->ids[i];
    if (!p)
        return -1;
    if (keeps(p[proposed], q ? q[proposed] : 1,
              random_share(&sampler->random)))
        return proposed;
    return draw_other(p, q, d->n_vocab, proposed,
                      random_share(&sampler->random));
}

/* Read the last token of the text and the whole draft behind it in one pass,
 * as a chunk of its own. */
static int read_draft(const struct trial *w, struct error *e)
{
    struct state *s = w->g->state;
    struct ids *ids = w->ids;
    size_t n = ids->size;
    if (cache_common(s->cache, ids->data, n) < n - 1)
        resume(w->model, s, ids->data, n - 1, NULL);
    for (size_t i = 0; i < w->draft->n; i++)
        ids_add(ids, w->draft->ids[i]);
    if (ids->failed)
        return fail_memory(e, "the draft");
    cache_truncate(s->cache, n - 1);
    resume(w->model, s, ids->data, ids->size, NULL);
    ids->size = n;
    return 0;
}

/* Add the tokens that one pass gives.  0: go on; 1: enough; -1: an error. */
static int run_pass(const struct trial *w, struct speculation *spec,
                    struct error *e)
{
    struct state *s = w->g->state;
    size_t n = w->draft->n, first;
    if (read_draft(w, e))
        return -1;
    first = s->rows - n - 1;
    spec->n_passes++;
    spec->n_proposed += n;
    for (size_t i = 0; i <= n; i++) {
        const float *scores =
            score_row(w->model, w->tokenizer, s, first + i, e);
        int id = scores ? judge(w, i, scores, e) : -1;
        if (id < 0)
            return -1;
        int enough = generation_add(w->model, w->ids, w->g, id, scores, e);
        if (enough || i == n || id != w->draft->ids[i])
            return enough;
        spec->n_kept++;
    }
    return 0;
}

int speculate(const struct model *m, const struct tokenizer *t,
              struct ids *ids, const struct generation *g,
              struct speculation *spec, struct error *e)
{
    size_t n_prompt = ids->size, end = ids->size + g->most;
    size_t most = spec->draft.most;
    struct trial w = {m, t, ids, n_prompt, g, &spec->draft};
    int enough = 0;
    if (check_length(m, ids->size, g->most, e))
        return -1;
    while (ids->size < end && !enough) {
        struct text text = {ids->data, ids->size, n_prompt};
        size_t left = end - ids->size - 1;
        spec->draft.most = left < most ? left : most;
        spec->draft.n = 0;
        if (spec->draft.most > 0)
            enough = spec->propose(spec->context, &text, &spec->draft, e);
        if (!same_angles(m, text.n, text.n + spec->draft.n))
            spec->draft.n = 0; /* one pass has one length for all of them */
        if (!enough)
            enough = run_pass(&w, spec, e);
    }
    spec->draft.most = most;
    return enough < 0 ? -1 : 0;
}

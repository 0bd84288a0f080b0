/* Drafts: see draft.h. */
#include "draft.h"

#include "forward.h"
#include "generate.h"

#include <stdlib.h>
#include <string.h>

enum draft_sizes {
    LONGEST_MATCH = 3 /* tokens */
};

int draft_init(struct draft *d, size_t most, size_t n_vocab, bool certain,
               struct error *e)
{
    *d = (struct draft){.most = most, .n_vocab = n_vocab};
    d->ids = calloc(most, sizeof *d->ids);
    if (!certain)
        d->probabilities = calloc(most, n_vocab * sizeof *d->probabilities);
    if (d->ids && (certain || d->probabilities))
        return 0;
    draft_free(d);
    return fail_memory(e, "the draft");
}

void draft_free(struct draft *d)
{
    free(d->ids);
    free(d->probabilities);
    *d = (struct draft){0};
}

/* --- by looking it up ---------------------------------------------------- */

/* Where the last n tokens of the text stood before, the last time: the place
 * behind them; 0: nowhere. */
static size_t find_earlier(const struct history *t, size_t n)
{
    const int *tail = t->ids + t->n - n;
    for (size_t at = t->n - n; at-- > 0;)
        if (memcmp(t->ids + at, tail, n * sizeof *tail) == 0)
            return at + n;
    return 0;
}

int draft_by_lookup(void *context, const struct history *t, struct draft *d,
                    struct error *e)
{
    size_t at = 0;
    (void)context;
    (void)e;
    for (size_t n = LONGEST_MATCH; n > 0 && at == 0; n--)
        if (t->n > n)
            at = find_earlier(t, n);
    size_t follow = at > 0 ? t->n - at : 0;
    d->n = follow < d->most ? follow : d->most;
    memcpy(d->ids, t->ids + at, d->n * sizeof *d->ids);
    return 0;
}

/* --- by a small model ---------------------------------------------------- */

/* Draw token number d->n of the draft behind the text ids (n,), which the
 * small model has read. */
static int draw_token(struct small_model *small, const struct history *t,
                      struct draft *d, struct error *e)
{
    struct state *s = &small->state;
    forward_logits(small->model, s, s->rows - 1, NULL);
    if (check_logits(s->logits, d->n_vocab, e))
        return -1;
    exclude_non_tokens(small->tokenizer, s->logits, d->n_vocab);
    const float *probabilities =
        sampler_probabilities(&small->sampler, s->logits, t, NULL, e);
    if (!probabilities)
        return -1;
    memcpy(d->probabilities + d->n * d->n_vocab, probabilities,
           d->n_vocab * sizeof *probabilities);
    d->ids[d->n++] = sampler_draw(&small->sampler);
    return 0;
}

static int draft_tokens(struct small_model *small, const struct history *t,
                        struct ids *ids, struct draft *d, struct error *e)
{
    resume(small->model, &small->state, ids->data, ids->size, NULL);
    for (;;) {
        struct history so_far = {ids->data, ids->size, t->n_prompt};
        if (draw_token(small, &so_far, d, e))
            return -1;
        if (d->n == d->most)
            return 0;
        ids_add(ids, d->ids[d->n - 1]);
        if (ids->failed)
            return fail_memory(e, "the draft");
        decode(small->model, &small->state, d->ids[d->n - 1], NULL);
    }
}

int draft_by_model(void *context, const struct history *t, struct draft *d,
                   struct error *e)
{
    struct ids ids = {0};
    for (size_t i = 0; i < t->n; i++)
        ids_add(&ids, t->ids[i]);
    d->n = 0;
    int result = ids.failed ? fail_memory(e, "the draft")
                            : draft_tokens(context, t, &ids, d, e);
    ids_free(&ids);
    return result;
}

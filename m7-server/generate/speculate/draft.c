/* Drafts: see draft.h. */
#include "draft.h"

#include "forward.h"
#include "generate.h"
#include "sizes.h"

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
    d->n = smaller_size(follow, d->most);
    memcpy(d->ids, t->ids + at, d->n * sizeof *d->ids);
    return 0;
}

/* --- by a small model ---------------------------------------------------- */

/* Draw token number d->n of the draft, behind all that the small model has
 * read. */
static int draw_token(struct small_model *small, size_t n_prompt,
                      struct draft *d, struct error *e)
{
    struct state *s = &small->state;
    struct cache *c = &small->cache;
    struct history history = {c->ids, c->length, n_prompt};
    const float *probabilities = NULL;
    const float *logits = next_logits(small->model, small->non_tokens, s,
                                      small->observer, e);
    if (logits)
        probabilities =
            sampler_probabilities(&small->sampler, logits, &history, NULL, e);
    if (!probabilities)
        return -1;
    memcpy(d->probabilities + d->n * d->n_vocab, probabilities,
           d->n_vocab * sizeof *probabilities);
    d->ids[d->n++] = sampler_draw(&small->sampler);
    return 0;
}

/* How many tokens of the text are held: what was held before the last draft,
 * and what was kept of that. */
static size_t count_held(const struct small_model *small,
                         const struct history *t)
{
    const struct cache *c = &small->cache;
    size_t n = smaller_size(small->n_read, c->length);
    while (n < c->length && n < t->n && c->ids[n] == t->ids[n])
        n++;
    return n;
}

/* Read what the small model has not read of the text.  Only where a text
 * begins is all of it compared with what is held. */
static int read_new_tokens(struct small_model *small, const struct history *t,
                           bool begins)
{
    struct cache *c = &small->cache;
    size_t held =
        begins || t->n == t->n_prompt
            ? reuse_prefix(small->model, c, t->ids, t->n)
            : cache_truncate(c, smaller_size(count_held(small, t), t->n - 1));
    int result = prefill(small->model, &small->state, c, t->ids + held,
                         t->n - held, small->observer);
    small->n_read = c->length;
    return result;
}

int draft_by_model(void *context, const struct history *t, struct draft *d,
                   struct error *e)
{
    struct small_model *small = context;
    d->n = 0;
    if (read_new_tokens(small, t, d->begins))
        return 1;
    for (;;) {
        if (draw_token(small, t->n_prompt, d, e))
            return -1;
        if (d->n == d->most)
            return 0;
        if (decode(small->model, &small->state, &small->cache,
                   d->ids[d->n - 1], small->observer))
            return 1;
    }
}

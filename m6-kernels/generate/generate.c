/* Generating: see generate.h.  Knows tokens, but no text. */
#include "generate.h"

#include "forward.h"
#include "ops.h"

#include <math.h>
#include <stdlib.h>

size_t find_largest(const float *x, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

int check_logits(const float *logits, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(logits[i]))
            return fail(e, ERROR_INPUT,
                        "the logit of token %zu is %g: the weights are "
                        "damaged, or too large for 32-bit numbers",
                        i, (double)logits[i]);
    return 0;
}

int find_non_tokens(const struct tokenizer *t, size_t n, struct ids *rows,
                    struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (!tokenizer_token(t, (int)i))
            ids_add(rows, (int)i);
    return rows->failed ? fail_memory(e, "the rows of no token") : 0;
}

void exclude_non_tokens(const struct ids *non_tokens, float *logits)
{
    for (size_t i = 0; non_tokens && i < non_tokens->size; i++)
        logits[non_tokens->data[i]] = -INFINITY;
}

int usable_logits(const struct ids *non_tokens, float *logits, size_t n,
                  struct error *e)
{
    if (check_logits(logits, n, e))
        return -1;
    exclude_non_tokens(non_tokens, logits);
    return 0;
}

const float *next_logits(const struct model *m, const struct ids *non_tokens,
                         struct state *s, const struct observer *o,
                         struct error *e)
{
    forward_logits(m, s, s->rows - 1, o);
    int result =
        usable_logits(non_tokens, s->logits, m->config.vocab_size, e);
    return result ? NULL : s->logits;
}

bool contains_id(const struct ids *list, int id)
{
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == id)
            return true;
    return false;
}

int generation_add(const struct model *m, struct ids *ids,
                   const struct generation *g, int id, const float *logits,
                   struct error *e)
{
    ids_add(ids, id);
    if (ids->failed)
        return fail_memory(e, "the new tokens");
    if (contains_id(&m->config.eos, id) ||
        (g->ends && contains_id(g->ends, id)))
        return 1;
    return g->put(g->context, id, logits, e);
}

/* Read what is new of the prompt, many tokens at once. */
static int read_prompt(const struct model *m, const struct ids *ids,
                       const struct generation *g)
{
    size_t held = reuse_prefix(m, g->cache, ids->data, ids->size);
    return prefill(m, g->state, g->cache, ids->data + held, ids->size - held,
                   g->observer);
}

static int generate_with(const struct model *m, const struct ids *non_tokens,
                         struct ids *ids, const struct generation *g,
                         struct error *e)
{
    struct state *s = g->state;
    size_t n_prompt = ids->size;
    int id = -1, enough = 0;
    for (size_t i = 0; i < g->most && !enough; i++) {
        if (i == 0 ? read_prompt(m, ids, g) /* then what was chosen last */
                   : decode(m, s, g->cache, id, g->observer))
            return 1;
        const float *logits = next_logits(m, non_tokens, s, g->observer, e);
        struct history history = {ids->data, ids->size, n_prompt};
        id = logits ? sampler_choose(g->sampler, logits, &history, e) : -1;
        if (id < 0)
            return -1;
        enough = generation_add(m, ids, g, id, logits, e);
    }
    return enough < 0 ? -1 : 0;
}

int generate(const struct model *m, const struct ids *non_tokens,
             struct ids *ids, const struct generation *g, struct error *e)
{
    struct state s;
    struct cache c;
    struct generation with = *g;
    size_t most = ids->size + g->most;
    if (model_check_length(m, ids->size, g->most, e))
        return -1;
    if (g->state)
        return generate_with(m, non_tokens, ids, g, e);
    if (state_init_chunked(&s, m, most, state_chunk(m), e))
        return -1;
    int result = cache_init(&c, m, most, state_chunk(m), e);
    with.state = &s;
    with.cache = &c;
    if (result == 0) {
        result = generate_with(m, non_tokens, ids, &with, e);
        cache_free(&c);
    }
    state_free(&s);
    return result;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability < y->probability ? 1 : -1;
    return x->id < y->id ? -1 : 1;
}

size_t rank_candidates(float *logits, size_t n, struct candidate *candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (logits[i] > -INFINITY)
            candidates[count++].id = (int)i;
    softmax(logits, n);
    for (size_t i = 0; i < count; i++)
        candidates[i].probability = logits[candidates[i].id];
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    return count;
}

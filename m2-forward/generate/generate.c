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

const float *next_logits(const struct model *m, const struct ids *non_tokens,
                         struct state *s, struct error *e)
{
    forward_logits(m, s, s->rows - 1, NULL);
    if (check_logits(s->logits, m->config.vocab_size, e))
        return NULL;
    exclude_non_tokens(non_tokens, s->logits);
    return s->logits;
}

bool contains_id(const struct ids *list, int id)
{
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == id)
            return true;
    return false;
}

/* The token that follows the text most likely, or -1. */
static int next_token(const struct model *m, const struct ids *non_tokens,
                      struct state *s, const struct ids *ids, struct error *e)
{
    if (forward(m, s, ids->data, ids->size, NULL, e))
        return -1;
    const float *logits = next_logits(m, non_tokens, s, e);
    return logits ? (int)find_largest(logits, m->config.vocab_size) : -1;
}

static int generate_with(const struct model *m, const struct ids *non_tokens,
                         struct state *s, struct ids *ids, size_t n,
                         token_function *put, void *context, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        int id = next_token(m, non_tokens, s, ids, e);
        if (id < 0)
            return -1;
        ids_add(ids, id);
        if (ids->failed)
            return fail_memory(e, "the new tokens");
        if (contains_id(&m->config.eos, id))
            return 0;
        if (put(context, id, e))
            return -1;
    }
    return 0;
}

int generate(const struct model *m, const struct ids *non_tokens,
             struct ids *ids, size_t n, token_function *put, void *context,
             struct error *e)
{
    struct state s;
    if (model_check_length(m, ids->size, n, e) ||
        state_init(&s, m, ids->size + n, e))
        return -1;
    int result = generate_with(m, non_tokens, &s, ids, n, put, context, e);
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

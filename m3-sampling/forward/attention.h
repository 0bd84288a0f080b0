/* Attention: how a token takes in what the tokens before it have to say
 * (Vaswani et al. 2017, section 3.2). */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "model.h"
#include "observe.h"
#include "state.h"

#include <stddef.h>

/* What one token may look at: the keys and values of the positions
 * first .. end - 1, of which the last is its own. */
struct visible {
    const float *keys, *values; /* (end, n_kv_heads, head_dim) */
    size_t width; /* of a row: n_kv_heads * head_dim */
    size_t first, end;
};

/* The heads of one token: out (n_heads, head_dim) from q (n_heads, head_dim).
 *
 * A head compares its query with the key of every position, and takes the
 * average of their values, weighted by the softmax of the comparisons.  Two
 * passes over the positions in their order: the first finds all scores and the
 * largest, the second adds up.  weights (n_heads, end - first) become the
 * weights that were used. */
void attend(const struct attention *a, const float *q,
            const struct visible *seen, float *weights, float *out);

/* Mixing: the half of layer l in which tokens take in each other; in the other
 * half, feeding, each is by itself.  s->out from s->normed, both
 * (n, hidden_size). */
void mix(const struct model *m, size_t l, struct state *s, size_t n,
         const struct observer *o);

#endif

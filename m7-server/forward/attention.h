/* Attention: how a token takes in what the tokens before it have to say
 * (Vaswani et al. 2017, section 3.2). */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "kvcache.h"
#include "model.h"
#include "observe.h"
#include "state.h"

#include <stddef.h>

/* What a pass reads of one text: n tokens, behind those that its cache holds.
 * The rows of several spans stand behind each other in the state. */
struct span {
    struct cache *cache;
    const int *ids; /* (n,) */
    size_t n;       /* > 0 */
    size_t length;  /* of the text, where more is known of it than this span,
                       as of a prompt that is read slice by slice: a few ropes
                       turn by it; 0: it ends here */
};

/* A pass: the rows of its spans, each of which sees its own text. */
struct pass {
    const struct span *spans; /* (n_spans,) */
    size_t n_spans;
    size_t n; /* rows of all of them */
};

/* What one token may look at: the keys and values of the positions
 * first .. end - 1, of which the last is its own. */
struct visible {
    const struct cache_layer *past;
    size_t first, end;
    float *row;     /* (width of the layer,): room for a key or value that is
                       not stored as floats */
    float *weights; /* (n_heads, end - first): room for how much of each value
                       each head takes */
};

/* The heads of n tokens, neighbours in one text: out (n, n_heads, head_dim)
 * from q (n, n_heads, head_dim), of which each has its seen (n,).
 *
 * A head compares its query with the key of every position, and takes the
 * average of their values, weighted by the softmax of the comparisons.  Two
 * passes over the positions in their order: the first finds all scores, the
 * second adds up.  A position's key is read from the cache once for all heads
 * of all n tokens, and its value, since codes take long to read.  For each
 * head the sums have the order of the positions, whoever else looks at them;
 * so n changes no bit.
 *
 * A value whose weight is next to nothing is read like all others.  To skip
 * those below 1e-6 would save little, since a position must be that for every
 * head: in a text of 512 tokens, 2 in 1000 are with the reading model and 8 in
 * 1000 with SmolLM2-135M, of whose weights, head by head, 190 in 1000 are.
 *
 * Attention that reads codes without making floats of them takes the place of
 * this function: nothing else looks into a cache's rows. */
void attend(const struct attention *a, const float *q,
            const struct visible *seen, size_t n, float *out);

/* Mixing: the half of layer l in which tokens take in each other; in the other
 * half, feeding, each is by itself.  s->out from s->normed, both
 * (n, hidden_size).
 *
 * The tokens' keys and values go into the cache, and all are read from there,
 * their own included: what has been stored is what counts. */
void mix(const struct model *m, size_t l, struct state *s,
         const struct pass *p, const struct observer *o);

#endif

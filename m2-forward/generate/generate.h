/* Generating: the likeliest token, again and again.
 *
 * Every new token runs the whole text through the model once more, from its
 * first token on.  Nearly all of that was computed before; how not to compute
 * it again is the idea of a later rung. */
#ifndef GENERATE_H
#define GENERATE_H

#include "buffer.h"
#include "error.h"
#include "model.h"
#include "state.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

/* Take a new token, as soon as it is known; nonzero ends the generation. */
typedef int token_function(void *context, int id, struct error *e);

/* Add to `ids`, a text of at least one token, up to n new ones: each is the
 * token with the highest logit, the first of equal ones.  Ends early with a
 * token that ends texts; that one is added too, but `put` does not get it.
 * Fails when so long a text is more than the model can hold.  non_tokens: see
 * below. */
int generate(const struct model *m, const struct ids *non_tokens,
             struct ids *ids, size_t n, token_function *put, void *context,
             struct error *e);

/* The logits (vocab_size,) of what could follow the text that was run last:
 * s->logits, which all must be numbers; -infinity for what is no token.  NULL:
 * *e is filled in. */
const float *next_logits(const struct model *m, const struct ids *non_tokens,
                         struct state *s, struct error *e);

/* Append to `rows` those of a model's n rows of logits that are no token of
 * *t: many models have some more rows than their tokenizer has tokens.  They
 * stay the same, so whoever opens a model asks once. */
int find_non_tokens(const struct tokenizer *t, size_t n, struct ids *rows,
                    struct error *e);

/* Make the logits of these rows -infinity, so that none is ever chosen.
 * Whatever ranks, draws or chooses looks at logits after this.  NULL: every
 * row is a token. */
void exclude_non_tokens(const struct ids *non_tokens, float *logits);

/* Whether a list has an id. */
bool contains_id(const struct ids *list, int id);

/* The place of the largest of x (n,), the first of equal ones. */
size_t find_largest(const float *x, size_t n);

/* Fail when one of the logits (n,) is not finite: then no token is likelier
 * than another, and the weights are damaged, or too large for 32 bits. */
int check_logits(const float *logits, size_t n, struct error *e);

/* A token, and how likely it is. */
struct candidate {
    int id;
    float probability;
};

/* The tokens that could come next, the likeliest first, of equal ones the
 * lower id, from the logits (n,): fills candidates (n,), makes probabilities
 * of the logits, and returns how many candidates there are.  What is excluded
 * is no candidate, and has no part of the probability. */
size_t rank_candidates(float *logits, size_t n, struct candidate *candidates);

#endif

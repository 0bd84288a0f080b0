/* Generating: choose a token, and again, and again.
 *
 * Each token is read once: the prompt by prefill, many of its tokens together;
 * then every new token by decode, alone, since the cache has the keys and
 * values of those before it. */
#ifndef GENERATE_H
#define GENERATE_H

#include "buffer.h"
#include "error.h"
#include "kvcache.h"
#include "model.h"
#include "observe.h"
#include "sample.h"
#include "state.h"
#include "tokenizer.h"

#include <stddef.h>

/* Take a new token, as soon as it is chosen; `logits` (vocab_size,) are those
 * that the model gave to all tokens, and -infinity for what is none.  Returns
 * 0 to go on, 1 when this is enough, or -1 with *e filled in. */
typedef int token_function(void *context, int id, const float *logits,
                           struct error *e);

/* How to go on with a text. */
struct generation {
    size_t most;             /* new tokens, at most */
    struct sampler *sampler; /* chooses them */
    const struct ids *ends;  /* tokens that end the text, besides the model's
                                own; NULL: none */
    token_function *put;     /* gets each */
    void *context;           /* its first argument */
    const struct observer *observer; /* sees all passes; NULL: nobody */
    struct state *state;     /* to compute in; NULL: a new one */
    struct cache *cache;     /* may hold a beginning of the text, and holds it
                                afterwards but for its last token; NULL, with
                                state: a new one */
};

/* Add new tokens to `ids`, a text of at least one token.  Ends early with a
 * token that ends texts; that one is added too, but `put` does not get it.
 * Fails when so long a text is more than the model can hold.  Returns 1 when
 * the state was told to end a pass early: then the cache holds what was read
 * of the text.  non_tokens: see below. */
int generate(const struct model *m, const struct ids *non_tokens,
             struct ids *ids, const struct generation *g, struct error *e);

/* Add one token to the text, and let g->put have it.  Returns 1 when this ends
 * the text, 0 when not, -1 with *e filled in. */
int generation_add(const struct model *m, struct ids *ids,
                   const struct generation *g, int id, const float *logits,
                   struct error *e);

/* The logits (vocab_size,) of what could follow the chunk that was run last:
 * s->logits, made usable.  NULL: *e is filled in. */
const float *next_logits(const struct model *m, const struct ids *non_tokens,
                         struct state *s, const struct observer *o,
                         struct error *e);

/* Append to `rows` those of a model's n rows of logits that are no token of
 * *t: many models have some more rows than their tokenizer has tokens.  They
 * stay the same, so whoever opens a model asks once. */
int find_non_tokens(const struct tokenizer *t, size_t n, struct ids *rows,
                    struct error *e);

/* Make a row of logits (n,) one to choose from: fail unless all are numbers,
 * and make those of what is no token -infinity. */
int usable_logits(const struct ids *non_tokens, float *logits, size_t n,
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

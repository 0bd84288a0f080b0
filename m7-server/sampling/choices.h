/* The tokens that may still come, each with its logit.
 *
 * They stand in the order of their ids, always: what is forbidden or cut off
 * is taken out and the rest moves up.  So the order does not tell how the cut
 * was found, and a draw, which walks through them, is the same for every way
 * to find it. */
#ifndef CHOICES_H
#define CHOICES_H

#include "error.h"
#include "kernels.h"

#include <stddef.h>

struct choices {
    int *ids;       /* (n,), rising */
    float *logits;  /* (n,) */
    float *weights; /* (n,): once they are weighed, how likely each is beside
                       the others; they need not add up to 1 */
    float *keys;    /* (n,): room for a cut to say which it wants most */
    size_t n;
    double total;    /* of the weights; 0: some were taken out since */
    size_t capacity; /* of the arrays: how many tokens there are */
    const struct row_kernels *kernels; /* for exponentials; NULL: expf */
};

/* The largest of x (n,), n above zero, found in eight lanes. */
float find_most(const float *x, size_t n);

/* Room for `capacity` tokens, at least one.  After an error *c holds nothing.
 */
int choices_init(struct choices *c, size_t capacity, struct error *e);
void choices_free(struct choices *c);

/* Begin again: all tokens, with these logits (capacity,).  Then the logit of
 * token i is logits[i], until one is taken out. */
void choices_begin(struct choices *c, const float *logits);

/* Take out what is forbidden: whose logit is minus infinity. */
void choices_drop_forbidden(struct choices *c);

/* Weights from logits: exp(logit - best), so that none overflows where best is
 * the largest logit. */
void choices_weigh(struct choices *c, float best);

/* The sum of the weights.  Weight i goes to lane i mod 8, and the lanes are
 * added in their order: as in dot(), they need not wait for each other. */
double choices_total(const struct choices *c);

/* Keep the tokens whose keys (n,) are larger than `border`; and of those that
 * equal it the first `equals`. */
void choices_keep(struct choices *c, const float *keys, float border,
                  size_t equals);

/* The token at which the weights, added up in the order of ids, first exceed
 * this share of their total, from 0 up to 1.  The total was added up in
 * another order: where rounding lets the walk end below the share, the last
 * token that has a weight. */
int choices_draw(const struct choices *c, double share);

/* How likely each of all tokens is: probabilities (capacity,), 0 for what was
 * taken out.  Weighs the choices. */
void choices_probabilities(struct choices *c, float *probabilities);

#endif

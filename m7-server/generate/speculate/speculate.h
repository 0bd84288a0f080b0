/* Speculative decoding (Leviathan, Kalman and Matias 2023).
 *
 * Decode fetches all weights of the model to read one token; to read five
 * behind each other it fetches them once.  So something cheap proposes a few
 * tokens, the model reads them all in one pass, and its logits say which it
 * would have chosen itself.  Those are kept up to the first that it would not;
 * in that one's place it puts its own.  One token comes out of each pass at
 * least.
 *
 * Where few guesses are right, to read them costs more than it saves.  So what
 * drafts have saved and cost is counted, and a draft must be affordable before
 * it is made: all of it may be lost, as long as that makes 100 tokens or more
 * at most 3% slower than without drafts, and fewer by at most 3 passes.  Costs
 * are counted, not timed, so that a seed says which text comes.  What a
 * drafter needs to read the prompt is not counted. */
#ifndef SPECULATE_H
#define SPECULATE_H

#include "draft.h"
#include "generate.h"

#include <stddef.h>

struct speculation {
    draft_function *propose;
    void *context;                       /* its first argument */
    struct draft draft;                  /* room for what is proposed */
    size_t n_proposed, n_kept, n_passes; /* counted */

    double guess_cost; /* of a guess, in passes of one token; 0: it is not
                          asked whether guesses pay */
    double late_cost;  /* of a token that the drafter must read later, because
                          it was not asked when that came */
    double saved;      /* passes, less what guesses have cost */
    size_t n_silent;   /* passes without a guess, which would not have paid */
    size_t n_late;     /* of these, since the drafter was asked last */
};

/* As generate() does, and with the same result: at temperature 0 the same
 * tokens; else tokens drawn from the same probabilities, though with other
 * random numbers.  g->state and g->cache must be there, with room for the
 * text and all new tokens; a draft is at least one token shorter than their
 * chunks, and than STATE_SCORED. */
int speculate(const struct model *m, const struct ids *non_tokens,
              struct ids *ids, const struct generation *g,
              struct speculation *spec, struct error *e);

/* Whether a proposed token is kept, which the model gives the probability p
 * and the drafter gave q; `share` is a random number from 0 up to 1.  Of those
 * that the model likes at least as well as the drafter did, all are; of the
 * others the share p / q (section 2.3 of the paper). */
bool keeps(float p, float q, double share);

/* The token to put in place of one that was not kept: drawn from what the
 * model gives to each token beyond what the drafter gave it,
 * max(0, p - q), p and q (n,).  With this rule every token comes as often as
 * the model alone would choose it.  q NULL: the drafter was certain of
 * `proposed`. */
int draw_other(const float *p, const float *q, size_t n, int proposed,
               double share);

#endif

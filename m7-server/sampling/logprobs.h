/* Log probabilities: how sure the model was, before any step of sampling.
 *
 * The logarithm, to base e, of the softmax of the logits: 0 is certain, and
 * those of a text's tokens add up to that of the text. */
#ifndef LOGPROBS_H
#define LOGPROBS_H

#include <stddef.h>

struct logprob {
    int id;
    double value;
};

/* What to subtract from a logit to get its log probability: the logarithm of
 * the sum of exp of all logits (n,), n above zero. */
double logprob_base(const float *logits, size_t n);

/* The `most` likeliest of all tokens, at most n, the likeliest first, of
 * equals the one with the lower id, in top (most,); none whose logit is
 * -infinity.  Returns how many there are. */
size_t logprob_top(const float *logits, size_t n, struct logprob *top,
                   size_t most);

#endif

/* Predictions: what a model says could come next, and how to judge that by the
 * token that came, or by what another model says.
 *
 * All logarithms are natural: what they measure has the unit nat; one bit is
 * ln 2 of it.  All sums have 64 bits and run in the order of the ids.  Every
 * row of the logits takes part, also one that stands for no token of the
 * tokenizer: a training loss has them in its softmax, too. */
#ifndef PREDICTION_H
#define PREDICTION_H

#include <stddef.h>

struct prediction {
    const float *logits; /* (n,), each a number or -infinity; not owned */
    size_t n;
    double base; /* ln of the sum of exp of them: ln p of a token is its logit
                    less this */
};

/* Of the logits (n,), n above zero. */
struct prediction predict(const float *logits, size_t n);

/* -ln p of the token `id`: 0 when the model was certain that it would come,
 * ln n when it had no idea. */
double surprisal(const struct prediction *p, int id);

/* The Kullback-Leibler divergence of q from p, in nats:
 *
 *     D(p || q) = sum over tokens of p (ln p - ln q)
 *
 * how much is lost, for each token, by taking q for p: 0 where the two agree,
 * and never below; infinity where q holds for impossible what p does not
 * (Kullback and Leibler 1951).  Both have the same n.  Rounding could take a
 * sum that should be 0 below it; 0 is returned then. */
double kl_divergence(const struct prediction *p, const struct prediction *q);

/* The largest |logit of p - logit of q|. */
double logit_error(const struct prediction *p, const struct prediction *q);

/* Of values (n,), in rising order, n above zero: what the share from 0 to 1 of
 * them does not exceed.  Between two values it lies on the line from one to
 * the next, as numpy.percentile has it. */
double percentile(const double *sorted, size_t n, double share);

#endif

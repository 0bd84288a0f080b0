/* Perplexity: how well a model foresees a text, as one number.
 *
 * Each token that comes surprises the model by -ln p nats, p being the
 * probability that it gave to that token.  Perplexity is exp of their mean:
 * among how many tokens, all equally likely, the model was undecided, so to
 * speak.  1 is perfect; the size of the vocabulary is no knowledge at all.
 *
 * It depends on how the text is cut into tokens, and on the windows; so only
 * models with the same tokenizer and the same windows can be compared by it.
 * Nats by byte of the text do not depend on the tokenizer. */
#ifndef PERPLEXITY_H
#define PERPLEXITY_H

#include "evaluate.h"

#include <stddef.h>

/* What tokens have surprised a model, together. */
struct surprises {
    double nats;
    size_t tokens;
};

double mean_nats(const struct surprises *s);
double perplexity(const struct surprises *s);

/* Fail when a text of n tokens has none to score. */
int check_scored(size_t n, struct error *e);

/* Have reader 0 of *how read the text ids (n,), by its windows.  `how` is
 * given without a judge.  Fails as evaluate() does, and when the text has no
 * token to score. */
int measure_surprises(const struct evaluation *how, const int *ids, size_t n,
                      struct surprises *out, struct error *e);

#endif

/* Comparing two models on a text: how far b, a smaller copy perhaps, has moved
 * from a.
 *
 * Perplexity alone can hide that: what is lost at one token may be won, by
 * chance, at another.  The divergence of all probabilities, token by token,
 * cannot cancel out: it is 0 only where b expects exactly what a expects. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "evaluate.h"
#include "perplexity.h"

#include <stddef.h>

/* What was found where one token came. */
struct compared {
    double kl;             /* divergence of b's probabilities from a's, nats */
    double a_nats, b_nats; /* how the token that came surprised each */
};

struct comparison {
    struct compared *tokens; /* (n,) that were scored, in order; owned */
    size_t n, capacity;
    size_t n_agree;     /* at which both held the same token for likeliest */
    double logit_error; /* the largest of all logits */
};

/* Have the two readers of *how, a and b, read the text ids (n,).  `how` is
 * given without a judge.  Fails as measure_surprises() does.  After an error
 * *c holds nothing. */
int comparison_init(struct comparison *c, const struct evaluation *how,
                    const int *ids, size_t n, struct error *e);
void comparison_free(struct comparison *c);

/* The figures of all tokens together. */
struct comparison_summary {
    double kl_mean, kl_99, kl_most; /* 99 of 100 tokens are not above kl_99 */
    double agreement;               /* the share of n_agree */
    struct surprises a, b;
};
int comparison_summarize(const struct comparison *c,
                         struct comparison_summary *s, struct error *e);

#endif

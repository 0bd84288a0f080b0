/* Cuts: which of the less likely tokens are taken out.
 *
 * Each keeps at least one token.  top_p, min_p and typical_p want the choices
 * weighed, and leave weights and logits as they are. */
#ifndef CUT_H
#define CUT_H

#include "choices.h"

/* Keep the k tokens with the highest logits, and those that equal the last of
 * them (Fan et al. 2018).  k is above zero. */
void cut_top_k(struct choices *c, size_t k);

/* Keep the fewest tokens, from the likeliest down, that together have at
 * least the probability p (Holtzman et al. 2020, section 3.1).  Of equally
 * likely ones at the border the lower ids are kept.  p from 0, which keeps
 * one, to 1. */
void cut_top_p(struct choices *c, double p);

/* Keep the tokens at least `share` as likely as the likeliest (Nguyen et al.
 * 2024).  Share from 0 to 1. */
void cut_min_p(struct choices *c, float share);

/* Keep the fewest tokens that together have at least the probability p, from
 * the most typical one down, and those that equal the last of them.  A token
 * is typical when its surprise, -log(probability), is near the surprise that
 * is to be expected, the entropy (Meister et al. 2023).  p from 0
 * to 1. */
void cut_typical(struct choices *c, double p);

#endif

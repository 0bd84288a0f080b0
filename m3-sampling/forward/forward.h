/* The forward pass: from the ids of a text to a logit for every token that
 * could come next.
 *
 * Knows no family and no file: a model is the data of model.h. */
#ifndef FORWARD_H
#define FORWARD_H

#include "model.h"
#include "observe.h"
#include "state.h"

#include <stddef.h>

/* Run the text ids (n,), n at most s->capacity, each id below vocab_size,
 * through all layers.  Leaves in s->normed (n, hidden_size) what the last norm
 * makes of each token. */
void forward(const struct model *m, struct state *s, const int *ids, size_t n,
             const struct observer *o);

/* The logits of all tokens to follow token t of the text that was run last:
 * s->logits (vocab_size,), which it returns.  Each is the logarithm of a
 * probability, but for one constant. */
const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o);

#endif

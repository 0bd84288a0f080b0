/* The forward pass: from the ids of a text to the logits, a score for every
 * token that could come next.
 *
 * Knows no family and no file: a model is the data of model.h. */
#ifndef FORWARD_H
#define FORWARD_H

#include "model.h"
#include "observe.h"
#include "state.h"

#include <stddef.h>

/* Run the text ids (n,) through all layers.  Leaves in s->normed
 * (n, hidden_size) what the last norm makes of each token.  Fails when the
 * state has no room for so many, or the model no token with an id. */
int forward(const struct model *m, struct state *s, const int *ids, size_t n,
            const struct observer *o, struct error *e);

/* The logits of what could follow token t of the text that was run last:
 * s->logits (vocab_size,), which it returns.  Each is the logarithm of a
 * token's probability, but for one constant. */
const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o);

#endif

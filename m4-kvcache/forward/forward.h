/* The forward pass: from the ids of a text to a logit for every token that
 * could come next.
 *
 * It comes as two machines around the same layers.  Prefill reads many tokens
 * together, so that each weight that is fetched is used for all of them: it is
 * busy computing.  Decode reads one token, and fetches every weight of the
 * model for it: it is busy fetching.  Both find the past in the cache, and
 * give the same bits whatever the chunks were.
 *
 * Knows no family and no file: a model is the data of model.h. */
#ifndef FORWARD_H
#define FORWARD_H

#include "model.h"
#include "observe.h"
#include "state.h"

#include <stddef.h>

/* Read the tokens ids (n,), n > 0, each below vocab_size, behind those that
 * the cache holds; it must have room for them.  They run in chunks of at most
 * s->capacity tokens.  Leaves in s->normed (s->rows, hidden_size) what the
 * last norm makes of the tokens of the last chunk. */
void prefill(const struct model *m, struct state *s, const int *ids, size_t n,
             const struct observer *o);

/* Read one token more. */
void decode(const struct model *m, struct state *s, int id,
            const struct observer *o);

/* Forget all that the cache holds but what can serve the text ids (n,), n > 0:
 * a beginning that both have, turned by the angles of so long a text, without
 * its last token, which somebody is going to ask about.  Returns how many
 * tokens are kept. */
size_t reuse(const struct model *m, struct cache *c, const int *ids, size_t n);

/* Go on to the text ids (n,), n > 0: what can be reused is kept, and the rest
 * is read, at least the last token.  Returns how many tokens were kept. */
size_t resume(const struct model *m, struct state *s, const int *ids, size_t n,
              const struct observer *o);

/* Whether a text of length a, grown to length b, keeps its angles.  Few models
 * turn all their keys by angles that depend on how long the text is. */
bool same_angles(const struct model *m, size_t a, size_t b);

/* Forget the text that the cache holds, and read the text ids (n,). */
void forward(const struct model *m, struct state *s, const int *ids, size_t n,
             const struct observer *o);

/* The logits of all tokens to follow token t of the chunk that was run last:
 * s->logits (vocab_size,), which it returns.  Each is the logarithm of a
 * probability, but for one constant. */
const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o);

#endif

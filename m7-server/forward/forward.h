/* The forward pass: from the ids of a text to the logits, a score for every
 * token that could come next.
 *
 * It comes as two machines around the same layers.  Prefill reads many tokens
 * together, so that each weight that is fetched is used for all of them.
 * Decode reads one token, and fetches every weight of the model for it.  Both
 * find the past in the cache, and give the same bits whatever the chunks were.
 *
 * Knows no family and no file: a model is the data of model.h. */
#ifndef FORWARD_H
#define FORWARD_H

#include "attention.h"
#include "kvcache.h"
#include "model.h"
#include "observe.h"
#include "state.h"

#include <stdbool.h>
#include <stddef.h>

/* How many tokens a chunk has at most: what both can take. */
size_t longest_chunk(const struct state *s, const struct cache *c);

/* Prefill: read the tokens ids (n,), n > 0, each below vocab_size, behind
 * those that the cache holds; it must have room for them, and no more room
 * than the state is made for.  They run in chunks.  Leaves in s->normed
 * (s->rows, hidden_size) what the last norm makes of the tokens of the last
 * chunk.
 *
 * Returns 0; or 1 when s->cancelled has said so before all were read: then the
 * cache holds those that were, and can go on from there. */
int prefill(const struct model *m, struct state *s, struct cache *c,
            const int *ids, size_t n, const struct observer *o);

/* Decode: read one token, in the same way.  Which of the two machines a text
 * needs is for the caller to say: a prompt of one token is prefill, too. */
int decode(const struct model *m, struct state *s, struct cache *c, int id,
           const struct observer *o);

/* The parts of which both consist; spans.h makes one pass over many texts of
 * them.
 *
 * A text gets the tokens of a span: their ids go into its cache, to be read.
 * What it holds is forgotten where they change its angles. */
void extend_text(const struct model *m, const struct span *span);

/* Read on from the ids in the cache, chunk by chunk, until it holds `end`
 * tokens.  Returns as prefill() does. */
int read_until(const struct model *m, struct state *s, struct cache *c,
               size_t end, const struct observer *o);

/* One pass over the spans (n_spans,), whose texts have been extended by them
 * and hold what is before them; together at most s->capacity tokens.  Returns
 * as prefill() does. */
int run_spans(const struct model *m, struct state *s,
              const struct span *spans, size_t n_spans,
              const struct observer *o);

/* Where a text begins: forget all that the cache holds but what can serve the
 * text ids (n,), n > 0, a beginning that both have and that is still valid,
 * without the last token, whose logits somebody is going to ask for.  Returns
 * how many tokens are kept; those behind them are to be read.
 *
 * This compares token by token, so it is asked once for a text: whoever reads
 * on knows what has been read. */
size_t reuse_prefix(const struct model *m, struct cache *c, const int *ids,
                    size_t n);

/* Whether what the cache holds is still valid in a text of `length` tokens:
 * few models turn their keys by angles that depend on how long the text is.
 * When a text grows past that, prefill and decode read all of it again. */
bool still_valid(const struct model *m, const struct cache *c, size_t length);

/* Prefill the text ids (n,), when nobody is going to go on from it: its cache,
 * in the form s->cache_form, lives no longer than this takes.  Fails when the
 * state is not made for so long a text, when the model has no token with an
 * id, or without memory; returns 1 as prefill() does. */
int forward(const struct model *m, struct state *s, const int *ids, size_t n,
            const struct observer *o, struct error *e);

/* The logits of what could follow token t of the chunk that was run last:
 * s->logits (vocab_size,), which it returns.  Each is the logarithm of a
 * token's probability, but for one constant. */
const float *forward_logits(const struct model *m, struct state *s, size_t t,
                            const struct observer *o);

/* The same for n rows of that chunk, each once, in any order, at most
 * STATE_SCORED: s->logits (n, vocab_size).  The head, the largest matrix of
 * many models, is fetched once for all of them. */
const float *logits_of_rows(const struct model *m, struct state *s,
                            const size_t *rows, size_t n,
                            const struct observer *o);

#endif

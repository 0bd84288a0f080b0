/* Spans: tokens of many texts, read in one pass.
 *
 * A weight that is fetched serves every row of a pass, whoever's text the row
 * belongs to.  So eight texts that each go on by a token cost little more than
 * one does, and a slice of a long prompt rides along.  Only attention is each
 * text's own affair: its rows see the text's cache, and no other.
 *
 * Bits: each text gets those that prefill() and decode() give it alone.
 *
 * Knows no requests and no turns: who is read when, a scheduler says. */
#ifndef SPANS_H
#define SPANS_H

#include "forward.h"

#include <stddef.h>

/* Read the spans (n_spans,), n_spans > 0, in one pass; struct span is in
 * attention.h.  Each has another cache, with room for its tokens, and no more
 * room than the state is made for; it is at most as long as its cache's chunk.
 * All together have at most s->capacity tokens, each id below vocab_size.
 * Afterwards s->normed (s->rows, hidden_size) has the rows of all spans in
 * their order: logits_of_rows() scores those that somebody asks for.
 *
 * Where a text that grows gets other angles (see still_valid), what its cache
 * holds is read again first, chunk by chunk, in passes of that text alone.
 * Whoever cuts a prompt into slices says in span.length how long it is, so
 * that this does not happen between them.
 *
 * Returns 0; or 1 when s->cancelled, asked before every pass, has said so
 * before all were read: then no span was, and each cache holds as many tokens
 * as before; or fewer, where its text was being read again.  Its length says
 * from where on somebody can go on. */
int read_spans(const struct model *m, struct state *s,
               const struct span *spans, size_t n_spans,
               const struct observer *o);

#endif

/* Merges from scores: a SentencePiece model has a score for each piece, and
 * joins the pair whose piece has the highest. */
#ifndef GGUF_MERGES_H
#define GGUF_MERGES_H

#include "error.h"

#include <jansson.h>

/* The merges, as [["a", "b"], ...]: of each piece of the vocabulary {"piece":
 * id} all pairs of pieces that it consists of, higher scores first.  Among
 * equal scores the longer left half comes first, then the longer right one, as
 * in transformers' convert_slow_tokenizer.generate_merges.  scores: numbers,
 * by id.  NULL: memory failed.  The caller frees it. */
json_t *gguf_merges(json_t *vocabulary, const json_t *scores, struct error *e);

#endif

/* Cutting a long word into short ones, where that changes no token.
 *
 * A tokenizer of the SentencePiece kind sees a whole text as one word, with
 * its spaces as ▁.  But where no merge joins a token that ends with one
 * character to a token that begins with another, nothing is ever merged
 * across those two: mostly before each ▁.  There it may be cut. */
#ifndef WORD_CUTS_H
#define WORD_CUTS_H

#include "bpe_model.h"
#include "error.h"
#include "hash.h"
#include "word_cache.h"

#include <stdbool.h>
#include <stddef.h>

/* The pairs of characters that a merge joins: those of ASCII, and the others
 * (left << 32 | right).  Start it as {0}: without a model nothing is cut. */
struct word_cuts {
    const struct bpe_model *model; /* not owned */
    bool ascii[128][128];
    struct map others;
};

/* Find them in the model's merges. */
int word_cuts_find(struct word_cuts *c, const struct bpe_model *model,
                   struct error *e);
void word_cuts_free(struct word_cuts *c);

/* encode_cached_word; a word that is too long to be kept is cut first, and
 * each part goes through the cache. */
int encode_long_word(const struct word_cuts *cuts, struct word_cache *c,
                     struct bpe *b, const char *word, size_t size,
                     struct ids *out, struct error *e);

#endif

/* Byte-pair encoding: a word becomes tokens by merging the best pair, again
 * and again.
 *
 * A word starts as symbols, one for each of its characters (or bytes).  Of
 * all neighbouring pairs that stand in the file's list of merges, the one
 * that stands earliest is merged into one symbol, the leftmost first; until
 * no pair is in the list.  Sennrich et al. 2016, section 3.2. */
#ifndef BPE_H
#define BPE_H

#include "buffer.h"
#include "error.h"
#include "hash.h"
#include "json.h"
#include "vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TOKEN UINT32_MAX
#define NO_RANK  MAP_NONE

/* What the file says of the model; it does not change after it is read. */
struct bpe {
    const struct vocabulary *vocabulary; /* not owned */

    struct map ranks; /* left << 32 | right: the place in the list */
    uint32_t *merged; /* (n_merges,) by rank: the token the pair becomes */
    size_t n_merges;

    struct map characters;  /* code point: its token */
    uint32_t ascii[128];    /* the same for ASCII; or NO_TOKEN */
    uint32_t bytes[256];    /* by byte: its token as a word of bytes */
    uint32_t fallback[256]; /* by byte: its token "<0x00>"; or NO_TOKEN */
    struct map joints;      /* see bpe_joined */
    bool ascii_joints[128][128];

    bool of_bytes;      /* words are bytes, spelled as in bytelevel.h */
    bool byte_fallback; /* a character without a token becomes its bytes */
    bool ignore_merges; /* a word that is a token is that token */
    bool fuse_unk;      /* unknown neighbours become one unknown token */
    bool has_unk;       /* otherwise the unknown is left out */
    uint32_t unk;       /* NO_TOKEN: it is named, but not in the vocabulary */
};

/* Read the file's "model".  `of_bytes`: the words will be raw bytes. */
int bpe_read(const struct node *model, const struct vocabulary *v,
             bool of_bytes, struct bpe *b, struct error *e);
void bpe_free(struct bpe *b);

/* The token of a character, or NO_TOKEN. */
uint32_t bpe_character(const struct bpe *b, uint32_t code);

/* The place of a pair in the list of merges, or NO_RANK. */
uint32_t bpe_rank(const struct bpe *b, uint32_t left, uint32_t right);

/* False when no token that merging makes holds the two characters side by
 * side.  Then no merge ever reaches across them, and a long word may be cut
 * there. */
bool bpe_joined(const struct bpe *b, uint32_t left, uint32_t right);

#endif

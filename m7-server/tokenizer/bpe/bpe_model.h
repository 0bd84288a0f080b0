/* What the file says of byte-pair encoding: which tokens a word can start
 * from, and the list of merges.  It does not change after it is read. */
#ifndef BPE_MODEL_H
#define BPE_MODEL_H

#include "error.h"
#include "hash.h"
#include "json.h"
#include "vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_TOKEN MAP_NONE
#define NO_RANK  MAP_NONE

struct bpe_model {
    const struct vocabulary *vocabulary; /* not owned */

    struct map ranks; /* left << 32 | right: the pair's place in the list */
    uint32_t *merged; /* (n_merges,) by rank: the token the pair becomes */
    size_t n_merges;

    struct map characters;  /* code point: its token */
    uint32_t fallback[256]; /* by byte: its token "<0x00>"; or NO_TOKEN */

    bool byte_fallback; /* a character without a token becomes its bytes */
    bool ignore_merges; /* a word that is a token is that token */
    bool fuse_unk;      /* unknown neighbours become one unknown token */
    bool has_unk;       /* otherwise the unknown is left out */
    uint32_t unk;       /* NO_TOKEN: it is named, but not in the vocabulary */
};

/* Read the file's "model", but for its vocabulary, which must outlive *m. */
int bpe_read(const struct node *model, const struct vocabulary *v,
             struct bpe_model *m, struct error *e);
void bpe_model_free(struct bpe_model *m);

/* The token of a character, or NO_TOKEN. */
uint32_t bpe_character(const struct bpe_model *m, uint32_t code);

/* The place of a pair of tokens in the list of merges, or NO_RANK. */
uint32_t bpe_rank(const struct bpe_model *m, uint32_t left, uint32_t right);

#endif

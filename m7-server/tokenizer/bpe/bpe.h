/* Byte-pair encoding: a word becomes tokens by merging the best pair, again
 * and again.
 *
 * A word starts as symbols, one for each of its characters.  Of all
 * neighbouring pairs that stand in the model's list of merges, the one that
 * stands earliest is merged into one symbol, the leftmost first; until no
 * pair is in the list.  Sennrich et al. 2016, section 3.2. */
#ifndef BPE_H
#define BPE_H

#include "bpe_model.h"
#include "error.h"
#include "radix_heap.h"

#include <stddef.h>
#include <stdint.h>

enum bpe_sizes {
    SHORT_WORD = 100 /* symbols at most: there both ways are equally fast */
};

/* A symbol of a long word, linked to its neighbours. */
struct link {
    uint32_t id;
    uint32_t before, after; /* NO_LINK at the ends */
    uint32_t rank;          /* of the pair with the one after; or NO_RANK */
};

/* A word at work, and the room that it needs, which is kept from word to
 * word: a text is not a million allocations.  Start it as {0}. */
struct bpe {
    const struct bpe_model *model; /* not owned */

    uint32_t *symbols;  /* (n_symbols,): of the word, and then its tokens */
    struct link *links; /* (n_symbols,): the same while they merge, */
    struct radix_heap queue; /* of pairs of a long word: rank << 32 | place
                                in links */
    size_t n_symbols;
    size_t symbols_capacity, links_capacity;

    uint32_t ranks[SHORT_WORD]; /* of each pair of a short word */

    size_t steps; /* pairs looked at so far: what a test counts */
};

/* Make room for `count` symbols, and none there yet. */
int bpe_start(struct bpe *b, size_t count, struct error *e);

/* Add a symbol, for which there must be room. */
void bpe_add(struct bpe *b, uint32_t id);

/* Merge the symbols; what is left of them are the word's tokens. */
int bpe_merge(struct bpe *b, struct error *e);

/* The two ways to do so: of two symbols or more, and the first of no more than
 * SHORT_WORD. */
void bpe_merge_short(struct bpe *b);
int bpe_merge_long(struct bpe *b, struct error *e);
void bpe_free(struct bpe *b);

#endif

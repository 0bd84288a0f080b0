/* Merging: one word's symbols become its tokens.
 *
 * The room that it needs is kept from word to word, so that a text is not a
 * million allocations. */
#ifndef MERGE_H
#define MERGE_H

#include "bpe.h"
#include "buffer.h"
#include "error.h"
#include "queue.h"
#include "words.h"

#include <stddef.h>
#include <stdint.h>

/* A symbol of a long word, linked to its neighbours. */
struct link {
    uint32_t id;
    uint32_t before, after; /* NO_LINK at the ends */
    uint32_t rank;          /* of the pair with the one after; or NO_RANK */
};

struct merger {
    const struct bpe *bpe; /* not owned */
    struct ids *out;       /* not owned; where the tokens go */
    struct words words;

    uint32_t *symbols;  /* (n_symbols,) of the word at hand */
    uint32_t *ranks;    /* (n_symbols,) of each pair; short words only */
    struct link *links; /* (n_symbols,); long words only */
    struct queue queue; /* of rank << 32 | place; long words only */
    size_t n_symbols;
    size_t symbols_capacity, ranks_capacity, links_capacity;

    size_t steps; /* pairs looked at so far: what a test counts */
};

/* `size`: of the whole text that the words will come from.  The merger, the
 * model and `out` are one thread's while it works. */
int merger_new(struct merger *m, const struct bpe *b, size_t size,
               struct ids *out, struct error *e);
void merger_free(struct merger *m);

/* Append the tokens of one word. */
int merge_word(struct merger *m, const char *word, size_t size,
               struct error *e);

#endif

/* A cache of words: texts repeat themselves.
 *
 * A word and its tokens share one slot of 64 bytes, a line of the processor's
 * cache; a word that hashes to a slot in use takes it over.  Words of more
 * than CACHED_SIZE bytes, or CACHED_TOKENS tokens, are not kept: they seldom
 * come again. */
#ifndef WORD_CACHE_H
#define WORD_CACHE_H

#include "bpe.h"
#include "buffer.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cached_word_sizes {
    CACHED_SIZE = 30, /* bytes of a word */
    CACHED_TOKENS = 8
};

struct cached_word {
    int tokens[CACHED_TOKENS];
    char text[CACHED_SIZE];
    uint8_t size; /* of the text; 0: the slot is free */
    uint8_t n_tokens;
};

/* For one text: start it as {0}, but for `spells`, and open it. */
struct word_cache {
    struct cached_word *slots; /* (n_slots,), a power of two */
    size_t n_slots;

    /* Words come as they stand in the text, and merges know their bytes as
     * characters (bytelevel.h): those not found here are spelled so. */
    bool spells;
    struct bytes spelled;
};

/* Make as many slots as a text of `size` bytes is likely to need. */
int word_cache_open(struct word_cache *c, size_t size, struct error *e);
void word_cache_close(struct word_cache *c);

/* A word as merges know it, that is, spelled if `spells`: it is good until the
 * next call. */
int word_spelled(struct word_cache *c, const char **word, size_t *size,
                 struct error *e);

/* encode_word, of a word as it stands in the text if `spells`, with what the
 * cache knows. */
int encode_cached_word(struct word_cache *c, struct bpe *b, const char *word,
                       size_t size, struct ids *out, struct error *e);

#endif

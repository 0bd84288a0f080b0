/* A cache of words: texts repeat themselves.
 *
 * A word and its tokens share one slot of 64 bytes, a line of the processor's
 * cache; a word that hashes to a slot in use takes it over.  Longer words, or
 * those of more tokens, are not kept: they seldom come again. */
#ifndef WORD_CACHE_H
#define WORD_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CACHED_SIZE_MAX   30
#define CACHED_TOKENS_MAX 8

struct cached_word {
    int tokens[CACHED_TOKENS_MAX];
    char text[CACHED_SIZE_MAX];
    uint8_t size; /* of the text; 0: the slot is free */
    uint8_t n_tokens;
};

struct word_cache {
    struct cached_word *slots; /* (n_slots,), a power of two */
    size_t n_slots;
};

/* As many slots as a text of `size` bytes is likely to need; -1 when there is
 * no memory. */
int word_cache_new(struct word_cache *c, size_t size);
void word_cache_free(struct word_cache *c);

/* The slot of a word of at most CACHED_SIZE_MAX bytes.  Another word may be in
 * it: cached_word_is tells. */
struct cached_word *word_cache_slot(const struct word_cache *c,
                                    const char *text, size_t size);
bool cached_word_is(const struct cached_word *slot, const char *text,
                    size_t size);

/* Put a word into its slot, unless it has too many tokens. */
void cached_word_keep(struct cached_word *slot, const char *text, size_t size,
                      const int *tokens, size_t n_tokens);

#endif

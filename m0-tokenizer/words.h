/* A cache of words: texts repeat themselves.
 *
 * A word and its tokens share one slot of 64 bytes, a line of the processor's
 * cache; a word that hashes to a slot in use takes it over.  Longer words, or
 * those of more tokens, are not kept: they seldom come again. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORD_SIZE_MAX   30
#define WORD_TOKENS_MAX 8

struct word {
    int tokens[WORD_TOKENS_MAX];
    char text[WORD_SIZE_MAX];
    uint8_t size; /* of the text; 0: the slot is free */
    uint8_t n_tokens;
};

struct words {
    struct word *slots; /* (n_slots,), a power of two */
    size_t n_slots;
};

/* As many slots as a text of `size` bytes is likely to need; -1 when there is
 * no memory. */
int words_new(struct words *w, size_t size);
void words_free(struct words *w);

/* The slot of a word, at most WORD_SIZE_MAX bytes: compare with word_is. */
struct word *words_slot(const struct words *w, const char *text, size_t size);
bool word_is(const struct word *slot, const char *text, size_t size);

/* Put a word into its slot, unless it has too many tokens. */
void word_keep(struct word *slot, const char *text, size_t size,
               const int *tokens, size_t n_tokens);

#endif

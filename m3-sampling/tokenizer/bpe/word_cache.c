/* A cache of words: see word_cache.h. */
#include "word_cache.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_slots = 1 << 15; /* 2 MiB: a processor's L2 cache */

int word_cache_new(struct word_cache *c, size_t size)
{
    c->n_slots = 16;
    while (c->n_slots < size / 8 && c->n_slots < most_slots)
        c->n_slots *= 2;
    c->slots = calloc(c->n_slots, sizeof *c->slots);
    return c->slots ? 0 : -1;
}

void word_cache_free(struct word_cache *c)
{
    free(c->slots);
    *c = (struct word_cache){0};
}

struct cached_word *word_cache_slot(const struct word_cache *c,
                                    const char *text, size_t size)
{
    return &c->slots[hash_bytes(text, size) & (c->n_slots - 1)];
}

bool cached_word_is(const struct cached_word *slot, const char *text,
                    size_t size)
{
    return slot->size == size && memcmp(slot->text, text, size) == 0;
}

void cached_word_keep(struct cached_word *slot, const char *text, size_t size,
                      const int *tokens, size_t n_tokens)
{
    if (n_tokens > CACHED_TOKENS_MAX)
        return;
    memcpy(slot->text, text, size);
    memcpy(slot->tokens, tokens, n_tokens * sizeof *tokens);
    slot->size = (uint8_t)size;
    slot->n_tokens = (uint8_t)n_tokens;
}

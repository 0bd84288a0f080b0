/* A cache of words: see words.h. */
#include "words.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_slots = 1 << 15; /* 2 MiB: a processor's L2 cache */

int words_new(struct words *w, size_t size)
{
    w->n_slots = 16;
    while (w->n_slots < size / 8 && w->n_slots < most_slots)
        w->n_slots *= 2;
    w->slots = calloc(w->n_slots, sizeof *w->slots);
    return w->slots ? 0 : -1;
}

void words_free(struct words *w)
{
    free(w->slots);
    *w = (struct words){0};
}

struct word *words_slot(const struct words *w, const char *text, size_t size)
{
    return &w->slots[hash_bytes(text, size) & (w->n_slots - 1)];
}

bool word_is(const struct word *slot, const char *text, size_t size)
{
    return slot->size == size && memcmp(slot->text, text, size) == 0;
}

void word_keep(struct word *slot, const char *text, size_t size,
               const int *tokens, size_t n_tokens)
{
    if (n_tokens > WORD_TOKENS_MAX)
        return;
    memcpy(slot->text, text, size);
    memcpy(slot->tokens, tokens, n_tokens * sizeof *tokens);
    slot->size = (uint8_t)size;
    slot->n_tokens = (uint8_t)n_tokens;
}

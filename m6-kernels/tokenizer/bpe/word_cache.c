/* A cache of words: see word_cache.h. */
#include "word_cache.h"

#include "bytelevel.h"
#include "encode_words.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

static const size_t most_slots = 1 << 15; /* 2 MiB: an L2 cache */

int word_cache_open(struct word_cache *c, size_t size, struct error *e)
{
    c->n_slots = 16;
    while (c->n_slots < size / 8 && c->n_slots < most_slots)
        c->n_slots *= 2;
    size_t bytes = c->n_slots * sizeof *c->slots;
    c->slots = aligned_alloc(sizeof *c->slots, bytes);
    if (!c->slots)
        return fail_memory(e, "the cache of words");
    memset(c->slots, 0, bytes);
    return 0;
}

void word_cache_close(struct word_cache *c)
{
    free(c->slots);
    bytes_free(&c->spelled);
    *c = (struct word_cache){0};
}

static bool slot_has(const struct cached_word *slot, const char *word,
                     size_t size)
{
    return slot->size == size && memcmp(slot->text, word, size) == 0;
}

static void keep_word(struct cached_word *slot, const char *word, size_t size,
                      const int *tokens, size_t n_tokens)
{
    if (n_tokens > CACHED_TOKENS)
        return;
    memcpy(slot->text, word, size);
    memcpy(slot->tokens, tokens, n_tokens * sizeof *tokens);
    slot->size = (uint8_t)size;
    slot->n_tokens = (uint8_t)n_tokens;
}

int word_spelled(struct word_cache *c, const char **word, size_t *size,
                 struct error *e)
{
    if (!c->spells)
        return 0;
    c->spelled.size = 0;
    bytelevel_spell(*word, *size, &c->spelled);
    *word = c->spelled.data;
    *size = c->spelled.size;
    return c->spelled.failed ? fail_memory(e, "a word") : 0;
}

static int encode_anew(struct word_cache *c, struct bpe *b, const char *word,
                       size_t size, struct ids *out, struct error *e)
{
    return word_spelled(c, &word, &size, e) ||
                   encode_word(b, word, size, out, e)
               ? -1
               : 0;
}

int encode_cached_word(struct word_cache *c, struct bpe *b, const char *word,
                       size_t size, struct ids *out, struct error *e)
{
    size_t before = out->size;
    if (size == 0 || size > CACHED_SIZE)
        return encode_anew(c, b, word, size, out, e);
    struct cached_word *slot =
        &c->slots[hash_bytes(word, size) & (c->n_slots - 1)];
    if (slot_has(slot, word, size)) {
        for (size_t i = 0; i < slot->n_tokens; i++)
            ids_add(out, slot->tokens[i]);
        return 0;
    }
    if (encode_anew(c, b, word, size, out, e))
        return -1;
    if (!out->failed)
        keep_word(slot, word, size, out->data + before, out->size - before);
    return 0;
}

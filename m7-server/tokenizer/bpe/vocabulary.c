/* The vocabulary: see vocabulary.h. */
#include "vocabulary.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t free_slot = UINT32_MAX;

/* The slot of a spelling, or the free one where it belongs. */
static uint32_t *token_slot(const struct vocabulary *v, const char *text,
                            size_t size)
{
    size_t at = hash_bytes(text, size) & (v->n_slots - 1);
    for (; v->slots[at] != free_slot; at = (at + 1) & (v->n_slots - 1)) {
        const struct token *t = &v->tokens[v->slots[at]];
        if (t->size == size &&
            memcmp(v->spellings.data + t->at, text, size) == 0)
            break;
    }
    return &v->slots[at];
}

/* Make the hash table large enough for `count` tokens. */
static int reserve_slots(struct vocabulary *v, size_t count, struct error *e)
{
    size_t n_slots = v->n_slots ? v->n_slots : 16;
    while (n_slots / 2 <= count)
        n_slots *= 2;
    if (n_slots == v->n_slots)
        return 0;
    uint32_t *slots = malloc(n_slots * sizeof *slots);
    if (!slots)
        return fail_memory(e, "the vocabulary");
    memset(slots, 0xFF, n_slots * sizeof *slots);
    free(v->slots);
    v->slots = slots;
    v->n_slots = n_slots;
    for (size_t id = 0; id < v->size; id++)
        if (v->tokens[id].used)
            *token_slot(v, v->spellings.data + v->tokens[id].at,
                        v->tokens[id].size) = (uint32_t)id;
    return 0;
}

/* Make room for an id. */
static int reserve_id(struct vocabulary *v, uint32_t id, struct error *e)
{
    struct token *moved =
        grow(v->tokens, &v->capacity, (size_t)id + 1, sizeof *moved);
    if (!moved)
        return fail_memory(e, "the vocabulary");
    v->tokens = moved;
    for (; v->size <= id; v->size++)
        v->tokens[v->size] = (struct token){0};
    return 0;
}

int vocabulary_add(struct vocabulary *v, const char *text, size_t size,
                   uint32_t id, bool in_model, struct error *e)
{
    if (reserve_id(v, id, e) || reserve_slots(v, v->n_used + 1, e))
        return -1;
    size_t at = v->spellings.size;
    bytes_add(&v->spellings, text, size);
    bytes_add(&v->spellings, "", 1);
    if (v->spellings.failed)
        return fail_memory(e, "the vocabulary");
    v->tokens[id] = (struct token){at, (uint32_t)size, true, in_model};
    v->n_used++;
    *token_slot(v, text, size) = id;
    return 0;
}

static int add_entry(struct vocabulary *v, const struct node *entry,
                     struct error *e)
{
    size_t id;
    if (node_size(entry, TOKEN_ID_MAX, &id, e))
        return -1;
    if (id < v->size && v->tokens[id].used)
        return node_fail(entry, ERROR_INPUT, e,
                         "id %zu is also that of \"%s\"", id,
                         v->spellings.data + v->tokens[id].at);
    return vocabulary_add(v, entry->key, strlen(entry->key), (uint32_t)id,
                          true, e);
}

int vocabulary_read(const struct node *vocab, struct vocabulary *v,
                    struct error *e)
{
    const char *key;
    json_t *value;
    if (node_object(vocab, e) ||
        reserve_slots(v, json_object_size(vocab->value), e))
        return -1;
    json_object_foreach(vocab->value, key, value)
    {
        struct node entry = {vocab->file, vocab, key, 0, value};
        if (add_entry(v, &entry, e))
            return -1;
    }
    return v->size ? 0 : node_fail(vocab, ERROR_INPUT, e, "is empty");
}

void vocabulary_free(struct vocabulary *v)
{
    free(v->tokens);
    free(v->slots);
    bytes_free(&v->spellings);
    *v = (struct vocabulary){0};
}

int vocabulary_find(const struct vocabulary *v, const char *text, size_t size)
{
    if (v->n_slots == 0)
        return -1;
    uint32_t id = *token_slot(v, text, size);
    return id == free_slot ? -1 : (int)id;
}

int vocabulary_find_model(const struct vocabulary *v, const char *text,
                          size_t size)
{
    int id = vocabulary_find(v, text, size);
    return id >= 0 && v->tokens[id].in_model ? id : -1;
}

const char *vocabulary_text(const struct vocabulary *v, int id, size_t *size)
{
    if (id < 0 || (size_t)id >= v->size || !v->tokens[id].used)
        return NULL;
    *size = v->tokens[id].size;
    return v->spellings.data + v->tokens[id].at;
}

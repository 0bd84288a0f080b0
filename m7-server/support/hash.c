/* Hashing: see hash.h.  Knows nothing of tokens. */
#include "hash.h"

#include <stdlib.h>
#include <string.h>

/* An odd number near 2^64 / the golden ratio: multiplying by it spreads
 * neighbouring numbers far apart (Knuth, volume 3, section 6.4). */
static const uint64_t spread = 0x9E3779B97F4A7C15;

static uint64_t hash_number(uint64_t number)
{
    number = (number ^ number >> 32) * spread;
    return number ^ number >> 29;
}

uint64_t hash_bytes(const char *data, size_t size)
{
    uint64_t hash = size, word;
    for (; size >= sizeof word; data += sizeof word, size -= sizeof word) {
        memcpy(&word, data, sizeof word);
        hash = hash_number(hash * spread + word);
    }
    word = 0;
    memcpy(&word, data, size);
    return hash_number(hash * spread + word);
}

/* The slot of a key, or the free one where it belongs. */
static struct map_slot *map_slot_of(const struct map *m, uint64_t key)
{
    size_t at = hash_number(key) & (m->capacity - 1);
    while (m->slots[at].value != MAP_NONE && m->slots[at].key != key)
        at = (at + 1) & (m->capacity - 1);
    return &m->slots[at];
}

static int map_resize(struct map *m, size_t capacity)
{
    struct map larger = {.capacity = capacity, .used = m->used};
    if (capacity > SIZE_MAX / sizeof *larger.slots)
        return -1;
    larger.slots = malloc(capacity * sizeof *larger.slots);
    if (!larger.slots)
        return -1;
    for (size_t i = 0; i < capacity; i++)
        larger.slots[i] = (struct map_slot){0, MAP_NONE};
    for (size_t i = 0; i < m->capacity; i++)
        if (m->slots[i].value != MAP_NONE)
            *map_slot_of(&larger, m->slots[i].key) = m->slots[i];
    free(m->slots);
    *m = larger;
    return 0;
}

int map_reserve(struct map *m, size_t count)
{
    size_t capacity = m->capacity ? m->capacity : 16;
    while (capacity / 2 < count && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    return capacity > m->capacity ? map_resize(m, capacity) : 0;
}

int map_put(struct map *m, uint64_t key, uint32_t value)
{
    if (map_reserve(m, m->used + 1))
        return -1;
    struct map_slot *slot = map_slot_of(m, key);
    m->used += slot->value == MAP_NONE;
    *slot = (struct map_slot){key, value};
    return 0;
}

uint32_t map_find(const struct map *m, uint64_t key)
{
    return m->capacity ? map_slot_of(m, key)->value : MAP_NONE;
}

void map_free(struct map *m)
{
    free(m->slots);
    *m = (struct map){0};
}

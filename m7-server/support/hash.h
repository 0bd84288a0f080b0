/* Hashing: of bytes, and a table from number to number.
 *
 * The table is the one of every textbook: a power of two of slots, at most
 * half of them in use, and a key that finds its slot taken moves on to the
 * next (Knuth, volume 3, section 6.4, "linear probing"). */
#ifndef HASH_H
#define HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const char *data, size_t size);

#define MAP_NONE UINT32_MAX /* what map_find answers for an absent key */

struct map_slot {
    uint64_t key;
    uint32_t value; /* MAP_NONE: the slot is free */
};

/* Start it as {0}; any key will do, and any value but MAP_NONE. */
struct map {
    struct map_slot *slots; /* (capacity,), a power of two, or NULL */
    size_t capacity, used;
};

/* Make room for `count` keys at once; -1 when there is no memory. */
int map_reserve(struct map *m, size_t count);

/* Set the value of a key, new or old; -1 when there is no memory. */
int map_put(struct map *m, uint64_t key, uint32_t value);

uint32_t map_find(const struct map *m, uint64_t key);
void map_free(struct map *m);

#endif

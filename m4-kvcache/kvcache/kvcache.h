/* The key-value cache: the keys and values of every token so far, layer by
 * layer.
 *
 * A token is read by later ones only through its keys and values, and these
 * never change: what comes later cannot alter them.  So they are computed
 * once, when the token is read, and kept.  Keys stand here as they are
 * compared: normalized and rotated.  (A few models rotate by the length of the
 * whole text: see still_valid in forward.h.)
 *
 * A layer that sees no further back than a window keeps a ring: a few slots,
 * in which the newest position takes the place of the oldest.
 *
 * Knows nothing of the calculation.  In a forward pass only attention.c stores
 * and reads rows, and has them nowhere else; forward.c keeps ids and length. */
#ifndef KVCACHE_H
#define KVCACHE_H

#include "error.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>

struct cache_layer {
    size_t width;  /* numbers of a position: n_kv_heads * head_dim */
    size_t window; /* how far back the layer sees, itself included; 0: all */
    size_t slots;  /* how many positions there is room for */
    size_t first;  /* positions before this one were overwritten */
    float *keys, *values; /* (slots, width): see slot_of; owned */
};

struct cache {
    size_t capacity; /* the longest text */
    size_t chunk;    /* how many tokens are written at once, at most */
    size_t length;   /* how many tokens are held: positions 0 .. length - 1 */
    size_t rotated;  /* how long the text was that their keys were rotated for:
                        some ropes turn by it */
    int *ids;        /* (capacity,): which tokens these are; owned */
    struct cache_layer *layers; /* (n_layers,); owned */
    size_t n_layers;
};

/* Make room for texts of up to `capacity` tokens, written at most `chunk` at
 * once.  A ring has window + chunk - 1 slots: the first token of a chunk still
 * finds its whole window when the last one is written.  After an error *c
 * holds nothing. */
int cache_init(struct cache *c, const struct model *m, size_t capacity,
               size_t chunk, struct error *e);
void cache_free(struct cache *c);

/* The row in which position p stands, among `slots` of a ring; slots 0: there
 * are as many rows as positions. */
static inline size_t slot_of(size_t slots, size_t p)
{
    return p < slots || slots == 0 ? p : p % slots;
}

/* Keep the keys and values (n, width) of the positions from .. from + n - 1,
 * n at most the chunk.  c->length grows when all layers have theirs. */
void cache_store(struct cache_layer *l, size_t from, size_t n,
                 const float *keys, const float *values);

/* Take over the positions below n from another cache's layer of the same
 * width, as far as it has them and there is room for the newest. */
void cache_copy_layer(struct cache_layer *to, const struct cache_layer *from,
                      size_t n);

/* How many tokens the text that is held and the text ids (n,) have in common,
 * from the first on. */
size_t cache_common(const struct cache *c, const int *ids, size_t n);

/* Whether the layer still has what the token at position n looks at. */
bool cache_reaches_back(const struct cache_layer *l, size_t n);

/* Forget the tokens from position n on.  Returns how many are left: n, or all
 * when there were fewer; but 0 where a ring has overwritten what the token at
 * position n would look at. */
size_t cache_truncate(struct cache *c, size_t n);

/* Bytes that one position takes in all layers, and that the whole cache
 * does. */
size_t cache_position_bytes(const struct cache *c);
size_t cache_bytes(const struct cache *c);

#endif

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
 * In which form a row is stored is chosen when the cache is made: cache_form.h
 * has the table.  A row is whole in itself, so the same functions store and
 * read one wherever it stands.
 *
 * It stands in one of two orders.  Where math/ computes, position after
 * position; where kernels do, since model_pack, in panels of 16 positions
 * (panels.h), with the same bytes.  A cache of blocks that many texts share
 * takes the place of key_row, value_row and panel_of, and of nothing else.
 *
 * Knows nothing of the calculation.  In a forward pass only attention.c stores
 * and reads rows, and has them nowhere else; forward.c keeps ids and length.
 */
#ifndef KVCACHE_H
#define KVCACHE_H

#include "cache_form.h"
#include "error.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>

struct cache_layer {
    size_t width;    /* numbers of a position: n_kv_heads * head_dim */
    size_t head_dim; /* of which a head has so many */
    size_t window; /* how far back the layer sees, itself included; 0: all */
    size_t slots;  /* how many positions there is room for */
    size_t first;  /* positions before this one were overwritten */
    const struct head_form *key_form, *value_form; /* not owned */
    size_t key_bytes, value_bytes; /* of a position, as they are stored */
    unsigned char *keys, *values;  /* (slots, key_bytes), (slots, value_bytes):
                                      see key_row; owned; NULL where there are
                                      panels instead: */
    struct panels key_panels, value_panels; /* owned */
    unsigned char *room; /* (key_bytes + value_bytes,): of a position, on its
                            way into panels or out of them; owned */
};

struct cache {
    size_t capacity; /* the longest text */
    size_t chunk;    /* how many tokens are written at once, at most */
    size_t length;   /* how many tokens are held: positions 0 .. length - 1 */
    size_t rotated;  /* how long the text was that their keys were rotated for:
                        some ropes turn by it */
    int *ids;        /* (capacity,): which tokens these are; owned */
    size_t n_vocab;  /* each of them is below this */
    const struct cache_form *form; /* not owned */
    enum arithmetic arithmetic; /* that computes what is stored here */
    struct cache_layer *layers; /* (n_layers,); owned */
    size_t n_layers;
};

/* Make room for texts of up to `capacity` tokens, written at most `chunk` at
 * once.  A ring has window + chunk - 1 slots: the first token of a chunk still
 * finds its whole window when the last one is written.  Of panels there are
 * whole ones.  After an error *c holds nothing. */
int cache_init(struct cache *c, const struct model *m, size_t capacity,
               size_t chunk, struct error *e);

/* The same in a form of the table; NULL, as for cache_init: floats. */
int cache_init_form(struct cache *c, const struct model *m,
                    const struct cache_form *form, size_t capacity,
                    size_t chunk, struct error *e);
void cache_free(struct cache *c);

/* The row in which position p stands, among `slots` of a ring. */
static inline size_t slot_of(size_t slots, size_t p)
{
    return p < slots ? p : p % slots;
}

/* The forms of layer l of n_layers, whose width and head_dim are set, and how
 * many bytes its rows have. */
void cache_layer_form(struct cache_layer *layer, const struct cache_form *form,
                      size_t l, size_t n_layers);

/* Make room for the rows of a layer whose form and slots are set; calloc
 * leaves pages that are never written to the system.  After an error what
 * there is belongs to the layer all the same. */
int cache_reserve(struct cache_layer *l, struct error *e);

static inline bool cache_in_panels(const struct cache_layer *l)
{
    return l->key_panels.data != NULL;
}

/* Where the key of position p, and the value, is stored when there are no
 * panels: the one place that knows in which order positions stand. */
static inline unsigned char *key_row(const struct cache_layer *l, size_t p)
{
    return l->keys + slot_of(l->slots, p) * l->key_bytes;
}

static inline unsigned char *value_row(const struct cache_layer *l, size_t p)
{
    return l->values + slot_of(l->slots, p) * l->value_bytes;
}

/* The numbers (width,) that a row `stored` of `bytes` stands for: the row
 * itself where it is floats, else `row`, which has room for them and is filled
 * in.  With cache_store, the only ones that know in which form rows are. */
const float *cache_numbers(const struct cache_layer *l,
                           const struct head_form *form,
                           const unsigned char *stored, size_t bytes,
                           float *row);

/* The bytes of the key of position p, and of the value, in their form: taken
 * out of panels, they are good until the layer is asked again. */
const unsigned char *stored_key(const struct cache_layer *l, size_t p);
const unsigned char *stored_value(const struct cache_layer *l, size_t p);

/* The key of position p, and the value: (width,), good until `row` (width,) is
 * used again.  One thread at a time. */
static inline const float *cache_key(const struct cache_layer *l, size_t p,
                                     float *row)
{
    return cache_numbers(l, l->key_form, stored_key(l, p), l->key_bytes, row);
}

static inline const float *cache_value(const struct cache_layer *l, size_t p,
                                       float *row)
{
    return cache_numbers(l, l->value_form, stored_value(l, p), l->value_bytes,
                         row);
}

/* Keep the keys and values (n, width) of the positions from .. from + n - 1,
 * n at most the chunk.  c->length grows when all layers have theirs. */
void cache_store(struct cache_layer *l, size_t from, size_t n,
                 const float *keys, const float *values);

/* The same, of the heads first .. end - 1 alone: several threads may each
 * store some.  When all are stored, cache_stored says so to the layer. */
void cache_store_heads(const struct cache_layer *l, size_t first, size_t end,
                       size_t from, size_t n, const float *keys,
                       const float *values);
void cache_stored(struct cache_layer *l, size_t end);

/* Take over the positions below n from another cache's layer of the same
 * width and form, as far as it has them and there is room for the newest. */
void cache_copy_layer(struct cache_layer *to, const struct cache_layer *from,
                      size_t n);

/* How many tokens the text that is held and the text ids (n,) have in common,
 * from the first on. */
size_t cache_common(const struct cache *c, const int *ids, size_t n);

/* The first of the positions below n that the layer still has: what was
 * overwritten is lost, and what was forgotten does not count. */
size_t cache_first_kept(const struct cache_layer *l, size_t n);

/* Whether the layer still has what the token at position n looks at. */
bool cache_reaches_back(const struct cache_layer *l, size_t n);

/* Forget the tokens from position n on.  Returns how many are left: n, or all
 * when there were fewer; but 0 where a ring has overwritten what the token at
 * position n would look at. */
size_t cache_truncate(struct cache *c, size_t n);

/* Bytes that one position takes in a layer, and in all; and that the whole
 * cache does. */
size_t cache_layer_bytes(const struct cache_layer *l);
size_t cache_position_bytes(const struct cache *c);
size_t cache_bytes(const struct cache *c);

#endif

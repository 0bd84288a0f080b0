/* The key-value cache: see kvcache.h. */
#include "kvcache.h"

#include <stdlib.h>
#include <string.h>

/* Room for the keys or values of one layer; calloc refuses a product that
 * overflows, and leaves pages that are never written to the system. */
static float *reserve_rows(const struct cache_layer *l)
{
    return calloc(l->slots, l->width * sizeof(float));
}

/* A ring where the window is shorter than the text. */
static size_t count_slots(size_t window, size_t chunk, size_t capacity)
{
    if (window == 0 || window > capacity || chunk > capacity - window)
        return capacity;
    return window + chunk - 1;
}

static int init_layer(struct cache_layer *l, const struct attention *a,
                      size_t capacity, size_t chunk, struct error *e)
{
    *l =
        (struct cache_layer){.width = a->n_kv_heads * a->head_dim,
                             .window = a->window,
                             .slots = count_slots(a->window, chunk, capacity)};
    l->keys = reserve_rows(l);
    l->values = reserve_rows(l);
    return l->keys && l->values ? 0 : fail_memory(e, "the cache");
}

static int init_layers(struct cache *c, const struct model *m, size_t chunk,
                       struct error *e)
{
    c->ids = calloc(c->capacity, sizeof *c->ids);
    c->layers = calloc(m->config.n_layers, sizeof *c->layers);
    if (!c->ids || !c->layers)
        return fail_memory(e, "the cache");
    c->n_layers = m->config.n_layers;
    for (size_t l = 0; l < c->n_layers; l++)
        if (init_layer(&c->layers[l], &m->layers[l].attention, c->capacity,
                       chunk, e))
            return -1;
    return 0;
}

int cache_init(struct cache *c, const struct model *m, size_t capacity,
               size_t chunk, struct error *e)
{
    *c = (struct cache){.capacity = capacity, .chunk = chunk};
    int result = init_layers(c, m, chunk, e);
    if (result)
        cache_free(c);
    return result;
}

void cache_free(struct cache *c)
{
    for (size_t l = 0; l < c->n_layers; l++) {
        free(c->layers[l].keys);
        free(c->layers[l].values);
    }
    free(c->layers);
    free(c->ids);
    *c = (struct cache){0};
}

void cache_store(struct cache_layer *l, size_t from, size_t n,
                 const float *keys, const float *values)
{
    size_t bytes = l->width * sizeof(float);
    for (size_t t = 0; t < n; t++) {
        size_t slot = slot_of(l->slots, from + t);
        memcpy(l->keys + slot * l->width, keys + t * l->width, bytes);
        memcpy(l->values + slot * l->width, values + t * l->width, bytes);
    }
    if (from + n > l->slots && from + n - l->slots > l->first)
        l->first = from + n - l->slots;
}

void cache_copy_layer(struct cache_layer *to, const struct cache_layer *from,
                      size_t n)
{
    to->first = from->first < n ? from->first : n;
    for (size_t p = to->first; p < n; p++) {
        size_t at = slot_of(from->slots, p) * from->width;
        cache_store(to, p, 1, from->keys + at, from->values + at);
    }
}

size_t cache_common(const struct cache *c, const int *ids, size_t n)
{
    size_t same = 0;
    while (same < n && same < c->length && c->ids[same] == ids[same])
        same++;
    return same;
}

bool cache_reaches_back(const struct cache_layer *l, size_t n)
{
    size_t start = l->window > 0 && n + 1 > l->window ? n + 1 - l->window : 0;
    return l->first <= start;
}

size_t cache_truncate(struct cache *c, size_t n)
{
    if (n >= c->length)
        return c->length;
    for (size_t l = 0; l < c->n_layers; l++)
        if (!cache_reaches_back(&c->layers[l], n))
            n = 0;
    c->length = n;
    for (size_t l = 0; n == 0 && l < c->n_layers; l++)
        c->layers[l].first = 0;
    return n;
}

size_t cache_position_bytes(const struct cache *c)
{
    size_t bytes = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        bytes += 2 * c->layers[l].width * sizeof(float);
    return bytes;
}

size_t cache_bytes(const struct cache *c)
{
    size_t bytes = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        bytes += 2 * c->layers[l].slots * c->layers[l].width * sizeof(float);
    return bytes;
}

/* The key-value cache: see kvcache.h. */
#include "kvcache.h"

#include "sizes.h"

#include <stdlib.h>
#include <string.h>

static size_t row_bytes_of(const struct cache_layer *l,
                           const struct head_form *form)
{
    return l->width / l->head_dim * form->bytes(form->bits, l->head_dim);
}

void cache_layer_form(struct cache_layer *layer, const struct cache_form *form,
                      size_t l, size_t n_layers)
{
    layer->key_form = &form->key;
    layer->value_form = value_form(form, l, n_layers);
    layer->key_bytes = row_bytes_of(layer, layer->key_form);
    layer->value_bytes = row_bytes_of(layer, layer->value_form);
}

int cache_reserve(struct cache_layer *l, struct error *e)
{
    bool any = l->slots > 0;
    l->keys = calloc(any ? l->slots : 1, any ? l->key_bytes : 1);
    l->values = calloc(any ? l->slots : 1, any ? l->value_bytes : 1);
    return l->keys && l->values ? 0 : fail_memory(e, "the cache");
}

/* A ring where the window is shorter than the text. */
static size_t count_slots(size_t window, size_t chunk, size_t capacity)
{
    if (window == 0 || window > capacity || chunk > capacity - window)
        return capacity;
    return window + chunk - 1;
}

static int init_layer(struct cache *c, size_t i, const struct attention *a,
                      struct error *e)
{
    struct cache_layer *l = &c->layers[i];
    *l = (struct cache_layer){
        .width = a->n_kv_heads * a->head_dim,
        .head_dim = a->head_dim,
        .window = a->window,
        .slots = count_slots(a->window, c->chunk, c->capacity)};
    cache_layer_form(l, c->form, i, c->n_layers);
    return cache_reserve(l, e);
}

static int init_layers(struct cache *c, const struct model *m, struct error *e)
{
    c->ids = calloc(c->capacity, sizeof *c->ids);
    c->layers = calloc(m->config.n_layers, sizeof *c->layers);
    if (!c->ids || !c->layers)
        return fail_memory(e, "the cache");
    c->n_layers = m->config.n_layers;
    for (size_t l = 0; l < c->n_layers; l++)
        if (init_layer(c, l, &m->layers[l].attention, e))
            return -1;
    return 0;
}

int cache_init_form(struct cache *c, const struct model *m,
                    const struct cache_form *form, size_t capacity,
                    size_t chunk, struct error *e)
{
    *c = (struct cache){.capacity = capacity,
                        .chunk = chunk,
                        .n_vocab = m->config.vocab_size,
                        .form = form ? form : cache_form_row(0)};
    int result = init_layers(c, m, e);
    if (result)
        cache_free(c);
    return result;
}

int cache_init(struct cache *c, const struct model *m, size_t capacity,
               size_t chunk, struct error *e)
{
    return cache_init_form(c, m, NULL, capacity, chunk, e);
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

/* The newest position of a ring has taken the oldest's place. */
static void note_overwritten(struct cache_layer *l, size_t end)
{
    if (end > l->slots && end - l->slots > l->first)
        l->first = end - l->slots;
}

/* Head by head: x (width,) to a row of the layer. */
static void store_row(const struct cache_layer *l,
                      const struct head_form *form, const float *x,
                      unsigned char *row)
{
    size_t bytes = form->bytes(form->bits, l->head_dim);
    for (size_t at = 0; at < l->width; at += l->head_dim, row += bytes)
        form->store(form->bits, x + at, l->head_dim, row);
}

void cache_store(struct cache_layer *l, size_t from, size_t n,
                 const float *keys, const float *values)
{
    for (size_t t = 0; t < n; t++) {
        store_row(l, l->key_form, keys + t * l->width, key_row(l, from + t));
        store_row(l, l->value_form, values + t * l->width,
                  value_row(l, from + t));
    }
    note_overwritten(l, from + n);
}

const float *cache_numbers(const struct cache_layer *l,
                           const struct head_form *form,
                           const unsigned char *stored, size_t bytes,
                           float *row)
{
    if (!form->read)
        return (const float *)(const void *)stored;
    bytes /= l->width / l->head_dim;
    for (size_t at = 0; at < l->width; at += l->head_dim, stored += bytes)
        form->read(form->bits, stored, l->head_dim, row + at);
    return row;
}

size_t cache_first_kept(const struct cache_layer *l, size_t n)
{
    return smaller_size(l->first, n);
}

void cache_copy_layer(struct cache_layer *to, const struct cache_layer *from,
                      size_t n)
{
    to->first = cache_first_kept(from, n);
    for (size_t p = to->first; p < n; p++) {
        memcpy(key_row(to, p), key_row(from, p), to->key_bytes);
        memcpy(value_row(to, p), value_row(from, p), to->value_bytes);
        note_overwritten(to, p + 1);
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

size_t cache_layer_bytes(const struct cache_layer *l)
{
    return l->key_bytes + l->value_bytes;
}

size_t cache_position_bytes(const struct cache *c)
{
    size_t bytes = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        bytes += cache_layer_bytes(&c->layers[l]);
    return bytes;
}

size_t cache_bytes(const struct cache *c)
{
    size_t bytes = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        bytes += c->layers[l].slots * cache_layer_bytes(&c->layers[l]);
    return bytes;
}

/* The key-value cache: see kvcache.h. */
#include "kvcache.h"

#include "lloyd_max.h"
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

/* How many heads a position has. */
static size_t heads_of(const struct cache_layer *l)
{
    return l->width / l->head_dim;
}

static size_t row_bytes_of(const struct cache_layer *l,
                           const struct head_form *form)
{
    return heads_of(l) * form->bytes(form->bits, l->head_dim);
}

void cache_layer_form(struct cache_layer *layer, const struct cache_form *form,
                      size_t l, size_t n_layers)
{
    layer->key_form = &form->key;
    layer->value_form = value_form(form, l, n_layers);
    layer->key_bytes = row_bytes_of(layer, layer->key_form);
    layer->value_bytes = row_bytes_of(layer, layer->value_form);
}

/* What codes of few bits stand for. */
static void set_centroids(struct panels *p, const struct head_form *form)
{
    size_t n = (size_t)1 << form->bits;
    for (size_t i = 0; p->kind >= PANEL_4BITS && i < MOST_CENTROIDS; i++)
        p->centroids[i] = lloyd_max(form->bits)->centroids[i % n];
}

/* The same in panels; slots is a multiple of a block's positions. */
static int reserve_panels(struct cache_layer *l, struct error *e)
{
    size_t heads = heads_of(l), blocks = l->slots / BLOCK_POSITIONS;
    l->key_panels =
        panels_shape(l->key_form->panel, false, heads, l->head_dim);
    l->value_panels =
        panels_shape(l->value_form->panel, true, heads, l->head_dim);
    set_centroids(&l->key_panels, l->key_form);
    set_centroids(&l->value_panels, l->value_form);
    l->room = calloc(1, l->key_bytes + l->value_bytes);
    if (!l->room)
        return fail_memory(e, "the cache");
    return panels_reserve(&l->key_panels, blocks, e) ||
                   panels_reserve(&l->value_panels, blocks, e)
               ? -1
               : 0;
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
    if (c->arithmetic == ARITHMETIC)
        return cache_reserve(l, e);
    l->slots = (l->slots + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS *
               BLOCK_POSITIONS;
    return reserve_panels(l, e);
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
                        .form = form ? form : cache_form_row(0),
                        .arithmetic =
                            m->set ? ARITHMETIC_KERNELS : ARITHMETIC};
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
        panels_free(&c->layers[l].key_panels);
        panels_free(&c->layers[l].value_panels);
        free(c->layers[l].room);
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

/* Where the key of position p is stored, in its form: in place, or on its way
 * into panels. */
static unsigned char *key_place(const struct cache_layer *l, size_t p)
{
    return cache_in_panels(l) ? l->room : key_row(l, p);
}

static unsigned char *value_place(const struct cache_layer *l, size_t p)
{
    return cache_in_panels(l) ? l->room + l->key_bytes : value_row(l, p);
}

/* Head `head` of position p, its numbers x (head_dim,), to its place. */
static void store_head(const struct cache_layer *l,
                       const struct panels *panels,
                       const struct head_form *form, size_t head, size_t p,
                       const float *x, unsigned char *place)
{
    size_t bytes = form->bytes(form->bits, l->head_dim);
    form->store(form->bits, x, l->head_dim, place + head * bytes);
    if (panels->data)
        panels_put(panels, p, head, place + head * bytes);
}

void cache_store_heads(const struct cache_layer *l, size_t first, size_t end,
                       size_t from, size_t n, const float *keys,
                       const float *values)
{
    for (size_t t = 0; t < n; t++)
        for (size_t head = first; head < end; head++) {
            size_t p = from + t, at = t * l->width + head * l->head_dim;
            store_head(l, &l->key_panels, l->key_form, head, p, keys + at,
                       key_place(l, p));
            store_head(l, &l->value_panels, l->value_form, head, p,
                       values + at, value_place(l, p));
        }
}

void cache_stored(struct cache_layer *l, size_t end)
{
    note_overwritten(l, end);
}

void cache_store(struct cache_layer *l, size_t from, size_t n,
                 const float *keys, const float *values)
{
    cache_store_heads(l, 0, heads_of(l), from, n, keys, values);
    cache_stored(l, from + n);
}

/* All heads of position p, out of panels. */
static void take_heads(const struct panels *panels, size_t p, size_t bytes,
                       unsigned char *out)
{
    for (size_t head = 0; head < panels->n_heads; head++)
        panels_take(panels, p, head, out + head * (bytes / panels->n_heads));
}

const unsigned char *stored_key(const struct cache_layer *l, size_t p)
{
    if (cache_in_panels(l))
        take_heads(&l->key_panels, p, l->key_bytes, key_place(l, p));
    return key_place(l, p);
}

const unsigned char *stored_value(const struct cache_layer *l, size_t p)
{
    if (cache_in_panels(l))
        take_heads(&l->value_panels, p, l->value_bytes, value_place(l, p));
    return value_place(l, p);
}

/* A key or value in its form, to its place. */
static void place_heads(const struct panels *panels, size_t p,
                      const unsigned char *stored, size_t bytes)
{
    for (size_t head = 0; head < panels->n_heads; head++)
        panels_put(panels, p, head, stored + head * (bytes / panels->n_heads));
}

static void copy_position(struct cache_layer *to,
                          const struct cache_layer *from, size_t p)
{
    memcpy(key_place(to, p), stored_key(from, p), to->key_bytes);
    memcpy(value_place(to, p), stored_value(from, p), to->value_bytes);
    if (!cache_in_panels(to))
        return;
    place_heads(&to->key_panels, p, key_place(to, p), to->key_bytes);
    place_heads(&to->value_panels, p, value_place(to, p), to->value_bytes);
}

const float *cache_numbers(const struct cache_layer *l,
                           const struct head_form *form,
                           const unsigned char *stored, size_t bytes,
                           float *row)
{
    if (!form->read && cache_in_panels(l))
        return memcpy(row, stored, bytes);
    if (!form->read)
        return (const float *)(const void *)stored;
    bytes /= heads_of(l);
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
        copy_position(to, from, p);
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

/* Panels of odd heads are filled up. */
static size_t layer_size(const struct cache_layer *l)
{
    if (cache_in_panels(l))
        return panels_size(&l->key_panels) + panels_size(&l->value_panels);
    return l->slots * cache_layer_bytes(l);
}

size_t cache_bytes(const struct cache *c)
{
    size_t bytes = 0;
    for (size_t l = 0; l < c->n_layers; l++)
        bytes += layer_size(&c->layers[l]);
    return bytes;
}

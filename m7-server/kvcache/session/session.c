/* Sessions: see session.h. */
#include "session.h"

#include "guard.h"
#include "mapping.h"
#include "ops.h"
#include "replace.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum session_sizes {
    VERSION = 2,
    HEAD = 48,       /* bytes before the layers */
    LAYER_HEAD = 24, /* bytes */
    CHECKSUM = 8     /* bytes */
};

static const char magic[8] = {'R', 'U', 'N', 'G', 'S', 'E', 'S', 'S'};

/* --- writing ------------------------------------------------------------- */

/* A file on its way, and the checksum of what went there: a cache may be as
 * large as the memory, so the file is never there as a whole. */
struct session_writer {
    struct replacement file;
    XXH3_state_t *sum;
    bool failed; /* *e says why, and no more is written */
    struct error *e;
};

static void put_bytes(struct session_writer *w, const void *data, size_t size)
{
    if (w->failed)
        return;
    XXH3_64bits_update(w->sum, data, size);
    w->failed = replace_add(&w->file, data, size, w->e) != 0;
}

static void put_u32(struct session_writer *w, uint32_t value)
{
    put_bytes(w, &value, sizeof value);
}

static void put_u64(struct session_writer *w, uint64_t value)
{
    put_bytes(w, &value, sizeof value);
}

/* How many numbers a position has, and where that matters a head. */
static uint64_t size_word(const struct cache_layer *l)
{
    return l->key_form->read ? l->width | (uint64_t)l->head_dim << 32
                             : l->width;
}

/* As they are stored, in whatever form. */
static void put_rows(struct session_writer *w, const struct cache_layer *l,
                     size_t length)
{
    for (size_t p = cache_first_kept(l, length); p < length; p++)
        put_bytes(w, stored_key(l, p), l->key_bytes);
    for (size_t p = cache_first_kept(l, length); p < length; p++)
        put_bytes(w, stored_value(l, p), l->value_bytes);
}

static void put_session(struct session_writer *w, const struct cache *c,
                        uint64_t model)
{
    put_bytes(w, magic, sizeof magic);
    put_u32(w, VERSION);
    put_u32(w, (uint32_t)c->n_layers);
    put_u64(w, model);
    put_u64(w, c->length);
    put_u64(w, c->rotated);
    put_u32(w, (uint32_t)c->arithmetic);
    put_u32(w, c->form->number);
    for (size_t l = 0; l < c->n_layers; l++) {
        put_u64(w, size_word(&c->layers[l]));
        put_u64(w, c->layers[l].window);
        put_u64(w, cache_first_kept(&c->layers[l], c->length));
    }
    for (size_t i = 0; i < c->length; i++)
        put_u32(w, (uint32_t)c->ids[i]);
    for (size_t l = 0; l < c->n_layers; l++)
        put_rows(w, &c->layers[l], c->length);
    put_u64(w, XXH3_64bits_digest(w->sum));
}

static int replace_session(struct session_writer *w, const char *path,
                           const struct cache *c, uint64_t model)
{
    if (replace_begin(&w->file, path, w->e))
        return -1;
    put_session(w, c, model);
    if (!w->failed)
        return replace_end(&w->file, w->e);
    replace_cancel(&w->file);
    return -1;
}

int session_save(const char *path, const struct cache *c, uint64_t model,
                 struct error *e)
{
    struct session_writer w = {.sum = XXH3_createState(), .e = e};
    if (!w.sum)
        return fail_memory(e, "the session");
    XXH3_64bits_reset(w.sum);
    int result = replace_session(&w, path, c, model);
    XXH3_freeState(w.sum);
    return result;
}

/* --- reading ------------------------------------------------------------- */

/* A walk through a file's bytes. */
struct session_reader {
    const struct mapping *file;
    size_t at;
};

static uint64_t take(struct session_reader *r, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, r->file->data + r->at, size);
    r->at += size;
    return value;
}

static int fail_damaged(const struct session_reader *r, const char *what,
                        struct error *e)
{
    return fail(e, ERROR_INPUT, "%s: at byte %zu: %s", r->file->path, r->at,
                what);
}

/* What can be said of a file before its numbers are believed. */
static int check_file(const struct mapping *m, struct error *e)
{
    uint64_t said, found;
    uint32_t version;
    if (m->size < sizeof magic || memcmp(m->data, magic, sizeof magic) != 0)
        return fail(e, ERROR_INPUT,
                    "%s: at byte 0: this is no session, which would begin "
                    "with RUNGSESS",
                    m->path);
    if (m->size < HEAD + CHECKSUM)
        return fail(e, ERROR_INPUT,
                    "%s: at byte %zu: the file ends in its head; it was cut "
                    "off",
                    m->path, m->size);
    memcpy(&version, m->data + sizeof magic, sizeof version);
    if (version != VERSION)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 8: the layout has version %lu%s; this "
                    "program reads version %d",
                    m->path, (unsigned long)version,
                    version == 1 ? ", which does not say by which arithmetic "
                                   "it was computed"
                                 : "",
                    VERSION);
    memcpy(&said, m->data + m->size - CHECKSUM, CHECKSUM);
    found = XXH3_64bits(m->data, m->size - CHECKSUM);
    if (said != found)
        return fail(e, ERROR_INPUT,
                    "%s: at byte %zu: the checksum is not that "
                    "of the bytes before; the file is damaged or was cut off",
                    m->path, m->size - CHECKSUM);
    return 0;
}

/* The reverse of size_word. */
static void take_sizes(struct session_reader *r, const struct cache_form *form,
                       struct cache_layer *l)
{
    uint64_t word = take(r, 8);
    l->width = form->key.read ? word & UINT32_MAX : word;
    l->head_dim = form->key.read ? word >> 32 : word;
}

/* Layer i's sizes.  *rest, the bytes that are left for tokens and rows,
 * shrinks by what its rows take.  A position takes less than 64 bytes for each
 * of its numbers; more than can be counted are impossible, also where no
 * position is held. */
static int read_layer_sizes(struct session_reader *r, struct cache *c,
                            size_t i, size_t *rest, struct error *e)
{
    struct cache_layer *l = &c->layers[i];
    take_sizes(r, c->form, l);
    l->window = take(r, 8);
    l->first = take(r, 8);
    if (l->head_dim == 0 || l->width == 0 || l->width % l->head_dim != 0 ||
        l->first > c->length)
        return fail_damaged(r, "a layer's sizes are impossible", e);
    l->slots = c->length - l->first;
    if (l->slots > 0 && l->width / 8 > *rest) /* each takes a bit at least */
        return fail_damaged(r, "a layer's rows are larger than the file", e);
    if (l->width > SIZE_MAX / 64)
        return fail_damaged(r, "a layer's sizes are impossible", e);
    cache_layer_form(l, c->form, i, c->n_layers);
    if (l->slots > *rest / cache_layer_bytes(l))
        return fail_damaged(r, "a layer's rows are larger than the file", e);
    *rest -= l->slots * cache_layer_bytes(l);
    return 0;
}

/* All sizes, before there is room for anything: together they must be those of
 * the file, so that nothing is reserved that it could not fill. */
static int read_layout(struct session_reader *r, size_t n_layers,
                       struct cache *c, struct error *e)
{
    size_t rest = r->file->size - HEAD - CHECKSUM;
    if (n_layers > rest / LAYER_HEAD)
        return fail_damaged(r, "there are more layers than bytes", e);
    c->layers = calloc(n_layers + 1, sizeof *c->layers);
    if (!c->layers)
        return fail_memory(e, "the session");
    c->n_layers = n_layers;
    rest -= c->n_layers * LAYER_HEAD;
    if (c->length > rest / 4)
        return fail_damaged(r, "there are more tokens than bytes", e);
    rest -= c->length * 4;
    for (size_t l = 0; l < c->n_layers; l++)
        if (read_layer_sizes(r, c, l, &rest, e))
            return -1;
    return rest == 0 ? 0
                     : fail_damaged(r,
                                    "there are bytes that belong to "
                                    "nothing",
                                    e);
}

static int read_held_ids(struct session_reader *r, struct cache *c,
                         struct error *e)
{
    c->ids = calloc(c->length + 1, sizeof *c->ids);
    if (!c->ids)
        return fail_memory(e, "the session");
    for (size_t i = 0; i < c->length; i++)
        c->ids[i] = (int)(int32_t)take(r, 4);
    return 0;
}

/* What is no number would make every logit none. */
static bool all_finite(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* One row, to where it is stored. */
static void take_row(struct session_reader *r, unsigned char *row,
                     size_t bytes)
{
    memcpy(row, r->file->data + r->at, bytes);
    r->at += bytes;
}

static int fail_number(struct session_reader *r, size_t bytes, struct error *e)
{
    r->at -= bytes;
    return fail_damaged(r, "a key or value is no number", e);
}

/* The keys and values of a layer, each looked at in row (l->width,). */
static int take_rows(struct session_reader *r, struct cache_layer *l,
                     size_t length, float *row, struct error *e)
{
    for (size_t p = l->first; p < length; p++) {
        take_row(r, key_row(l, p), l->key_bytes);
        if (!all_finite(cache_key(l, p, row), l->width))
            return fail_number(r, l->key_bytes, e);
    }
    for (size_t p = l->first; p < length; p++) {
        take_row(r, value_row(l, p), l->value_bytes);
        if (!all_finite(cache_value(l, p, row), l->width))
            return fail_number(r, l->value_bytes, e);
    }
    return 0;
}

/* The same, of a layer that is about to own them. */
static int read_rows(struct session_reader *r, struct cache_layer *l,
                     size_t length, struct error *e)
{
    if (l->slots == 0)
        return cache_reserve(l, e);
    float *row = calloc(l->width, sizeof *row);
    int result = row ? 0 : fail_memory(e, "the session");
    if (result == 0)
        result = cache_reserve(l, e);
    if (result == 0)
        result = take_rows(r, l, length, row, e);
    free(row);
    return result;
}

static int read_cache(struct session_reader *r, size_t n_layers,
                      struct cache *c, struct error *e)
{
    c->capacity = c->length;
    if (read_layout(r, n_layers, c, e) || read_held_ids(r, c, e))
        return -1;
    for (size_t l = 0; l < c->n_layers; l++)
        if (read_rows(r, &c->layers[l], c->length, e))
            return -1;
    return 0;
}

/* Numbers that were computed or stored in another way would go on with other
 * bits than a text that is read from its first token. */
static int check_session_kind(struct session_reader *r, struct cache *c,
                      struct error *e)
{
    uint32_t arithmetic = (uint32_t)take(r, 4), form = (uint32_t)take(r, 4);
    if (arithmetic != ARITHMETIC && arithmetic != ARITHMETIC_KERNELS)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 40: was computed by arithmetic %lu; this "
                    "program has %d and %d",
                    r->file->path, (unsigned long)arithmetic, ARITHMETIC,
                    ARITHMETIC_KERNELS);
    c->arithmetic = (enum arithmetic)arithmetic;
    c->form = cache_form_numbered(form);
    if (!c->form)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 44: its rows have form %lu, which this "
                    "program does not know",
                    r->file->path, (unsigned long)form);
    return 0;
}

static int read_session(const struct mapping *m, struct session *s,
                        struct error *e)
{
    struct session_reader r = {m, sizeof magic + 4};
    if (check_file(m, e))
        return -1;
    size_t n_layers = take(&r, 4);
    s->model = take(&r, 8);
    s->cache.length = take(&r, 8);
    s->cache.rotated = take(&r, 8);
    if (s->cache.rotated < s->cache.length)
        return fail_damaged(&r, "the keys were rotated for a shorter text", e);
    if (check_session_kind(&r, &s->cache, e))
        return -1;
    return read_cache(&r, n_layers, &s->cache, e);
}

int session_load(const char *path, struct session *s, struct error *e)
{
    struct mapping m;
    struct guard guard;
    *s = (struct session){0};
    if (mapping_open(&m, path, e))
        return -1;
    guard_begin(&guard, &m, 1);
    int result = read_session(&m, s, e);
    guard_end(&guard);
    mapping_close(&m);
    if (result)
        session_free(s);
    return result;
}

void session_free(struct session *s)
{
    cache_free(&s->cache);
    *s = (struct session){0};
}

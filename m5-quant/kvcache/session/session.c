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

/* As they are stored, in whatever form. */
static void put_rows(struct session_writer *w, const struct cache_layer *l,
                     size_t length)
{
    for (size_t p = cache_first_kept(l, length); p < length; p++)
        put_bytes(w, key_row(l, p), l->key_bytes);
    for (size_t p = cache_first_kept(l, length); p < length; p++)
        put_bytes(w, value_row(l, p), l->value_bytes);
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
    put_u32(w, ARITHMETIC);
    put_u32(w, c->form);
    for (size_t l = 0; l < c->n_layers; l++) {
        put_u64(w, c->layers[l].width);
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

/* A layer's sizes.  *rest, the bytes that are left for tokens and rows,
 * shrinks by what its rows take. */
static int read_layer_sizes(struct session_reader *r, struct cache_layer *l,
                            size_t length, size_t *rest, struct error *e)
{
    l->width = take(r, 8);
    l->window = take(r, 8);
    l->first = take(r, 8);
    if (l->width == 0 || l->first > length)
        return fail_damaged(r, "a layer's sizes are impossible", e);
    l->slots = length - l->first;
    if (l->slots == 0)
        return 0;
    if (l->width > *rest / 8 || l->slots > *rest / (8 * l->width))
        return fail_damaged(r, "a layer's rows are larger than the file", e);
    *rest -= l->slots * l->width * 8;
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
        if (read_layer_sizes(r, &c->layers[l], c->length, &rest, e))
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

/* One row, to where it is stored; *numbers are what that means. */
static int take_row(struct session_reader *r, unsigned char *row, size_t bytes,
                    const float *numbers, size_t width, struct error *e)
{
    memcpy(row, r->file->data + r->at, bytes);
    if (!all_finite(numbers, width))
        return fail_damaged(r, "a key or value is no number", e);
    r->at += bytes;
    return 0;
}

/* The keys and values of a layer, which is about to own them. */
static int read_rows(struct session_reader *r, struct cache_layer *l,
                     size_t length, struct error *e)
{
    if (cache_reserve(l, e))
        return -1;
    for (size_t p = l->first; p < length; p++)
        if (take_row(r, key_row(l, p), l->key_bytes, cache_key(l, p),
                     l->width, e))
            return -1;
    for (size_t p = l->first; p < length; p++)
        if (take_row(r, value_row(l, p), l->value_bytes, cache_value(l, p),
                     l->width, e))
            return -1;
    return 0;
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
    size_t arithmetic = take(r, 4), form = take(r, 4);
    if (arithmetic != ARITHMETIC)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 40: was computed by arithmetic %zu; this "
                    "program has arithmetic %d",
                    r->file->path, arithmetic, ARITHMETIC);
    if (form != CACHE_F32)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: at byte 44: its rows have form %zu; this program "
                    "reads form %d",
                    r->file->path, form, CACHE_F32);
    c->form = CACHE_F32;
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

/* --- back into a cache --------------------------------------------------- */

/* Whether a layer fits another, and has all that the next token looks at. */
static bool layer_fits(const struct cache_layer *from, size_t length,
                       const struct cache_layer *to)
{
    return from->width == to->width && from->window == to->window &&
           cache_reaches_back(from, length);
}

/* The ids may be read again as a text: each must be one of the model's. */
static int check_session_ids(const struct cache *from, const struct cache *c,
                             const char *path, struct error *e)
{
    for (size_t i = 0; i < from->length; i++)
        if (from->ids[i] < 0 || (size_t)from->ids[i] >= c->n_vocab)
            return fail(e, ERROR_INPUT,
                        "%s: token %zu has the id %d; the model has the ids "
                        "0 to %zu",
                        path, i, from->ids[i], c->n_vocab - 1);
    return 0;
}

int session_restore(struct session *s, const char *path, uint64_t model,
                    struct cache *c, struct error *e)
{
    struct cache *from = &s->cache;
    if (s->model != model)
        return fail(e, ERROR_UNSUPPORTED,
                    "%s: is of another model: the fingerprint is "
                    "%016llx, that of this one %016llx",
                    path, (unsigned long long)s->model,
                    (unsigned long long)model);
    bool fits = from->n_layers == c->n_layers && from->form == c->form;
    for (size_t l = 0; fits && l < c->n_layers; l++)
        fits = layer_fits(&from->layers[l], from->length, &c->layers[l]);
    if (!fits)
        return fail(e, ERROR_INPUT,
                    "%s: the layers are not those of the model", path);
    if (check_session_ids(from, c, path, e))
        return -1;

    cache_truncate(c, 0);
    size_t n = cache_truncate(from, c->capacity);
    for (size_t l = 0; l < c->n_layers; l++)
        cache_copy_layer(&c->layers[l], &from->layers[l], n);
    memcpy(c->ids, from->ids, n * sizeof *c->ids);
    c->length = n;
    c->rotated = from->rotated;
    return 0;
}

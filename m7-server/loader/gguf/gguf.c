/* The table of one GGUF file: see gguf.h.  Knows nothing of what keys and
 * tensors mean, but for general.alignment, which says where the data is. */
#include "gguf.h"

#include "gguf_cursor.h"
#include "gguf_kinds.h"
#include "unicode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The least bytes that a value and a tensor take in the table. */
enum gguf_least {
    LEAST_VALUE = 8 + 4 + 1,
    LEAST_TENSOR = 8 + 4 + 4 + 8
};

/* --- the beginning ------------------------------------------------------ */

static int check_gguf_version(struct gguf_cursor *c, struct error *e)
{
    const unsigned char *magic;
    uint32_t version;
    if (cursor_take(c, 4, &magic, e))
        return -1;
    if (memcmp(magic, "GGUF", 4) != 0)
        return cursor_fail(c, 0, ERROR_INPUT, e,
                           "is no GGUF file: there is no \"GGUF\"");
    if (cursor_u32(c, &version, e))
        return -1;
    if (version > 0 && version % 65536 == 0)
        return cursor_fail(c, 4, ERROR_UNSUPPORTED, e,
                           "is big-endian: version %u", version);
    if (version != 2 && version != 3)
        return cursor_fail(c, 4, ERROR_UNSUPPORTED, e,
                           "version %u, but 2 and 3 are known,", version);
    return 0;
}

/* A number of entries that take `least` bytes each. */
static int read_gguf_count(struct gguf_cursor *c, const char *of, size_t least,
                           size_t *n, struct error *e)
{
    uint64_t count;
    if (cursor_u64(c, &count, e))
        return -1;
    if (count > c->file->size / least)
        return cursor_fail(c, c->at - 8, ERROR_INPUT, e,
                           "%ju %s do not fit into the file's %zu bytes,",
                           (uintmax_t)count, of, c->file->size);
    *n = (size_t)count;
    return 0;
}

/* --- names -------------------------------------------------------------- */

/* Names are printed, so they must not steer a terminal, nor crowd the rest out
 * of a message; the caller owns *name. */
static int read_gguf_name(struct gguf_cursor *c, const char *what, char **name,
                          struct error *e)
{
    const char *text;
    size_t size, length, start = c->at;
    c->what = NULL;
    if (cursor_text(c, &text, &size, e))
        return -1;
    if (size == 0 || size > GGUF_NAME)
        return cursor_fail(c, start, ERROR_INPUT, e,
                           "a %s's name of %zu bytes, not 1 to %d,", what,
                           size, (int)GGUF_NAME);
    if (utf8_valid(text, size) != size || memchr(text, 0, size))
        return cursor_fail(c, start, ERROR_INPUT, e,
                           "a %s's name is not UTF-8", what);
    for (size_t i = 0; i < size; i += length)
        if (unicode_is_control(utf8_decode(text + i, &length)))
            return cursor_fail(c, start, ERROR_INPUT, e,
                               "a %s's name has a control character in it",
                               what);
    *name = strndup(text, size);
    c->what = what;
    c->name = text;
    c->name_size = size;
    return *name ? 0 : fail_memory(e, c->file->path);
}

/* --- values ------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct gguf_value *x = a, *y = b;
    return strcmp(x->key, y->key);
}

static int check_keys_unique(const struct gguf *g, struct error *e)
{
    for (size_t i = 1; i < g->n_values; i++)
        if (strcmp(g->values[i - 1].key, g->values[i].key) == 0)
            return fail(e, ERROR_INPUT,
                        "%s: key %s: is there twice, at byte "
                        "%zu and at byte %zu",
                        g->path, g->values[i].key, g->values[i - 1].offset,
                        g->values[i].offset);
    return 0;
}

static int read_gguf_values(struct gguf *g, struct gguf_cursor *c, size_t n,
                            struct error *e)
{
    g->values = calloc(n + 1, sizeof *g->values);
    if (!g->values)
        return fail_memory(e, g->path);
    for (size_t i = 0; i < n; i++) {
        struct gguf_value *v = &g->values[g->n_values++];
        if (read_gguf_name(c, "key", &v->key, e) ||
            cursor_type(c, &v->type, e))
            return -1;
        v->offset = c->at;
        if (cursor_skip(c, v->type, 0, e))
            return -1;
    }
    c->what = NULL;
    if (n > 0)
        qsort(g->values, n, sizeof *g->values, by_key);
    return check_keys_unique(g, e);
}

static int find_alignment(const struct gguf *g, size_t *align, struct error *e)
{
    static const char key[] = "general.alignment";
    *align = GGUF_ALIGN;
    for (size_t i = 0; i < g->n_values; i++) {
        const struct gguf_value *v = &g->values[i];
        uint32_t value = 0;
        struct gguf_cursor c = {g, v->offset, "key", key, sizeof key - 1};
        if (strcmp(v->key, key) != 0)
            continue;
        if (v->type == GGUF_U32 && cursor_u32(&c, &value, e))
            return -1;
        if (value < 8 || value > GGUF_MOST_ALIGN || (value & (value - 1)))
            return cursor_fail(&c, v->offset, ERROR_INPUT, e,
                               "expected a 32-bit power of two from 8 to %d",
                               (int)GGUF_MOST_ALIGN);
        *align = value;
    }
    return 0;
}

/* --- tensors ------------------------------------------------------------ */

/* The file has the dimension first that runs fastest. */
static int read_dimensions(struct gguf_cursor *c, struct gguf_tensor *t,
                           struct error *e)
{
    uint32_t rank;
    if (cursor_u32(c, &rank, e))
        return -1;
    if (rank > GGUF_RANK)
        return cursor_fail(c, c->at - 4, ERROR_UNSUPPORTED, e,
                           "%u dimensions, more than %d,", rank,
                           (int)GGUF_RANK);
    t->rank = (int)rank;
    t->count = 1;
    for (int i = t->rank - 1; i >= 0; i--) {
        uint64_t size;
        if (cursor_u64(c, &size, e))
            return -1;
        if (size == 0 || size > SIZE_MAX / 64 / t->count)
            return cursor_fail(c, c->at - 8, ERROR_INPUT, e,
                               "a dimension of %ju in %zu values",
                               (uintmax_t)size, t->count);
        t->shape[i] = (size_t)size;
        t->count *= t->shape[i];
    }
    return 0;
}

static int read_kind(struct gguf_cursor *c, struct gguf_tensor *t,
                     struct error *e)
{
    uint32_t number;
    if (cursor_u32(c, &number, e))
        return -1;
    size_t at = c->at - 4;
    t->kind = gguf_kind(number);
    if (!t->kind)
        return cursor_fail(c, at, ERROR_UNSUPPORTED, e,
                           "there is no type %u of numbers,", number);
    if (!t->kind->bytes)
        return cursor_fail(c, at, ERROR_UNSUPPORTED, e,
                           "numbers of type %s cannot be read,",
                           t->kind->name);
    size_t row = t->rank ? t->shape[t->rank - 1] : 1;
    if (row % t->kind->values)
        return cursor_fail(c, at, ERROR_INPUT, e,
                           "rows of %zu values do not divide into the blocks "
                           "of %zu that %s has,",
                           row, t->kind->values, t->kind->name);
    t->bytes = t->count / t->kind->values * t->kind->bytes;
    return 0;
}

/* Its offset still counts from the start of the data. */
static int read_gguf_tensor(struct gguf_cursor *c, struct gguf_tensor *t,
                            size_t align, struct error *e)
{
    uint64_t offset;
    if (read_gguf_name(c, "tensor", &t->name, e) || read_dimensions(c, t, e) ||
        read_kind(c, t, e) || cursor_u64(c, &offset, e))
        return -1;
    if (offset % align)
        return cursor_fail(c, c->at - 8, ERROR_INPUT, e,
                           "the offset %ju is no multiple of %zu,",
                           (uintmax_t)offset, align);
    if (offset > c->file->size || t->bytes > c->file->size - offset)
        return cursor_fail(c, c->at - 8, ERROR_INPUT, e,
                           "%zu bytes at offset %ju end past the file's %zu,",
                           t->bytes, (uintmax_t)offset, c->file->size);
    t->offset = (size_t)offset;
    return 0;
}

static int read_gguf_tensors(struct gguf *g, struct gguf_cursor *c, size_t n,
                             size_t align, struct error *e)
{
    g->tensors = calloc(n + 1, sizeof *g->tensors);
    if (!g->tensors)
        return fail_memory(e, g->path);
    for (size_t i = 0; i < n; i++)
        if (read_gguf_tensor(c, &g->tensors[g->n_tensors++], align, e))
            return -1;
    c->what = NULL;
    return 0;
}

static int by_gguf_offset(const void *a, const void *b)
{
    const struct gguf_tensor *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static size_t pad(size_t at, size_t align)
{
    return (at + align - 1) / align * align;
}

/* See that each tensor begins where the one before ends, but for the
 * alignment, and that the last ends in the file. */
static int place_tensors(struct gguf *g, size_t base, size_t align,
                         struct error *e)
{
    size_t end = base;
    if (g->n_tensors > 0)
        qsort(g->tensors, g->n_tensors, sizeof *g->tensors, by_gguf_offset);
    for (size_t i = 0; i < g->n_tensors; i++) {
        struct gguf_tensor *t = &g->tensors[i];
        t->offset += base;
        if (t->offset != pad(end, align))
            return fail(e, ERROR_INPUT,
                        "%s: tensor %s begins at byte %zu, but %s%s ends at "
                        "byte %zu: %s",
                        g->path, t->name, t->offset, i ? "tensor " : "",
                        i ? t[-1].name : "the table", end,
                        t->offset > end ? "a gap" : "an overlap");
        end = t->offset + t->bytes;
        if (end > g->size)
            return fail(e, ERROR_INPUT,
                        "%s: tensor %s ends at byte %zu, past the file's %zu",
                        g->path, t->name, end, g->size);
    }
    if (g->n_tensors > 0 && g->size > pad(end, align))
        return fail(e, ERROR_INPUT,
                    "%s: the data ends at byte %zu, but the file at %zu",
                    g->path, end, g->size);
    return 0;
}

static int by_tensor_name(const void *a, const void *b)
{
    return strcmp((*(const struct gguf_tensor *const *)a)->name,
                  (*(const struct gguf_tensor *const *)b)->name);
}

static int check_tensors_unique(const struct gguf *g, struct error *e)
{
    size_t n = g->n_tensors;
    const struct gguf_tensor **sorted = calloc(n + 1, sizeof *sorted);
    if (!sorted)
        return fail_memory(e, g->path);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &g->tensors[i];
    qsort(sorted, n, sizeof *sorted, by_tensor_name);
    int result = 0;
    for (size_t i = 1; i < n && result == 0; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            result = fail(e, ERROR_INPUT,
                          "%s: tensor %s: is there twice, at byte %zu and at "
                          "byte %zu",
                          g->path, sorted[i]->name, sorted[i - 1]->offset,
                          sorted[i]->offset);
    free(sorted);
    return result;
}

/* --- a file ------------------------------------------------------------- */

static int read_gguf_table(struct gguf *g, struct error *e)
{
    struct gguf_cursor c = {.file = g};
    size_t n_tensors, n_values, align;
    if (check_gguf_version(&c, e) ||
        read_gguf_count(&c, "tensors", LEAST_TENSOR, &n_tensors, e) ||
        read_gguf_count(&c, "values", LEAST_VALUE, &n_values, e) ||
        read_gguf_values(g, &c, n_values, e) || find_alignment(g, &align, e) ||
        read_gguf_tensors(g, &c, n_tensors, align, e))
        return -1;
    if (place_tensors(g, pad(c.at, align), align, e))
        return -1;
    return check_tensors_unique(g, e);
}

int gguf_read(struct gguf *g, const char *path, const unsigned char *data,
              size_t size, struct error *e)
{
    *g = (struct gguf){.path = path, .data = data, .size = size};
    int result = read_gguf_table(g, e);
    if (result)
        gguf_free(g);
    return result;
}

void gguf_free(struct gguf *g)
{
    for (size_t i = 0; i < g->n_values; i++)
        free(g->values[i].key);
    for (size_t i = 0; i < g->n_tensors; i++)
        free(g->tensors[i].name);
    free(g->values);
    free(g->tensors);
    *g = (struct gguf){0};
}

const struct gguf_tensor *gguf_tensor(const struct gguf *g, const char *name)
{
    for (size_t i = 0; i < g->n_tensors; i++)
        if (strcmp(g->tensors[i].name, name) == 0)
            return &g->tensors[i];
    return NULL;
}

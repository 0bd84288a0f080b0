/* The table of one safetensors file: see safetensors.h.  Knows nothing of
 * what the numbers mean, and of other files. */
#include "safetensors.h"

#include "json.h"
#include "unicode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The format's own limit, and the size of the length that comes first. */
static const size_t most_header = 100000000;
static const size_t prefix = 8;

/* Real names have 100 bytes at most. */
static const size_t most_name = 500;

static const char metadata[] = "__metadata__";

static uint64_t little_endian_64(const unsigned char *bytes)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

/* Read the length of the table and see that the file is long enough. */
static int read_length(const struct mapping *file, size_t *length,
                       struct error *e)
{
    if (file->size < prefix)
        return fail(e, ERROR_INPUT,
                    "%s: ends at byte %zu, inside the header's length",
                    file->path, file->size);
    uint64_t value = little_endian_64(file->data);
    if (value > most_header)
        return fail(e, ERROR_INPUT,
                    "%s: a header of %ju bytes, more than the format's %zu",
                    file->path, (uintmax_t)value, most_header);
    if (value > file->size - prefix)
        return fail(e, ERROR_INPUT,
                    "%s: the header ends at byte %ju, past the file's %zu",
                    file->path, (uintmax_t)value + prefix, file->size);
    *length = (size_t)value;
    return 0;
}

/* Metadata has no meaning here, but it must be text. */
static int check_metadata(const struct node *n, struct error *e)
{
    if (node_object(n, e))
        return -1;
    const char *key;
    json_t *value;
    json_object_foreach(n->value, key, value)
    {
        struct node member = node_member(n, key);
        const char *text;
        size_t size;
        if (node_text(&member, &text, &size, e))
            return -1;
    }
    return 0;
}

static int read_dtype(const struct node *entry, struct tensor *t,
                      struct error *e)
{
    struct node n = node_member(entry, "dtype");
    const char *name;
    if (node_string(&n, &name, e))
        return -1;
    if (!dtype_find(name, &t->dtype))
        return node_fail(&n, ERROR_UNSUPPORTED, e, "unknown number format %s",
                         name);
    return 0;
}

/* Read the shape, and multiply it into t->count. */
static int read_shape(const struct node *entry, struct tensor *t,
                      struct error *e)
{
    struct node n = node_member(entry, "shape");
    size_t rank;
    if (node_array(&n, &rank, e))
        return -1;
    if (rank > TENSOR_MAX_RANK)
        return node_fail(&n, ERROR_UNSUPPORTED, e,
                         "%zu dimensions, more than %d", rank,
                         TENSOR_MAX_RANK);
    t->rank = (int)rank;
    t->count = 1;
    for (size_t i = 0; i < rank; i++) {
        struct node size = node_element(&n, i);
        if (node_size(&size, INT64_MAX, &t->shape[i], e))
            return -1;
        if (t->shape[i] && t->count > SIZE_MAX / 64 / t->shape[i])
            return node_fail(&n, ERROR_INPUT, e,
                             "the number of values overflows");
        t->count *= t->shape[i];
    }
    return 0;
}

/* Read where the data is, still counted from the end of the table. */
static int read_data_offsets(const struct node *entry, size_t *begin,
                             size_t *end, struct error *e)
{
    struct node n = node_member(entry, "data_offsets");
    size_t length;
    if (node_array(&n, &length, e))
        return -1;
    if (length != 2)
        return node_fail(&n, ERROR_INPUT, e,
                         "expected a begin and an end, found %zu numbers",
                         length);
    struct node first = node_element(&n, 0), second = node_element(&n, 1);
    if (node_size(&first, INT64_MAX, begin, e) ||
        node_size(&second, INT64_MAX, end, e))
        return -1;
    if (*begin > *end)
        return node_fail(&n, ERROR_INPUT, e,
                         "the begin, %zu, is behind the end, %zu", *begin,
                         *end);
    return 0;
}

/* See that the data is in the file and of the size that the shape asks for.
 * `base` is where the data of the file begins. */
static int place_data(struct tensor *t, const struct mapping *file,
                      size_t base, size_t begin, size_t end, struct error *e)
{
    if (end > file->size - base)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s ends at byte %zu, past the file's %zu",
                    file->path, t->name, base + end, file->size);
    size_t bits = t->count * dtype_bits(t->dtype);
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    if (bits % 8)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s: %s values of %s end inside a byte",
                    file->path, t->name, shape, dtype_name(t->dtype));
    if (bits / 8 != end - begin)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s: %s values of %s take %zu bytes, but %zu "
                    "are given at byte %zu",
                    file->path, t->name, shape, dtype_name(t->dtype), bits / 8,
                    end - begin, base + begin);
    t->file = file;
    t->bytes = end - begin;
    t->offset = base + begin;
    t->data = file->data + t->offset;
    return 0;
}

/* Names are printed, so they must not steer a terminal, nor crowd the rest
 * out of a message. */
static int check_name(const struct node *entry, struct error *e)
{
    size_t size = strlen(entry->key), length;
    if (size > most_name)
        return fail(e, ERROR_INPUT,
                    "%s: a tensor's name of %zu bytes, more than %zu",
                    entry->file, size, most_name);
    for (const char *c = entry->key; *c; c += length)
        if (unicode_is_control(utf8_decode(c, &length)))
            return fail(e, ERROR_INPUT,
                        "%s: a tensor's name has a control character in it",
                        entry->file);
    return 0;
}

static int read_tensor_entry(const struct node *entry,
                             const struct mapping *file, size_t base,
                             struct tensor *t, struct error *e)
{
    size_t begin, end;
    if (check_name(entry, e) || node_object(entry, e) ||
        read_dtype(entry, t, e) || read_shape(entry, t, e) ||
        read_data_offsets(entry, &begin, &end, e))
        return -1;
    t->name = strdup(entry->key);
    if (!t->name)
        return fail_memory(e, file->path);
    return place_data(t, file, base, begin, end, e);
}

/* Read every entry of the table into tensors, and count them in *n. */
static int read_tensor_entries(const struct node *table,
                               const struct mapping *file, size_t base,
                               struct tensor *tensors, size_t *n,
                               struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(table->value, key, value)
    {
        struct node entry = node_member(table, key);
        if (strcmp(key, metadata) == 0) {
            if (check_metadata(&entry, e))
                return -1;
            continue;
        }
        if (read_tensor_entry(&entry, file, base, &tensors[(*n)++], e))
            return -1;
    }
    return 0;
}

static int by_offset(const void *a, const void *b)
{
    const struct tensor *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* See that the tensors, in the order of their data, cover the file from byte
 * `base` to its end. */
static int check_cover(const struct mapping *file, size_t base,
                       const struct tensor *tensors, size_t n, struct error *e)
{
    size_t end = base;
    for (size_t i = 0; i < n; i++) {
        const struct tensor *t = &tensors[i];
        const char *before = i ? tensors[i - 1].name : "the header";
        if (t->offset != end)
            return fail(e, ERROR_INPUT,
                        "%s: tensor %s begins at byte %zu, but %s%s ends at "
                        "byte %zu: %s",
                        file->path, t->name, t->offset, i ? "tensor " : "",
                        before, end, t->offset > end ? "a gap" : "an overlap");
        end += t->bytes;
    }
    if (end != file->size)
        return fail(e, ERROR_INPUT,
                    "%s: the data ends at byte %zu, but the file at %zu",
                    file->path, end, file->size);
    return 0;
}

/* All tensors of the table, checked.  On error, those read so far are freed.*/
static int read_table(const struct node *table, const struct mapping *file,
                      size_t base, struct tensor **tensors, size_t *n,
                      struct error *e)
{
    if (node_object(table, e))
        return -1;
    size_t most = json_object_size(table->value);
    *tensors = calloc(most + 1, sizeof **tensors);
    *n = 0;
    if (!*tensors)
        return fail_memory(e, file->path);
    if (read_tensor_entries(table, file, base, *tensors, n, e) == 0) {
        qsort(*tensors, *n, sizeof **tensors, by_offset);
        if (check_cover(file, base, *tensors, *n, e) == 0)
            return 0;
    }
    tensors_free(*tensors, *n);
    *tensors = NULL;
    *n = 0;
    return -1;
}

int safetensors_read(const struct mapping *file, struct tensor **tensors,
                     size_t *n, struct error *e)
{
    size_t length = 0;
    if (read_length(file, &length, e))
        return -1;
    const char *text = (const char *)file->data + prefix;
    json_t *root = json_parse(text, length, file->path, prefix, e);
    if (!root)
        return -1;
    struct node table = node_root(file->path, root);
    int result = read_table(&table, file, prefix + length, tensors, n, e);
    json_decref(root);
    return result;
}

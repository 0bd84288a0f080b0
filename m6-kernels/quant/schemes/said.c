/* What config.json says: see said.h. */
#include "said.h"

#include "json_write.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the text is one of the words of `list`. */
static bool is_one_of(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, text, length) == 0)
            return true;
        at += word;
    }
    return false;
}

static int check_value(const struct node *n, const char *values,
                       struct error *e)
{
    char *text = json_text(n->value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (!text)
        return fail_memory(e, "a value of config.json");
    bool known = is_one_of(values, text);
    free(text);
    return known
               ? 0
               : node_fail(n, ERROR_UNSUPPORTED, e,
                           "of its values this program knows only %s", values);
}

static int check_key(const struct node *n, const struct said_key *keys,
                     size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(keys[i].name, n->key) == 0)
            return keys[i].values ? check_value(n, keys[i].values, e) : 0;
    return node_fail(n, ERROR_UNSUPPORTED, e,
                     "is not a key that this program knows");
}

int said_check(const struct node *object, const struct said_key *keys,
               size_t n, struct error *e)
{
    const char *key;
    json_t *value;
    if (node_object(object, e))
        return -1;
    json_object_foreach(object->value, key, value)
    {
        struct node member = node_member(object, key);
        if (check_key(&member, keys, n, e))
            return -1;
    }
    return 0;
}

int said_group(const struct node *n, size_t *group, struct error *e)
{
    long long size;
    if (node_integer(n, &size, e))
        return -1;
    if (size != -1 && (size < 1 || size > LARGEST_GROUP))
        return node_fail(n, ERROR_UNSUPPORTED, e,
                         "found %lld; 1 to %d are known, and -1 for a whole "
                         "row",
                         size, LARGEST_GROUP);
    *group = size == -1 ? 0 : (size_t)size;
    return 0;
}

int said_one_of(const struct node *n, const char *known, size_t *out,
                struct error *e)
{
    char text[24];
    if (node_size(n, LARGEST_GROUP, out, e))
        return -1;
    snprintf(text, sizeof text, "%zu", *out);
    return is_one_of(known, text)
               ? 0
               : node_fail(n, ERROR_UNSUPPORTED, e,
                           "found %s; this program knows %s", text, known);
}

int check_groups(const struct sought *wanted, const struct tensor *t,
                 size_t group, struct error *e)
{
    if (wanted->cols % group == 0)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: tensor %s: rows of %zu values do not divide into groups "
                "of %zu",
                t->file->path, t->name, wanted->cols, group);
}

int check_float_type(const struct tensor *t, struct error *e)
{
    if (t->dtype == DTYPE_F32 || t->dtype == DTYPE_F16 ||
        t->dtype == DTYPE_BF16)
        return 0;
    return fail(e, ERROR_UNSUPPORTED,
                "%s: tensor %s has numbers of type %s; F32, F16 and BF16 can "
                "be scales",
                t->file->path, t->name, dtype_name(t->dtype));
}

int check_floats(const struct tensor *t, size_t rows, size_t cols,
                 struct error *e)
{
    return check_float_type(t, e) || check_part(t, t->dtype, rows, cols, e)
               ? -1
               : 0;
}

int check_group_index(const struct tensor *t, size_t cols, size_t groups,
                      struct error *e)
{
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    if (t->dtype != DTYPE_I32 || t->rank != 1 || t->shape[0] != cols)
        return fail(e, ERROR_INPUT,
                    "%s: tensor %s is %s %s, but should be I32 [%zu]",
                    t->file->path, t->name, dtype_name(t->dtype), shape, cols);
    for (size_t i = 0; i < cols; i++) {
        int32_t group;
        memcpy(&group, t->data + i * sizeof group, sizeof group);
        if (group < 0 || (size_t)group >= groups)
            return fail(e, ERROR_INPUT,
                        "%s: tensor %s: column %zu is in group %d, but there "
                        "are %zu",
                        t->file->path, t->name, i, group, groups);
    }
    return 0;
}

const struct tensor *need_part(const struct sought *wanted, const char *suffix,
                               struct quantized *q, struct error *e)
{
    const struct tensor *t = take_part(wanted, suffix, q);
    if (!t)
        fail(e, ERROR_INPUT, "%s: there is no tensor %s%s",
             q->n_parts ? q->parts[0]->file->path
                        : wanted->checkpoint->files[0].path,
             wanted->name, suffix);
    return t;
}

/* Parts of values: see subscript.h. */
#include "subscript.h"

#include "dict.h"
#include "iterate.h"

#include <stdint.h>

size_t text_offset(const struct text *t, size_t index)
{
    if (t->length == t->size || index >= t->length)
        return index >= t->length ? t->size : index;
    size_t at = 0;
    for (size_t seen = 0; seen < index; seen++)
        do
            at++;
        while (at < t->size && ((unsigned char)t->data[at] & 0xC0) == 0x80);
    return at;
}

int text_cut(struct sandbox *s, const struct text *t, size_t from, size_t to,
             struct value *out)
{
    if (t->length != t->size && sandbox_work(s, t->size))
        return -1;
    size_t begin = text_offset(t, from), end = text_offset(t, to);
    return value_constant(s, t->data + begin, end > begin ? end - begin : 0,
                          out);
}

/* A slice of a sequence of `size`: `n` parts, from `start` on. */
struct slice_steps {
    int64_t start, stop, step;
    size_t n;
};

/* A bound, counted from the end where it is negative, and kept between
 * `least` and `most`. */
static int slice_bound(struct sandbox *s, struct value v, int64_t size,
                       int64_t least, int64_t most, int64_t *bound)
{
    int64_t i;
    if (v.type == VALUE_ABSENT || v.type == VALUE_NONE)
        return 0;
    if (v.type == VALUE_UNDEFINED || !value_is_int(v, &i))
        return sandbox_fail(s, "slice indices must be integers or None or "
                               "have an __index__ method");
    if (i < 0)
        i = i < -size ? least : i + size;
    *bound = i < least ? least : i > most ? most : i;
    return 0;
}

static int slice_steps(struct sandbox *s, const struct value_list *slice,
                       size_t n, struct slice_steps *out)
{
    int64_t step = 1, size = (int64_t)n;
    struct value by = slice->items[2];
    if (by.type != VALUE_ABSENT && by.type != VALUE_NONE &&
        !value_is_int(by, &step))
        return sandbox_fail(s, "slice indices must be integers or None or "
                               "have an __index__ method");
    if (step == 0)
        return sandbox_fail(s, "slice step cannot be zero");
    if (step == INT64_MIN)
        step = -INT64_MAX;
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? size - 1 : size;
    int64_t start = step < 0 ? most : least, stop = step < 0 ? least : most;
    if (slice_bound(s, slice->items[0], size, least, most, &start) ||
        slice_bound(s, slice->items[1], size, least, most, &stop))
        return -1;
    int64_t span = step < 0 ? start - stop : stop - start;
    int64_t stride = step < 0 ? -step : step;
    *out = (struct slice_steps){start, stop, step, 0};
    if (span > 0)
        out->n = (size_t)((span - 1) / stride + 1);
    return 0;
}

static int slice_list(struct sandbox *s, struct value v,
                      struct slice_steps steps, struct value *out)
{
    if (value_new_list(s, v.type, steps.n, out))
        return -1;
    for (size_t i = 0; i < steps.n; i++)
        out->as.list->items[i] =
            v.as.list->items[steps.start + (int64_t)i * steps.step];
    out->as.list->size = steps.n;
    return 0;
}

/* The characters one by one, where they do not lie together. */
static int slice_text(struct sandbox *s, const struct text *t,
                      struct slice_steps steps, struct value *out)
{
    if (steps.step == 1)
        return text_cut(s, t, (size_t)steps.start,
                        (size_t)steps.start + steps.n, out);
    size_t *offsets = sandbox_alloc(s, t->length + 1, sizeof *offsets);
    if (!offsets)
        return -1;
    size_t n = 0;
    for (size_t at = 0; at < t->size; at++)
        if (((unsigned char)t->data[at] & 0xC0) != 0x80)
            offsets[n++] = at;
    offsets[n] = t->size;
    struct bytes cut = {0};
    for (size_t i = 0; i < steps.n; i++) {
        int64_t at = steps.start + (int64_t)i * steps.step;
        bytes_add(&cut, t->data + offsets[at], offsets[at + 1] - offsets[at]);
    }
    return value_take_bytes(s, &cut, out);
}

static int slice_range(struct sandbox *s, const struct value_range *r,
                       struct slice_steps steps, struct value *out)
{
    struct value_range *cut = sandbox_alloc(s, 1, sizeof *cut);
    if (!cut)
        return -1;
    *cut = (struct value_range){r->start + steps.start * r->step,
                                r->start + steps.stop * r->step,
                                steps.step * r->step, steps.n};
    *out = (struct value){.type = VALUE_RANGE, .as.range = cut};
    return 0;
}

static int slice_value(struct sandbox *s, struct value v,
                       const struct value_list *slice, struct value *out)
{
    struct slice_steps steps = {0};
    size_t size = 0;
    if (v.type != VALUE_STRING && !value_is_list(v) && v.type != VALUE_RANGE)
        return sandbox_fail(s, "'%s' object is not subscriptable",
                            value_type_name(v));
    value_has_length(v, &size);
    if (slice_steps(s, slice, size, &steps))
        return -1;
    int result = v.type == VALUE_STRING
                     ? slice_text(s, v.as.text, steps, out)
                 : v.type == VALUE_RANGE
                     ? slice_range(s, v.as.range, steps, out)
                     : slice_list(s, v, steps, out);
    if (!result && v.type == VALUE_STRING)
        out->safe = v.safe;
    return result ? -1 : 1;
}

static int indexed(struct sandbox *s, struct value v, size_t i,
                   struct value *out)
{
    if (v.type == VALUE_RANGE)
        *out = range_item(v.as.range, i);
    else if (v.type == VALUE_STRING) {
        if (text_cut(s, v.as.text, i, i + 1, out))
            return -1;
        out->safe = v.safe;
    } else
        *out = v.as.list->items[i];
    return 1;
}

int value_item(struct sandbox *s, struct value v, struct value key,
               struct value *out)
{
    int64_t i;
    size_t size;
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    if (v.type == VALUE_DICT) {
        if (key.type == VALUE_LIST || key.type == VALUE_DICT)
            return 0;
        return dict_get(s, v.as.dict, key, out);
    }
    if (key.type == VALUE_SLICE)
        return slice_value(s, v, key.as.list, out);
    if (v.type != VALUE_STRING && !value_is_list(v) && v.type != VALUE_RANGE)
        return 0;
    if (!value_is_int(key, &i) || !value_has_length(v, &size))
        return 0;
    if (i < 0)
        i += (int64_t)size;
    return i < 0 || i >= (int64_t)size ? 0 : indexed(s, v, (size_t)i, out);
}

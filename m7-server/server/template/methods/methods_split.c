/* Methods of strings that take them apart: see methods_split.h. */
#include "methods_split.h"

#include "characters.h"
#include "iterate.h"
#include "methods.h"
#include "subscript.h"
#include "unicode.h"

#include <string.h>

static int add_split_piece(struct sandbox *s, struct value list,
                           const char *data, size_t size)
{
    struct value piece;
    if (value_constant(s, data, size, &piece))
        return -1;
    return value_append(s, list, piece);
}

/* White space of any length separates, and none at the ends counts. */
static int split_at_space(struct sandbox *s, const struct text *t,
                          int64_t most, struct value *out)
{
    const char *at = t->data, *end = t->data + t->size;
    for (;;) {
        at += span_start(at, (size_t)(end - at), NULL);
        if (at == end)
            return 0;
        const char *from = at;
        for (size_t length; at < end; at += length) {
            utf8_decode(at, &length);
            if (span_start(at, length, NULL) > 0)
                break;
        }
        if (most-- == 0)
            at = end;
        if (add_split_piece(s, *out, from, (size_t)(at - from)))
            return -1;
    }
}

static int split_at(struct sandbox *s, const struct text *t,
                    const struct text *separator, int64_t most,
                    struct value *out)
{
    size_t from = 0, at;
    while (most-- != 0 && (at = text_find(t, separator, from)) != SIZE_MAX) {
        if (add_split_piece(s, *out, t->data + from, at - from))
            return -1;
        from = at + separator->size;
    }
    return add_split_piece(s, *out, t->data + from, t->size - from);
}

/* Where `part` begins for the last time in t (size,); SIZE_MAX: nowhere. */
static size_t find_last(const struct text *t, const struct text *part,
                        size_t size)
{
    for (size_t at = size; at + 1 > 0; at--)
        if (at + part->size <= size &&
            memcmp(t->data + at, part->data, part->size) == 0)
            return at;
    return SIZE_MAX;
}

/* The pieces come from the end, and are turned round afterwards. */
static void turn_round(struct value_list *l)
{
    for (size_t i = 0; i < l->size / 2; i++) {
        struct value kept = l->items[i];
        l->items[i] = l->items[l->size - 1 - i];
        l->items[l->size - 1 - i] = kept;
    }
}

static int rsplit_at(struct sandbox *s, const struct text *t,
                     const struct text *separator, int64_t most,
                     struct value *out)
{
    size_t end = t->size, at;
    while (most-- != 0 && (at = find_last(t, separator, end)) != SIZE_MAX) {
        size_t behind = at + separator->size;
        if (add_split_piece(s, *out, t->data + behind, end - behind))
            return -1;
        end = at;
    }
    return add_split_piece(s, *out, t->data, end);
}

static int rsplit_at_space(struct sandbox *s, const struct text *t,
                           int64_t most, struct value *out)
{
    size_t end = t->size;
    for (;;) {
        end -= span_end(t->data, end, NULL);
        if (end == 0)
            return 0;
        size_t from = end;
        while (from > 0 && span_end(t->data, from, NULL) == 0)
            from--;
        if (most-- == 0)
            from = 0;
        if (add_split_piece(s, *out, t->data + from, end - from))
            return -1;
        end = from;
    }
}

static int split(struct sandbox *s, const struct call *c, bool from_end,
                 struct value *out)
{
    const struct text *t = c->self.as.text, *separator = NULL;
    int64_t most = -1;
    if (c->a[0].type != VALUE_NONE &&
        argument_text(s, c->a[0], "the separator", &separator))
        return -1;
    if (argument_int(s, c->a[1], &most) || sandbox_work(s, t->size * 4) ||
        (separator && text_find_work(s, t, separator)) ||
        value_new_list(s, VALUE_LIST, 4, out))
        return -1;
    if (separator && separator->size == 0)
        return sandbox_fail(s, "empty separator");
    int result = !separator ? from_end ? rsplit_at_space(s, t, most, out)
                                       : split_at_space(s, t, most, out)
                 : from_end ? rsplit_at(s, t, separator, most, out)
                            : split_at(s, t, separator, most, out);
    if (from_end)
        turn_round(out->as.list);
    for (size_t i = 0; i < out->as.list->size; i++)
        out->as.list->items[i].safe = c->self.safe;
    return result;
}

int text_split(struct sandbox *s, const struct call *c, struct value *out)
{
    return split(s, c, false, out);
}

int text_rsplit(struct sandbox *s, const struct call *c, struct value *out)
{
    return split(s, c, true, out);
}

/* What is before, the separator, what is behind it. */
static int partition(struct sandbox *s, const struct call *c, bool last,
                     struct value *out)
{
    const struct text *t = c->self.as.text, *part = NULL;
    if (argument_text(s, c->a[0], "the separator", &part) ||
        text_find_work(s, t, part) || value_new_list(s, VALUE_TUPLE, 3, out))
        return -1;
    if (part->size == 0)
        return sandbox_fail(s, "empty separator");
    size_t at = last ? find_last(t, part, t->size) : text_find(t, part, 0);
    bool found = at != SIZE_MAX;
    size_t first = found ? at : last ? 0 : t->size;
    size_t middle = found ? part->size : 0;
    if (add_split_piece(s, *out, t->data, first) ||
        add_split_piece(s, *out, t->data + first, middle) ||
        add_split_piece(s, *out, t->data + first + middle,
                        t->size - first - middle))
        return -1;
    for (size_t i = 0; i < 3; i++)
        out->as.list->items[i].safe = c->self.safe;
    return 0;
}

int text_partition(struct sandbox *s, const struct call *c, struct value *out)
{
    return partition(s, c, false, out);
}

int text_rpartition(struct sandbox *s, const struct call *c,
                    struct value *out)
{
    return partition(s, c, true, out);
}

int text_splitlines(struct sandbox *s, const struct call *c,
                    struct value *out)
{
    bool keep_ends = value_truth(c->a[0]);
    if (text_lines(s, c->self.as.text, keep_ends, out))
        return -1;
    for (size_t i = 0; i < out->as.list->size; i++)
        out->as.list->items[i].safe = c->self.safe;
    return 0;
}

static int bound_of(struct sandbox *s, struct value v, const struct text *t,
                    int64_t *bound)
{
    int64_t i = *bound, n = (int64_t)t->length;
    if (v.type != VALUE_NONE && argument_int(s, v, &i))
        return -1;
    *bound = i < -n ? 0 : i < 0 ? i + n : i;
    return 0;
}

/* Bytes `from` to `to` of a text, where two arguments say which characters;
 * *from is beyond *to when there are none, not even an empty part. */
static int bounds(struct sandbox *s, const struct call *c, size_t *from,
                  size_t *to)
{
    const struct text *t = c->self.as.text;
    int64_t first = 0, last = (int64_t)t->length;
    if (bound_of(s, c->a[1], t, &first) || bound_of(s, c->a[2], t, &last) ||
        sandbox_work(s, t->size))
        return -1;
    *to = text_offset(t, (size_t)last);
    *from = first > (int64_t)t->length ? t->size + 1
                                       : text_offset(t, (size_t)first);
    return 0;
}

static size_t count_points_before(const struct text *t, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += ((unsigned char)t->data[i] & 0xC0) != 0x80;
    return n;
}

static int find_substring(struct sandbox *s, const struct call *c, bool last,
                          bool must, struct value *out)
{
    const struct text *t = c->self.as.text, *part = NULL;
    size_t from, to, at = SIZE_MAX;
    if (argument_text(s, c->a[0], "what is looked for", &part) ||
        bounds(s, c, &from, &to) || text_find_work(s, t, part))
        return -1;
    struct text within = {t->data, to, 0};
    if (from <= to)
        at = last ? find_last(t, part, to) : text_find(&within, part, from);
    if (at == SIZE_MAX || at < from) {
        *out = value_int(-1);
        return must ? sandbox_fail(s, "substring not found") : 0;
    }
    *out = value_size(count_points_before(t, at));
    return 0;
}

int text_find_method(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    return find_substring(s, c, false, false, out);
}

int text_rfind(struct sandbox *s, const struct call *c, struct value *out)
{
    return find_substring(s, c, true, false, out);
}

int text_index(struct sandbox *s, const struct call *c, struct value *out)
{
    return find_substring(s, c, false, true, out);
}

int text_rindex(struct sandbox *s, const struct call *c, struct value *out)
{
    return find_substring(s, c, true, true, out);
}

int text_count(struct sandbox *s, const struct call *c, struct value *out)
{
    const struct text *t = c->self.as.text, *part = NULL;
    size_t from, to, n = 0;
    if (argument_text(s, c->a[0], "what is counted", &part) ||
        bounds(s, c, &from, &to) || text_find_work(s, t, part))
        return -1;
    struct text within = {t->data, to, 0};
    if (part->size == 0 && from <= to)
        n = count_points_before(t, to) - count_points_before(t, from) + 1;
    while (part->size && from <= to &&
           (from = text_find(&within, part, from)) != SIZE_MAX) {
        from += part->size;
        n++;
    }
    *out = value_size(n);
    return 0;
}

static bool has_end(const struct text *t, size_t from, size_t to,
                    const struct text *part, bool start)
{
    if (from > to || part->size > to - from)
        return false;
    const char *at = t->data + (start ? from : to - part->size);
    return memcmp(at, part->data, part->size) == 0;
}

/* One string, or a tuple of them. */
static int ends(struct sandbox *s, const struct call *c, bool start,
                struct value *out)
{
    struct value_list one = {.items = (struct value *)&c->a[0], .size = 1};
    const struct value_list *parts =
        c->a[0].type == VALUE_TUPLE ? c->a[0].as.list : &one;
    size_t from, to;
    *out = value_bool(false);
    if (bounds(s, c, &from, &to))
        return -1;
    for (size_t i = 0; i < parts->size; i++) {
        const struct text *part = NULL;
        if (argument_text(s, parts->items[i], "what is looked for", &part))
            return -1;
        if (has_end(c->self.as.text, from, to, part, start))
            *out = value_bool(true);
    }
    return 0;
}

int text_startswith(struct sandbox *s, const struct call *c,
                    struct value *out)
{
    return ends(s, c, true, out);
}

int text_endswith(struct sandbox *s, const struct call *c, struct value *out)
{
    return ends(s, c, false, out);
}

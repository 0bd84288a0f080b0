/* What strings are cut with, and padded: see methods.h. */
#include "methods.h"

#include "characters.h"
#include "iterate.h"
#include "subscript.h"
#include "unicode.h"

#include <string.h>

int text_strip(struct sandbox *s, struct value v, const struct text *set,
               struct value *out)
{
    const struct text *t = v.as.text;
    if (text_find_work(s, t, set))
        return -1;
    size_t start = span_start(t->data, t->size, set);
    size_t end = span_end(t->data + start, t->size - start, set);
    int result =
        value_constant(s, t->data + start, t->size - start - end, out);
    out->safe = v.safe;
    return result;
}

int text_lines(struct sandbox *s, const struct text *t, bool keep_ends,
               struct value *out)
{
    size_t from = 0;
    if (sandbox_work(s, t->size) || value_new_list(s, VALUE_LIST, 4, out))
        return -1;
    for (size_t i = 0, length; i < t->size; i += length) {
        uint32_t code = utf8_decode(t->data + i, &length);
        bool ends = character_ends_line(code);
        if (!ends && i + length < t->size)
            continue;
        if (code == '\r' && i + 1 < t->size && t->data[i + 1] == '\n')
            length = 2;
        struct value line;
        size_t end = keep_ends || !ends ? i + length : i;
        if (value_constant(s, t->data + from, end - from, &line) ||
            value_append(s, *out, line))
            return -1;
        from = i + length;
    }
    return 0;
}

/* An empty string is found between all characters, and at both ends. */
static void replace_nothing(const struct text *t, const struct text *new,
                            int64_t count, struct bytes *out)
{
    size_t i = 0, length;
    while (i < t->size && count != 0) {
        utf8_decode(t->data + i, &length);
        bytes_add(out, new->data, new->size);
        bytes_add(out, t->data + i, length);
        i += length;
        count--;
    }
    bytes_add(out, t->data + i, t->size - i);
    if (count != 0)
        bytes_add(out, new->data, new->size);
}

int text_replace(struct sandbox *s, const struct text *t,
                 const struct text *old, const struct text *new,
                 int64_t count, struct value *out)
{
    struct bytes made = {0};
    size_t from = 0, at;
    if (text_find_work(s, t, old))
        return -1;
    if (old->size == 0) {
        if (new->size && t->size >= SIZE_MAX / 2 / new->size)
            return sandbox_room(s, SIZE_MAX);
        if (sandbox_room(s, (t->size + 1) * (new->size + 1)))
            return -1;
        replace_nothing(t, new, count, &made);
        return value_take_bytes(s, &made, out);
    }
    while (count != 0 && (at = text_find(t, old, from)) != SIZE_MAX) {
        bytes_add(&made, t->data + from, at - from);
        bytes_add(&made, new->data, new->size);
        from = at + old->size;
        count--;
        if (sandbox_room(s, made.size)) {
            bytes_free(&made);
            return -1;
        }
    }
    bytes_add(&made, t->data + from, t->size - from);
    return value_take_bytes(s, &made, out);
}

int text_pad(struct sandbox *s, struct value text, int64_t width,
             const char *fill, size_t fill_size, int align,
             struct value *out)
{
    struct bytes made = {0};
    const struct text *t = text.as.text;
    *out = text;
    if (width <= (int64_t)t->length)
        return 0;
    size_t room = (size_t)width - t->length;
    size_t left = align < 0 ? 0 : align > 0 ? room : room / 2;
    if (align == 0) /* as Python has it: odd ones are not always behind */
        left += room & (size_t)width & 1;
    if (sandbox_room(s, room) || sandbox_room(s, room * fill_size))
        return -1;
    for (size_t i = 0; i < left; i++)
        bytes_add(&made, fill, fill_size);
    bytes_add(&made, t->data, t->size);
    for (size_t i = left; i < room; i++)
        bytes_add(&made, fill, fill_size);
    int result = value_take_bytes(s, &made, out);
    out->safe = text.safe;
    return result;
}

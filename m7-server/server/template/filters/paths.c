/* Paths into values: see built_ins.h. */
#include "built_ins.h"

#include "characters.h"
#include "methods.h"

#include <stdlib.h>

/* Digits alone are a place in a list. */
static int add_part(struct sandbox *s, struct path *p, const char *data,
                    size_t size)
{
    bool digits = size > 0 && size < 10;
    int64_t number = 0;
    for (size_t i = 0; i < size && digits; i++) {
        digits = data[i] >= '0' && data[i] <= '9';
        number = number * 10 + (data[i] - '0');
    }
    struct value *part = &p->parts[p->n++];
    *part = value_int(number);
    return digits ? 0 : value_constant(s, data, size, part);
}

/* A text: its parts stand between points. */
static int read_path_text(struct sandbox *s, const struct text *t,
                          struct path *out)
{
    size_t from = 0;
    if (!(out->parts = sandbox_alloc(s, t->size + 1, sizeof *out->parts)))
        return -1;
    for (size_t i = 0; i <= t->size; i++)
        if (i == t->size || t->data[i] == '.') {
            if (add_part(s, out, t->data + from, i - from))
                return -1;
            from = i + 1;
        }
    return 0;
}

int path_read(struct sandbox *s, struct value attribute, struct path *out)
{
    *out = (struct path){0};
    if (attribute.type == VALUE_ABSENT || attribute.type == VALUE_NONE)
        return 0;
    if (attribute.type == VALUE_STRING)
        return read_path_text(s, attribute.as.text, out);
    if (!(out->parts = sandbox_alloc(s, 1, sizeof *out->parts)))
        return -1;
    out->parts[out->n++] = attribute;
    return 0;
}

int path_follow(struct sandbox *s, const struct path *p, struct value v,
                struct value *out)
{
    for (size_t i = 0; i < p->n; i++) {
        struct value part;
        if (value_get_item(s, v, p->parts[i], &part))
            return -1;
        if (part.type == VALUE_UNDEFINED && p->fallback.type != VALUE_ABSENT)
            part = p->fallback;
        v = part;
    }
    *out = v;
    return 0;
}

int path_key(struct sandbox *s, const struct path *p, bool cases,
             struct value v, struct value *out)
{
    struct bytes lower = {0};
    if (path_follow(s, p, v, out))
        return -1;
    if (cases || out->type != VALUE_STRING)
        return 0;
    const struct text *t = out->as.text;
    if (sandbox_work(s, t->size))
        return -1;
    write_lower(t->data, t->size, &lower);
    return value_take_bytes(s, &lower, out);
}

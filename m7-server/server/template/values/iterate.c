/* Iteration: see iterate.h. */
#include "iterate.h"

#include "dict.h"
#include "unicode.h"

#include <string.h>

/* Comparing bytes is fast: so many of a part count as one of the text. */
enum find_limits { FIND_STEP_BYTES = 256 };

bool value_iterable(struct value v)
{
    return v.type == VALUE_STRING || value_is_list(v) ||
           v.type == VALUE_DICT || v.type == VALUE_VIEW ||
           v.type == VALUE_RANGE || v.type == VALUE_ITERATOR ||
           v.type == VALUE_UNDEFINED;
}

static int next_of_nothing(struct sandbox *s, struct iterator *i,
                           struct value *out)
{
    (void)s, (void)i, (void)out;
    return 0;
}

static int next_of_text(struct sandbox *s, struct iterator *i,
                        struct value *out)
{
    const struct text *t = i->source.as.text;
    size_t length;
    if (i->at >= t->size)
        return 0;
    utf8_decode(t->data + i->at, &length);
    if (value_constant(s, t->data + i->at, length, out))
        return -1;
    i->at += length;
    return 1;
}

static int next_of_list(struct sandbox *s, struct iterator *i,
                        struct value *out)
{
    (void)s;
    if (i->at >= i->source.as.list->size)
        return 0;
    *out = i->source.as.list->items[i->at++];
    return 1;
}

static int next_of_dict(struct sandbox *s, struct iterator *i,
                        struct value *out)
{
    const struct value_dict *d = i->source.as.dict;
    const struct value_view *view = NULL;
    if (i->source.type == VALUE_VIEW) {
        view = i->source.as.view;
        d = view->dict;
    }
    if (i->at >= d->size)
        return 0;
    const struct value_entry *entry = &d->entries[i->at++];
    if (view && view->keys && view->values)
        return value_pair(s, entry->key, entry->value, out) ? -1 : 1;
    *out = view && view->values ? entry->value : entry->key;
    return 1;
}

struct value range_item(const struct value_range *r, size_t i)
{
    return value_int(r->start + (int64_t)i * r->step);
}

static int next_of_range(struct sandbox *s, struct iterator *i,
                         struct value *out)
{
    (void)s;
    if (i->at >= i->source.as.range->size)
        return 0;
    *out = range_item(i->source.as.range, i->at++);
    return 1;
}

int value_iterator(struct sandbox *s, iterator_function *next,
                   struct value source, void *context, struct value *out)
{
    struct iterator *i = sandbox_alloc(s, 1, sizeof *i);
    if (!i)
        return -1;
    *i = (struct iterator){.next = next, .source = source, .context = context};
    *out = (struct value){.type = VALUE_ITERATOR, .as.iterator = i};
    return 0;
}

int iterate(struct sandbox *s, struct value v, struct iterator **out)
{
    static iterator_function *const nexts[N_VALUE_TYPES] = {
        [VALUE_UNDEFINED] = next_of_nothing, [VALUE_STRING] = next_of_text,
        [VALUE_LIST] = next_of_list,         [VALUE_TUPLE] = next_of_list,
        [VALUE_DICT] = next_of_dict,         [VALUE_VIEW] = next_of_dict,
        [VALUE_RANGE] = next_of_range};
    struct value made = v;
    if (v.type != VALUE_ITERATOR) {
        if (!nexts[v.type])
            return sandbox_fail(s, "'%s' object is not iterable",
                                value_type_name(v));
        if (value_iterator(s, nexts[v.type], v, NULL, &made))
            return -1;
    }
    *out = made.as.iterator;
    return 0;
}

int value_collect(struct sandbox *s, struct value v, enum value_type type,
                  struct value *out)
{
    struct iterator *i;
    struct value one;
    size_t known = 0;
    int more;
    value_has_length(v, &known);
    if (iterate(s, v, &i) || value_new_list(s, type, known, out))
        return -1;
    while ((more = iterator_next(s, i, &one)) > 0)
        if (value_append(s, *out, one))
            return -1;
    return more;
}

int value_has_length(struct value v, size_t *out)
{
    switch (v.type) {
    case VALUE_UNDEFINED:
        *out = 0;
        return 1;
    case VALUE_STRING:
        *out = v.as.text->length;
        return 1;
    case VALUE_LIST:
    case VALUE_TUPLE:
        *out = v.as.list->size;
        return 1;
    case VALUE_DICT:
        *out = v.as.dict->size;
        return 1;
    case VALUE_VIEW:
        *out = v.as.view->dict->size;
        return 1;
    case VALUE_RANGE:
        *out = v.as.range->size;
        return 1;
    default:
        return 0;
    }
}

size_t text_find(const struct text *in, const struct text *part, size_t from)
{
    if (part->size == 0)
        return from <= in->size ? from : SIZE_MAX;
    while (from + part->size <= in->size) {
        const char *first = memchr(in->data + from, part->data[0],
                                   in->size - from - part->size + 1);
        if (!first)
            return SIZE_MAX;
        from = (size_t)(first - in->data);
        if (memcmp(first, part->data, part->size) == 0)
            return from;
        from++;
    }
    return SIZE_MAX;
}

int text_find_work(struct sandbox *s, const struct text *in,
                   const struct text *part)
{
    size_t times = 1 + (part ? part->size / FIND_STEP_BYTES : 0);
    if (in->size && times > SIZE_MAX / in->size)
        return sandbox_work(s, SIZE_MAX - 1);
    return sandbox_work(s, in->size * times);
}

/* Methods of dictionaries, lists and tuples: see methods.h. */
#include "methods.h"

#include "compare.h"
#include "dict.h"
#include "iterate.h"

static int dict_get_method(struct sandbox *s, const struct call *c,
                           struct value *out)
{
    int found = dict_get(s, c->self.as.dict, c->a[0], out);
    if (found == 0)
        *out = c->a[1].type == VALUE_ABSENT ? value_none() : c->a[1];
    return found < 0 ? -1 : 0;
}

static int view(struct sandbox *s, const struct call *c, bool keys,
                bool values, struct value *out)
{
    struct value_view *v = sandbox_alloc(s, 1, sizeof *v);
    if (!v)
        return -1;
    *v = (struct value_view){c->self.as.dict, keys, values};
    *out = (struct value){.type = VALUE_VIEW, .as.view = v};
    return 0;
}

static int dict_keys(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    return view(s, c, true, false, out);
}

static int dict_values(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    return view(s, c, false, true, out);
}

static int dict_items(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return view(s, c, true, true, out);
}

static int dict_copy(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    const struct value_dict *d = c->self.as.dict;
    if (dict_new(s, out))
        return -1;
    for (size_t i = 0; i < d->size; i++)
        if (dict_set(s, out->as.dict, d->entries[i].key, d->entries[i].value))
            return -1;
    return 0;
}

/* dict.fromkeys(): of the class, so it asks nothing of a dictionary. */
static int dict_fromkeys(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    struct value key, value = c->a[1];
    struct iterator *i;
    int more;
    if (value.type == VALUE_ABSENT)
        value = value_none();
    if (dict_new(s, out) || iterate(s, c->a[0], &i))
        return -1;
    while ((more = iterator_next(s, i, &key)) > 0)
        if (dict_set(s, out->as.dict, key, value))
            return -1;
    return more;
}

static int list_count(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    const struct value_list *l = c->self.as.list;
    size_t n = 0;
    for (size_t i = 0; i < l->size; i++) {
        bool equal;
        if (value_equal(s, l->items[i], c->a[0], &equal))
            return -1;
        n += equal;
    }
    *out = value_size(n);
    return 0;
}

/* A place in a list of `size`, counted from the end where it is negative. */
static size_t bound(int64_t i, size_t size)
{
    if (i < 0)
        i = i < -(int64_t)size ? 0 : i + (int64_t)size;
    return (size_t)i < size ? (size_t)i : size;
}

static int list_index(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    const struct value_list *l = c->self.as.list;
    int64_t from = 0, to = (int64_t)l->size;
    if (argument_int(s, c->a[1], &from) || argument_int(s, c->a[2], &to))
        return -1;
    for (size_t i = bound(from, l->size); i < bound(to, l->size); i++) {
        bool equal;
        if (value_equal(s, l->items[i], c->a[0], &equal))
            return -1;
        *out = value_size(i);
        if (equal)
            return 0;
    }
    return sandbox_fail(s, "what index() looks for is not in the %s",
                        value_type_name(c->self));
}

static int list_copy(struct sandbox *s, const struct call *c,
                     struct value *out)
{
    const struct value_list *l = c->self.as.list;
    if (value_new_list(s, VALUE_LIST, l->size, out))
        return -1;
    for (size_t i = 0; i < l->size; i++)
        out->as.list->items[i] = l->items[i];
    out->as.list->size = l->size;
    return 0;
}

struct methods methods_of_collections(enum value_type type)
{
    static const struct built_in of_dicts[] = {
        {"get", "key |default /", dict_get_method},
        {"items", "", dict_items},
        {"keys", "", dict_keys},
        {"values", "", dict_values},
        {"copy", "", dict_copy},
        {"fromkeys", "iterable |value /", dict_fromkeys},
    };
    static const struct built_in of_lists[] = {
        {"count", "value /", list_count},
        {"index", "value |start stop /", list_index},
        {"copy", "", list_copy}, /* the last: tuples have none */
    };
    const size_t n = sizeof of_lists / sizeof *of_lists;
    if (type == VALUE_DICT)
        return (struct methods){of_dicts, sizeof of_dicts / sizeof *of_dicts};
    return (struct methods){of_lists, type == VALUE_LIST ? n : n - 1};
}

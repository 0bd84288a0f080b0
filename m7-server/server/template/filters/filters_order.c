/* Filters that put values in order: see built_ins.h. */
#include "built_ins.h"

#include "compare.h"
#include "dict.h"
#include "iterate.h"

/* "a,b.c": several paths, whose keys make a list. */
static int read_paths(struct sandbox *s, struct value attribute,
                      struct path **paths, size_t *n)
{
    struct value piece;
    bool text = attribute.type == VALUE_STRING;
    size_t size = text ? attribute.as.text->size : 0, from = 0;
    *n = 0;
    if (!(*paths = sandbox_alloc(s, size + 1, sizeof **paths)))
        return -1;
    if (!text)
        return path_read(s, attribute, &(*paths)[(*n)++]);
    for (size_t i = 0; i <= size; i++)
        if (i == size || attribute.as.text->data[i] == ',') {
            if (value_constant(s, attribute.as.text->data + from, i - from,
                               &piece) ||
                path_read(s, piece, &(*paths)[(*n)++]))
                return -1;
            from = i + 1;
        }
    return 0;
}

static int filter_sort(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct path *paths;
    size_t n;
    if (value_collect(s, c->self, VALUE_LIST, out) ||
        read_paths(s, c->a[2], &paths, &n))
        return -1;
    struct value_list *list = out->as.list;
    struct value *keys = sandbox_alloc(s, list->size, sizeof *keys);
    for (size_t i = 0; keys && i < list->size; i++) {
        if (value_new_list(s, VALUE_LIST, n, &keys[i]))
            return -1;
        for (size_t k = 0; k < n; k++)
            if (path_key(s, &paths[k], value_truth(c->a[1]), list->items[i],
                         &keys[i].as.list->items[k]))
                return -1;
        keys[i].as.list->size = n;
    }
    if (!keys)
        return -1;
    return value_sort(s, list->items, keys, list->size,
                      value_truth(c->a[0]));
}

static int filter_dictsort(struct sandbox *s, const struct call *c,
                           struct value *out)
{
    const struct text key = {"key", 3, 3}, *by = &key;
    struct path none = {0};
    if (argument_text(s, c->a[1], "by", &by))
        return -1;
    if (!text_is(by, "key") && !text_is(by, "value"))
        return sandbox_fail(
            s, "You can only sort by either \"key\" or \"value\"");
    if (c->self.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, c->self);
    if (c->self.type != VALUE_DICT)
        return sandbox_fail(s, "'%s' object has no attribute 'items'",
                            value_type_name(c->self));
    const struct value_dict *d = c->self.as.dict;
    struct value *keys = sandbox_alloc(s, d->size, sizeof *keys);
    if (!keys || value_new_list(s, VALUE_LIST, d->size, out))
        return -1;
    for (size_t i = 0; i < d->size; i++) {
        const struct value_entry *e = &d->entries[i];
        struct value chosen = text_is(by, "key") ? e->key : e->value;
        if (value_pair(s, e->key, e->value, &out->as.list->items[i]) ||
            path_key(s, &none, value_truth(c->a[0]), chosen, &keys[i]))
            return -1;
    }
    out->as.list->size = d->size;
    return value_sort(s, out->as.list->items, keys, d->size,
                      value_truth(c->a[2]));
}

/* The smallest, or the largest; of equal ones the first. */
static int extreme(struct sandbox *s, const struct call *c,
                   enum value_order order, struct value *out)
{
    struct path path;
    struct iterator *i;
    struct value v, key, best;
    int more;
    bool better = true;
    if (path_read(s, c->a[1], &path) || iterate(s, c->self, &i))
        return -1;
    if (value_undefined_hint(s, "No aggregated item, sequence was empty.",
                             out))
        return -1;
    for (size_t n = 0; (more = iterator_next(s, i, &v)) > 0; n++) {
        if (path_key(s, &path, value_truth(c->a[0]), v, &key) ||
            (n && value_ordered(s, order, key, best, &better)))
            return -1;
        if (better) {
            *out = v;
            best = key;
        }
    }
    return more;
}

static int filter_min(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return extreme(s, c, ORDER_LESS, out);
}

static int filter_max(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    return extreme(s, c, ORDER_GREATER, out);
}

/* A group: its key and its values; the key is that of the first, as it is. */
static int add_group(struct sandbox *s, const struct path *path,
                     struct value first, struct value groups,
                     struct value *values)
{
    struct value key, group;
    if (value_new_list(s, VALUE_LIST, 4, values) ||
        path_follow(s, path, first, &key) ||
        value_pair(s, key, *values, &group))
        return -1;
    group.as.list->group = true;
    return value_append(s, groups, group);
}

static int filter_groupby(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    struct path path;
    struct value all, values;
    if (path_read(s, c->a[0], &path) ||
        value_collect(s, c->self, VALUE_LIST, &all))
        return -1;
    if (c->a[1].type != VALUE_NONE)
        path.fallback = c->a[1];
    struct value_list *list = all.as.list;
    struct value *keys = sandbox_alloc(s, list->size, sizeof *keys);
    if (!keys || value_new_list(s, VALUE_LIST, 4, out))
        return -1;
    for (size_t i = 0; i < list->size; i++)
        if (path_key(s, &path, value_truth(c->a[2]), list->items[i],
                     &keys[i]))
            return -1;
    if (value_sort(s, list->items, keys, list->size, false))
        return -1;
    for (size_t i = 0; i < list->size; i++) {
        bool same = false;
        if (i && value_equal(s, keys[i - 1], keys[i], &same))
            return -1;
        if ((!same && add_group(s, &path, list->items[i], *out, &values)) ||
            value_append(s, values, list->items[i]))
            return -1;
    }
    return 0;
}

struct built_ins filters_that_order(void)
{
    static const struct built_in rows[] = {
        {"sort", "|reverse case_sensitive attribute", filter_sort},
        {"dictsort", "|case_sensitive by reverse", filter_dictsort},
        {"min", "|case_sensitive attribute", filter_min},
        {"max", "|case_sensitive attribute", filter_max},
        {"groupby", "attribute |default case_sensitive", filter_groupby},
    };
    return (struct built_ins){rows, sizeof rows / sizeof *rows};
}

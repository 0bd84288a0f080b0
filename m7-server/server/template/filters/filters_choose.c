/* Filters that go through values one by one, when they are asked: map, select
 * and their like; see built_ins.h. */
#include "built_ins.h"

#include "dict.h"
#include "iterate.h"
#include "methods.h"

/* What is done with each value. */
struct choosing {
    struct iterator *from;
    struct path path;
    const struct built_in *built_in; /* a filter, a test, or NULL */
    struct arguments arguments;
    bool rejects;
    bool cases;           /* of unique */
    struct value_dict *seen; /* of unique */
};

/* A name of a filter or a test, and what follows are its arguments. */
static int read_name(struct sandbox *s, const struct arguments *a, size_t at,
                     bool filter, struct choosing *c)
{
    struct value name = a->items[at];
    if (name.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, name);
    if (name.type == VALUE_STRING)
        c->built_in =
            filter ? find_filter(name.as.text) : find_test(name.as.text);
    if (!c->built_in)
        return sandbox_fail(s, "No %s named '%.*s'.",
                            filter ? "filter" : "test",
                            name.type == VALUE_STRING
                                ? (int)name.as.text->size
                                : 1,
                            name.type == VALUE_STRING ? name.as.text->data
                                                      : "?");
    c->arguments = (struct arguments){a->items + at + 1, a->n - at - 1,
                                      a->keywords, a->n_keywords};
    return 0;
}

static struct choosing *new_choosing(struct sandbox *s, struct value v)
{
    struct choosing *c = sandbox_alloc(s, 1, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct choosing){0};
    return iterate(s, v, &c->from) ? NULL : c;
}

static int next_mapped(struct sandbox *s, struct iterator *i,
                       struct value *out)
{
    struct choosing *c = i->context;
    struct value v;
    int more = iterator_next(s, c->from, &v);
    if (more <= 0)
        return more;
    if (c->built_in)
        return built_in_call(s, c->built_in, v, &c->arguments, out) ? -1 : 1;
    return path_follow(s, &c->path, v, out) ? -1 : 1;
}

/* map(attribute=..., default=...) */
static int map_attribute(struct sandbox *s, const struct arguments *a,
                         struct choosing *c)
{
    struct value attribute = {VALUE_ABSENT, false, {0}}, fallback = attribute;
    for (size_t i = 0; i < a->n_keywords; i++) {
        const struct keyword *k = &a->keywords[i];
        if (text_is(k->name, "attribute"))
            attribute = k->value;
        else if (text_is(k->name, "default"))
            fallback = k->value;
        else
            return sandbox_fail(s, "Unexpected keyword argument '%.*s'",
                                (int)k->name->size, k->name->data);
    }
    if (attribute.type == VALUE_ABSENT)
        return sandbox_fail(s, "map requires a filter argument");
    if (path_read(s, attribute, &c->path))
        return -1;
    if (fallback.type != VALUE_NONE)
        c->path.fallback = fallback;
    return 0;
}

static int filter_map(struct sandbox *s, const struct call *call,
                      struct value *out)
{
    bool empty = !value_truth(call->self);
    struct choosing *c =
        new_choosing(s, empty ? (struct value){.type = VALUE_UNDEFINED}
                              : call->self);
    if (!c)
        return -1;
    if (!empty && (call->raw->n ? read_name(s, call->raw, 0, true, c)
                                : map_attribute(s, call->raw, c)))
        return -1;
    return value_iterator(s, next_mapped, value_none(), c, out);
}

static int next_chosen(struct sandbox *s, struct iterator *i,
                       struct value *out)
{
    struct choosing *c = i->context;
    struct value part, holds;
    int more;
    while ((more = iterator_next(s, c->from, out)) > 0) {
        if (path_follow(s, &c->path, *out, &part))
            return -1;
        holds = part;
        if (c->built_in &&
            built_in_call(s, c->built_in, part, &c->arguments, &holds))
            return -1;
        if (value_truth(holds) != c->rejects)
            break;
    }
    return more;
}

static int choose_items(struct sandbox *s, const struct call *call,
                        bool attribute, bool rejects, struct value *out)
{
    bool empty = !value_truth(call->self);
    struct choosing *c =
        new_choosing(s, empty ? (struct value){.type = VALUE_UNDEFINED}
                              : call->self);
    size_t test = attribute ? 1 : 0;
    if (!c)
        return -1;
    c->rejects = rejects;
    if (!empty && attribute && call->raw->n == 0)
        return sandbox_fail(s, "Missing parameter for attribute name");
    if (!empty && attribute &&
        path_read(s, call->raw->items[0], &c->path))
        return -1;
    if (!empty && call->raw->n > test &&
        read_name(s, call->raw, test, false, c))
        return -1;
    return value_iterator(s, next_chosen, value_none(), c, out);
}

static int filter_select(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    return choose_items(s, c, false, false, out);
}

static int filter_reject(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    return choose_items(s, c, false, true, out);
}

static int filter_selectattr(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    return choose_items(s, c, true, false, out);
}

static int filter_rejectattr(struct sandbox *s, const struct call *c,
                             struct value *out)
{
    return choose_items(s, c, true, true, out);
}

static int next_unique(struct sandbox *s, struct iterator *i,
                       struct value *out)
{
    struct choosing *c = i->context;
    struct value key, ignored;
    int more;
    while ((more = iterator_next(s, c->from, out)) > 0) {
        if (path_key(s, &c->path, c->cases, *out, &key))
            return -1;
        int found = dict_get(s, c->seen, key, &ignored);
        if (found < 0 ||
            (!found && dict_set(s, c->seen, key, value_none())))
            return -1;
        if (!found)
            break;
    }
    return more;
}

static int filter_unique(struct sandbox *s, const struct call *call,
                         struct value *out)
{
    struct choosing *c = new_choosing(s, call->self);
    struct value seen;
    if (!c || dict_new(s, &seen) || path_read(s, call->a[1], &c->path))
        return -1;
    c->seen = seen.as.dict;
    c->cases = value_truth(call->a[0]);
    return value_iterator(s, next_unique, value_none(), c, out);
}

static int filter_items(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct methods m = methods_of_collections(VALUE_DICT);
    struct arguments none = {0};
    struct value view = c->self;
    struct iterator *i;
    if (c->self.type == VALUE_DICT &&
        built_in_call(s, built_in_find(m.rows, m.n, "items", 5), c->self,
                      &none, &view))
        return -1;
    if (c->self.type != VALUE_DICT && c->self.type != VALUE_UNDEFINED)
        return sandbox_fail(s, "Can only get item pairs from a mapping.");
    if (iterate(s, view, &i))
        return -1;
    *out = (struct value){.type = VALUE_ITERATOR, .as.iterator = i};
    return 0;
}

struct built_ins filters_that_choose(void)
{
    static const struct built_in rows[] = {
        {"map", "*", filter_map},
        {"select", "*", filter_select},
        {"reject", "*", filter_reject},
        {"selectattr", "*", filter_selectattr},
        {"rejectattr", "*", filter_rejectattr},
        {"unique", "|case_sensitive attribute", filter_unique},
        {"items", "", filter_items},
    };
    return (struct built_ins){rows, sizeof rows / sizeof *rows};
}

/* Filters of lists and what else can be gone through, and the table of all
 * filters: see built_ins.h. */
#include "built_ins.h"

#include "arithmetic.h"
#include "compare.h"
#include "iterate.h"
#include "methods.h"
#include "subscript.h"
#include "written.h"

static int filter_length(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    size_t n;
    if (c->self.type == VALUE_OBJECT) {
        static const struct text name = {"length", 6, 6};
        int found = value_attribute(s, c->self, &name, out);
        if (found)
            return found < 0 ? -1 : 0;
    }
    if (!value_has_length(c->self, &n))
        return sandbox_fail(s, "object of type '%s' has no len()",
                            value_type_name(c->self));
    *out = value_size(n);
    return 0;
}

static int filter_list(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    return value_collect(s, c->self, VALUE_LIST, out);
}

static int filter_first(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct iterator *i;
    if (iterate(s, c->self, &i))
        return -1;
    int more = iterator_next(s, i, out);
    if (more)
        return more < 0 ? -1 : 0;
    return value_undefined_hint(s, "No first item, sequence was empty.", out);
}

static bool reversible(struct value v)
{
    return value_iterable(v) && v.type != VALUE_ITERATOR;
}

static int filter_last(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct value list;
    if (!reversible(c->self))
        return sandbox_fail(s, "'%s' object is not reversible",
                            value_type_name(c->self));
    if (value_collect(s, c->self, VALUE_LIST, &list))
        return -1;
    const struct value_list *l = list.as.list;
    if (l->size == 0)
        return value_undefined_hint(s, "No last item, sequence was empty.",
                                    out);
    *out = l->items[l->size - 1];
    if (c->self.type == VALUE_STRING)
        out->safe = c->self.safe;
    return 0;
}

/* A text turned round, or what goes through the rest from its end. */
static int filter_reverse(struct sandbox *s, const struct call *c,
                          struct value *out)
{
    struct value slice, list;
    struct iterator *i;
    if (!value_iterable(c->self))
        return sandbox_fail(s, "argument must be iterable");
    if (value_new_list(s, VALUE_SLICE, 3, &slice))
        return -1;
    slice.as.list->items[0] = slice.as.list->items[1] = value_none();
    slice.as.list->items[2] = value_int(-1);
    slice.as.list->size = 3;
    if (c->self.type == VALUE_STRING)
        return value_item(s, c->self, slice, out) < 0 ? -1 : 0;
    if (value_collect(s, c->self, VALUE_LIST, &list) ||
        value_item(s, list, slice, &list) < 0)
        return -1;
    *out = list;
    if (!reversible(c->self))
        return 0;
    if (iterate(s, list, &i))
        return -1;
    *out = (struct value){.type = VALUE_ITERATOR, .as.iterator = i};
    return 0;
}

static int filter_join(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct path path;
    struct iterator *i;
    struct value v, between;
    struct bytes made = {0};
    int more;
    if (c->a[0].type == VALUE_ABSENT ? value_constant(s, "", 0, &between)
                                     : value_to_string(s, c->a[0], &between))
        return -1;
    if (path_read(s, c->a[1], &path) || iterate(s, c->self, &i))
        return -1;
    for (size_t n = 0; (more = iterator_next(s, i, &v)) > 0; n++) {
        if ((n && value_str(s, between, &made)) ||
            path_follow(s, &path, v, &v) || value_str(s, v, &made)) {
            more = -1;
            break;
        }
    }
    if (more) {
        bytes_free(&made);
        return -1;
    }
    return value_take_bytes(s, &made, out);
}

static int filter_sum(struct sandbox *s, const struct call *c,
                      struct value *out)
{
    struct path path;
    struct iterator *i;
    struct value v;
    int more;
    *out = c->a[1].type == VALUE_ABSENT ? value_int(0) : c->a[1];
    if (out->type == VALUE_STRING)
        return sandbox_fail(s, "sum() can't sum strings");
    if (path_read(s, c->a[0], &path) || iterate(s, c->self, &i))
        return -1;
    while ((more = iterator_next(s, i, &v)) > 0)
        if (path_follow(s, &path, v, &v) ||
            value_operate(s, ARITHMETIC_ADD, *out, v, out))
            return -1;
    return more;
}

/* A list of lists can be gone through once. */
static int as_iterator(struct sandbox *s, struct value list,
                       struct value *out)
{
    struct iterator *i;
    if (iterate(s, list, &i))
        return -1;
    *out = (struct value){.type = VALUE_ITERATOR, .as.iterator = i};
    return 0;
}

static bool is_given(struct value v)
{
    return v.type != VALUE_ABSENT && v.type != VALUE_NONE;
}

/* The last batch, filled up to `size`, which may be no whole number and is
 * then never reached. */
static int fill_batch(struct sandbox *s, struct value batch, struct value size,
                      struct value with)
{
    bool less = false;
    int64_t n = 0;
    if (!is_given(with))
        return 0;
    if (value_ordered(s, ORDER_LESS, value_size(batch.as.list->size), size,
                      &less))
        return -1;
    if (less && argument_int(s, size, &n))
        return -1;
    while (less && (int64_t)batch.as.list->size < n)
        if (value_append(s, batch, with))
            return -1;
    return 0;
}

static int filter_batch(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct value all, batches, batch;
    if (value_collect(s, c->self, VALUE_LIST, &all) ||
        value_new_list(s, VALUE_LIST, 4, &batches) ||
        value_new_list(s, VALUE_LIST, 4, &batch))
        return -1;
    for (size_t i = 0; i < all.as.list->size; i++) {
        bool full;
        if (value_equal(s, value_size(batch.as.list->size), c->a[0], &full))
            return -1;
        if (full && (value_append(s, batches, batch) ||
                     value_new_list(s, VALUE_LIST, 4, &batch)))
            return -1;
        if (value_append(s, batch, all.as.list->items[i]))
            return -1;
    }
    if (batch.as.list->size > 0 &&
        (fill_batch(s, batch, c->a[0], c->a[1]) ||
         value_append(s, batches, batch)))
        return -1;
    return as_iterator(s, batches, out);
}

static int filter_slice(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct value all, slices, slice;
    int64_t n = 0;
    if (argument_int(s, c->a[0], &n) ||
        value_collect(s, c->self, VALUE_LIST, &all) ||
        value_new_list(s, VALUE_LIST, 4, &slices))
        return -1;
    if (n == 0)
        return sandbox_fail(s, "integer division or modulo by zero");
    size_t size = all.as.list->size, at = 0;
    for (int64_t i = 0; i < n; i++) {
        size_t take = size / (size_t)n + ((size_t)i < size % (size_t)n);
        if (value_new_list(s, VALUE_LIST, take + 1, &slice) ||
            value_append(s, slices, slice))
            return -1;
        for (size_t k = 0; k < take; k++)
            if (value_append(s, slice, all.as.list->items[at++]))
                return -1;
        if (is_given(c->a[1]) && (size_t)i >= size % (size_t)n &&
            value_append(s, slice, c->a[1]))
            return -1;
    }
    return as_iterator(s, slices, out);
}

static int filter_attr(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    const struct text *name = NULL;
    if (argument_text(s, c->a[0], "attr", &name))
        return -1;
    int found = value_attribute(s, c->self, name, out);
    if (found == 0)
        return value_no_part(s, c->self, value_of_text(name), out);
    return found < 0 ? -1 : 0;
}

struct built_ins filters_of_sequences(void)
{
    static const struct built_in rows[] = {
        {"length", "", filter_length},
        {"count", "", filter_length},
        {"list", "", filter_list},
        {"first", "", filter_first},
        {"last", "", filter_last},
        {"reverse", "", filter_reverse},
        {"join", "|d attribute", filter_join},
        {"sum", "|attribute start", filter_sum},
        {"batch", "linecount |fill_with", filter_batch},
        {"slice", "slices |fill_with", filter_slice},
        {"attr", "name", filter_attr},
    };
    return (struct built_ins){rows, sizeof rows / sizeof *rows};
}

const struct built_in *find_filter(const struct text *name)
{
    const struct built_ins tables[] = {
        filters_of_text(), filters_of_numbers(), filters_of_sequences(),
        filters_that_choose(), filters_that_order()};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct built_in *found = built_in_find(
            tables[i].rows, tables[i].n, name->data, name->size);
        if (found)
            return found;
    }
    return NULL;
}

/* The functions that every template has, and namespaces: see built_ins.h. */
#include "built_ins.h"

#include "dict.h"
#include "iterate.h"
#include "written.h"

#include <stdio.h>
#include <string.h>

enum globals_limits {
    RANGE_MOST = 100000, /* as jinja2's sandbox has it */
    TIME_SIZE = 4096
};

struct namespace {
    struct object object;
    struct value_dict *attributes;
};

static int namespace_attribute(struct sandbox *s, struct object *o,
                               const struct text *name, struct value *out)
{
    const struct namespace *n = (const struct namespace *)o;
    return dict_get(s, n->attributes, value_of_text(name), out);
}

static int namespace_write(struct sandbox *s, struct object *o,
                           struct bytes *out)
{
    const struct namespace *n = (const struct namespace *)o;
    struct value d = {.type = VALUE_DICT, .as.dict = n->attributes};
    bytes_add_string(out, "<Namespace ");
    if (value_repr(s, d, out))
        return -1;
    bytes_add_string(out, ">");
    return 0;
}

static const struct object_kind namespace_kind = {
    "Namespace", namespace_attribute, namespace_write};

static int check_member_name(struct sandbox *s, const struct text *name)
{
    if (name->size == 0 || name->data[0] != '_')
        return 0;
    return sandbox_fail(s,
                        "Chat templates cannot store underscore-prefixed "
                        "attributes on a namespace, but got '%.*s'. Please "
                        "rename the attribute.", (int)name->size, name->data);
}

int namespace_set(struct sandbox *s, struct value v, const struct text *name,
                  struct value value)
{
    if (v.type != VALUE_OBJECT || v.as.object->kind != &namespace_kind)
        return sandbox_fail(
            s, "cannot assign attribute on non-namespace object");
    struct namespace *n = (struct namespace *)v.as.object;
    if (check_member_name(s, name))
        return -1;
    return dict_set(s, n->attributes, value_of_text(name), value);
}

/* The pairs of an argument, into a dictionary. */
static int add_pairs(struct sandbox *s, struct value_dict *d, struct value v)
{
    struct iterator *i;
    struct value one, pair;
    int more;
    if (v.type == VALUE_DICT) {
        for (size_t k = 0; k < v.as.dict->size; k++)
            if (dict_set(s, d, v.as.dict->entries[k].key,
                         v.as.dict->entries[k].value))
                return -1;
        return 0;
    }
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    if (iterate(s, v, &i))
        return -1;
    while ((more = iterator_next(s, i, &one)) > 0) {
        if (value_collect(s, one, VALUE_TUPLE, &pair))
            return -1;
        const struct value_list *l = pair.as.list;
        if (l->size != 2)
            return sandbox_fail(s, "dictionary update sequence element has "
                                   "length %zu; 2 is required", l->size);
        if (dict_set(s, d, l->items[0], l->items[1]))
            return -1;
    }
    return more;
}

static int global_dict(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    const struct arguments *a = c->raw;
    if (a->n > 1)
        return sandbox_fail(s, "dict expected at most 1 argument, got %zu",
                            a->n);
    if (dict_new(s, out) || (a->n && add_pairs(s, out->as.dict, a->items[0])))
        return -1;
    for (size_t i = 0; i < a->n_keywords; i++)
        if (dict_set(s, out->as.dict, value_of_text(a->keywords[i].name),
                     a->keywords[i].value))
            return -1;
    return 0;
}

static int global_namespace(struct sandbox *s, const struct call *c,
                            struct value *out)
{
    struct value attributes;
    struct namespace *n = sandbox_alloc(s, 1, sizeof *n);
    if (!n || global_dict(s, c, &attributes))
        return -1;
    for (size_t i = 0; i < attributes.as.dict->size; i++) {
        struct value key = attributes.as.dict->entries[i].key;
        if (key.type == VALUE_STRING && check_member_name(s, key.as.text))
            return -1;
    }
    *n = (struct namespace){{&namespace_kind}, attributes.as.dict};
    *out = (struct value){.type = VALUE_OBJECT, .as.object = &n->object};
    return 0;
}

/* How many steps lead from start to before stop. */
static size_t range_size(int64_t start, int64_t stop, int64_t step)
{
    bool up = step > 0;
    if (up ? start >= stop : start <= stop)
        return 0;
    uint64_t span = up ? (uint64_t)stop - (uint64_t)start
                       : (uint64_t)start - (uint64_t)stop;
    uint64_t stride = up ? (uint64_t)step : 0 - (uint64_t)step;
    return (size_t)((span - 1) / stride + 1);
}

static int global_range(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    int64_t start = 0, stop = 0, step = 1;
    bool one = c->a[1].type == VALUE_ABSENT;
    if (argument_int(s, c->a[0], one ? &stop : &start) ||
        argument_int(s, c->a[1], &stop) || argument_int(s, c->a[2], &step))
        return -1;
    if (step == 0)
        return sandbox_fail(s, "range() arg 3 must not be zero");
    size_t size = range_size(start, stop, step);
    if (size > RANGE_MOST)
        return sandbox_fail(s, "Range too big. The sandbox blocks ranges "
                               "larger than MAX_RANGE (%d).", RANGE_MOST);
    struct value_range *r = sandbox_alloc(s, 1, sizeof *r);
    if (!r)
        return -1;
    *r = (struct value_range){start, stop, step, size};
    *out = (struct value){.type = VALUE_RANGE, .as.range = r};
    return 0;
}

static int global_raise(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    struct value text;
    (void)out;
    if (value_to_string(s, c->a[0], &text))
        return -1;
    s->raised = true;
    return sandbox_fail(s, "%.*s", (int)text.as.text->size,
                        text.as.text->data);
}

/* A format as C's strftime() takes it, with a blank at its end, so that what
 * is written is never empty: -1 when there is no room.  Python itself writes
 * %f, microseconds, and of a time without a zone %z and %Z, which are empty.
 */
static int copy_time_format(const struct text *t, char format[TIME_SIZE])
{
    size_t n = 0;
    for (size_t i = 0; i < t->size && t->data[i]; i++) {
        char next = t->data[i] == '%' && i + 1 < t->size ? t->data[i + 1] : 0;
        if (n + 8 > TIME_SIZE)
            return -1;
        if (next == 'f')
            n += (size_t)sprintf(format + n, "000000");
        else if (next && next != 'z' && next != 'Z') {
            format[n++] = '%';
            format[n++] = next;
        } else if (!next)
            format[n++] = t->data[i];
        i += next != 0;
    }
    format[n++] = ' ';
    format[n] = 0;
    return 0;
}

static int global_strftime(struct sandbox *s, const struct call *c,
                           struct value *out)
{
    char format[TIME_SIZE], written[TIME_SIZE];
    const struct text *t = NULL;
    if (argument_text(s, c->a[0], "format", &t))
        return -1;
    if (!s->now)
        return sandbox_fail(s, "nobody said what time it is");
    if (copy_time_format(t, format))
        return sandbox_fail(s, "a format of the time is too long");
    size_t size = strftime(written, sizeof written, format, s->now);
    if (size == 0)
        return sandbox_fail(s, "a format of the time gives too much text");
    return value_string(s, written, size - 1, out);
}

/* A row of values that comes round again, and what is put between things. */
struct turning {
    struct object object;
    struct value items; /* a tuple; of a joiner its text */
    size_t at;
};

static int turning_write(struct sandbox *s, struct object *o,
                         struct bytes *out)
{
    (void)out;
    return sandbox_fail(s, "a %s cannot be printed", o->kind->type_name);
}

static int cycler_next(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct turning *t = (struct turning *)c->self.as.object;
    (void)s;
    *out = t->items.as.list->items[t->at];
    t->at = (t->at + 1) % t->items.as.list->size;
    return 0;
}

static int cycler_reset(struct sandbox *s, const struct call *c,
                        struct value *out)
{
    (void)s;
    ((struct turning *)c->self.as.object)->at = 0;
    *out = value_none();
    return 0;
}

static int cycler_attribute(struct sandbox *s, struct object *o,
                            const struct text *name, struct value *out)
{
    static const struct built_in rows[] = {{"next", "", cycler_next},
                                           {"reset", "", cycler_reset}};
    struct turning *t = (struct turning *)o;
    struct value self = {.type = VALUE_OBJECT, .as.object = o};
    const struct built_in *row =
        built_in_find(rows, 2, name->data, name->size);
    if (text_is(name, "current")) {
        *out = t->items.as.list->items[t->at];
        return 1;
    }
    if (text_is(name, "items") || text_is(name, "pos")) {
        *out = text_is(name, "pos") ? value_size(t->at) : t->items;
        return 1;
    }
    if (!row)
        return 0;
    return value_function(s, row, self, out) ? -1 : 1;
}

static const struct object_kind cycler_kind = {"Cycler", cycler_attribute,
                                               turning_write};

static int global_cycler(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    struct turning *t = sandbox_alloc(s, 1, sizeof *t);
    if (!t)
        return -1;
    if (c->raw->n == 0)
        return sandbox_fail(s, "at least one item has to be provided");
    *t = (struct turning){.object = {&cycler_kind}};
    if (value_new_list(s, VALUE_TUPLE, c->raw->n, &t->items))
        return -1;
    for (size_t i = 0; i < c->raw->n; i++)
        t->items.as.list->items[t->items.as.list->size++] = c->raw->items[i];
    *out = (struct value){.type = VALUE_OBJECT, .as.object = &t->object};
    return 0;
}

static int joiner_call(struct sandbox *s, const struct call *c,
                       struct value *out)
{
    struct turning *t = (struct turning *)c->self.as.object;
    *out = t->items;
    return t->at++ ? 0 : value_constant(s, "", 0, out);
}

static int no_attribute(struct sandbox *s, struct object *o,
                        const struct text *name, struct value *out)
{
    (void)s, (void)o, (void)name, (void)out;
    return 0;
}

static const struct object_kind joiner_kind = {"Joiner", no_attribute,
                                               turning_write};

/* A joiner is called itself: it is a function with its text. */
static int global_joiner(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    static const struct built_in row = {"joiner", "", joiner_call};
    struct turning *t = sandbox_alloc(s, 1, sizeof *t);
    if (!t)
        return -1;
    *t = (struct turning){.object = {&joiner_kind}, .items = c->a[0]};
    if (c->a[0].type == VALUE_ABSENT &&
        value_constant(s, ", ", 2, &t->items))
        return -1;
    struct value self = {.type = VALUE_OBJECT, .as.object = &t->object};
    return value_function(s, &row, self, out);
}

static int global_lipsum(struct sandbox *s, const struct call *c,
                         struct value *out)
{
    (void)c, (void)out;
    return sandbox_fail(s, "lipsum is not available in templates here");
}

const struct built_in *find_global(const struct text *name)
{
    static const struct built_in rows[] = {
        {"range", "start |stop step /", global_range},
        {"dict", "*", global_dict},
        {"namespace", "*", global_namespace},
        {"raise_exception", "message", global_raise},
        {"strftime_now", "format", global_strftime},
        {"cycler", "* /", global_cycler},
        {"joiner", "|sep", global_joiner},
        {"lipsum", "*", global_lipsum},
    };
    return built_in_find(rows, sizeof rows / sizeof *rows, name->data,
                         name->size);
}

/* Values: see value.h. */
#include "value.h"

#include "dict.h"
#include "unicode.h"
#include "written.h"

#include <stdio.h>
#include <string.h>

/* How many code points valid UTF-8 has. */
static size_t count_points(const char *data, size_t size)
{
    size_t ascii = utf8_ascii(data, size), count = ascii;
    for (size_t i = ascii; i < size; i++)
        count += ((unsigned char)data[i] & 0xC0) != 0x80;
    return count;
}

int value_constant(struct sandbox *s, const char *data, size_t size,
                   struct value *out)
{
    struct text *t = sandbox_alloc(s, 1, sizeof *t);
    if (!t)
        return -1;
    *t = (struct text){data, size, count_points(data, size)};
    *out = value_of_text(t);
    return 0;
}

int value_string(struct sandbox *s, const char *data, size_t size,
                 struct value *out)
{
    char *copy = sandbox_alloc(s, size, 1);
    if (!copy)
        return -1;
    if (size)
        memcpy(copy, data, size);
    return value_constant(s, copy, size, out);
}

int value_take_bytes(struct sandbox *s, struct bytes *b, struct value *out)
{
    int result = b->failed ? fail_memory(s->error, "a template's text")
                           : value_string(s, b->data, b->size, out);
    bytes_free(b);
    return result;
}

static int new_undefined(struct sandbox *s, struct undefined u,
                         struct value *out)
{
    struct undefined *copy = sandbox_alloc(s, 1, sizeof *copy);
    if (!copy)
        return -1;
    *copy = u;
    *out = (struct value){.type = VALUE_UNDEFINED, .as.undefined = copy};
    return 0;
}

int value_undefined_hint(struct sandbox *s, const char *hint,
                         struct value *out)
{
    return new_undefined(s, (struct undefined){.hint = hint}, out);
}

static int undefined_named(struct sandbox *s, const char *owner,
                           struct value name, struct value *out)
{
    struct value *copy = sandbox_alloc(s, 1, sizeof *copy);
    if (!copy)
        return -1;
    *copy = name;
    return new_undefined(s, (struct undefined){NULL, owner, copy}, out);
}

int value_undefined(struct sandbox *s, const struct text *name,
                    struct value *out)
{
    return undefined_named(s, NULL, value_of_text(name), out);
}

int value_no_part(struct sandbox *s, struct value of, struct value name,
                  struct value *out)
{
    return undefined_named(s, value_type_name(of), name, out);
}

int value_fail_undefined(struct sandbox *s, struct value v)
{
    const struct undefined *u = v.as.undefined;
    if (u->hint)
        return sandbox_fail(s, "%s", u->hint);
    struct bytes name = {0};
    int result = value_repr(s, *u->name, &name);
    if (!result && name.failed)
        result = fail_memory(s->error, "an undefined value's name");
    if (result) {
        bytes_free(&name);
        return -1;
    }
    bool none = u->owner && strcmp(u->owner, "NoneType") == 0;
    const char *owner = none ? "None" : u->owner;
    const char *object = none ? "" : " object";
    if (!u->owner)
        sandbox_fail(s, "%.*s is undefined", (int)name.size, name.data);
    else if (u->name->type == VALUE_STRING)
        sandbox_fail(s, "'%s%s' has no attribute %.*s", owner, object,
                     (int)name.size, name.data);
    else
        sandbox_fail(s, "%s%s has no element %.*s", owner, object,
                     (int)name.size, name.data);
    bytes_free(&name);
    return -1;
}

int value_new_list(struct sandbox *s, enum value_type type, size_t capacity,
                   struct value *out)
{
    struct value_list *list = sandbox_alloc(s, 1, sizeof *list);
    struct value *items =
        list ? sandbox_alloc(s, capacity, sizeof *items) : NULL;
    if (!items)
        return -1;
    *list = (struct value_list){.items = items, .capacity = capacity};
    *out = (struct value){.type = type, .as.list = list};
    return 0;
}

int value_append(struct sandbox *s, struct value list, struct value item)
{
    struct value_list *l = list.as.list;
    struct value *items = sandbox_grow(s, l->items, &l->capacity, l->size + 1,
                                       sizeof *items);
    if (!items)
        return -1;
    l->items = items;
    l->items[l->size++] = item;
    return 0;
}

int value_pair(struct sandbox *s, struct value a, struct value b,
               struct value *out)
{
    if (value_new_list(s, VALUE_TUPLE, 2, out))
        return -1;
    out->as.list->items[0] = a;
    out->as.list->items[1] = b;
    out->as.list->size = 2;
    return 0;
}

bool value_truth(struct value v)
{
    switch (v.type) {
    case VALUE_ABSENT:
    case VALUE_UNDEFINED:
    case VALUE_NONE:
        return false;
    case VALUE_BOOL:
        return v.as.boolean;
    case VALUE_INT:
        return v.as.integer != 0;
    case VALUE_FLOAT:
        return v.as.real != 0;
    case VALUE_STRING:
        return v.as.text->size > 0;
    case VALUE_LIST:
    case VALUE_TUPLE:
        return v.as.list->size > 0;
    case VALUE_DICT:
        return v.as.dict->size > 0;
    case VALUE_VIEW:
        return v.as.view->dict->size > 0;
    case VALUE_RANGE:
        return v.as.range->size > 0;
    default:
        return true;
    }
}

const char *value_type_name(struct value v)
{
    static const char *const names[N_VALUE_TYPES] = {
        [VALUE_ABSENT] = "nothing",
        [VALUE_UNDEFINED] = "Undefined",
        [VALUE_NONE] = "NoneType",
        [VALUE_BOOL] = "bool",
        [VALUE_INT] = "int",
        [VALUE_FLOAT] = "float",
        [VALUE_STRING] = "str",
        [VALUE_LIST] = "list",
        [VALUE_TUPLE] = "tuple",
        [VALUE_DICT] = "dict",
        [VALUE_RANGE] = "range",
        [VALUE_SLICE] = "slice",
        [VALUE_ITERATOR] = "generator",
        [VALUE_FUNCTION] = "function",
    };
    if (v.type == VALUE_OBJECT)
        return v.as.object->kind->type_name;
    if (v.type == VALUE_VIEW)
        return !v.as.view->values ? "dict_keys"
               : v.as.view->keys  ? "dict_items"
                                  : "dict_values";
    return v.type == VALUE_STRING && v.safe ? "Markup" : names[v.type];
}

bool value_is_int(struct value v, int64_t *out)
{
    if (v.type == VALUE_BOOL)
        *out = v.as.boolean;
    else if (v.type == VALUE_INT)
        *out = v.as.integer;
    else
        return false;
    return true;
}

bool value_is_number(struct value v, double *out)
{
    int64_t whole;
    if (v.type == VALUE_FLOAT)
        *out = v.as.real;
    else if (value_is_int(v, &whole))
        *out = (double)whole;
    else
        return false;
    return true;
}

bool text_is(const struct text *t, const char *string)
{
    return t->size == strlen(string) && memcmp(t->data, string, t->size) == 0;
}

bool text_equals(const struct text *a, const struct text *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

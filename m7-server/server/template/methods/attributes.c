/* Attributes and keys of values: see methods.h. */
#include "methods.h"

#include "dict.h"
#include "subscript.h"

#include <stdio.h>
#include <string.h>

static bool is_internal(const struct text *name)
{
    return name->size > 4 && memcmp(name->data, "__", 2) == 0 &&
           memcmp(name->data + name->size - 2, "__", 2) == 0;
}

static bool is_among(const struct text *name, const char *const *names)
{
    for (; *names; names++)
        if (text_is(name, *names))
            return true;
    return false;
}

static bool changes(struct value v, const struct text *name)
{
    static const char *const of_lists[] = {
        "append", "clear",  "pop",    "reverse", "insert",
        "sort",   "extend", "remove", NULL};
    static const char *const of_dicts[] = {"clear",      "pop",    "popitem",
                                           "setdefault", "update", NULL};
    if (v.type == VALUE_LIST)
        return is_among(name, of_lists);
    return v.type == VALUE_DICT && is_among(name, of_dicts);
}

/* What Python has and templates do not ask for. */
static bool is_left_out(struct value v, const struct text *name)
{
    static const char *const of_integers[] = {
        "as_integer_ratio", "bit_count",  "bit_length", "conjugate",
        "denominator",      "from_bytes", "imag",       "numerator",
        "real",             "to_bytes",   NULL};
    static const char *const of_floats[] = {
        "as_integer_ratio", "conjugate",  "fromhex", "hex",
        "imag",             "is_integer", "real",    NULL};
    static const char *const of_ranges[] = {"count", "index", "start",
                                            "step",  "stop",  NULL};
    static const char *const of_views[] = {"isdisjoint", "mapping", NULL};
    switch (v.type) {
    case VALUE_BOOL:
    case VALUE_INT:
        return is_among(name, of_integers);
    case VALUE_FLOAT:
        return is_among(name, of_floats);
    case VALUE_RANGE:
        return is_among(name, of_ranges);
    case VALUE_VIEW:
        return is_among(name, of_views);
    default:
        return false;
    }
}

static int unsafe(struct sandbox *s, struct value v, const struct text *name,
                  struct value *out)
{
    char hint[200];
    snprintf(hint, sizeof hint,
             "access to attribute '%.*s' of '%s' object is unsafe.",
             (int)(name->size < 80 ? name->size : 80), name->data,
             value_type_name(v));
    struct value copy;
    if (value_string(s, hint, strlen(hint) + 1, &copy) ||
        value_undefined_hint(s, copy.as.text->data, out))
        return -1;
    return 1;
}

/* The global `dict`, which transformers gives one method. */
static bool is_dict_itself(struct value v)
{
    return v.type == VALUE_FUNCTION &&
           strcmp(v.as.function->built_in->name, "dict") == 0;
}

static const struct built_in *find_method(struct value v,
                                          const struct text *name)
{
    struct methods tables[2] = {{0}};
    if (v.type == VALUE_STRING) {
        tables[0] = methods_of_text();
        tables[1] = methods_of_characters();
    } else if (v.type == VALUE_DICT || value_is_list(v))
        tables[0] = methods_of_collections(v.type);
    else if (is_dict_itself(v) && text_is(name, "fromkeys"))
        tables[0] = methods_of_collections(VALUE_DICT);
    for (int i = 0; i < 2; i++) {
        const struct built_in *found = built_in_find(
            tables[i].rows, tables[i].n, name->data, name->size);
        if (found)
            return found;
    }
    return NULL;
}

/* The two parts of a group that `groupby` made. */
static int group_part(struct value v, const struct text *name,
                      struct value *out)
{
    bool key = text_is(name, "grouper");
    if (v.type != VALUE_TUPLE || !v.as.list->group ||
        (!key && !text_is(name, "list")))
        return 0;
    *out = v.as.list->items[key ? 0 : 1];
    return 1;
}

int value_attribute(struct sandbox *s, struct value v,
                    const struct text *name, struct value *out)
{
    struct value ignored;
    if (v.type == VALUE_UNDEFINED)
        return value_fail_undefined(s, v);
    if (v.type == VALUE_OBJECT && name->size && name->data[0] != '_')
        return v.as.object->kind->attribute(s, v.as.object, name, out);
    bool key = v.type == VALUE_DICT &&
               dict_get(s, v.as.dict, value_of_text(name), &ignored) > 0;
    if (changes(v, name) || (is_internal(name) && !key))
        return unsafe(s, v, name, out);
    if (group_part(v, name, out))
        return 1;
    if (is_left_out(v, name))
        return sandbox_fail(s, "'%.*s' of '%s' object is not available in "
                               "templates here",
                            (int)name->size, name->data, value_type_name(v));
    const struct built_in *method = find_method(v, name);
    if (!method)
        return 0;
    return value_function(s, method, v, out) ? -1 : 1;
}

int value_get_attribute(struct sandbox *s, struct value v,
                        const struct text *name, struct value *out)
{
    struct value key = value_of_text(name);
    int found = value_attribute(s, v, name, out);
    if (found == 0)
        found = value_item(s, v, key, out);
    if (found == 0)
        return value_no_part(s, v, key, out);
    return found < 0 ? -1 : 0;
}

int value_get_item(struct sandbox *s, struct value v, struct value key,
                   struct value *out)
{
    int found = value_item(s, v, key, out);
    if (found == 0 && key.type == VALUE_STRING)
        found = value_attribute(s, v, key.as.text, out);
    if (found == 0)
        return value_no_part(s, v, key, out);
    return found < 0 ? -1 : 0;
}

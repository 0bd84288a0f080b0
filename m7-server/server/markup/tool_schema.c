/* What tools say of their arguments: see tool_schema.h.  JSON Schema 2020-12,
 * Validation, 6.1.1 and 6.1.2; Core, 10.2.1. */
#include "tool_schema.h"

#include "call_literal.h"
#include "call_words.h"

#include <string.h>

/* Schemas in schemas that are looked into. */
enum schema_bounds {
    DEEPEST = 8
};

static const json_t *function_of(const json_t *tool)
{
    const json_t *function = json_object_get(tool, "function");
    return function ? function : tool;
}

const char *tool_name(const json_t *tool)
{
    return json_string_value(json_object_get(function_of(tool), "name"));
}

const json_t *tool_find(const json_t *tools, const char *name)
{
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        const char *is = tool_name(tool);
        if (is && strcmp(is, name) == 0)
            return function_of(tool);
    }
    return NULL;
}

const json_t *tool_parameters(const json_t *tools, const char *name)
{
    return json_object_get(tool_find(tools, name), "parameters");
}

const json_t *tool_own_parameters(const json_t *tool)
{
    return json_object_get(function_of(tool), "parameters");
}

static const struct schema_type_name {
    const char *name;
    unsigned type;
} type_names[] = {
    {"string", SCHEMA_STRING},  {"number", SCHEMA_NUMBER},
    {"integer", SCHEMA_NUMBER}, {"boolean", SCHEMA_BOOLEAN},
    {"null", SCHEMA_NULL},      {"object", SCHEMA_OBJECT},
    {"array", SCHEMA_ARRAY},
};
enum schema_type_counts {
    N_TYPE_NAMES = sizeof type_names / sizeof *type_names,
    N_TYPE_SETS = 2 * SCHEMA_ARRAY
};

static unsigned type_named(const char *name)
{
    for (size_t i = 0; name && i < N_TYPE_NAMES; i++)
        if (strcmp(type_names[i].name, name) == 0)
            return type_names[i].type;
    return 0;
}

static unsigned schema_type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return SCHEMA_STRING;
    case JSON_INTEGER:
    case JSON_REAL:
        return SCHEMA_NUMBER;
    case JSON_OBJECT:
        return SCHEMA_OBJECT;
    case JSON_ARRAY:
        return SCHEMA_ARRAY;
    default:
        return json_is_null(value) ? SCHEMA_NULL : SCHEMA_BOOLEAN;
    }
}

static unsigned types_of(const json_t *schema, int deep);

static unsigned types_of_all(const json_t *schemas, int deep)
{
    unsigned types = 0;
    for (size_t i = 0; i < json_array_size(schemas); i++)
        types |= types_of(json_array_get(schemas, i), deep);
    return types;
}

static unsigned types_of(const json_t *schema, int deep)
{
    const json_t *type = json_object_get(schema, "type");
    const json_t *among = json_object_get(schema, "enum");
    const json_t *only = json_object_get(schema, "const");
    unsigned types = type_named(json_string_value(type));
    if (deep == 0)
        return 0;
    for (size_t i = 0; i < json_array_size(type); i++)
        types |= type_named(json_string_value(json_array_get(type, i)));
    if (types == 0 && only)
        types = schema_type_of(only);
    for (size_t i = 0; !type && i < json_array_size(among); i++)
        types |= schema_type_of(json_array_get(among, i));
    if (types == 0)
        types = types_of_all(json_object_get(schema, "anyOf"), deep - 1) |
                types_of_all(json_object_get(schema, "oneOf"), deep - 1);
    return types;
}

unsigned argument_types(const json_t *parameters, const char *key)
{
    const json_t *properties = json_object_get(parameters, "properties");
    return types_of(json_object_get(properties, key), DEEPEST);
}

/* --- what is kept -------------------------------------------------------- */

/* A schema that says these types, or null, which says none. */
static json_t *schema_of_types(unsigned types)
{
    if (types == 0)
        return json_null();
    json_t *names = json_array();
    bool failed = !names;
    for (size_t i = 0; i < N_TYPE_NAMES; i++)
        if (types & type_names[i].type)
            failed |= json_array_append_new(
                          names, json_string(type_names[i].name)) != 0;
    json_t *schema = failed ? NULL : json_pack("{s:O}", "type", names);
    json_decref(names);
    return schema;
}

/* Arguments of the same types share one schema. */
static json_t *kept_properties(const json_t *properties)
{
    json_t *schemas[N_TYPE_SETS] = {NULL}, *kept = json_object(), *value;
    const char *name;
    bool failed = !kept;
    json_object_foreach((json_t *)properties, name, value)
    {
        unsigned types = types_of(value, DEEPEST);
        if (!failed && !schemas[types])
            schemas[types] = schema_of_types(types);
        failed = failed || json_object_set(kept, name, schemas[types]) != 0;
    }
    for (size_t i = 0; i < N_TYPE_SETS; i++)
        json_decref(schemas[i]);
    if (!failed)
        return kept;
    json_decref(kept);
    return NULL;
}

/* NULL without memory. */
static json_t *kept_tool(const json_t *tool)
{
    json_t *name = json_object_get(function_of(tool), "name");
    json_t *properties =
        json_object_get(tool_own_parameters(tool), "properties");
    json_t *kept = json_object();
    bool failed = !kept;
    if (name)
        failed |= json_object_set(kept, "name", name) != 0;
    if (json_is_object(properties))
        failed |= json_object_set_new(
                      kept, "parameters",
                      json_pack("{s:o}", "properties",
                                kept_properties(properties))) != 0;
    if (!failed)
        return kept;
    json_decref(kept);
    return NULL;
}

void tools_keep_types(json_t *tools)
{
    for (size_t i = 0; i < json_array_size(tools); i++) {
        json_t *kept = kept_tool(json_array_get(tools, i));
        if (kept)
            json_array_set_new(tools, i, kept);
    }
}

enum kept_sizes {
    KEPT_ARGUMENT = 100 /* bytes of an object's member, but for its name */
};

size_t tools_size(const json_t *tools)
{
    size_t size = 0;
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        const char *key = tool_name(tool);
        size += KEPT_ARGUMENT + (key ? strlen(key) : 0);
        json_t *value, *properties =
            json_object_get(tool_own_parameters(tool), "properties");
        json_object_foreach(properties, key, value)
            size += KEPT_ARGUMENT + strlen(key);
    }
    return size;
}

/* --- values -------------------------------------------------------------- */

/* A value in JSON that fits, or one as Python spells it. */
static bool fits_types(unsigned types, const char *text, size_t size)
{
    json_t *value =
        json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    bool fit = value && !json_is_string(value) &&
               (types == 0 || (types & schema_type_of(value)));
    json_decref(value);
    return fit;
}

static void add_string(const char *text, size_t size, struct bytes *out)
{
    bytes_add_string(out, "\"");
    json_escape(text, size, out);
    bytes_add_string(out, "\"");
}

void schema_value(unsigned types, const char *text, size_t size,
                  struct bytes *out)
{
    struct bytes constant = {0};
    const char *from = text, *end = text + size;
    while (from < end && literal_is_blank(*from))
        from++;
    while (end > from && literal_is_blank(end[-1]))
        end--;
    literal_constant(from, (size_t)(end - from), &constant);
    if (constant.size && fits_types(types, constant.data, constant.size))
        bytes_add(out, constant.data, constant.size);
    else if (from < end && fits_types(types, from, (size_t)(end - from)))
        bytes_add(out, from, (size_t)(end - from));
    else
        add_string(text, size, out);
    out->failed |= constant.failed;
    bytes_free(&constant);
}

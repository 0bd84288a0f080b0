/* JSON as values: see from_json.h. */
#include "from_json.h"

#include "dict.h"

static int from_array(struct sandbox *s, const json_t *json,
                      struct value *out)
{
    size_t n = json_array_size(json);
    if (value_new_list(s, VALUE_LIST, n, out))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (value_from_json(s, json_array_get(json, i),
                            &out->as.list->items[out->as.list->size++]))
            return -1;
    return 0;
}

static int from_object(struct sandbox *s, const json_t *json,
                       struct value *out)
{
    /* jansson's iteration takes objects that may change; this one does not. */
    json_t *object = (json_t *)json;
    if (dict_new(s, out))
        return -1;
    for (void *i = json_object_iter(object); i;
         i = json_object_iter_next(object, i)) {
        struct value key, value;
        if (value_string(s, json_object_iter_key(i),
                         json_object_iter_key_len(i), &key) ||
            value_from_json(s, json_object_iter_value(i), &value) ||
            dict_set(s, out->as.dict, key, value))
            return -1;
    }
    return 0;
}

static int from_any(struct sandbox *s, const json_t *json, struct value *out)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return from_object(s, json, out);
    case JSON_ARRAY:
        return from_array(s, json, out);
    case JSON_STRING:
        return value_string(s, json_string_value(json),
                            json_string_length(json), out);
    case JSON_INTEGER:
        *out = value_int(json_integer_value(json));
        return 0;
    case JSON_REAL:
        *out = value_float(json_real_value(json));
        return 0;
    case JSON_NULL:
        *out = value_none();
        return 0;
    default:
        *out = value_bool(json_is_true(json));
        return 0;
    }
}

int value_from_json(struct sandbox *s, const json_t *json, struct value *out)
{
    if (sandbox_enter(s) || from_any(s, json, out))
        return -1;
    sandbox_leave(s);
    return 0;
}

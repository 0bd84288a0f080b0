/* What a config.json says for nothing: see family.h.  Knows no family's
 * name. */
#include "family.h"
#include "json_write.h"
#include "read_keys.h"

#include <string.h>

/* Whether transformers or this program reads a key of config.json. */
static bool is_read(const struct family *f, const char *key)
{
    for (size_t i = 0; i < MAX_FIXED_KEYS && f->fixed[i].key; i++)
        if (strcmp(f->fixed[i].key, key) == 0)
            return true;
    if (strcmp(key, "quantization") == 0) /* of MLX: quant/scheme.c */
        return true;
    return transformers_reads(f->model_type, key) || family_reads(f, key);
}

/* Of the names that config_unread listed, add those that nobody reads. */
static void add_unread_keys(const struct family *f, const json_t *names,
                            json_t **list)
{
    static const char inside[] = "text_config.";
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        bool is_inside = strncmp(name, inside, strlen(inside)) == 0;
        if (!is_read(f, is_inside ? name + strlen(inside) : name))
            json_add(list, json_string(name));
    }
}

/* Add those of an object about rotation, and of the objects in it. */
static void add_unread_ropes(const struct family *f, json_t *object,
                             const char *whose, json_t **list)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (json_is_object(value))
            add_unread_ropes(f, value, whose, list);
        else if (!transformers_reads(f->model_type, key))
            json_add(list, json_sprintf("%s.%s", whose, key));
    }
}

json_t *family_unread(const struct family *f, const struct config *c,
                      struct error *e)
{
    static const char *const ropes[] = {"rope_scaling", "rope_parameters"};
    json_t *names = config_unread(c, e), *list = json_array();
    if (!names) {
        json_decref(list);
        return NULL;
    }
    add_unread_keys(f, names, &list);
    for (size_t i = 0; i < sizeof ropes / sizeof ropes[0]; i++)
        add_unread_ropes(f, json_object_get(c->text.value, ropes[i]), ropes[i],
                         &list);
    json_decref(names);
    if (!list)
        fail_memory(e, "the keys of config.json");
    return list;
}

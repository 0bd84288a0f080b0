/* The command that shows a model's configuration, as this program read it. */
#include "commands.h"
#include "config.h"
#include "family.h"
#include "json_write.h"
#include "model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void put_size(json_t **object, const char *name, size_t size)
{
    json_put(object, name, json_integer((json_int_t)size));
}

static json_t *json_ids(const struct ids *ids)
{
    json_t *array = json_array();
    for (size_t i = 0; i < ids->size; i++)
        json_add(&array, json_integer(ids->data[i]));
    return array;
}

/* The struct as an object, by the names that this program has for them. */
static json_t *describe(const struct config *c)
{
    json_t *o = json_object();
    json_put(&o, "architecture", json_string(c->architecture));
    json_put(&o, "model_type", json_string(c->model_type));
    put_size(&o, "vocab_size", c->vocab_size);
    put_size(&o, "hidden_size", c->hidden_size);
    put_size(&o, "intermediate_size", c->intermediate_size);
    put_size(&o, "n_layers", c->n_layers);
    put_size(&o, "n_heads", c->n_heads);
    put_size(&o, "n_kv_heads", c->n_kv_heads);
    put_size(&o, "head_dim", c->head_dim);
    put_size(&o, "max_positions", c->max_positions);
    json_put(&o, "tie_word_embeddings", json_boolean(c->tie_word_embeddings));
    json_put(&o, "bos", c->bos < 0 ? json_null() : json_integer(c->bos));
    json_put(&o, "eos", json_ids(&c->eos));
    return o;
}

/* How the model is quantized, where it is; numbers that are not one for all
 * matrices are left out. */
static void put_quantization(json_t **object, const struct quantization *s)
{
    if (!s->scheme)
        return;
    json_put(object, "quantization", json_string(s->scheme->method));
    if (s->bits)
        put_size(object, "bits", s->bits);
    if (s->group)
        put_size(object, "group_size", s->group);
}

static int print_value(const json_t *value)
{
    if (!json_is_string(value))
        return json_dumpf(value, stdout, JSON_ENCODE_ANY);
    fputs(json_string_value(value), stdout);
    return 0;
}

/* One field a line. */
static int print_fields(json_t *object)
{
    const char *name;
    json_t *value;
    int failed = 0;
    json_object_foreach(object, name, value)
    {
        printf("%-20s ", name);
        failed |= print_value(value);
        putchar('\n');
    }
    return failed;
}

/* Names of keys, one a line, where there are any. */
static void print_keys(const char *title, const json_t *keys)
{
    for (size_t i = 0; i < json_array_size(keys); i++)
        printf("%-20s %s\n", i == 0 ? title : "",
               json_string_value(json_array_get(keys, i)));
}

/* The fields; the keys that config.json leaves out; those that it has and
 * nobody reads. */
static int print_config(const struct model *m, json_t *unread, bool as_json)
{
    const struct config *c = &m->config;
    json_t *object = describe(c);
    put_quantization(&object, &m->quantization);
    int failed = !object;
    if (as_json) {
        json_put(&object, "by_default", json_incref(c->by_default));
        json_put(&object, "unread", json_incref(unread));
        failed = json_dumpf(object, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        failed |= print_fields(object);
        print_keys("by default", c->by_default);
        print_keys("unread", unread);
    }
    json_decref(object);
    return failed;
}

int cmd_config(const struct settings *s, struct error *e)
{
    const char *model = s->n_arguments ? s->arguments[0] : s->model;
    struct model m;
    if (model_describe(&m, model, e))
        return -1;
    json_t *unread = family_unread(family_named(&m.config, e), &m.config, e);
    int result = unread ? 0 : -1;
    if (unread && print_config(&m, unread, s->json))
        result = fail(e, ERROR_SYSTEM, "cannot print the config");
    json_decref(unread);
    model_close(&m);
    return result;
}

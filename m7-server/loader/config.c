/* The configuration: see config.h.  Knows the names of the fields and what
 * values make sense; knows no family of models. */
#include "config.h"

#include "folder.h"
#include "gguf_files.h"
#include "json_write.h"
#include "silence.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A size that config.json gives.  GPT-2 and its like spell some otherwise. */
struct size_field {
    const char *name, *other; /* other: NULL when there is one spelling */
    size_t offset;            /* in struct config */
    size_t most;              /* more is taken for a mistake */
    bool required;
};

static const struct size_field size_fields[] = {
    {"vocab_size", NULL, offsetof(struct config, vocab_size), 1 << 26, true},
    {"hidden_size", "n_embd", offsetof(struct config, hidden_size), 1 << 20,
     true},
    {"intermediate_size", "n_inner",
     offsetof(struct config, intermediate_size), 1 << 24, true},
    {"num_hidden_layers", "n_layer", offsetof(struct config, n_layers),
     1 << 16, true},
    {"num_attention_heads", "n_head", offsetof(struct config, n_heads),
     1 << 16, true},
    {"num_key_value_heads", NULL, offsetof(struct config, n_kv_heads), 1 << 16,
     false},
    {"head_dim", NULL, offsetof(struct config, head_dim), 1 << 16, false},
    {"max_position_embeddings", "n_positions",
     offsetof(struct config, max_positions), INT_MAX, true},
};

static const size_t n_size_fields = sizeof size_fields / sizeof size_fields[0];

/* Read one size from `object`: from 1 to the most that makes sense. */
static int read_size(const struct node *object, const struct size_field *f,
                     struct config *c, struct error *e)
{
    struct node n = node_member(object, f->name);
    if (!node_has(&n) && f->other) {
        struct node other = node_member(object, f->other);
        if (node_has(&other))
            n = other;
    }
    if (!node_has(&n) && !f->required)
        return 0;
    long long value = 0;
    if (node_integer(&n, &value, e))
        return -1;
    if (value < 1 || (unsigned long long)value > f->most)
        return node_fail(&n, ERROR_INPUT, e,
                         "expected an integer from 1 to %zu, found %lld",
                         f->most, value);
    *(size_t *)((char *)c + f->offset) = (size_t)value;
    return 0;
}

static int read_sizes(struct config *c, struct error *e)
{
    for (size_t i = 0; i < n_size_fields; i++)
        if (read_size(&c->text, &size_fields[i], c, e))
            return -1;
    return 0;
}

/* Without num_key_value_heads, each query head has its own. */
static int settle_kv_heads(struct config *c, struct error *e)
{
    if (!c->n_kv_heads)
        c->n_kv_heads = c->n_heads;
    if (c->n_heads % c->n_kv_heads == 0)
        return 0;
    struct node n = node_member(&c->text, "num_key_value_heads");
    return node_fail(&n, ERROR_INPUT, e,
                     "%zu does not divide the %zu attention heads",
                     c->n_kv_heads, c->n_heads);
}

/* Without head_dim, the heads share hidden_size evenly. */
static int settle_head_dim(struct config *c, struct error *e)
{
    if (c->head_dim)
        return 0;
    c->head_dim = c->hidden_size / c->n_heads;
    if (c->hidden_size % c->n_heads == 0)
        return 0;
    struct node n = node_member(&c->text, "head_dim");
    return node_fail(&n, ERROR_INPUT, e,
                     "is missing, and the %zu attention heads do not divide "
                     "the hidden size, %zu",
                     c->n_heads, c->hidden_size);
}

/* The names of the architecture and of the family. */
static int read_names(struct config *c, struct error *e)
{
    struct node type = node_member(&c->text, "model_type");
    struct node list = node_member(&c->root, "architectures");
    c->architecture = "";
    if (node_name(&type, &c->model_type, e))
        return -1;
    if (!node_has(&list))
        return 0;
    size_t n;
    if (node_array(&list, &n, e))
        return -1;
    struct node first = node_element(&list, 0);
    return n ? node_name(&first, &c->architecture, e) : 0;
}

/* Whether the head is the embedding.  The whole model has the last word: its
 * part for texts may say something else. */
static int read_tie(struct config *c, struct error *e)
{
    struct node text = node_member(&c->text, "tie_word_embeddings");
    struct node whole = node_member(&c->root, "tie_word_embeddings");
    bool *tie = &c->tie_word_embeddings;
    if (node_bool_or(&text, false, tie, e))
        return -1;
    return whole.value ? node_bool_or(&whole, false, tie, e) : 0;
}

/* Read a token id, which must be one of the vocabulary. */
static int read_special_id(const struct config *c, const struct node *n,
                           int *id, struct error *e)
{
    size_t value;
    if (node_size(n, c->vocab_size - 1, &value, e))
        return -1;
    *id = (int)value;
    return 0;
}

static int add_eos(struct config *c, const struct node *n, struct error *e)
{
    int id;
    if (read_special_id(c, n, &id, e))
        return -1;
    ids_add(&c->eos, id);
    return c->eos.failed ? fail_memory(e, "the ids that end a text") : 0;
}

/* The ids that end a text: one, or a list. */
static int read_eos(struct config *c, const struct node *n, struct error *e)
{
    if (!json_is_array(n->value))
        return add_eos(c, n, e);
    for (size_t i = 0; i < json_array_size(n->value); i++) {
        struct node element = node_element(n, i);
        if (add_eos(c, &element, e))
            return -1;
    }
    return 0;
}

/* Take from `object` the special ids that are not known yet. */
static int take_special_ids(struct config *c, const struct node *object,
                            struct error *e)
{
    struct node bos = node_member(object, "bos_token_id");
    struct node eos = node_member(object, "eos_token_id");
    if (c->bos < 0 && node_has(&bos) && read_special_id(c, &bos, &c->bos, e))
        return -1;
    if (c->eos.size == 0 && node_has(&eos))
        return read_eos(c, &eos, e);
    return 0;
}

/* The special ids of generation_config.json, if it is there. */
static int read_generation(struct config *c, const char *model,
                           struct error *e)
{
    if (gguf_is_model(model))
        return 0; /* it is all in one file */
    char *path = folder_file(model, "generation_config.json", e);
    if (!path)
        return -1;
    int result = 0;
    if (path_exists(path)) {
        json_t *value = json_read_file(path, e);
        struct node root = node_root(path, value);
        result = value ? node_object(&root, e) : -1;
        if (!result)
            result = take_special_ids(c, &root, e);
        json_decref(value);
    }
    free(path);
    return result;
}

/* What config.json says, or a GGUF file in other words. */
static json_t *read_root(struct config *c, const char *model, struct error *e)
{
    if (gguf_is_model(model))
        return gguf_open_config(model, &c->file, e);
    c->file = folder_file(model, "config.json", e);
    return c->file ? json_read_file(c->file, e) : NULL;
}

/* Read config.json and find the part that is about text. */
static int open_root(struct config *c, const char *model, struct error *e)
{
    json_t *root = read_root(c, model, e);
    c->root = node_root(c->file, root);
    if (!c->root.value || node_object(&c->root, e))
        return -1;
    c->text = c->root;
    struct node text = node_member(&c->root, "text_config");
    if (!node_has(&text))
        return 0;
    c->text = text;
    return node_object(&c->text, e);
}

/* From here on, what the family's silence means stands in the file. */
static int fill_silence(struct config *c, struct error *e)
{
    c->by_default =
        silence_fill(c->root.value, c->text.value, c->model_type, e);
    return c->by_default ? 0 : -1;
}

static int read_fields(struct config *c, const char *model, struct error *e)
{
    if (fill_silence(c, e) || read_sizes(c, e) || settle_kv_heads(c, e) ||
        settle_head_dim(c, e) || read_tie(c, e))
        return -1;
    if (read_generation(c, model, e) || take_special_ids(c, &c->root, e))
        return -1;
    return take_special_ids(c, &c->text, e);
}

int config_open(struct config *c, const char *model, struct error *e)
{
    *c = (struct config){.bos = -1};
    int result = open_root(c, model, e) || read_names(c, e) ? -1 : 0;
    if (result)
        config_free(c);
    return result;
}

int config_read(struct config *c, const char *model, struct error *e)
{
    int result = read_fields(c, model, e);
    if (result)
        config_free(c);
    return result;
}

int config_load(struct config *c, const char *model, struct error *e)
{
    return config_open(c, model, e) ? -1 : config_read(c, model, e);
}

/* --- what it does not read ---------------------------------------------- */

/* Keys that are no sizes. */
static const char *const other_fields[] = {
    "architectures",       "model_type",   "text_config",
    "tie_word_embeddings", "bos_token_id", "eos_token_id",
};

static bool is_field(const json_t *object, const char *key)
{
    for (size_t i = 0; i < n_size_fields; i++) {
        const struct size_field *f = &size_fields[i];
        bool other = f->other && !json_object_get(object, f->name);
        if (strcmp(key, f->name) == 0 || (other && strcmp(key, f->other) == 0))
            return true;
    }
    for (size_t i = 0; i < sizeof other_fields / sizeof other_fields[0]; i++)
        if (strcmp(key, other_fields[i]) == 0)
            return true;
    return false;
}

/* Add the keys of `object` that are no fields, with `prefix` before each. */
static void add_unread(json_t **list, json_t *object, const char *prefix)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (!is_field(object, key))
            json_add(list, json_sprintf("%s%s", prefix, key));
    }
}

json_t *config_unread(const struct config *c, struct error *e)
{
    json_t *list = json_array();
    add_unread(&list, c->root.value, "");
    if (c->text.value != c->root.value)
        add_unread(&list, c->text.value, "text_config.");
    if (!list)
        fail_memory(e, "the keys of config.json");
    return list;
}

void config_free(struct config *c)
{
    json_decref(c->root.value);
    json_decref(c->by_default);
    free(c->file);
    ids_free(&c->eos);
    *c = (struct config){.bos = -1};
}

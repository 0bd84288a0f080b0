/* From GGUF's words to config.json's: see gguf_config.h.  Knows both spellings
 * and not what the numbers are for. */
#include "gguf_config.h"

#include "gguf_rope.h"
#include "gguf_words.h"
#include "json_write.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* --- looking ------------------------------------------------------------ */

const struct gguf_tensor *words_tensor(const struct gguf_words *w,
                                       const char *name,
                                       const struct gguf **file)
{
    for (size_t i = 0; i < w->n_files; i++) {
        const struct gguf_tensor *t = gguf_tensor(&w->files[i], name);
        if (t && file)
            *file = &w->files[i];
        if (t)
            return t;
    }
    return NULL;
}

static bool has_tensor(const struct gguf_words *w, const char *name)
{
    return words_tensor(w, name, NULL) != NULL;
}

/* --- numbers that every model has --------------------------------------- */

/* What every model says. */
static const struct gguf_word sizes[] = {
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"block_count", "num_hidden_layers"},
    {"attention.head_count", "num_attention_heads"},
};

static int put_sizes(struct gguf_words *w, struct error *e)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct node n = node_member(&w->values, sizes[i].own);
        size_t value;
        if (node_size(&n, INT_MAX, &value, e))
            return -1;
        if (value == 0)
            return node_fail(&n, ERROR_INPUT, e, "is 0");
        json_put(&w->config, sizes[i].usual, json_integer((json_int_t)value));
    }
    return 0;
}

static size_t size_of(const struct gguf_words *w, const char *usual)
{
    return (size_t)json_integer_value(json_object_get(w->config, usual));
}

/* Heads and their width, which may go without saying. */
static int put_heads(struct gguf_words *w, struct error *e)
{
    struct node kv = node_member(&w->values, "attention.head_count_kv");
    struct node keys = node_member(&w->values, "attention.key_length");
    struct node values = node_member(&w->values, "attention.value_length");
    size_t heads = size_of(w, "num_attention_heads"), n_kv, width, other;
    size_t usual = size_of(w, "hidden_size") / heads;
    if (node_size_or(&kv, INT_MAX, heads, &n_kv, e) ||
        node_size_or(&keys, INT_MAX, usual, &width, e) ||
        node_size_or(&values, INT_MAX, width, &other, e))
        return -1;
    if (other != width)
        return node_fail(&values, ERROR_UNSUPPORTED, e,
                         "values of %zu numbers, but keys of %zu", other,
                         width);
    if (w->family->no_heads && (n_kv != heads || width != usual))
        return node_fail(&keys, ERROR_UNSUPPORTED, e,
                         "%zu heads for keys, each of %zu numbers, in a model "
                         "of %zu heads of %zu",
                         n_kv, width, heads, usual);
    if (w->family->no_heads)
        return 0;
    json_put(&w->config, "num_key_value_heads",
             json_integer((json_int_t)n_kv));
    json_put(&w->config, "head_dim", json_integer((json_int_t)width));
    return 0;
}

static int put_epsilon(struct gguf_words *w, struct error *e)
{
    struct node rms =
        node_member(&w->values, "attention.layer_norm_rms_epsilon");
    struct node layer =
        node_member(&w->values, "attention.layer_norm_epsilon");
    double value;
    if (node_has(&layer))
        return 0; /* among the family's own */
    if (node_number(&rms, &value, e))
        return -1;
    json_put(&w->config, "rms_norm_eps", json_real(value));
    return 0;
}

/* --- what only some have ------------------------------------------------ */

/* As it stands: whoever reads config.json checks it. */
static void put_own(struct gguf_words *w)
{
    const struct gguf_word *keys = w->family->keys;
    for (size_t i = 0; i < GGUF_WORDS && keys[i].own; i++) {
        struct node n = node_member(&w->values, keys[i].own);
        if (n.value)
            json_put(&w->config, keys[i].usual, json_incref(n.value));
    }
}

static int put_constants(struct gguf_words *w, struct error *e)
{
    if (!w->family->constants)
        return 0;
    json_t *constants = json_loads(w->family->constants, 0, NULL);
    const char *key;
    json_t *value;
    if (!constants)
        return fail_memory(e, "the configuration");
    json_object_foreach(constants, key, value)
    {
        json_put(&w->config, key, json_incref(value));
    }
    json_decref(constants);
    return 0;
}

/* What shows in the tensors: biases, a head of its own, the vocabulary. */
static int put_from_tensors(struct gguf_words *w, struct error *e)
{
    const struct gguf_tensor *t = words_tensor(w, "token_embd.weight", NULL);
    if (!t || t->rank != 2)
        return fail(e, ERROR_INPUT, "%s: tensor token_embd.weight: %s",
                    w->files[0].path, t ? "is no matrix" : "is missing");
    json_put(&w->config, "vocab_size", json_integer((json_int_t)t->shape[0]));
    json_put(&w->config, "tie_word_embeddings",
             json_boolean(!has_tensor(w, "output.weight")));
    bool bias = has_tensor(w, "blk.0.attn_q.bias") ||
                has_tensor(w, "blk.0.attn_qkv.bias");
    if (w->family->bias_key)
        json_put(&w->config, w->family->bias_key, json_boolean(bias));
    if (w->family->mlp_bias_key)
        json_put(&w->config, w->family->mlp_bias_key,
                 json_boolean(has_tensor(w, "blk.0.ffn_up.bias")));
    return 0;
}

/* Gemma 2 and 3 divide scores by the root of a number that their files do not
 * have.  It is the width of a head but for the largest of each, which are
 * known by their layers: so does llama.cpp. */
static void put_gemma_scalar(struct gguf_words *w)
{
    bool second = strcmp(w->family->name, "gemma2") == 0;
    bool third = strcmp(w->family->name, "gemma3") == 0;
    size_t layers = size_of(w, "num_hidden_layers");
    size_t width = size_of(w, "head_dim");
    if (!second && !third)
        return;
    if (layers == (second ? 46 : 62))
        width = size_of(w, "hidden_size") / size_of(w, "num_attention_heads");
    json_put(&w->config, "query_pre_attn_scalar",
             json_integer((json_int_t)width));
}

/* --- nothing else may be said ------------------------------------------- */

static const char *const read_elsewhere[] = {
    "attention.head_count_kv",
    "attention.key_length",
    "attention.value_length",
    "attention.layer_norm_rms_epsilon",
    "rope.freq_base",
    "rope.dimension_count",
    "rope.scaling.type",
    "rope.scaling.factor",
    "rope.scaling.attn_factor",
    "rope.scaling.original_context_length",
    "rope.scaling.yarn_beta_fast",
    "rope.scaling.yarn_beta_slow",
    /* and what changes nothing that is computed here */
    "rope.scaling.finetuned",
    "vocab_size",
    "pooling_type",
    "tensor_data_layout",
};

static bool is_known(const struct gguf_family *f, const char *key)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (strcmp(sizes[i].own, key) == 0)
            return true;
    for (size_t i = 0; i < GGUF_WORDS && f->keys[i].own; i++)
        if (strcmp(f->keys[i].own, key) == 0)
            return true;
    size_t n = sizeof read_elsewhere / sizeof read_elsewhere[0];
    for (size_t i = 0; i < n; i++)
        if (strcmp(read_elsewhere[i], key) == 0)
            return true;
    return false;
}

/* Experts that a model does not have may be counted, too. */
static int check_experts(const struct node *n, struct error *e)
{
    return json_integer_value(n->value) == 0
               ? 0
               : node_fail(n, ERROR_UNSUPPORTED, e,
                           "this program has only models in which it is 0");
}

static int check_known(const struct gguf_words *w, struct error *e)
{
    const char *key;
    json_t *value;
    json_object_foreach(w->values.value, key, value)
    {
        struct node n = node_member(&w->values, key);
        bool experts =
            strncmp(key, "expert_", 7) == 0 && json_is_integer(value);
        if (experts && check_experts(&n, e))
            return -1;
        if (!experts && !is_known(w->family, key))
            return node_fail(&n, ERROR_UNSUPPORTED, e,
                             "is not a key that this program knows for %s",
                             w->family->architecture);
    }
    return 0;
}

/* --- the tokens that begin and end -------------------------------------- */

/* The ids that end a text: of a text, of a turn, of a message. */
static int put_special_ids(struct gguf_words *w, struct error *e)
{
    static const char *const ends[] = {"eos_token_id", "eot_token_id",
                                       "eom_token_id"};
    const char prefix[] = "tokenizer.ggml.";
    char key[64];
    json_t *all = json_array();
    for (size_t i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "%s%s", prefix, ends[i]);
        json_t *found = gguf_values(&w->files[0], key, NULL, e);
        json_t *id = found ? json_object_get(found, key) : NULL;
        if (found && id)
            json_add(&all, json_incref(id));
        json_decref(found);
        if (!found) {
            json_decref(all);
            return -1;
        }
    }
    if (json_array_size(all) > 0)
        json_put(&w->config, "eos_token_id", all);
    else
        json_decref(all);
    snprintf(key, sizeof key, "%sbos_token_id", prefix);
    json_t *found = gguf_values(&w->files[0], key, NULL, e);
    json_t *id = found ? json_object_get(found, key) : NULL;
    if (id)
        json_put(&w->config, "bos_token_id", json_incref(id));
    json_decref(found);
    return found ? 0 : -1;
}

/* --- the whole ---------------------------------------------------------- */

static int translate(struct gguf_words *w, struct error *e)
{
    json_put(&w->config, "architectures",
             json_pack("[s]", w->family->architecture));
    json_put(&w->config, "model_type", json_string(w->family->model_type));
    json_put(&w->config, "quantization_config",
             json_pack("{ss}", "quant_method", "gguf"));
    if (put_sizes(w, e) || put_heads(w, e) || put_epsilon(w, e) ||
        put_from_tensors(w, e) || gguf_put_rope(w, e) ||
        put_special_ids(w, e) || check_known(w, e) || put_constants(w, e))
        return -1;
    put_gemma_scalar(w);
    put_own(w);
    return w->config ? 0 : fail_memory(e, "the configuration");
}

/* The values "ARCH.key" as "key". */
static json_t *own_values(const struct gguf *g, const struct gguf_family *f,
                          struct error *e)
{
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s.", f->name);
    json_t *all = gguf_values(g, prefix, NULL, e), *out = json_object();
    const char *key;
    json_t *value;
    json_object_foreach(all, key, value)
    {
        json_put(&out, key + strlen(prefix), json_incref(value));
    }
    if (all && !out)
        fail_memory(e, g->path);
    bool failed = !all;
    json_decref(all);
    if (failed) {
        json_decref(out);
        return NULL;
    }
    return out;
}

json_t *gguf_config(const struct gguf *files, size_t n, struct error *e)
{
    struct gguf_words w = {.files = files, .n_files = n};
    w.family = gguf_family_find(&files[0], e);
    json_t *values = w.family ? own_values(&files[0], w.family, e) : NULL;
    if (!values)
        return NULL;
    w.root = node_root(files[0].path, NULL);
    w.values = node_member(&w.root, w.family->name);
    w.values.value = values;
    w.config = json_object();
    int result = translate(&w, e);
    json_decref(values);
    if (result == 0)
        return w.config;
    json_decref(w.config);
    return NULL;
}

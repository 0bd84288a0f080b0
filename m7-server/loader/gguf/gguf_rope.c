/* Rotary positions in GGUF files: see gguf_rope.h.
 *
 * Llama 3's scaling stands there as a tensor, rope_freqs, of the numbers that
 * the frequencies are divided by; Phi-3's as two, for short and long texts.
 * Both are what config.json calls "longrope".
 *
 * llama.cpp reads `factor` with every type but "none", and `attn_factor` with
 * all; where one is not read here, it must be 1.  original_context_length and
 * yarn_beta_* change nothing there without YaRN (or Phi-3's tensors), and
 * `finetuned` never does: they are passed over. */
#include "gguf_rope.h"

#include "json_write.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int put_theta(struct gguf_words *w, struct error *e)
{
    struct node n = node_member(&w->values, "rope.freq_base");
    const char *key = w->family->theta_key;
    double theta;
    if (node_number_or(&n, 10000, &theta, e))
        return -1;
    json_put(&w->config, key ? key : "rope_theta", json_real(theta));
    return 0;
}

/* The width of a head, which the family may leave unsaid. */
static size_t head_width(const struct gguf_words *w)
{
    const json_t *c = w->config;
    json_int_t said = json_integer_value(json_object_get(c, "head_dim"));
    json_int_t all = json_integer_value(json_object_get(c, "hidden_size"));
    json_int_t heads =
        json_integer_value(json_object_get(c, "num_attention_heads"));
    return (size_t)(said ? said : all / heads);
}

static int put_fraction(struct gguf_words *w, struct error *e)
{
    struct node n = node_member(&w->values, "rope.dimension_count");
    const char *key = w->family->fraction_key;
    size_t width = head_width(w), turning;
    if (node_size_or(&n, INT_MAX, width, &turning, e))
        return -1;
    if (turning > width || (!key && turning != width))
        return node_fail(&n, ERROR_UNSUPPORTED, e,
                         "%zu of a head's %zu numbers turn", turning, width);
    if (key)
        json_put(&w->config, key, json_real((double)turning / (double)width));
    return 0;
}

/* The numbers of a tensor as a list; NULL and an error when it is not of
 * floats. */
static json_t *factors_of(const struct gguf_words *w, const char *name,
                          struct error *e)
{
    const struct gguf *file = NULL;
    const struct gguf_tensor *t = words_tensor(w, name, &file);
    json_t *list = json_array();
    if (!t || t->rank != 1 || strcmp(t->kind->name, "F32") != 0) {
        json_decref(list);
        fail(e, ERROR_INPUT, "%s: tensor %s: %s",
             (t ? file : w->files)->path, name,
             t ? "should be one row of F32" : "is missing");
        return NULL;
    }
    for (size_t i = 0; i < t->count; i++) {
        float value;
        memcpy(&value, file->data + t->offset + i * sizeof value,
               sizeof value);
        if (!isfinite(value)) {
            json_decref(list);
            fail(e, ERROR_INPUT,
                 "%s: tensor %s: value %zu is not finite, at byte %zu",
                 file->path, name, i, t->offset + i * sizeof value);
            return NULL;
        }
        json_add(&list, json_real((double)value));
    }
    return list;
}

/* Lists of factors, one for short texts and one for long ones. */
static int put_factors(struct gguf_words *w, json_t **scaling,
                       const char *short_name, const char *long_name,
                       struct error *e)
{
    json_t *few = factors_of(w, short_name, e);
    json_t *many = few ? factors_of(w, long_name, e) : NULL;
    if (!many) {
        json_decref(few);
        return -1;
    }
    json_put(scaling, "rope_type", json_string("longrope"));
    json_put(scaling, "short_factor", few);
    json_put(scaling, "long_factor", many);
    return 0;
}

/* Copy a number, where it is said, under another name. */
static int copy_number(const struct gguf_words *w, json_t **scaling,
                       const char *own, const char *usual, struct error *e)
{
    struct node n = node_member(&w->values, own);
    double value;
    if (!node_has(&n))
        return 0;
    if (node_number(&n, &value, e))
        return -1;
    json_put(scaling, usual, json_real(value));
    return 0;
}

/* The length before stretching: Phi-3's config.json has it outside. */
static int put_original(struct gguf_words *w, json_t **scaling,
                        struct error *e)
{
    struct node n =
        node_member(&w->values, "rope.scaling.original_context_length");
    bool outside = strcmp(w->family->name, "phi3") == 0;
    size_t length;
    if (!node_has(&n))
        return 0;
    if (node_size(&n, INT_MAX, &length, e))
        return -1;
    json_put(outside ? &w->config : scaling,
             "original_max_position_embeddings",
             json_integer((json_int_t)length));
    return 0;
}

/* llama.cpp's attn_factor multiplies what YaRN has already. */
static int put_yarn(struct gguf_words *w, json_t **scaling, struct error *e)
{
    struct node more = node_member(&w->values, "rope.scaling.attn_factor");
    struct node n = node_member(&w->values, "rope.scaling.factor");
    double factor, by;
    if (node_number(&n, &factor, e) || node_number_or(&more, 1, &by, e))
        return -1;
    if (!(factor >= 1))
        return node_fail(&n, ERROR_INPUT, e, "expected 1 or more, found %g",
                         factor);
    if (node_has(&more))
        json_put(scaling, "attention_factor",
                 json_real(by * (0.1 * log(factor) + 1)));
    return put_original(w, scaling, e) ||
                   copy_number(w, scaling, "rope.scaling.yarn_beta_fast",
                               "beta_fast", e) ||
                   copy_number(w, scaling, "rope.scaling.yarn_beta_slow",
                               "beta_slow", e)
               ? -1
               : 0;
}

/* A number that is not read with this type of scaling must be 1. */
static int check_one(const struct gguf_words *w, const char *key,
                     const char *type, struct error *e)
{
    struct node n = node_member(&w->values, key);
    double value;
    if (node_number_or(&n, 1, &value, e))
        return -1;
    if (value == 1)
        return 0;
    return node_fail(&n, ERROR_UNSUPPORTED, e,
                     "%g; with rotary scaling \"%s\" only 1 is known", value,
                     type);
}

/* What the type says. */
static int put_typed(struct gguf_words *w, const struct node *type,
                     const char *name, json_t **scaling, struct error *e)
{
    bool linear = strcmp(name, "linear") == 0;
    if (!linear && strcmp(name, "yarn") != 0)
        return node_fail(type, ERROR_UNSUPPORTED, e,
                         "this program knows no rotary scaling \"%s\" without "
                         "its tensors",
                         name);
    json_put(scaling, "rope_type", json_string(name));
    if (copy_number(w, scaling, "rope.scaling.factor", "factor", e))
        return -1;
    return linear ? check_one(w, "rope.scaling.attn_factor", name, e)
                  : put_yarn(w, scaling, e);
}

static int fail_twice(const struct node *type, const char *name,
                      const char *tensor, struct error *e)
{
    return node_fail(type, ERROR_UNSUPPORTED, e,
                     "\"%s\" and the tensor %s: which is meant?", name,
                     tensor);
}

/* Phi-3's tensors. */
static int put_two_lists(struct gguf_words *w, const struct node *type,
                         const char *name, json_t **scaling, struct error *e)
{
    if (strcmp(name, "none") != 0 && strcmp(name, "linear") != 0 &&
        strcmp(name, "longrope") != 0)
        return fail_twice(type, name, "rope_factors_long", e);
    return check_one(w, "rope.scaling.factor", "longrope", e) ||
                   put_factors(w, scaling, "rope_factors_short.weight",
                               "rope_factors_long.weight", e) ||
                   put_original(w, scaling, e) ||
                   copy_number(w, scaling, "rope.scaling.attn_factor",
                               "attention_factor", e)
               ? -1
               : 0;
}

/* Llama 3's tensor. */
static int put_one_list(struct gguf_words *w, const struct node *type,
                        const char *name, json_t **scaling, struct error *e)
{
    if (strcmp(name, "none") != 0)
        return fail_twice(type, name, "rope_freqs", e);
    json_put(scaling, "attention_factor", json_real(1));
    return copy_number(w, scaling, "rope.scaling.attn_factor",
                       "attention_factor", e) ||
                   put_factors(w, scaling, "rope_freqs.weight",
                               "rope_freqs.weight", e)
               ? -1
               : 0;
}

static int put_scaling(struct gguf_words *w, json_t **scaling, struct error *e)
{
    struct node type = node_member(&w->values, "rope.scaling.type");
    struct node factor = node_member(&w->values, "rope.scaling.factor");
    const char *name, *unsaid = node_has(&factor) ? "linear" : "none";
    if (node_string_or(&type, unsaid, &name, e))
        return -1;
    if (words_tensor(w, "rope_factors_long.weight", NULL))
        return put_two_lists(w, &type, name, scaling, e);
    if (words_tensor(w, "rope_freqs.weight", NULL))
        return put_one_list(w, &type, name, scaling, e);
    if (strcmp(name, "none") != 0)
        return put_typed(w, &type, name, scaling, e);
    return check_one(w, "rope.scaling.attn_factor", name, e);
}

int gguf_put_rope(struct gguf_words *w, struct error *e)
{
    if (put_theta(w, e) || put_fraction(w, e))
        return -1;
    json_t *scaling = json_object();
    int result = put_scaling(w, &scaling, e);
    if (result == 0 && !scaling)
        return fail_memory(e, "the configuration");
    if (result == 0 && json_object_size(scaling) > 0)
        json_put(&w->config, "rope_scaling", scaling);
    else
        json_decref(scaling);
    return result;
}

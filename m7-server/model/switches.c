/* Switches: see switches.h.  Knows what config.json may say; knows neither the
 * weights nor the arithmetic. */
#include "switches.h"

#include "layer_config.h"
#include "rope_config.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct named_activation {
    const char *name;
    activation *function;
};

static const struct named_activation activations[] = {
    {"silu", silu},           {"swish", silu},
    {"gelu", gelu},           {"gelu_new", gelu_tanh},
    {"gelu_fast", gelu_tanh}, {"gelu_pytorch_tanh", gelu_tanh},
};

static const size_t n_activations = sizeof activations / sizeof activations[0];

static int read_activation(const struct family *f, const struct config *c,
                           activation **out, struct error *e)
{
    const char *key = f->activation_key ? f->activation_key : "hidden_act";
    struct node n = node_member(&c->text, key);
    const char *name;
    if (node_string_or(&n, f->activation ? f->activation : "silu", &name, e))
        return -1;
    for (size_t i = 0; i < n_activations; i++)
        if (strcmp(activations[i].name, name) == 0) {
            *out = activations[i].function;
            return 0;
        }
    return node_fail(&n, ERROR_UNSUPPORTED, e,
                     "this program knows no activation \"%s\"", name);
}

static int read_norm(const struct family *f, const struct config *c,
                     struct norm *out, struct error *e)
{
    const char *key = f->eps_key ? f->eps_key : "rms_norm_eps";
    struct node n = node_member(&c->text, key);
    double value;
    if (node_number_or(&n, f->eps != 0 ? f->eps : 1e-6, &value, e))
        return -1;
    *out = (struct norm){
        .kind = f->norm, .eps = (float)value, .weight_offset = f->norm_offset};
    if (value >= 0 && value <= FLT_MAX)
        return 0;
    return node_fail(&n, ERROR_INPUT, e, "expected 0 or more, found %g",
                     value);
}

/* Whether layers have a bias: `key` as struct family has it. */
static int read_bias(const struct config *c, const char *key, bool fallback,
                     bool *out, struct error *e)
{
    *out = key && strcmp(key, "always") == 0;
    if (!key || *out)
        return 0;
    struct node n = node_member(&c->text, key);
    return node_bool_or(&n, fallback, out, e);
}

static int read_choices(const struct family *f, const struct config *c,
                        struct switches *out, struct error *e)
{
    struct node parallel = node_member(&c->text, "use_parallel_residual");
    bool on = f->biased;
    if (family_reads(f, "use_parallel_residual") &&
        node_bool_or(&parallel, true, &out->parallel, e))
        return -1;
    return read_bias(c, f->qkv_bias, on, &out->qkv_bias, e) ||
                   read_bias(c, f->o_bias, on, &out->o_bias, e) ||
                   read_bias(c, f->mlp_bias, on, &out->mlp_bias, e)
               ? -1
               : 0;
}

/* --- numbers ------------------------------------------------------------ */

/* Read a number above 0 that 32 bits can hold. */
static int read_positive(const struct family *f, const struct config *c,
                         const char *key, double fallback, double *out,
                         struct error *e)
{
    struct node n = node_member(&c->text, key);
    *out = fallback;
    if (!family_reads(f, key) || !n.value)
        return 0;
    if (node_number(&n, out, e))
        return -1;
    if (*out >= FLT_MIN && *out <= FLT_MAX)
        return 0;
    return node_fail(&n, ERROR_INPUT, e,
                     "expected a 32-bit number above 0, found %g", *out);
}

/* Read a soft cap, which null takes away. */
static int read_cap(const struct family *f, const struct config *c,
                    const char *key, double fallback, double *out,
                    struct error *e)
{
    struct node n = node_member(&c->text, key);
    *out = 0;
    if (json_is_null(n.value) && family_reads(f, key))
        return 0;
    return read_positive(f, c, key, fallback, out, e);
}

/* What the scores are multiplied by, where it does not follow from
 * head_dim. */
static int read_score_scale(const struct family *f, const struct config *c,
                            struct switches *out, struct error *e)
{
    double scalar;
    out->score_scale = f->plain_scores ? 1 : 0;
    if (family_reads(f, "attention_multiplier"))
        return read_positive(f, c, "attention_multiplier", 1,
                             &out->score_scale, e);
    if (!family_reads(f, "query_pre_attn_scalar"))
        return 0;
    if (read_positive(f, c, "query_pre_attn_scalar", 256, &scalar, e))
        return -1;
    out->score_scale = 1 / sqrt(scalar);
    return 0;
}

static int read_scales(const struct family *f, const struct config *c,
                       struct switches *out, struct error *e)
{
    if (read_positive(f, c, "embedding_multiplier", 1, &out->embedding_scale,
                      e) ||
        read_positive(f, c, "residual_multiplier", 1, &out->residual, e) ||
        read_positive(f, c, "logits_scaling", 1, &out->logits_divisor, e) ||
        read_cap(f, c, "attn_logit_softcapping", f->score_cap, &out->score_cap,
                 e) ||
        read_cap(f, c, "final_logit_softcapping", f->logit_cap,
                 &out->logit_cap, e))
        return -1;
    if (f->scale_embedding)
        out->embedding_scale = sqrt((double)c->hidden_size);
    return read_score_scale(f, c, out, e);
}

/* --- ropes -------------------------------------------------------------- */

/* The size of the heads in the layers of a kind: that of the first. */
static int find_head_dim(const struct family *f, const struct config *c,
                         enum layer_kind kind, size_t *head_dim,
                         struct error *e)
{
    size_t n_kv_heads;
    enum layer_kind own;
    *head_dim = c->head_dim;
    for (size_t l = 0; l < c->n_layers; l++) {
        if (layer_kind_of(f, c, l, &own, e))
            return -1;
        if (own == kind)
            return layer_heads(f, c, l, head_dim, &n_kv_heads, e);
    }
    return 0; /* there is no such layer */
}

/* One rope for each kind of layers that has its own; the last does not turn
 * anything. */
static int read_ropes(const struct family *f, const struct config *c,
                      struct switches *out, struct error *e)
{
    size_t kinds = f->two_ropes ? N_LAYER_KINDS : 1;
    for (size_t i = 0; i < kinds; i++) {
        enum layer_kind kind = (enum layer_kind)i;
        size_t head_dim = c->head_dim;
        if ((f->two_ropes && find_head_dim(f, c, kind, &head_dim, e)) ||
            rope_config_read(f, c, kind, head_dim, &out->ropes[kind], e))
            return -1;
    }
    out->n_ropes = kinds;
    if (family_reads(f, "no_rope_layers"))
        out->ropes[out->n_ropes++] = (struct rope_config){.dim = 0};
    return 0;
}

int switches_read(const struct family *f, const struct config *c,
                  struct switches *out, struct error *e)
{
    return layers_check(f, c, e) || read_activation(f, c, &out->activate, e) ||
                   read_norm(f, c, &out->norm, e) ||
                   read_choices(f, c, out, e) || read_scales(f, c, out, e) ||
                   read_ropes(f, c, out, e)
               ? -1
               : 0;
}

/* --- a layer ------------------------------------------------------------ */

int switches_layer(const struct family *f, const struct config *c,
                   const struct switches *s, size_t l,
                   struct layer_switches *out, struct error *e)
{
    bool turns;
    if (layer_kind_of(f, c, l, &out->kind, e) ||
        layer_window(f, c, l, &out->window, e) ||
        layer_turns(f, c, l, &turns, e) ||
        layer_heads(f, c, l, &out->head_dim, &out->n_kv_heads, e) ||
        layer_shares_keys(f, c, l, &out->values_are_keys, e))
        return -1;
    out->rope = f->two_ropes ? (size_t)out->kind : 0;
    if (!turns)
        out->rope = s->n_ropes - 1;
    if (!turns || s->ropes[out->rope].head_dim == out->head_dim)
        return 0;
    return node_fail(&c->text, ERROR_UNSUPPORTED, e,
                     "the heads of layer %zu have another size than those of "
                     "its kind",
                     l);
}

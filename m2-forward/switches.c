/* Switches: see switches.h.  Knows what config.json may say; knows neither the
 * weights nor the arithmetic. */
#include "switches.h"

#include "rope_config.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

struct named_activation {
    const char *name;
    activation *function;
};

static const struct named_activation activations[] = {
    {"silu", silu},
    {"swish", silu},
    {"gelu", gelu},
    {"gelu_new", gelu_tanh},
    {"gelu_pytorch_tanh", gelu_tanh},
};

static const size_t n_activations = sizeof activations / sizeof activations[0];

static int read_activation(const struct config *c, activation **out,
                           struct error *e)
{
    struct node n = node_member(&c->text, "hidden_act");
    const char *name;
    if (node_string_or(&n, "silu", &name, e))
        return -1;
    for (size_t i = 0; i < n_activations; i++)
        if (strcmp(activations[i].name, name) == 0) {
            *out = activations[i].function;
            return 0;
        }
    return node_fail(&n, ERROR_UNSUPPORTED, e,
                     "this program knows no activation \"%s\"", name);
}

static int read_eps(const struct config *c, float *eps, struct error *e)
{
    struct node n = node_member(&c->text, "rms_norm_eps");
    double value;
    if (node_number_or(&n, 1e-6, &value, e))
        return -1;
    *eps = (float)value;
    if (value >= 0 && isfinite(value))
        return 0;
    return node_fail(&n, ERROR_INPUT, e, "expected 0 or more, found %g",
                     value);
}

/* Whether layers have a bias: `key` as struct family has it. */
static int read_bias(const struct config *c, const char *key, bool *out,
                     struct error *e)
{
    *out = key && strcmp(key, "always") == 0;
    if (!key || *out)
        return 0;
    struct node n = node_member(&c->text, key);
    return node_bool_or(&n, false, out, e);
}

int switches_read(const struct family *f, const struct config *c,
                  struct switches *out, struct error *e)
{
    out->qk_norm = f->qk_norm;
    if (read_activation(c, &out->activate, e) || read_eps(c, &out->eps, e) ||
        read_bias(c, f->qkv_bias, &out->qkv_bias, e) ||
        read_bias(c, f->o_bias, &out->o_bias, e) ||
        read_bias(c, f->mlp_bias, &out->mlp_bias, e))
        return -1;
    return rope_config_read(c, &out->rope, e);
}

/* The window of the layers that have one; 0 when none of them may. */
static int read_window(const struct family *f, const struct config *c,
                       size_t *window, struct error *e)
{
    struct node use = node_member(&c->text, "use_sliding_window");
    struct node size = node_member(&c->text, "sliding_window");
    bool used = f->windows == WINDOW_ALL;
    *window = 0;
    if (f->windows == WINDOW_UPPER && node_bool_or(&use, false, &used, e))
        return -1;
    if (!used || json_is_null(size.value))
        return 0;
    if (node_size_or(&size, SIZE_MAX, 4096, window, e))
        return -1;
    if (*window > 0)
        return 0;
    return node_fail(&size, ERROR_INPUT, e,
                     "a token must see at least itself");
}

/* Whether "layer_types" gives layer l a window. */
static int read_layer_type(const struct node *types, size_t l, bool *windowed,
                           struct error *e)
{
    struct node type = node_element(types, l);
    const char *name;
    if (node_string(&type, &name, e))
        return -1;
    *windowed = strcmp(name, "sliding_attention") == 0;
    if (*windowed || strcmp(name, "full_attention") == 0)
        return 0;
    return node_fail(&type, ERROR_UNSUPPORTED, e,
                     "this program knows no layer type \"%s\"", name);
}

/* Whether layer l is one of those that WINDOW_UPPER gives a window. */
static int read_upper(const struct config *c, size_t l, bool *upper,
                      struct error *e)
{
    struct node types = node_member(&c->text, "layer_types");
    struct node from = node_member(&c->text, "max_window_layers");
    size_t n, first;
    if (!node_has(&types)) {
        int result = node_size_or(&from, SIZE_MAX, 28, &first, e);
        *upper = !result && l >= first;
        return result;
    }
    if (node_array(&types, &n, e))
        return -1;
    if (n != c->n_layers)
        return node_fail(&types, ERROR_INPUT, e, "%zu types for %zu layers", n,
                         c->n_layers);
    return read_layer_type(&types, l, upper, e);
}

int switches_window(const struct family *f, const struct config *c, size_t l,
                    size_t *window, struct error *e)
{
    struct node types = node_member(&c->text, "layer_types");
    bool windowed = f->windows == WINDOW_ALL;
    if (read_window(f, c, window, e) ||
        (f->windows == WINDOW_UPPER && read_upper(c, l, &windowed, e)))
        return -1;
    if (windowed && *window == 0 && node_has(&types))
        return node_fail(&types, ERROR_INPUT, e,
                         "layer %zu has a window, but its size is not given",
                         l);
    if (!windowed)
        *window = 0;
    return 0;
}

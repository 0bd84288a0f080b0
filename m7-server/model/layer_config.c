/* What config.json says about single layers: see layer_config.h. */
#include "layer_config.h"

#include "keys.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- all layers --------------------------------------------------------- */

/* Whether `name` is the number of one of n layers, as it is written. */
static bool names_layer(const char *name, size_t n)
{
    char written[24];
    snprintf(written, sizeof written, "%zu", (size_t)strtoull(name, NULL, 10));
    return strcmp(name, written) == 0 && strtoull(name, NULL, 10) < n;
}

static int check_layer_names(const struct node *layers, size_t n,
                             struct error *e)
{
    const char *name;
    json_t *value;
    json_object_foreach(layers->value, name, value)
    {
        struct node own = node_member(layers, name);
        if (!names_layer(name, n))
            return node_fail(&own, ERROR_INPUT, e,
                             "is none of the %zu layers, which count from 0",
                             n);
    }
    return 0;
}

int layers_check(const struct family *f, const struct config *c,
                 struct error *e)
{
    static const char *const rules[] = {"max_window_layers",
                                        "sliding_window_pattern",
                                        "no_rope_layer_interval"};
    struct node layers = node_member(&c->text, "per_layer_config");
    size_t value;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct node n = node_member(&c->text, rules[i]);
        if (family_reads(f, rules[i]) &&
            node_size_or(&n, SIZE_MAX, 0, &value, e))
            return -1;
    }
    return family_reads(f, "per_layer_config")
               ? check_layer_names(&layers, c->n_layers, e)
               : 0;
}

/* --- windows ------------------------------------------------------------ */

/* The window of the layers that have one; 0 when none of them may. */
static int read_window(const struct family *f, const struct config *c,
                       size_t *window, struct error *e)
{
    struct node use = node_member(&c->text, "use_sliding_window");
    struct node size = node_member(&c->text, "sliding_window");
    bool used = f->windows != WINDOW_NONE;
    *window = 0;
    if (family_reads(f, "use_sliding_window") &&
        node_bool_or(&use, false, &used, e))
        return -1;
    if (!used || json_is_null(size.value))
        return 0;
    if (node_size_or(&size, SIZE_MAX, f->window, window, e))
        return -1;
    if (*window > 0 || !node_has(&size))
        return 0;
    return node_fail(&size, ERROR_INPUT, e,
                     "a token must see at least itself");
}

/* Fail unless the list has one element for each layer. */
static int check_per_layer(const struct node *list, const struct config *c,
                           const char *what, struct error *e)
{
    size_t n;
    if (node_array(list, &n, e))
        return -1;
    if (n == c->n_layers)
        return 0;
    return node_fail(list, ERROR_INPUT, e, "%zu %s for %zu layers", n, what,
                     c->n_layers);
}

/* The kind that "layer_types" gives layer l. */
static int read_layer_type(const struct node *types, size_t l,
                           enum layer_kind *kind, struct error *e)
{
    struct node type = node_element(types, l);
    const char *name;
    if (node_string(&type, &name, e))
        return -1;
    *kind =
        strcmp(name, "sliding_attention") == 0 ? LAYER_WINDOWED : LAYER_FULL;
    if (*kind == LAYER_WINDOWED || strcmp(name, "full_attention") == 0)
        return 0;
    return node_fail(&type, ERROR_UNSUPPORTED, e,
                     "this program knows no layer type \"%s\"", name);
}

/* Whether layer l is none of every nth, which see everything. */
static int is_between(const struct family *f, const struct config *c, size_t l,
                      bool *between, struct error *e)
{
    struct node pattern = node_member(&c->text, "sliding_window_pattern");
    size_t every = f->full_every;
    if (family_reads(f, "sliding_window_pattern") &&
        node_size_or(&pattern, SIZE_MAX, every, &every, e))
        return -1;
    if (every == 0)
        return node_fail(&pattern, ERROR_INPUT, e, "there is no 0th layer");
    *between = (l + 1) % every != 0;
    return 0;
}

/* The kind of layer l by the family's rule. */
static int kind_by_rule(const struct family *f, const struct config *c,
                        size_t l, enum layer_kind *kind, struct error *e)
{
    struct node from = node_member(&c->text, "max_window_layers");
    bool windowed = f->windows == WINDOW_ALL, turns;
    size_t first;
    if (f->windows == WINDOW_UPPER) {
        if (node_size_or(&from, SIZE_MAX, 28, &first, e))
            return -1;
        windowed = l >= first;
    }
    if (f->windows == WINDOW_UNTURNED) {
        if (layer_turns(f, c, l, &turns, e))
            return -1;
        windowed = !turns;
    }
    if (f->windows == WINDOW_MOST && is_between(f, c, l, &windowed, e))
        return -1;
    *kind = windowed ? LAYER_WINDOWED : LAYER_FULL;
    return 0;
}

int layer_kind_of(const struct family *f, const struct config *c, size_t l,
                  enum layer_kind *kind, struct error *e)
{
    struct node types = node_member(&c->text, "layer_types");
    bool listed = family_reads(f, "layer_types") && node_has(&types);
    if (listed && check_per_layer(&types, c, "types", e))
        return -1;
    int result = listed ? read_layer_type(&types, l, kind, e)
                        : kind_by_rule(f, c, l, kind, e);
    if (f->last_is_full && l + 1 == c->n_layers)
        *kind = LAYER_FULL;
    return result;
}

int layer_window(const struct family *f, const struct config *c, size_t l,
                 size_t *window, struct error *e)
{
    struct node types = node_member(&c->text, "layer_types");
    enum layer_kind kind;
    if (read_window(f, c, window, e) || layer_kind_of(f, c, l, &kind, e))
        return -1;
    bool planned = f->windows == WINDOW_MOST || node_has(&types);
    if (kind == LAYER_WINDOWED && *window == 0 && planned)
        return node_fail(&types, ERROR_INPUT, e,
                         "layer %zu has a window, but its size is not given",
                         l);
    if (kind == LAYER_FULL)
        *window = 0;
    return 0;
}

/* --- rotation ----------------------------------------------------------- */

int layer_turns(const struct family *f, const struct config *c, size_t l,
                bool *turns, struct error *e)
{
    struct node list = node_member(&c->text, "no_rope_layers");
    struct node interval = node_member(&c->text, "no_rope_layer_interval");
    size_t every, turn;
    *turns = true;
    if (!family_reads(f, "no_rope_layers"))
        return 0;
    if (node_has(&list)) {
        struct node own = node_element(&list, l);
        int result = check_per_layer(&list, c, "entries", e) ||
                     node_size(&own, 1, &turn, e);
        *turns = !result && turn;
        return result ? -1 : 0;
    }
    if (node_size_or(&interval, SIZE_MAX, 4, &every, e))
        return -1;
    if (every == 0)
        return node_fail(&interval, ERROR_INPUT, e, "there is no 0th layer");
    *turns = (l + 1) % every != 0;
    return 0;
}

/* --- heads -------------------------------------------------------------- */

static int read_heads(const struct node *object, const char *dim_key,
                      const char *kv_key, size_t *head_dim, size_t *n_kv_heads,
                      struct error *e)
{
    struct node dim = node_member(object, dim_key);
    struct node kv = node_member(object, kv_key);
    if (node_size_or(&dim, 1 << 16, *head_dim, head_dim, e) ||
        node_size_or(&kv, 1 << 16, *n_kv_heads, n_kv_heads, e))
        return -1;
    if (*head_dim == 0)
        return node_fail(&dim, ERROR_INPUT, e, "a head must have a size");
    return 0;
}

/* What "per_layer_config" says of layer l. */
static int read_own_heads(const struct node *layers, size_t l,
                          size_t *head_dim, size_t *n_kv_heads,
                          struct error *e)
{
    static const char *const keys[] = {"head_dim num_key_value_heads"};
    char name[24];
    snprintf(name, sizeof name, "%zu", l);
    struct node own = node_member(layers, name);
    if (node_object(layers, e))
        return -1;
    if (!node_has(&own))
        return 0;
    if (node_object(&own, e) ||
        keys_check(&own, keys, 1, NULL, "one layer", e))
        return -1;
    return read_heads(&own, "head_dim", "num_key_value_heads", head_dim,
                      n_kv_heads, e);
}

/* What holds for all layers that see everything. */
static int read_global_heads(const struct family *f, const struct config *c,
                             size_t l, size_t *head_dim, size_t *n_kv_heads,
                             struct error *e)
{
    bool shares;
    *head_dim = 512;
    if (layer_shares_keys(f, c, l, &shares, e))
        return -1;
    return read_heads(&c->text, "global_head_dim",
                      shares ? "num_global_key_value_heads"
                             : "num_key_value_heads",
                      head_dim, n_kv_heads, e);
}

int layer_heads(const struct family *f, const struct config *c, size_t l,
                size_t *head_dim, size_t *n_kv_heads, struct error *e)
{
    struct node layers = node_member(&c->text, "per_layer_config");
    enum layer_kind kind;
    *head_dim = c->head_dim;
    *n_kv_heads = c->n_kv_heads;
    if (!family_reads(f, "global_head_dim"))
        return 0;
    if (layer_kind_of(f, c, l, &kind, e))
        return -1;
    if (node_has(&layers)) {
        if (read_own_heads(&layers, l, head_dim, n_kv_heads, e))
            return -1;
    } else if (kind == LAYER_FULL &&
               read_global_heads(f, c, l, head_dim, n_kv_heads, e)) {
        return -1;
    }
    if (*n_kv_heads && c->n_heads % *n_kv_heads == 0)
        return 0;
    return node_fail(&c->text, ERROR_INPUT, e,
                     "%zu heads of keys in layer %zu do not divide %zu heads",
                     *n_kv_heads, l, c->n_heads);
}

int layer_shares_keys(const struct family *f, const struct config *c, size_t l,
                      bool *shares, struct error *e)
{
    struct node k_eq_v = node_member(&c->text, "attention_k_eq_v");
    enum layer_kind kind;
    *shares = false;
    if (!family_reads(f, "attention_k_eq_v"))
        return 0;
    if (layer_kind_of(f, c, l, &kind, e) ||
        node_bool_or(&k_eq_v, false, shares, e))
        return -1;
    *shares = *shares && kind == LAYER_FULL;
    return 0;
}

/* What config.json says about rotary positions: see rope_config.h.  Knows no
 * arithmetic. */
#include "rope_config.h"

#include "keys.h"

#include <math.h>
#include <string.h>

struct scaling_kind {
    const char *name;
    enum rope_scaling scaling;
    const char *keys; /* that it has, and the others do not */
};

static const struct scaling_kind scaling_kinds[] = {
    {"default", ROPE_DEFAULT, ""},
    {"linear", ROPE_LINEAR, "factor"},
    {"llama3", ROPE_LLAMA3,
     "factor original_max_position_embeddings low_freq_factor "
     "high_freq_factor"},
    {"yarn", ROPE_YARN,
     "factor original_max_position_embeddings beta_fast beta_slow truncate "
     "attention_factor mscale mscale_all_dim"},
};

static const size_t n_scaling_kinds =
    sizeof scaling_kinds / sizeof scaling_kinds[0];

/* A number among the keys. */
struct rope_number {
    const char *key;
    size_t offset;   /* in struct rope_config */
    double fallback; /* when it is absent; negative: it must be there */
};

static const struct rope_number rope_numbers[] = {
    {"factor", offsetof(struct rope_config, factor), -1},
    {"low_freq_factor", offsetof(struct rope_config, low_freq_factor), -1},
    {"high_freq_factor", offsetof(struct rope_config, high_freq_factor), -1},
    {"beta_fast", offsetof(struct rope_config, beta_fast), 32},
    {"beta_slow", offsetof(struct rope_config, beta_slow), 1},
    {"attention_factor", offsetof(struct rope_config, attention_factor), 0},
    {"mscale", offsetof(struct rope_config, mscale), 0},
    {"mscale_all_dim", offsetof(struct rope_config, mscale_all_dim), 0},
};

static const size_t n_rope_numbers =
    sizeof rope_numbers / sizeof rope_numbers[0];

/* Read a number that must be above `least`; when it is absent, `fallback`. */
static int read_above(const struct node *object, const char *key, double least,
                      double fallback, double *out, struct error *e)
{
    struct node n = node_member(object, key);
    *out = fallback;
    if (!node_has(&n) && fallback >= 0)
        return 0;
    if (node_number(&n, out, e))
        return -1;
    if (isfinite(*out) && *out > least)
        return 0;
    return node_fail(&n, ERROR_INPUT, e,
                     "expected a number above %g, found %g", least, *out);
}

/* The object that describes the scaling.  Its `parent` is the config's text;
 * its value is NULL when neither spelling is used. */
static int find_scaling(const struct config *c, struct node *out,
                        struct error *e)
{
    struct node old = node_member(&c->text, "rope_scaling");
    *out = node_member(&c->text, "rope_parameters");
    if (node_has(&old) && node_has(out))
        return node_fail(&old, ERROR_INPUT, e,
                         "rope_parameters stands there too: which is meant?");
    if (node_has(&old))
        *out = old;
    return node_has(out) ? node_object(out, e) : 0;
}

static const struct scaling_kind *find_kind(const struct node *scaling,
                                            struct error *e)
{
    struct node type = node_member(scaling, "rope_type");
    if (!node_has(&type))
        type = node_member(scaling, "type");
    const char *name;
    if (node_string_or(&type, "default", &name, e))
        return NULL;
    for (size_t i = 0; i < n_scaling_kinds; i++)
        if (strcmp(scaling_kinds[i].name, name) == 0)
            return &scaling_kinds[i];
    node_fail(&type, ERROR_UNSUPPORTED, e,
              "this program knows no rotary scaling \"%s\"", name);
    return NULL;
}

/* Read the numbers that this kind of scaling has. */
static int read_numbers(const struct node *scaling, const char *keys,
                        struct rope_config *out, struct error *e)
{
    for (size_t i = 0; i < n_rope_numbers; i++) {
        const struct rope_number *n = &rope_numbers[i];
        double *field = (double *)((char *)out + n->offset);
        if (words_have(keys, n->key) &&
            read_above(scaling, n->key, 0, n->fallback, field, e))
            return -1;
    }
    return 0;
}

/* theta stands in the object in the new spelling, beside it in the old. */
static int read_theta(const struct config *c, const struct node *scaling,
                      struct rope_config *out, struct error *e)
{
    double outer;
    if (read_above(&c->text, "rope_theta", 1, 10000, &outer, e))
        return -1;
    return read_above(scaling, "rope_theta", 1, outer, &out->theta, e);
}

int rope_config_read(const struct config *c, struct rope_config *out,
                     struct error *e)
{
    *out = (struct rope_config){.dim = c->head_dim};
    struct node head_dim = node_member(&c->text, "head_dim");
    if (c->head_dim % 2 != 0)
        return node_fail(&head_dim, ERROR_INPUT, e,
                         "%zu numbers do not make pairs to rotate",
                         c->head_dim);
    struct node scaling;
    if (find_scaling(c, &scaling, e))
        return -1;
    const struct scaling_kind *kind = find_kind(&scaling, e);
    if (!kind)
        return -1;
    const char *const lists[] = {"rope_type type rope_theta", kind->keys};
    if (keys_check(&scaling, lists, 2, kind->name, e))
        return -1;

    out->scaling = kind->scaling;
    if (read_theta(c, &scaling, out, e) ||
        read_numbers(&scaling, kind->keys, out, e) ||
        read_above(&scaling, "original_max_position_embeddings", 0,
                   (double)c->max_positions, &out->original_positions, e))
        return -1;
    struct node truncate = node_member(&scaling, "truncate");
    return node_bool_or(&truncate, true, &out->truncate, e);
}

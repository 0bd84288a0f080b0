/* What config.json says about rotary positions: see rope_config.h.  Knows no
 * arithmetic. */
#include "rope_config.h"

#include "keys.h"

#include <float.h>
#include <string.h>

struct scaling_kind {
    const char *name;
    enum rope_scaling scaling;
    const char *keys;     /* that it has, and the others do not */
    const char *optional; /* numbers that are 0 when they are absent */
    const char *unread;   /* keys that may stand there for nothing */
};

static const struct scaling_kind scaling_kinds[] = {
    {"default", ROPE_DEFAULT, "", "", ""},
    {"linear", ROPE_LINEAR, "factor", "", ""},
    {"llama3", ROPE_LLAMA3,
     "factor original_max_position_embeddings low_freq_factor "
     "high_freq_factor",
     "", ""},
    {"yarn", ROPE_YARN,
     "factor original_max_position_embeddings beta_fast beta_slow truncate "
     "attention_factor mscale mscale_all_dim",
     "", ""},
    {"longrope", ROPE_LONGROPE,
     "factor original_max_position_embeddings attention_factor short_factor "
     "long_factor",
     "factor", ""},
    {"alpha", ROPE_ALPHA, "factor alpha", "",
     "beta_fast beta_slow mscale mscale_all_dim"},
    {"dynamic", ROPE_DYNAMIC, "factor", "", ""},
    {"proportional", ROPE_PROPORTIONAL, "factor partial_rotary_factor",
     "factor", ""},
};

/* The kinds that a family may have, unless it says which. */
static const char all_scalings[] =
    "default linear llama3 yarn longrope dynamic";

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
    {"alpha", offsetof(struct rope_config, alpha), -1},
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

/* Read a number that must be there, and be above `least`, 0 or more. */
static int require_above(const struct node *n, double least, double *out,
                         struct error *e)
{
    if (node_number(n, out, e))
        return -1;
    if (*out > least && *out >= FLT_MIN && *out <= FLT_MAX)
        return 0;
    return node_fail(n, ERROR_INPUT, e,
                     "expected a 32-bit number above %g, found %g", least,
                     *out);
}

/* The same of a key; where it is absent, `fallback`, unless that is negative:
 * then it must be there. */
static int read_above(const struct node *object, const char *key, double least,
                      double fallback, double *out, struct error *e)
{
    struct node n = node_member(object, key);
    *out = fallback;
    if (!node_has(&n) && fallback >= 0)
        return 0;
    return require_above(&n, least, out, e);
}

/* The same for a part of a whole: at most 1. */
static int read_fraction(const struct node *object, const char *key,
                         double fallback, double *out, struct error *e)
{
    struct node n = node_member(object, key);
    if (read_above(object, key, 0, fallback, out, e))
        return -1;
    if (*out <= 1)
        return 0;
    return node_fail(&n, ERROR_INPUT, e,
                     "expected a number above 0 and at most 1, found %g",
                     *out);
}

/* A family with two ropes has in "rope_parameters" an object for each kind of
 * layers. */
static int find_own(const struct family *f, enum layer_kind kind,
                    const struct node *both, struct node *out, struct error *e)
{
    static const char *const names[] = {[LAYER_FULL] = "full_attention",
                                        [LAYER_WINDOWED] =
                                            "sliding_attention"};
    static const char *const lists[] = {"full_attention sliding_attention"};
    *out = node_member(both, names[kind]);
    return node_object(both, e) ||
                   keys_check(both, lists, 1, NULL, f->architecture, e)
               ? -1
               : 0;
}

/* In the old spelling, its "rope_scaling" is about the full layers alone, and
 * has a "rope_type", never a "type". */
static int find_old(enum layer_kind kind, const struct node *old,
                    struct node *out, struct error *e)
{
    struct node type = node_member(old, "type");
    struct node rope_type = node_member(old, "rope_type");
    *out = *old;
    if (kind == LAYER_WINDOWED)
        out->value = NULL;
    if (!type.value || rope_type.value)
        return 0;
    return node_fail(&type, ERROR_UNSUPPORTED, e,
                     "is not read in models with two ropes; rope_type is");
}

/* The object that describes the scaling; its value is NULL where none does.
 * *both is "rope_parameters", the parent of *out in some families, and so must
 * live as long. */
static int find_scaling(const struct family *f, const struct config *c,
                        enum layer_kind kind, struct node *both,
                        struct node *out, struct error *e)
{
    struct node old = node_member(&c->text, "rope_scaling");
    *both = node_member(&c->text, "rope_parameters");
    bool is_new = node_has(both), is_old = node_has(&old);
    if (is_new && is_old)
        return node_fail(&old, ERROR_INPUT, e,
                         "rope_parameters stands there too: which is meant?");
    *out = is_old ? old : *both;
    if (f->two_ropes && (is_new ? find_own(f, kind, both, out, e)
                                : find_old(kind, &old, out, e)))
        return -1;
    return node_has(out) ? node_object(out, e) : 0;
}

/* Whether this is the kind that config.json calls `type`.  That of alpha is a
 * "dynamic" which has an "alpha". */
static bool is_kind(const struct scaling_kind *k, const char *type,
                    const struct node *scaling)
{
    struct node alpha = node_member(scaling, "alpha");
    if (k->scaling == ROPE_ALPHA)
        return strcmp(type, "dynamic") == 0 && node_has(&alpha);
    return strcmp(type, k->name) == 0;
}

/* The first kind that the family may have and config.json means. */
static const struct scaling_kind *
find_kind(const struct family *f, const struct node *scaling, struct error *e)
{
    struct node type = node_member(scaling, "rope_type");
    if (!node_has(&type))
        type = node_member(scaling, "type");
    const char *name;
    if (node_string_or(&type, "default", &name, e))
        return NULL;
    for (size_t i = 0; i < n_scaling_kinds; i++) {
        const struct scaling_kind *k = &scaling_kinds[i];
        if (is_kind(k, name, scaling) &&
            words_have(f->scalings ? f->scalings : all_scalings, k->name))
            return k;
    }
    node_fail(&type, ERROR_UNSUPPORTED, e,
              "this program knows no rotary scaling \"%s\"", name);
    return NULL;
}

/* Read the numbers that this kind of scaling has. */
static int read_numbers(const struct node *scaling,
                        const struct scaling_kind *kind,
                        struct rope_config *out, struct error *e)
{
    for (size_t i = 0; i < n_rope_numbers; i++) {
        const struct rope_number *n = &rope_numbers[i];
        double *field = (double *)((char *)out + n->offset);
        if (words_have(kind->keys, n->key) &&
            read_above(scaling, n->key, 0,
                       words_have(kind->optional, n->key) ? 0 : n->fallback,
                       field, e))
            return -1;
    }
    return 0;
}

/* theta stands in the object in the new spelling, beside it in the old; where
 * a family lacks the old one, it must be in the object. */
static int read_theta(const struct family *f, const struct config *c,
                      enum layer_kind kind, const struct node *scaling,
                      struct rope_config *out, struct error *e)
{
    const char *key = f->theta_keys[kind] ? f->theta_keys[kind] : "rope_theta";
    double usual = f->thetas[kind] != 0 ? f->thetas[kind] : 10000;
    struct node inner = node_member(scaling, "rope_theta");
    if (inner.value || (f->lacks && words_have(f->lacks, key)))
        return require_above(&inner, 1, &out->theta, e);
    return read_above(&c->text, key, 1, usual, &out->theta, e);
}

/* How many numbers of a head turn: the first part of it, or all. */
static int read_dim(const struct family *f, const struct config *c,
                    const struct node *scaling, struct rope_config *out,
                    struct error *e)
{
    const char *key =
        f->fraction_key ? f->fraction_key : "partial_rotary_factor";
    struct node head_dim = node_member(&c->text, "head_dim");
    double fraction = 1;
    if (f->fraction != 0 &&
        (read_fraction(&c->text, key, f->fraction, &fraction, e) ||
         read_fraction(scaling, "partial_rotary_factor", fraction, &fraction,
                       e)))
        return -1;
    out->dim = (size_t)((double)out->head_dim * fraction);
    if (out->dim % 2 == 0 && out->dim > 0)
        return 0;
    return node_fail(&head_dim, ERROR_INPUT, e,
                     "%zu numbers do not make pairs to rotate", out->dim);
}

/* How many pairs turn, of all. */
static int read_turning(const struct node *scaling, struct rope_config *out,
                        struct error *e)
{
    double fraction;
    if (read_fraction(scaling, "partial_rotary_factor", 1, &fraction, e))
        return -1;
    out->turning = (size_t)(fraction * (double)out->head_dim / 2);
    return 0;
}

/* A factor for each pair. */
static int read_factors(const struct node *scaling, const char *key,
                        size_t pairs, float *out, struct error *e)
{
    struct node list = node_member(scaling, key);
    size_t n;
    double value;
    if (node_array(&list, &n, e))
        return -1;
    if (n != pairs || n > ROPE_MAX_FACTORS)
        return node_fail(&list, ERROR_INPUT, e, "%zu factors for %zu pairs", n,
                         pairs);
    for (size_t i = 0; i < n; i++) {
        struct node factor = node_element(&list, i);
        if (require_above(&factor, 0, &value, e))
            return -1;
        out[i] = (float)value;
    }
    return 0;
}

/* The length before stretching.  Phi-3 has it beside the object, and there it
 * counts. */
static int read_original(const struct family *f, const struct config *c,
                         const struct node *scaling, struct rope_config *out,
                         struct error *e)
{
    const char *key = "original_max_position_embeddings";
    bool beside = family_reads(f, key);
    out->positions = (double)c->max_positions;
    return read_above(beside ? &c->text : scaling, key, 1,
                      beside ? 4096 : out->positions, &out->original_positions,
                      e);
}

/* llama3's ramp goes from the slow pairs to the fast ones. */
static int check_ramp(const struct node *scaling, const struct rope_config *r,
                      struct error *e)
{
    struct node high = node_member(scaling, "high_freq_factor");
    if (r->high_freq_factor > r->low_freq_factor)
        return 0;
    return node_fail(&high, ERROR_INPUT, e,
                     "expected more than low_freq_factor, %g, found %g",
                     r->low_freq_factor, r->high_freq_factor);
}

/* Whether the ends of YaRN's ramp are rounded.  transformers looks for the key
 * where models with two ropes do not have it: there they always are. */
static int read_truncate(const struct family *f, const struct node *scaling,
                         struct rope_config *out, struct error *e)
{
    struct node truncate = node_member(scaling, "truncate");
    out->truncate = true;
    if (truncate.value && node_bool(&truncate, &out->truncate, e))
        return -1;
    if (out->truncate || !f->two_ropes)
        return 0;
    return node_fail(&truncate, ERROR_UNSUPPORTED, e,
                     "is always true in models with two ropes");
}

/* What only some kinds of scaling have. */
static int read_details(const struct family *f, const struct node *scaling,
                        struct rope_config *out, struct error *e)
{
    size_t pairs = out->dim / 2;
    if (out->scaling == ROPE_PROPORTIONAL)
        return read_turning(scaling, out, e);
    if (out->scaling == ROPE_LLAMA3)
        return check_ramp(scaling, out, e);
    if ((out->scaling == ROPE_DYNAMIC || out->scaling == ROPE_ALPHA) &&
        pairs < 2)
        return node_fail(scaling, ERROR_INPUT, e,
                         "this scaling needs two pairs to rotate, or more; "
                         "there is one");
    if (out->scaling == ROPE_LONGROPE)
        return read_factors(scaling, "short_factor", pairs, out->short_factors,
                            e) ||
                       read_factors(scaling, "long_factor", pairs,
                                    out->long_factors, e)
                   ? -1
                   : 0;
    return read_truncate(f, scaling, out, e);
}

int rope_config_read(const struct family *f, const struct config *c,
                     enum layer_kind layers, size_t head_dim,
                     struct rope_config *out, struct error *e)
{
    *out = (struct rope_config){.head_dim = head_dim,
                                .neighbours = f->neighbours};
    struct node both, scaling;
    if (find_scaling(f, c, layers, &both, &scaling, e))
        return -1;
    const struct scaling_kind *kind = find_kind(f, &scaling, e);
    if (!kind)
        return -1;
    const char *const lists[] = {
        "rope_type type rope_theta", kind->keys, kind->unread,
        f->fraction != 0 ? "partial_rotary_factor" : ""};
    if (node_has(&scaling) &&
        keys_check(&scaling, lists, 4, f->model_type, kind->name, e))
        return -1;

    out->scaling = kind->scaling;
    return read_dim(f, c, &scaling, out, e) ||
                   read_theta(f, c, layers, &scaling, out, e) ||
                   read_numbers(&scaling, kind, out, e) ||
                   read_original(f, c, &scaling, out, e) ||
                   read_details(f, &scaling, out, e)
               ? -1
               : 0;
}

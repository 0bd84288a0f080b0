/* Families of models: what makes a Qwen a Qwen, as one table.
 *
 * Nearly all language models of today are the same machine with a dozen
 * switches.  A row of the table says how one family sets them, or which key of
 * config.json does.  A switch of many numbers is on in the rows whose `keys`
 * have its key: "residual_multiplier" and its like. */
#ifndef FAMILY_H
#define FAMILY_H

#include "config.h"
#include "error.h"
#include "family_names.h"
#include "ops.h"

#include <stdbool.h>
#include <stddef.h>

/* Layers differ in what they see: everything, or the last few tokens. */
enum layer_kind {
    LAYER_FULL,
    LAYER_WINDOWED,
    N_LAYER_KINDS
};

/* Which layers are windowed, where "layer_types" does not say. */
enum window_rule {
    WINDOW_NONE,
    WINDOW_ALL,      /* every layer */
    WINDOW_UPPER,    /* those from "max_window_layers" on */
    WINDOW_UNTURNED, /* those without rotation */
    WINDOW_MOST      /* all but every nth */
};

enum qk_norm {
    QK_NORM_NONE,
    QK_NORM_HEAD,   /* queries and keys are normalized, head by head */
    QK_NORM_TURNED, /* the same, but after they have turned */
    QK_NORM_ALL     /* all heads of a token together */
};

/* A key that, where it is there, has this value: a model in which it had
 * another would be computed in a way that this program lacks. */
struct fixed_key {
    const char *key, *value; /* as JSON has it */
};

enum family_limits {
    MAX_FIXED_KEYS = 5
};

struct family {
    const char *architecture; /* config.json's "architectures" */
    const char *model_type;   /* config.json's "model_type" */

    /* A model that also sees or hears: its type, the keys beside its
     * "text_config", and how the names of the tensors begin that are not for
     * texts. */
    const char *outer_type, *outer_keys, *other_tensors;

    const struct weight_names *names;

    enum norm_kind norm;
    float norm_offset;   /* its weights are stored less this */
    const char *eps_key; /* NULL: "rms_norm_eps" */
    double eps;          /* where the key is absent; 0: 1e-6 */
    enum qk_norm qk_norm;
    bool v_norm; /* values are normalized, head by head, without weights */
    bool layer_scale; /* a number of its own multiplies what leaves a layer */

    /* The key that gives these layers a bias, "always", or NULL: never. */
    const char *qkv_bias, *o_bias, *mlp_bias;
    bool biased;                /* where the key is absent */
    const char *activation_key; /* NULL: "hidden_act" */
    const char *activation;     /* where it is absent; NULL: "silu" */

    enum window_rule windows;
    size_t window;     /* where "sliding_window" is absent; 0: none */
    size_t full_every; /* WINDOW_MOST, without "sliding_window_pattern" */
    bool last_is_full;

    bool two_ropes;                        /* windowed layers have their own */
    bool neighbours;                       /* pairs of neighbours turn */
    const char *theta_keys[N_LAYER_KINDS]; /* NULL: "rope_theta" */
    double thetas[N_LAYER_KINDS];          /* where it is absent; 0: 10000 */
    const char *fraction_key;              /* NULL: "partial_rotary_factor" */
    double fraction;      /* where it is absent; 0: no such key */
    const char *scalings; /* the kinds that it may have; NULL: all */

    bool scale_embedding; /* by the root of hidden_size */
    bool plain_scores;    /* they are not divided by anything */
    double score_cap;     /* where "attn_logit_softcapping" is absent */
    double logit_cap;     /* where "final_logit_softcapping" is absent */
    bool interleaved_qkv; /* the fused tensor goes group by group: queries that
                             share a head of keys, that head, its values */

    const char *keys;     /* what it reads there that not all do */
    const char *lacks;    /* what all others read; NULL: nothing */
    const char *required; /* whose default is a number of its own, so that
                             they must be there; NULL: none */
    const char *zero_key; /* must be there, and 0; NULL: none */
    struct fixed_key fixed[MAX_FIXED_KEYS]; /* unused ones have no key */
};

/* Whether the family reads this key of config.json. */
bool family_reads(const struct family *f, const char *key);

/* Row i of the table, or NULL past its end. */
const struct family *family_row(size_t i);

/* The row of a model, by its architecture, or where config.json names none, by
 * its model_type: config_open is enough.  NULL and an error when it is not in
 * the table. */
const struct family *family_named(const struct config *c, struct error *e);

/* The same row.  NULL and an error also when config.json has a key that may
 * change what the model computes and that its family does not read. */
const struct family *family_find(const struct config *c, struct error *e);

/* The keys of config.json that neither this program nor transformers reads,
 * those inside of others as "text_config.name" or "rope_scaling.name".  The
 * caller frees the list with json_decref.  NULL: memory failed. */
json_t *family_unread(const struct family *f, const struct config *c,
                      struct error *e);

#endif

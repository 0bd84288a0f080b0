/* Switches: how one model's family and its config.json set them. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include "activation.h"
#include "config.h"
#include "error.h"
#include "family.h"
#include "ops.h"
#include "rope.h"

#include <stdbool.h>
#include <stddef.h>

enum switch_limits {
    MAX_ROPES = N_LAYER_KINDS + 1 /* and one that does not turn */
};

/* What holds for every layer. */
struct switches {
    activation *activate; /* in the MLP */
    struct norm norm;     /* kind, eps and weight_offset of all norms */
    bool qkv_bias, o_bias, mlp_bias;
    bool parallel;

    double embedding_scale, residual, logits_divisor;
    double score_scale; /* 0: 1 / sqrt(head_dim) */
    double score_cap, logit_cap;

    struct rope_config ropes[MAX_ROPES]; /* (n_ropes,) */
    size_t n_ropes;
};

/* What is a layer's own. */
struct layer_switches {
    enum layer_kind kind;
    size_t window; /* how many tokens one sees, itself included; 0: all */
    size_t rope;   /* in struct switches */
    size_t head_dim, n_kv_heads;
    bool values_are_keys;
};

/* Read all that holds for every layer.  A value that this program does not
 * know is an error that names its key. */
int switches_read(const struct family *f, const struct config *c,
                  struct switches *out, struct error *e);

/* Read what holds for layer l. */
int switches_layer(const struct family *f, const struct config *c,
                   const struct switches *s, size_t l,
                   struct layer_switches *out, struct error *e);

#endif

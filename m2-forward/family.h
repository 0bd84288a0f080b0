/* Families of models: what makes a Qwen a Qwen, as one table.
 *
 * Nearly all language models of today are the same machine with a dozen
 * switches.  A row of the table says how one family sets them, or which key of
 * config.json does. */
#ifndef FAMILY_H
#define FAMILY_H

#include "config.h"
#include "error.h"

#include <stdbool.h>

/* Which layers see only the last few tokens. */
enum window_rule {
    WINDOW_NONE,
    WINDOW_ALL,  /* every layer, unless "sliding_window" is null */
    WINDOW_UPPER /* with "use_sliding_window", those that "layer_types" names,
                    or else those from "max_window_layers" on */
};

struct family {
    const char *architecture; /* config.json's "architectures" */
    const char *model_type;   /* config.json's "model_type" */
    const char *keys;         /* what it reads there that not all do */

    /* The key that gives these layers a bias, "always", or NULL: never. */
    const char *qkv_bias, *o_bias, *mlp_bias;
    bool qk_norm; /* queries and keys are normalized, head by head */
    enum window_rule windows;
};

/* The row of a model.  NULL and an error when its architecture is not in the
 * table, or config.json has a key that may change what the model computes and
 * that its family does not read. */
const struct family *family_find(const struct config *c, struct error *e);

#endif

/* Switches: how one model's family and its config.json set them. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include "config.h"
#include "error.h"
#include "family.h"
#include "ops.h"
#include "rope.h"

#include <stdbool.h>
#include <stddef.h>

struct switches {
    activation *activate; /* in the MLP */
    float eps;            /* of all norms */
    bool qk_norm;
    bool qkv_bias, o_bias, mlp_bias;
    struct rope_config rope;
};

/* Read all that holds for every layer.  A value that this program does not
 * know is an error that names its key. */
int switches_read(const struct family *f, const struct config *c,
                  struct switches *out, struct error *e);

/* How many tokens a token sees in layer l, itself included; 0: all. */
int switches_window(const struct family *f, const struct config *c, size_t l,
                    size_t *window, struct error *e);

#endif

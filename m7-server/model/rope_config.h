/* What config.json says about rotary positions. */
#ifndef ROPE_CONFIG_H
#define ROPE_CONFIG_H

#include "config.h"
#include "error.h"
#include "family.h"
#include "rope.h"

/* Read, for the layers of a kind, whose heads have head_dim numbers,
 * `rope_theta` and `rope_scaling`, or `rope_parameters`, which since
 * version 5 of `transformers` holds both.  A kind of scaling that is not
 * known, or a key that its kind does not have, is refused by name. */
int rope_config_read(const struct family *f, const struct config *c,
                     enum layer_kind layers, size_t head_dim,
                     struct rope_config *out, struct error *e);

#endif

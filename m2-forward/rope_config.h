/* What config.json says about rotary positions. */
#ifndef ROPE_CONFIG_H
#define ROPE_CONFIG_H

#include "config.h"
#include "error.h"
#include "rope.h"

/* Read `rope_theta` and `rope_scaling`, or `rope_parameters`, which since
 * version 5 of `transformers` holds both.  A kind of scaling that is not
 * known, or a key that its kind does not have, is refused by name. */
int rope_config_read(const struct config *c, struct rope_config *out,
                     struct error *e);

#endif

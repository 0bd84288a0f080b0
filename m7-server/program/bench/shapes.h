/* The shapes of published models: their config.json, as far as it says how
 * large what is.  Speed depends on these, and not on what the weights are. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stddef.h>

struct model_shape {
    const char *name;   /* "qwen2.5-0.5b" */
    const char *config; /* what its config.json says */
};

/* Shape `i`; NULL past the last. */
const struct model_shape *shape_row(size_t i);

/* The shape of that name, or NULL. */
const struct model_shape *shape_named(const char *name);

#endif

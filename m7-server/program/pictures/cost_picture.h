/* The picture of what a token costs, by how many stand before it: with the
 * cache, and without. */
#ifndef COST_PICTURE_H
#define COST_PICTURE_H

#include "error.h"
#include "model.h"
#include "options.h"

#include <stddef.h>

/* Operations to read token number 1 ... n of a text and to score what follows
 * it. */
struct costs {
    double *cached; /* (n,): behind what the cache holds; owned */
    double *again;  /* (n,): with all tokens before it; owned */
    size_t n;
};

/* Count them on the text ids (n,), n > 0.  After an error *c holds nothing. */
int costs_init(struct costs *c, const struct model *m, const int *ids,
               size_t n, struct error *e);
void costs_free(struct costs *c);

/* Draw those of the text arguments[0] to s->output. */
int draw_cost(const struct settings *s, char **arguments, struct error *e);

#endif

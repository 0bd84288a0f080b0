/* The normalizer: spellings that should be the same become the same.
 *
 * Steps that each rewrite the whole text, in the order of the file: Unicode's
 * normal forms, lower case, spaces cut off at the ends, strings replaced or
 * put in front. */
#ifndef NORMALIZE_H
#define NORMALIZE_H

#include "buffer.h"
#include "error.h"
#include "json.h"
#include "piece.h"

#include <stddef.h>

struct normalizer_step;

struct normalizer {
    struct normalizer_step *steps; /* (n_steps,), owned */
    size_t n_steps, capacity;
};

/* Read the file's "normalizer" into *n, which starts as {0}. */
int normalizer_read(const struct node *node, struct normalizer *n,
                    struct error *e);
void normalizer_free(struct normalizer *n);

/* Rewrite the piece.  The text of *out lies in one of the two buffers, or is
 * that of `in` when nothing had to change. */
int normalize(const struct normalizer *n, struct piece in,
              struct bytes buffers[2], struct piece *out, struct error *e);

#endif

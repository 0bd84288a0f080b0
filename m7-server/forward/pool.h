/* Pooling: a whole text as one vector, so that texts which mean the same point
 * the same way. */
#ifndef POOL_H
#define POOL_H

#include "forward.h"

#include <stddef.h>

/* Run the text ids (n,) as forward() does, and make of it the vector out
 * (hidden_size,), of length 1: what the last norm makes of the last token,
 * which alone has seen all others.  Models made for this want an end token
 * there, which their tokenizer appends (Zhang et al. 2025, section 2).  Fails
 * as forward() does. */
int pool(const struct model *m, struct state *s, const int *ids, size_t n,
         float *out, struct error *e);

/* Make the length of a vector (width,) 1; one of zeros stays as it is. */
void make_unit(float *x, size_t width);

/* How alike two vectors (width,) of length 1 are: the cosine of the angle
 * between them. */
float likeness(const float *a, const float *b, size_t width);

#endif

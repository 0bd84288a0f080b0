/* The picture of an error: how far a quantized matrix is from the original,
 * weight by weight. */
#ifndef ERROR_PICTURE_H
#define ERROR_PICTURE_H

#include "error.h"
#include "matrix_pair.h"
#include "options.h"

/* The root of the sum of (a - b)^2 over that of a^2, of a pair's matrices: by
 * which share of the weights' own size b is off, on average.  0 where all of a
 * is 0 and b is the same; infinite where only a is. */
double relative_error(struct matrix_pair *p);

/* Draw |w - w'| of the matrix arguments[2], w as the model arguments[0] has it
 * and w' as arguments[1] does, to s->output. */
int draw_error(const struct settings *s, char **arguments, struct error *e);

#endif

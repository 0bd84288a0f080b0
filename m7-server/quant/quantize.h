/* Quantizing: a row of floats becomes codes and scales.  rounded.c is the way
 * back.
 *
 * The row is cut into groups.  In a group of values x, with `most` the largest
 * code (127 for int8, 7 for int4),
 *
 *     scale = max |x| / most                       one float for the group
 *     code  = x / scale, rounded to the nearest whole number, a half to the
 *             even one; at least -most, at most most
 *
 * and code * scale is what a value has become: at most half a scale away.  All
 * of it is 32-bit arithmetic, so whoever follows these two lines gets the same
 * bits.
 *
 * The largest value alone decides the scale of its group; when it is far from
 * the others, they are left with few codes.  A search may choose a smaller
 * scale: the largest value is cut off, the others come out better
 * (quantize_search.c).
 *
 * Quantizing what codes and scales stand for gives the same codes and scales,
 * bit for bit, also when they come from a search: a group's largest code is
 * always `most`, and a scale is always some float divided by it, which is what
 * the division finds again.  (A group whose values are all below 2^-119 has a
 * scale with too few bits for that.)  Nothing here knows a file or a model. */
#ifndef QUANTIZE_H
#define QUANTIZE_H

#include "quantized.h"

#include <stdbool.h>
#include <stddef.h>

/* How a matrix is to be quantized. */
struct rounding {
    const struct format *format; /* int8 or int4, of formats.c */
    size_t group;                /* values that share a scale; a multiple of 8
                                    that divides every row */
    bool search;                 /* try several scales, keep the best */
};

/* The format of that name, if rows can be quantized to it, or NULL. */
const struct format *quantize_format(const char *name);

/* The largest code of a format: 127 or 7. */
int largest_code(const struct format *f);

/* Whether a value can be a code times a scale: it is no NaN, no infinity, and
 * so far below the largest float that rounding it up stays a float. */
bool can_quantize(float x);

/* Quantize a row x (n,), all of which can_quantize: its codes, as the format
 * stores them, (n * bits / 8,) bytes, and its scales (n / group,).
 * importance (n,), none below 0, says how much the square of an error counts
 * in each column, for a search; NULL: the same in all. */
void quantize_row(const struct rounding *r, const float *x, size_t n,
                  const float *importance, unsigned char *codes,
                  float *scales);

/* For quantize_search.c: the steps of a group x (n,). */
float largest_of(const float *x, size_t n);
float code_for(float x, float scale, int most);

/* The scale among several with which the group's squares of errors, each times
 * its importance, add up to the least. */
float search_scale(const float *x, const float *importance, size_t n,
                   int most);

#endif

/* The picture of codes: how often each value that a quantized matrix can have
 * occurs in it, and behind that how the original's weights are distributed.
 *
 * Weights of different groups can be shown together only by a measure that is
 * the same for all.  Where a value is code * scale (int8, int4) or code *
 * scale + offset (affine), with the scales and offsets in tensors of their
 * own, that measure is the code, and an original weight stands between two of
 * them where its group's scale puts it.  Other layouts have scales of scales,
 * tables of values, or zero points by the group: there it is the value as a
 * share of the largest among its neighbours, as many as share a scale or 32,
 * which shows the steps of symmetric and of non-uniform codes as a comb. */
#ifndef CODES_PICTURE_H
#define CODES_PICTURE_H

#include "error.h"
#include "matrix_pair.h"
#include "options.h"

#include <stdbool.h>
#include <stddef.h>

/* How many of a matrix's values lie where.  Bar i of (n,) has the values whose
 * measure is within half a step of least + i * step; of the original, whose
 * bins are `finer` times as narrow, bin j begins at least - step / 2 + j *
 * step / finer. */
struct code_counts {
    double least, step;
    size_t n, finer;
    bool codes;       /* whether the measure is the code, or a share */
    double *bars;     /* (n,): how many values of b; owned */
    double *original; /* (n * finer,): how many weights of a; owned */
    size_t n_beyond;  /* weights of a beyond either end */
    size_t n_all;     /* values of a matrix */
};

/* Count those of a pair whose b is quantized.  After an error *c holds
 * nothing. */
int code_counts_init(struct code_counts *c, struct matrix_pair *p,
                     struct error *e);
void code_counts_free(struct code_counts *c);

/* Draw the matrix arguments[2] of the models arguments[0], the original, and
 * arguments[1] to s->output. */
int draw_codes(const struct settings *s, char **arguments, struct error *e);

#endif

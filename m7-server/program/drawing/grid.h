/* A matrix, made small enough for a picture: cells, each the mean of a block
 * of values. */
#ifndef GRID_H
#define GRID_H

#include "error.h"
#include "picture.h"

#include <stdbool.h>
#include <stddef.h>

enum grid_limits {
    GRID_MOST = 768 /* cells in a row, and rows of them */
};

struct grid {
    size_t rows, columns;             /* of cells */
    size_t block_rows, block_columns; /* values in a cell; the last may have
                                         fewer */
    float *cells;   /* (rows, columns), owned; NaN where a value is not finite,
                     or where there is none */
    size_t n_cells; /* that have a value */

    float least, most;   /* of the finite values; 0 and 0 without any */
    size_t n_not_finite; /* values */
    bool negative;       /* a cell is below zero */
    float limit;         /* the value of the strongest colour, above zero */
    size_t n_beyond;     /* cells whose size is larger */
};

/* Read the whole matrix of a heat map, which must have a value. */
int grid_init(struct grid *g, const struct heatmap *h, struct error *e);
void grid_free(struct grid *g);

#endif

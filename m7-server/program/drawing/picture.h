/* Pictures of numbers, written as PNG files.
 *
 * A heat map shows a matrix (rows, columns) as coloured cells with a title,
 * axes and a legend.  It chooses its own size: a small matrix gets large
 * cells; one that is larger than the picture is drawn in blocks, each as the
 * mean of its values, and a line below the title says so. */
#ifndef PICTURE_H
#define PICTURE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/* Put row `row` of a matrix into values (columns,). */
typedef void picture_row(const void *source, size_t row, float *values);

struct heatmap {
    const char *title;
    const char *row_axis;    /* what a row is: "output", "query" */
    const char *column_axis; /* what a column is */
    const char *legend;      /* what a colour stands for: "weight" */

    /* Names of single rows and columns, (rows,) and (columns,), UTF-8; NULL
     * for numbers.  Shown where there is room. */
    const char *const *row_names;
    const char *const *column_names;

    size_t rows, columns;
    picture_row *row;   /* reads one row; rows are asked for in order */
    const void *source; /* its first argument */

    bool magnitude; /* show |value|, not value */
    float limit;    /* the value of the strongest colour; 0: chosen so that
                       one cell in a thousand lies beyond, at most; of a
                       causal map one in a hundred */
    bool causal;    /* square, and row r has only the columns 0 ... r: the
                       other cells are grey, and count for nothing.  Few of
                       its cells are far above the others: the first column,
                       at which many look for want of anything better, and
                       the first rows, which have few to choose from */
};

/* Draw and write to `path`.  Colours run from 0 to the limit when no value is
 * negative or `magnitude` is set, from -limit to limit otherwise.  Values that
 * are not finite are drawn in a colour of their own, and counted. */
int picture_heatmap(const struct heatmap *h, const char *path,
                    struct error *e);

/* A picture_row for a matrix that is in memory. */
struct picture_matrix {
    const float *values; /* (rows, columns) */
    size_t columns;
};
picture_row picture_matrix_row;

#endif

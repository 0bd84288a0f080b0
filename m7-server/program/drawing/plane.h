/* Points and straight lines in a plane, both of whose axes are logarithmic:
 * each mark is twice the one before.  As a PNG file. */
#ifndef PLANE_H
#define PLANE_H

#include "colour.h"
#include "error.h"

#include <stddef.h>

/* All coordinates are above zero. */
struct plane_place {
    double x, y;
};

struct plane_line {
    struct plane_place from, to;
    const char *name; /* written where it ends */
    struct colour colour;
};

/* Points of one colour, each with a label beside it. */
struct plane_series {
    const char *name;
    struct colour colour;
    const struct plane_place *places; /* (n,) */
    const char *const *labels;        /* (n,) */
    size_t n;
};

struct plane {
    const char *title, *x_axis, *y_axis;
    struct plane_place least, most; /* the ends of the axes: powers of two */
    const struct plane_line *lines; /* (n_lines,) */
    size_t n_lines;
    const struct plane_series *series; /* (n_series,) */
    size_t n_series;
};

/* The powers of two at or below x, and at or above it. */
double plane_below(double x);
double plane_above(double x);

int picture_plane(const struct plane *p, const char *path, struct error *e);

#endif

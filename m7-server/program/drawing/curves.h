/* Curves: how numbers grow, as a PNG file. */
#ifndef CURVES_H
#define CURVES_H

#include "colour.h"
#include "error.h"

#include <stddef.h>

struct curve {
    const char *name;
    const double *values; /* (n,), none below zero */
    struct colour colour;
};

/* Some curves over one scale, which begins at zero. */
struct panel {
    const char *title;
    struct curve curves[2];
    size_t n_curves;
};

/* Panels below each other, with one axis of places 1 ... n. */
struct curves {
    const char *title, *x_axis;
    struct panel panels[2];
    size_t n_panels;
    size_t n; /* values of a curve, at least one */
};

int picture_curves(const struct curves *c, const char *path, struct error *e);

#endif

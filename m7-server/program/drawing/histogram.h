/* Histograms: how often which numbers occur, as a PNG file.  Bars, and behind
 * them an area, which may be finer. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "error.h"

#include <stddef.h>

struct histogram {
    const char *title;
    const char *note; /* a line below the title, or "" */
    const char *x_axis;
    const char *bars_name, *behind_name;
    double least, most; /* where the first bar begins and the last one ends */

    /* Heights, none below zero, of bars that share the width evenly; and of
     * the area behind them. */
    const double *bars; /* (n_bars,), at least one */
    size_t n_bars;
    const double *behind; /* (n_behind,) */
    size_t n_behind;
};

int picture_histogram(const struct histogram *h, const char *path,
                      struct error *e);

#endif

/* What config.json says about a model of compressed-tensors: see
 * scheme_compressed.c for the layouts. */
#ifndef COMPRESSED_SAID_H
#define COMPRESSED_SAID_H

#include "scheme.h"

#include <stdbool.h>
#include <stddef.h>

enum compressed_layout {
    LAYOUT_PACKED,
    LAYOUT_PLAIN,
    LAYOUT_MXFP4
};

/* How all matrices of a model are stored. */
struct compressed_form {
    enum compressed_layout layout;
    size_t bits;
    bool whole;        /* numbers are whole, not floats */
    bool symmetric;    /* there are no zeros */
    bool shuffled;     /* columns have their groups in weight_g_idx */
    bool single;       /* one scale for all */
    size_t group;      /* columns that share a scale; 0: all */
    size_t group_rows; /* and rows; 0: all */
};

/* Read and check it: each group of matrices says how they are stored, and
 * here all must be alike. */
int compressed_said(const struct quantization *s, struct compressed_form *form,
                    struct error *e);

#endif

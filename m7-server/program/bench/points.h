/* The kernels' points under the roofline: for each, how many operations it
 * makes of a byte, how fast it is, and how far from what limits it. */
#ifndef POINTS_H
#define POINTS_H

#include "error.h"
#include "machine_limits.h"
#include "multiply.h"

#include <stddef.h>

enum points_sizes {
    POINT_ROWS = 4864, /* of each matrix, as in a layer of Qwen2.5-0.5B */
    POINT_COLS = 896,
    MOST_POINTS = 32
};

/* A kernel with some number of rows of inputs; or attention. */
struct point {
    char name[32];           /* "int4 x 8", "attention f16" */
    enum packed_kind kind;   /* of a matrix */
    size_t n;                /* rows of inputs; 0: attention */
    enum limit_kind compute; /* what limits it, if reading does not */
    double intensity;        /* operations for each byte that it reads */
    double speeds[LIMIT_ROUNDS]; /* operations a second, round by round */
    double share; /* of the lower of its two limits; the median of those of
                     each round, whose parts were measured together */
};

struct attention_point;

struct roofline {
    struct limits limits;
    struct engine engine;
    struct packed matrices[N_PACKED]; /* one of each kind that is measured */
    float *x, *out; /* (most rows of inputs, columns), (.., rows) */
    struct attention_point *attention;
    struct point points[MOST_POINTS];
    size_t n_points;
    void (*progress)(void *context, size_t done, size_t all);
    void *context; /* its first argument */
};

/* Make room.  After an error *r holds nothing. */
int roofline_open(struct roofline *r, struct threads *threads,
                  struct error *e);
void roofline_close(struct roofline *r);

/* Measure limits and points, all of a round in turn. */
void roofline_measure(struct roofline *r);

/* Set a point's share, from its speeds and the limits'. */
void point_find_share(const struct limits *l, struct point *p);

/* A point's median. */
double point_speed(const struct point *p);

#endif

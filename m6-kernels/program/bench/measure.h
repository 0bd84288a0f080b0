/* Measuring a model's speed: what is measured, and how. */
#ifndef MEASURE_H
#define MEASURE_H

#include "cache_form.h"
#include "error.h"
#include "model.h"

#include <stdbool.h>
#include <stddef.h>

enum measure_limits { MOST_CASES = 32, MOST_ROUNDS = 25 };

/* Something to measure. */
struct measured {
    size_t depth;  /* tokens that the cache holds before it begins */
    size_t tokens; /* that are read, or decoded one after another */
    size_t batch;  /* how many of them at once; 0: all, which is prefill */

    double seconds[MOST_ROUNDS]; /* of each round, in order; later sorted */
};

struct measuring {
    struct model *model;
    const struct cache_form *form; /* of the cache; NULL: floats */
    size_t rounds;
    struct measured *cases; /* (n,) */
    size_t n;
    void (*progress)(void *context, size_t done, size_t all);
    void *context; /* its first argument */
};

/* Measure every case once to warm up, and then `rounds` times, all of a round
 * in turn, so that what disturbs the machine for a while disturbs all alike.
 */
int measure_all(struct measuring *m, struct error *e);

/* The median of its rounds, in tokens a second; and how far the quarter above
 * and the quarter below are apart, as a share of it. */
double measured_speed(const struct measured *c, size_t rounds);
double measured_spread(const struct measured *c, size_t rounds);

#endif

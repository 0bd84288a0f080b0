/* Measuring a model's speed: what is measured, and how.
 *
 * What a call costs whether it computes little or much is no part of a speed.
 * So each case is timed twice: T(all of its tokens), and T(the fewest it can
 * have); the speed is that of the tokens by which they differ. */
#ifndef MEASURE_H
#define MEASURE_H

#include "cache_form.h"
#include "error.h"
#include "model.h"

#include <stddef.h>

enum measure_limits { MOST_CASES = 32, MOST_ROUNDS = 25 };

/* Something to measure. */
struct measured {
    size_t depth;  /* tokens that the cache holds before it begins */
    size_t tokens; /* that are read, or decoded one after another */
    size_t batch;  /* how many of them at once; 0: all, which is prefill */

    double whole[MOST_ROUNDS]; /* seconds for all of them, and */
    double least[MOST_ROUNDS]; /* for measured_least(): round by round */

    /* Of the last round: seconds that the processor worked for it, in all
     * threads together, without the time that other programs had. */
    double worked_whole, worked_least;
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

/* Room for measuring: what is computed on the way, and a cache.  Made once for
 * the longest case. */
struct bench_run;

/* After an error *out is NULL. */
int bench_run_open(struct bench_run **out, struct model *m,
                   const struct cache_form *form, size_t longest,
                   struct error *e);
void bench_run_close(struct bench_run *r);

/* Measure a case once, as its round number `round`; its depth and tokens fit
 * into the longest. */
void measure_case(struct bench_run *r, struct measured *c, size_t round);

/* Bytes of the cache that a token takes, and of all packed matrices, which
 * each pass reads once. */
size_t bench_position_bytes(const struct bench_run *r);
size_t model_packed_bytes(const struct model *m);

/* Measure every case once to warm up, and then `rounds` times, all of a round
 * in turn, so that what disturbs the machine for a while disturbs all alike.
 */
int measure_all(struct measuring *m, struct error *e);

/* The fewest tokens that a case can have: a batch, or one. */
size_t measured_least(const struct measured *c);

/* The median of its rounds, in tokens a second; and how far the quarter above
 * and the quarter below are apart, as a share of it.  A case of no more than
 * the fewest tokens counts them all. */
double measured_speed(const struct measured *c, size_t rounds);
double measured_spread(const struct measured *c, size_t rounds);

/* Seconds since some moment, and those that the processor has worked for this
 * program since it began; and the number in the middle of n, which are sorted.
 */
double seconds_now(void);
double seconds_worked(void);
double sorted_middle(double *numbers, size_t n);

#endif

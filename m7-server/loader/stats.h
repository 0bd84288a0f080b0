/* What the values of a tensor look like as a whole. */
#ifndef STATS_H
#define STATS_H

#include "tensor.h"

#include <stddef.h>

struct stats {
    size_t n_nan, n_infinite;
    size_t n_finite;
    float least, most; /* of the finite values; 0 without any; of 0 and -0,
                          which are equal, the first */
    double mean;
};

/* Count values (n,) that were read in any way; until stats_end, `mean` is
 * their sum. */
void stats_add(struct stats *s, const float *values, size_t n);
void stats_end(struct stats *s);

/* Read every value of a tensor, whose dtype must be real. */
struct stats tensor_stats(const struct tensor *t);

#endif

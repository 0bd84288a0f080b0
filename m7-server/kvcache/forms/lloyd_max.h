/* The best codes for normal numbers: 4, 8 or 16 numbers to stand for all. */
#ifndef LLOYD_MAX_H
#define LLOYD_MAX_H

#include <stddef.h>

/* With 2^bits numbers, those for which the mean squared error of a number of
 * the standard normal distribution is least (Max 1960, Lloyd 1982): each is
 * the mean of what it stands for, and the border between two neighbours is
 * half-way.
 *
 *   bits  mean squared error
 *   2     0.1175
 *   3     0.03455
 *   4     0.009501
 *
 * A bit more makes it a third to a quarter, the length of the error half. */
struct codebook {
    const float *centroids; /* (2^bits,): rising */
    const float *borders;   /* (2^bits - 1,): between them */
};

/* bits is 2, 3 or 4. */
const struct codebook *lloyd_max(size_t bits);

/* The code of x: how many borders are below it.  What is no number has code
 * 0. */
size_t nearest_code(const struct codebook *b, size_t bits, float x);

#endif

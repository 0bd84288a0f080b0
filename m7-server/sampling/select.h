/* Finding a border among numbers without sorting them.
 *
 * "Which are the k largest?" and "which of the largest make up 90 percent?"
 * are one question: from the largest value down, where have the weights
 * reached a target?  A sort answers that and much more.  Three passes answer
 * it alone, whatever the values. */
#ifndef SELECT_H
#define SELECT_H

#include <stddef.h>

struct border {
    float value;  /* the smallest that is needed; others may equal it */
    double above; /* the weights of all values larger than that */
};

/* Where the weights (n,) of values (n,), added up from the largest value
 * down, first reach `target`; at the smallest value that has a weight when
 * they never do.  Weights are not negative and not all zero; weights NULL:
 * each is 1.  Values must not be NaN; n is above zero. */
struct border find_border(const float *values, const float *weights, size_t n,
                          double target);

#endif

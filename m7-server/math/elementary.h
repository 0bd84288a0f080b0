/* Sines, powers and logarithms in 64 bits: by additions, products and
 * divisions in one order, so that their bits do not depend on the C library.
 *
 * For angles and frequencies, which become floats: results are within 1e-14 of
 * the true numbers, relative to those, sines and cosines relative to 1. */
#ifndef ELEMENTARY_H
#define ELEMENTARY_H

struct turned {
    double cosine, sine;
};

/* The cosine and sine of an angle in radians that a float can hold.  Relative
 * to a sine near 0, too, the error is below 1e-9.  Past 2 to the 27, where two
 * floats are more than a turn apart, they are those of some angle. */
struct turned turned_by(double angle);

/* NaN for x < 0, -infinity for 0. */
double fixed_log(double x);

/* Infinity for x of 700 or more, 0 for -700 or less. */
double fixed_exp(double x);

/* x to the y, for x > 0. */
double fixed_power(double x, double y);

#endif

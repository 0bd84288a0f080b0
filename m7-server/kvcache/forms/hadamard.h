/* The Walsh-Hadamard transform: it spreads each number of a head over all of
 * them, and turns any head into one that looks like noise. */
#ifndef HADAMARD_H
#define HADAMARD_H

#include <stddef.h>

/* x (n,), n a power of two, becomes H x: out[i] is the sum of all x[j], each
 * with the sign (-1)^(bits that i and j have in common).  H is symmetric, and
 * H H is n times the identity: all lengths grow by sqrt(n), nothing else
 * changes, and once more leads back.
 *
 * In log2(n) steps, the first with distance 1, each twice that of the one
 * before: x[i] and x[i + distance] become their sum and difference.  That is
 * the order of the sums, too. */
void hadamard(float *x, size_t n);

/* Multiply x (n,) by signs, fixed ones without a pattern; twice is nothing.
 * Without them, a head of equal numbers, or one that swings from number to
 * number, would become a single large number.
 *
 * Sign i is bit i mod 64, from the lowest, of number i / 64 of splitmix64 with
 * the seed 0 (Steele, Lea and Flood 2014): 1 is minus. */
void flip_signs(float *x, size_t n);

#endif

/* Random numbers that can be had again: the same seed gives the same numbers
 * on every machine.
 *
 * The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", ACM TOMS 47, 2021): 256 bits of state, of
 * which each number takes a look and moves on.  It comes back to where it
 * began after 2^256 - 1 numbers.  Good for dice; not for secrets. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4]; /* not all zero */
};

/* Start stream `stream` of a seed.  The seed fills the state by splitmix64,
 * as the paper advises, so that seeds that are alike give streams that are
 * not.  Stream i is the seed's stream 0 from its number i times 2^128 on:
 * streams of one seed never meet. */
void random_init(struct random *r, uint64_t seed, uint64_t stream);

/* The next 64 random bits. */
uint64_t random_bits(struct random *r);

/* The next number from 0 up to, but never, 1: a multiple of 2^-53, each as
 * likely as any other. */
double random_share(struct random *r);

/* Move on by 2^128 numbers. */
void random_jump(struct random *r);

/* The next number of splitmix64, whose whole state is one number (Steele, Lea
 * and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
uint64_t splitmix(uint64_t *state);

#endif

/* Halves: numbers of 16 bits (IEEE 754, binary16), with a sign, 5 bits of
 * exponent and 10 of fraction.  dtype.h reads them. */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

/* The half that is nearest to x, of two equally near ones the even.  From
 * 65520 on that is an infinity; below 2^-24 / 2, and at it, a zero.  A number
 * that is none stays none. */
uint16_t half_of(float x);

/* Put a half at `out`, the lower byte first; read one as a float. */
void half_store(uint16_t half, unsigned char *out);
float half_read(const unsigned char *in);

#endif

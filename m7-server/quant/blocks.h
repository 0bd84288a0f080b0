/* Blocks: how GGUF files store a row.  A few values, 32 or 256, stand together
 * with what they share (scales, minima), block behind block.  For blocks_*.c
 * only.
 *
 * The drawings show a block's bytes from its first to its last; "f16" is a
 * 16-bit float, and all numbers are little-endian.  Every product and sum is
 * that of gguf.quants (the package `gguf` on PyPI), in its order, so that the
 * floats are the same bits. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "quantized.h"

/* The values of one block, as floats. */
typedef void block_function(const unsigned char *block, float *out);

/* Row `row` of q as floats (cols,), block by block. */
void unpack_blocks(const struct quantized *q, size_t row, float *out,
                   block_function *unpack);

/* The 16-bit float there. */
float half_at(const unsigned char *bytes);

/* Value `i` of n 4-bit codes in n / 2 bytes: the lower halves of all bytes
 * come first, then the upper ones. */
unsigned nibble_at(const unsigned char *bytes, size_t n, size_t i);

/* All n of them, one code to a byte: codes (n,). */
void read_nibbles(const unsigned char *bytes, size_t n, unsigned char *codes);

/* Bit `i` of the bytes, the lowest of the first byte being bit 0. */
unsigned bit_at(const unsigned char *bytes, size_t i);

/* What a row of codes needs, too (spacing/).
 *
 * Codes that are places in a table: the 16 levels of IQ4, and the floats of 4
 * bits, doubled. */
extern const signed char iq4_levels[16], e2m1_doubled[16];

/* The whole number by which group g of a block of IQ4_XS is scaled. */
int iq4_scale(const unsigned char *block, size_t g);

/* Scale `j` of 16, in the 12 bytes of Q3_K; the code of value `i` of its
 * block, -4 to 3. */
int scale6_at(const unsigned char *scales, size_t j);
int q3_k_code(const unsigned char *block, size_t i);

/* The scale of group g of 8, or with `first` 4 its minimum, in the 12 bytes of
 * Q4_K and Q5_K. */
unsigned six_at(const unsigned char *bytes, size_t first, size_t g);

#endif

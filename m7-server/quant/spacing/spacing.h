/* Quantized matrices as kernels want them: whole numbers, "codes", and for
 * each 32 of a row what they have in common.  Three kinds do for nearly all
 * formats:
 *
 *     CODES_INT4      value = scale * (code - 8)         codes 0 to 15
 *     CODES_AFFINE4   value = scale * code + minimum     codes 0 to 15
 *     CODES_INT8      value = scale * (code - 128)       codes 0 to 255
 *
 * A row of them is exact: scales and minima are the floats that the file's
 * mean, and where a format has a scale and a zero, the minimum is their
 * product, rounded once.
 *
 * Not so:
 *     groups of 16 with scales of their own      Q2_K, Q6_K
 *     more than 4 bits and a minimum             Q5_1, Q5_K, affine5, affine6,
 *                                                affine8, and 8 bits with
 *                                                zeros beside the middle
 *     codes that are floats of 8 bits            float8
 *     columns whose groups are not in order      GPTQ with "desc_act"
 *     groups that 32 does not divide
 * These become the nearest codes of 8 bits (nearest.c): they are rounded a
 * second time. */
#ifndef SPACING_H
#define SPACING_H

#include "quantized.h"

#include <stdbool.h>
#include <stddef.h>

enum codes_kind { CODES_NONE, CODES_INT4, CODES_AFFINE4, CODES_INT8 };

enum spacing_sizes {
    CODES_GROUP = 32,  /* values of a row that have a spacing */
    CODES_BYTES4 = 16, /* of their codes of 4 bits: byte i has code i in its
                          lower half, code 16 + i in its upper one */
    CODES_BYTES8 = 32  /* of codes of 8 bits */
};

/* A row of codes: room for it, and where the codes are.  Many files have them
 * as they are wanted, or as signed bytes; there they stay. */
struct codes_row {
    float *scales; /* (groups,) */
    float *minima; /* (groups,), of CODES_AFFINE4 alone */
    unsigned char *bytes; /* (groups, CODES_BYTES4 or 8): room for codes that
                             are made; of the last group there may be less,
                             and those that are missing stay what they were */

    const unsigned char *codes; /* those of group g are at codes + g * stride,
                                   in that room or in the file */
    size_t stride;
    unsigned char flip; /* each of their bytes is to be XORed with it: 128
                           where these have signs, else 0 */
};

/* A matrix that can be read so. */
struct codes;
typedef void codes_function(const struct codes *c, size_t row,
                            struct codes_row *out);
struct codes {
    const struct quantized *matrix;
    enum codes_kind kind;
    codes_function *read; /* see codes_read */
};

/* How this matrix can be read; of kind CODES_NONE when it cannot. */
struct codes codes_of(const struct quantized *q);

/* Read row `row` of the matrix. */
void codes_read(const struct codes *c, size_t row, struct codes_row *out);

/* The row as codes of 8 bits that come nearest to x (cols,): in each group 127
 * steps to the largest, each a float of 11 bits.  Where a number is none, or
 * infinite, its group's scale is NaN. */
void nearest_codes(const float *x, size_t cols, struct codes_row *out);

#endif

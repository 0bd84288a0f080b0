/* For the tests of packed matrices: what stands in them, read by the words of
 * packed.h alone. */
#ifndef TEST_PANELS_H
#define TEST_PANELS_H

#include "packed.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A 16-bit float, by its definition. */
static inline float half_value(const unsigned char *at)
{
    int bits = at[0] | at[1] << 8, exponent = bits >> 10 & 31;
    float fraction = (float)(bits & 1023);
    float size = exponent == 31  ? (fraction > 0 ? NAN : INFINITY)
                 : exponent == 0 ? ldexpf(fraction, -24)
                                 : ldexpf(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

/* The pair of groups of a panel in which input `col` of a row is. */
static inline const unsigned char *pair_of(const struct packed *p, size_t row,
                                           size_t col)
{
    size_t bytes = p->kind == PACKED_INT4      ? 64 + 512
                   : p->kind == PACKED_AFFINE4 ? 128 + 512
                                               : 64 + 1024;
    size_t pairs = (p->cols + 63) / 64;
    return p->bytes + (row / 16 * pairs + col / 64) * bytes;
}

/* The scale that a weight has, without the row's factor; its minimum. */
static inline float panel_scale(const struct packed *p, size_t row, size_t col)
{
    return half_value(pair_of(p, row, col) + col % 64 / 32 * 32 +
                      row % 16 * 2);
}

static inline float panel_minimum(const struct packed *p, size_t row,
                                  size_t col)
{
    if (p->kind != PACKED_AFFINE4)
        return 0;
    return half_value(pair_of(p, row, col) + 64 + col % 64 / 32 * 32 +
                      row % 16 * 2);
}

/* The whole number that a code stands for. */
static inline int panel_code(const struct packed *p, size_t row, size_t col)
{
    size_t group = col % 64 / 32, i = col % 32;
    const unsigned char *pair = pair_of(p, row, col);
    if (p->kind == PACKED_INT8)
        return pair[64 + group * 512 + i / 4 * 64 + row % 16 * 4 + i % 4] -
               128;
    size_t at = group * 256 + i % 16 / 4 * 64 + row % 16 * 4 + i % 4;
    int both = pair[(p->kind == PACKED_AFFINE4 ? 128 : 64) + at];
    int code = i < 16 ? both & 15 : both >> 4;
    return p->kind == PACKED_AFFINE4 ? code : code - 8;
}

/* A number of a matrix of floats. */
static inline float panel_number(const struct packed *p, size_t row,
                                 size_t col)
{
    size_t size = p->kind == PACKED_F32 ? 4 : 2;
    size_t inputs = (p->cols + 1) / 2 * 2;
    const unsigned char *at =
        p->bytes + ((row / 16 * inputs + col) * 16 + row % 16) * size;
    uint32_t bits = 0;
    float value;
    if (p->kind == PACKED_F16)
        return half_value(at);
    memcpy((unsigned char *)&bits + 4 - size, at, size);
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif

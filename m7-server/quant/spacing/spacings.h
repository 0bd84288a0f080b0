/* The readers of rows of codes, and what they share; for spacing*.c only. */
#ifndef SPACINGS_H
#define SPACINGS_H

#include "spacing.h"

#include <stdint.h>
#include <string.h>

/* The plain layouts (spacing_plain.c). */
codes_function codes_int8, codes_int4, codes_affine, codes_e2m1, codes_scaled;

/* The blocks of GGUF files (spacing_blocks.c, spacing_k.c). */
codes_function codes_q4_0, codes_q4_1, codes_q5_0, codes_q8_0;
codes_function codes_q3_k, codes_q4_k;
codes_function codes_iq4_nl, codes_iq4_xs, codes_mxfp4;

/* Codes with zeros (spacing_words.c). */
codes_function codes_gptq, codes_awq, codes_packed;

/* The kind of such a matrix: with 8 or 128 for all zeros there are no minima.
 * One of 8 bits with other zeros has none. */
typedef enum codes_kind kind_function(const struct quantized *q);
kind_function gptq_kind, awq_kind, packed_codes_kind, scaled_kind;

/* How many groups a row has. */
static inline size_t codes_groups(const struct quantized *q)
{
    return (q->cols + CODES_GROUP - 1) / CODES_GROUP;
}

/* How many values group g has. */
static inline size_t codes_left(const struct quantized *q, size_t g)
{
    size_t left = q->cols - g * CODES_GROUP;
    return left < CODES_GROUP ? left : CODES_GROUP;
}

/* The 16-bit float of these bits.  A number times 2^-112 has the exponent that
 * a half with these bits has; so the reverse is exact, also of the smallest.
 */
static inline float scale_of(uint32_t half)
{
    uint32_t bits = (half & 0x7fff) << 13;
    float x;
    memcpy(&x, &bits, sizeof x);
    x *= 0x1p112f;
    memcpy(&bits, &x, sizeof x);
    if ((half & 0x7c00) == 0x7c00) /* infinite, or no number */
        bits |= 0x7f800000;
    bits |= (half & 0x8000) << 16;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bits of the one there, and it. */
static inline uint32_t half_bits(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static inline float scale_at(const unsigned char *bytes)
{
    return scale_of(half_bits(bytes));
}

/* The row's codes are those that are put into its room. */
static inline void codes_in_room(struct codes_row *out, size_t group_bytes)
{
    out->codes = out->bytes;
    out->stride = group_bytes;
    out->flip = 0;
}

/* They stay in the file; there they have signs, or not. */
static inline void codes_in_file(struct codes_row *out,
                                 const unsigned char *codes, size_t stride,
                                 bool signs)
{
    out->codes = codes;
    out->stride = stride;
    out->flip = signs ? 128 : 0;
}

/* Eight bytes as one number, whose operations are those of all eight; and the
 * number that has this byte eight times. */
static inline uint64_t eight_bytes(const unsigned char *bytes)
{
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    return eight;
}

static inline uint64_t eight_of(unsigned char byte)
{
    return byte * 0x0101010101010101u;
}

/* Codes of 4 bits, a byte for each (32,), become halves of bytes (16,). */
static inline void join_codes(const unsigned char *codes, unsigned char *out)
{
    for (size_t i = 0; i < CODES_BYTES4; i++)
        out[i] = (unsigned char)(codes[i] | codes[i + CODES_BYTES4] << 4);
}

#endif

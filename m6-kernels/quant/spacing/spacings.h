/* The readers of rows of codes, and what they share; for spacing*.c only. */
#ifndef SPACINGS_H
#define SPACINGS_H

#include "spacing.h"

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

/* Codes of 4 bits, a byte for each (32,), become halves of bytes (16,). */
static inline void join_codes(const unsigned char *codes, unsigned char *out)
{
    for (size_t i = 0; i < CODES_BYTES4; i++)
        out[i] = (unsigned char)(codes[i] | codes[i + CODES_BYTES4] << 4);
}

#endif

/* Codes in streams of words, and what all whole numbers with zeros have in
 * common: a weight is (code - zero) * scale, its group's. */
#ifndef WORDS_H
#define WORDS_H

#include "quantized.h"

#include <stddef.h>

/* A stream's codes (n,) of at most 8 bits, the lowest bits first, as floats
 * (n,). */
void read_codes(const unsigned char *stream, size_t bits, size_t n,
                float *out);

/* The same where the stream goes down a column of a matrix of words
 * (any, width). */
void read_column(const unsigned char *words, size_t width, size_t bits,
                 size_t column, size_t n, float *out);

/* Code `i` of such a column, where `bits` divides 32. */
unsigned column_code(const unsigned char *words, size_t width, size_t bits,
                     size_t i, size_t column);

/* The zero and the scale of a row's group. */
struct group {
    float zero, scale;
};
typedef void group_function(const struct quantized *q, size_t row,
                            size_t group, struct group *out);
group_function gptq_group, awq_group, packed_group;

/* The code of a column of an AWQ matrix whose rows have `bytes` bytes. */
float awq_code(const unsigned char *words, size_t bytes, size_t row,
               size_t column);

/* A row's codes (cols,) become weights.  A column's group is as
 * q->group_index says, or as the columns stand. */
void scale_codes(const struct quantized *q, size_t row, group_function *of,
                 float *out);

#endif

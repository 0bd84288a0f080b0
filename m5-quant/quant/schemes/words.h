/* Codes in words of 32 bits, in the layouts that go down a column, or that
 * are not in order. */
#ifndef WORDS_H
#define WORDS_H

#include "quantized.h"

#include <stddef.h>

/* Code `i` of the stream of codes that stands in column `column` of a matrix
 * of words (any, width), the lowest bits of the topmost word first. */
unsigned column_code(const unsigned char *words, size_t width, size_t bits,
                     size_t i, size_t column);

/* The group of a column: as q->group_index says, or as the columns stand. */
size_t column_group(const struct quantized *q, size_t column);

#endif

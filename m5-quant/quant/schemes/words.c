/* Codes in words: see words.h. */
#include "words.h"

#include <stdint.h>
#include <string.h>

static uint32_t word_at(const unsigned char *words, size_t i)
{
    uint32_t word;
    memcpy(&word, words + i * sizeof word, sizeof word);
    return word;
}

unsigned column_code(const unsigned char *words, size_t width, size_t bits,
                     size_t i, size_t column)
{
    size_t first = i * bits, shift = first % 32;
    size_t at = first / 32 * width + column;
    uint32_t value = word_at(words, at) >> shift;
    if (shift + bits > 32)
        value |= word_at(words, at + width) << (32 - shift);
    return value & ((1u << bits) - 1);
}

size_t column_group(const struct quantized *q, size_t column)
{
    int32_t group;
    if (!q->group_index)
        return column / q->group;
    memcpy(&group, q->group_index->data + column * sizeof group, sizeof group);
    return (size_t)group;
}

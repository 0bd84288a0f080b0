/* Codes in words: see words.h. */
#include "words.h"

#include <stdint.h>
#include <string.h>

void read_codes(const unsigned char *stream, size_t bits, size_t n, float *out)
{
    unsigned pool = 0, mask = (1u << bits) - 1;
    size_t filled = 0; /* how many bits of the pool are still to be read */
    for (size_t i = 0; i < n; i++) {
        if (filled < bits) {
            pool |= (unsigned)*stream++ << filled;
            filled += 8;
        }
        out[i] = (float)(pool & mask);
        pool >>= bits;
        filled -= bits;
    }
}

static uint32_t word_at(const unsigned char *words, size_t i)
{
    uint32_t word;
    memcpy(&word, words + i * sizeof word, sizeof word);
    return word;
}

void read_column(const unsigned char *words, size_t width, size_t bits,
                 size_t column, size_t n, float *out)
{
    uint64_t pool = 0, mask = (1u << bits) - 1;
    size_t filled = 0;
    for (size_t i = 0, at = column; i < n; i++) {
        if (filled < bits) {
            pool |= (uint64_t)word_at(words, at) << filled;
            filled += 32;
            at += width;
        }
        out[i] = (float)(pool & mask);
        pool >>= bits;
        filled -= bits;
    }
}

unsigned column_code(const unsigned char *words, size_t width, size_t bits,
                     size_t i, size_t column)
{
    size_t in_word = 32 / bits;
    uint32_t word = word_at(words, i / in_word * width + column);
    return word >> i % in_word * bits & ((1u << bits) - 1);
}

/* Groups that stand side by side. */
static void scale_in_order(const struct quantized *q, size_t row,
                           group_function *of, float *out)
{
    for (size_t i = 0; i < q->cols; i += q->group) {
        struct group g;
        of(q, row, i / q->group, &g);
        for (size_t j = i; j < i + q->group; j++)
            out[j] = (out[j] - g.zero) * g.scale;
    }
}

/* So many groups are looked up together. */
enum group_table {
    GROUPS_AT_ONCE = 512
};

/* The columns (cols,) whose groups are first ... first + n - 1. */
static void scale_some(const struct quantized *q, const struct group *groups,
                       size_t first, size_t n, float *out)
{
    for (size_t j = 0; j < q->cols; j++) {
        size_t group = word_at(q->group_index->data, j) - first;
        if (group < n)
            out[j] = (out[j] - groups[group].zero) * groups[group].scale;
    }
}

void scale_codes(const struct quantized *q, size_t row, group_function *of,
                 float *out)
{
    struct group groups[GROUPS_AT_ONCE];
    size_t all = q->cols / q->group;
    if (!q->group_index) {
        scale_in_order(q, row, of, out);
        return;
    }
    for (size_t first = 0; first < all; first += GROUPS_AT_ONCE) {
        size_t n = all - first < GROUPS_AT_ONCE ? all - first : GROUPS_AT_ONCE;
        for (size_t i = 0; i < n; i++)
            of(q, row, first + i, &groups[i]);
        scale_some(q, groups, first, n, out);
    }
}

/* Rows of inputs become whole numbers of 8 bits: for kernel_int.c. */
#ifndef KERNEL_ROUND_H
#define KERNEL_ROUND_H

#include "vector.h"

enum rounding_sizes {
    GROUP_VECTORS = GROUP / LANES
};

/* The largest size, as the bits of a float: these have the order of the
 * numbers, and a number that is none is larger than all. */
INLINE int32_t largest_bits(const vint *bits)
{
    vint most = bits[0] & 0x7fffffff;
    UNROLL for (size_t v = 1; v < GROUP_VECTORS; v++)
    {
        vint other = bits[v] & 0x7fffffff, more = other > most;
        most = (other & more) | (most & ~more);
    }
    return largest_lane(most);
}

/* Round a group x (32,) to *q; returns its scale.  The magic number, added to
 * a small one, rounds that to a whole number, which the lowest bits of the sum
 * are; halves go to the even neighbour. */
INLINE float round_group(const float *x, vgroup *q)
{
    const float magic = 0x1.8p23f, nothing = 0x1p-100f;
    vfloat v[GROUP_VECTORS];
    vint bits[GROUP_VECTORS];
    UNROLL for (size_t i = 0; i < GROUP_VECTORS; i++)
    {
        v[i] = load_floats(x + i * LANES);
        bits[i] = (vint)v[i];
    }
    int32_t most_bits = largest_bits(bits);
    float most;
    memcpy(&most, &most_bits, sizeof most);
    float inverse = most < nothing ? 0 : 127 / most;
    UNROLL for (size_t i = 0; i < GROUP_VECTORS; i++)
        bits[i] = (vint)(v[i] * inverse + magic);
    *q = lowest_bytes(bits);
    return most * (1.0f / 127);
}

/* Put the words of a rounded group q in parts, from `at` on. */
INLINE void place_shorts(const struct inputs *in, vgroup q, size_t at,
                         size_t t)
{
    typedef int16_t vshorts __attribute__((vector_size(GROUP)));
    typedef int32_t vwords __attribute__((vector_size(4 * GROUP_WORDS)));
    vwords even = (vwords)((vshorts)q << 8 >> 8);
    vwords odd = (vwords)((vshorts)q >> 8);
    int32_t *to = in->shorts + at * WORD_PARTS * GROUP_WORDS + t;
    UNROLL for (size_t j = 0; j < GROUP_WORDS; j++)
    {
        to[2 * j * in->tile] = even[j];
        to[(2 * j + 1) * in->tile] = odd[j];
    }
}

/* Put a rounded group q of row t of a tile in its place, `at` being that of
 * the tile's group. */
INLINE void place_group(const struct inputs *in, vgroup q, float scale,
                        size_t at, size_t t)
{
    typedef int32_t vwords __attribute__((vector_size(4 * GROUP_WORDS)));
    vwords words = (vwords)q;
    int32_t total = total_of(q);
    if (in->tile == TILE_TOKENS && STEP_WORDS == GROUP_WORDS)
        memcpy(in->words + (at + t) * GROUP_WORDS, &words, sizeof words);
    else
        UNROLL for (size_t j = 0; j < GROUP_WORDS; j++)
            in->words[at * GROUP_WORDS + j * in->tile + t] = words[j];
    if (WORD_PARTS > 1 && in->shorts)
        place_shorts(in, q, at, t);
    in->scales[at + t] = scale;
    in->starts4[at + t] = start_nibbles(total, q);
    in->starts8[at + t] = start_bytes(total);
    in->totals[at + t] = scale * (float)total;
}

/* Of a row's last group there may be less; what is missing counts as 0. */
static void round_row(const struct inputs *in, const float *x, size_t cols,
                      size_t row)
{
    vgroup q;
    float rest[GROUP] = {0};
    size_t t = row % in->tile, whole = cols / GROUP;
    size_t at = (row - t) * in->groups;
    for (size_t g = 0; g < in->groups; g++, x += GROUP, at += in->tile) {
        if (g == whole)
            memcpy(rest, x, cols % GROUP * sizeof *x);
        float scale = round_group(g == whole ? rest : x, &q);
        place_group(in, q, scale, at, t);
    }
}

/* A row of zeros. */
static void fill_input(const struct inputs *in, size_t row)
{
    const vgroup nothing = {0};
    size_t t = row % in->tile, at = (row - t) * in->groups;
    for (size_t g = 0; g < in->groups; g++, at += in->tile)
        place_group(in, nothing, 0, at, t);
}

static void round_inputs(const struct inputs *in, const float *x, size_t cols,
                         size_t first, size_t end)
{
    for (size_t row = first; row < end; row++)
        round_row(in, x + row * cols, cols, row);
    for (size_t row = in->n; end == in->n && row < inputs_rows(in); row++)
        fill_input(in, row);
}

#endif

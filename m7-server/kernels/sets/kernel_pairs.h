/* Codes with many rows of inputs, two words of each at once: for a set with an
 * instruction that multiplies two rows by two others (set_i8mm.h).
 *
 * A pair is word j and word j + 4 of a group: codes of 4 bits have both in the
 * same bytes.  As bytes, a group of a panel is [pair 0..3][row][2 words]: a
 * vector holds two rows. */
#ifndef KERNEL_PAIRS_H
#define KERNEL_PAIRS_H

#include "kernel_codes.h"

enum pair_sizes {
    GROUP_PAIRS = GROUP_WORDS / 2,
    HALF_GROUP = GROUP_PAIRS * PANEL_ROWS * 4 /* bytes from word 0 to word 4 */
};

_Static_assert(TILE_TOKENS == LANES && LANES == 4,
               "a vector has a word of each token of a tile, two pairs each");

/* A group of a panel as bytes with a sign, of which products are made. */
INLINE void expand_pairs(enum packed_kind kind, const unsigned char *codes,
                         unsigned char *out)
{
    for (size_t i = 0; i < HALF_GROUP; i += 4 * LANES, out += 8 * LANES) {
        vbytes first = load_bytes(codes + i), second = first >> 4;
        if (kind == PACKED_INT8) {
            first ^= 128;
            second = load_bytes(codes + HALF_GROUP + i) ^ 128;
        } else {
            first &= 15;
        }
        vint pairs[2];
        pair_words((vint)first, (vint)second, pairs);
        store_bytes(out, (vbytes)pairs[0]);
        store_bytes(out + 4 * LANES, (vbytes)pairs[1]);
    }
}

/* What products of a tile begin with: the sums of two tokens, in each row. */
INLINE vint first_sums(enum packed_kind kind, const struct inputs *x,
                       size_t at)
{
    vint sum = first_sum(kind, x, at), next = first_sum(kind, x, at + 1);
    vint pairs[2];
    pair_words(sum, next, pairs);
    return pairs[0];
}

INLINE vint dot_pairs(enum packed_kind kind, vint sum, vbytes w, vint x)
{
    (void)kind;
    return add_pairs(sum, (vint)w, x);
}

/* What word_products (kernel_many.h) does, in pairs.  Until all are there,
 * whole[t], for an even t, has the sums of tokens t and t + 1 with the first
 * half of the rows of each vector, whole[t + 1] with the second. */
INLINE void pair_products(enum packed_kind kind, const unsigned char *bytes,
                          size_t next, size_t panels, const struct inputs *x,
                          size_t at,
                          vint (*whole)[TILE_PANELS][PANEL_VECTORS])
{
    const int32_t *words = x->words + at * GROUP_WORDS;
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                whole[t][p][v] = first_sums(kind, x, at + t - t % 2);
#pragma GCC unroll TILE_STEPS
    for (size_t j = 0; j < GROUP_PAIRS; j++) {
        vint in[2];
        pair_words(load_words(words + j * TILE_TOKENS),
                   load_words(words + (GROUP_PAIRS + j) * TILE_TOKENS), in);
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
                {
                    vbytes w = load_bytes(bytes + p * next +
                                          j * 2 * 4 * PANEL_ROWS +
                                          (2 * v + t % 2) * 4 * LANES);
                    whole[t][p][v] =
                        dot_pairs(kind, whole[t][p][v], w, in[t / 2]);
                    renew(&whole[t][p][v]);
                }
    }
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t += 2)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                part_sums(&whole[t][p][v], &whole[t + 1][p][v]);
}

#endif

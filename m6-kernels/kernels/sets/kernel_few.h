/* Codes that are multiplied as they are read, as fast as memory: for
 * kernel_int.c. */
#ifndef KERNEL_FEW_H
#define KERNEL_FEW_H

#include "kernel_codes.h"

enum stream_sizes {
    STREAMS = 2 /* panels that are read in turn */
};

/* Where a panel is being read, and the sums of its rows so far. */
struct reader {
    const unsigned char *at;
    vfloat sums[FEW_ROWS][PANEL_VECTORS];
};

/* Words j and j + 4 of a group's codes, as bytes.  What comes 2 KB later is
 * asked for: a processor waits less for memory when it is told early, but not
 * so early that it is gone again; and for a line or two at a time, since it
 * cannot wait for many. */
INLINE void read_words(enum packed_kind kind, const unsigned char *codes,
                       size_t j, vbytes (*w)[PANEL_VECTORS])
{
    const size_t half = GROUP_WORDS / 2 * 64;
    codes += j * 64;
    __builtin_prefetch(codes + AHEAD);
    if (kind == PACKED_INT8)
        __builtin_prefetch(codes + AHEAD + half);
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++, codes += 4 * LANES)
    {
        vbytes both = load_bytes(codes);
        w[0][v] = kind == PACKED_INT8 ? both : both & 15;
        w[1][v] = kind == PACKED_INT8 ? load_bytes(codes + half) : both >> 4;
    }
}

/* The sums of products of group `in_pair` of a pair: of `count` panels with n
 * rows of inputs, whose group begins at `at`.  An input that was loaded serves
 * all panels, and a code all rows of inputs. */
INLINE void few_products(enum packed_kind kind, const struct reader *readers,
                         size_t count, size_t in_pair, const struct inputs *x,
                         size_t at, size_t n,
                         vint (*whole)[STREAMS][PANEL_VECTORS])
{
    const int32_t *words = x->words + at * GROUP_WORDS;
    size_t codes = scale_bytes(kind) + in_pair * group_bytes(kind);
    UNROLL for (size_t t = 0; t < n; t++)
        UNROLL for (size_t i = 0; i < count; i++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                whole[t][i][v] = first_sum(kind, x, at + t);
#pragma GCC unroll FEW_STEPS
    for (size_t j = 0; j < GROUP_WORDS / 2; j++) {
        vbytes w[STREAMS][2][PANEL_VECTORS];
        UNROLL for (size_t i = 0; i < count; i++)
            read_words(kind, readers[i].at + codes, j, w[i]);
        UNROLL for (size_t k = 0; k < 2 * n; k++)
        {
            size_t half = k / n, word = j + half * GROUP_WORDS / 2;
            vint q = all_ints(words[word * n + k % n]);
            UNROLL for (size_t i = 0; i < count; i++)
                UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                {
                    whole[k % n][i][v] = add_products(
                        kind, whole[k % n][i][v], w[i][half][v], q);
                    renew(&whole[k % n][i][v]);
                }
        }
    }
}

/* Add a panel's, which are number `i` of them, to its sums. */
INLINE void few_add(enum packed_kind kind, struct reader *r, size_t i,
                    size_t in_pair, const struct inputs *x, size_t at,
                    size_t n, vint (*whole)[STREAMS][PANEL_VECTORS])
{
    const unsigned char *scales = r->at + in_pair * 2 * PANEL_ROWS;
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++, scales += 2 * LANES)
    {
        vfloat scale = load_halves(scales);
        UNROLL for (size_t t = 0; t < n; t++)
            r->sums[t][v] =
                fused(to_floats(whole_sum(kind, whole[t][i][v])),
                      scale * x->scales[at + t], r->sums[t][v]);
        UNROLL for (size_t t = 0; t < n && kind == PACKED_AFFINE4; t++)
            r->sums[t][v] = fused(load_halves(scales + 64),
                                  all_floats(x->totals[at + t]),
                                  r->sums[t][v]);
    }
}

/* Go on by one group, number `in_pair` of its pair, for n rows of inputs whose
 * group begins at `at`: both panels at once, or one after the other where half
 * of the registers cannot hold the sums of both. */
INLINE void multiply_group(enum packed_kind kind, struct reader *readers,
                           size_t in_pair, const struct inputs *x, size_t at,
                           size_t n)
{
    const size_t all = n * STREAMS * PANEL_VECTORS;
    const size_t count = all > REGISTERS / 2 ? 1 : STREAMS;
    UNROLL for (size_t i = 0; i < STREAMS; i += count)
    {
        vint whole[FEW_ROWS][STREAMS][PANEL_VECTORS];
        few_products(kind, readers + i, count, in_pair, x, at, n, whole);
        UNROLL for (size_t k = 0; k < count; k++)
            few_add(kind, &readers[i + k], k, in_pair, x, at, n, whole);
    }
}

/* A pair of groups of each panel, with inputs from `at` on. */
INLINE void multiply_pair(enum packed_kind kind, struct reader *readers,
                          const struct inputs *x, size_t g, size_t at,
                          size_t n)
{
    UNROLL for (size_t i = 0; i < STREAMS; i++)
        UNROLL for (size_t line = 0; line < scale_bytes(kind); line += 64)
            __builtin_prefetch(readers[i].at + AHEAD + line);
    multiply_group(kind, readers, 0, x, at, n);
    if (g + 1 < x->groups)
        multiply_group(kind, readers, 1, x, at + n, n);
    UNROLL for (size_t i = 0; i < STREAMS; i++)
        readers[i].at += scale_bytes(kind) + 2 * group_bytes(kind);
}

/* Where the sums of some panels go: rows of inputs from `first` to end - 1, of
 * those of a tile that do not fill it up; out[row of inputs * stride + row of
 * the matrix]. */
struct thin_out {
    const struct packed *matrix;
    size_t first, end;
    float *out;
    size_t stride;
};

/* Lines that are far from one another, which memory takes its time to fetch:
 * they are asked for before the sums are there. */
INLINE void ask_for_lines(const struct thin_out *to, size_t panel, size_t n)
{
    const float *out = to->out + to->first * to->stride + panel * PANEL_ROWS;
    UNROLL for (size_t t = 0; t < n; t++)
        __builtin_prefetch(out + t * to->stride, 1);
}

/* The sums of a panel, which are done, with n rows of inputs. */
INLINE void write_sums(const struct thin_out *to, const struct reader *r,
                       size_t panel, size_t n)
{
    size_t row = panel * PANEL_ROWS, rows = to->matrix->rows;
    size_t filled = to->end - to->first;
    float *out = to->out + to->first * to->stride;
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++, row += LANES)
    {
        vfloat factors = load_floats(to->matrix->factors + row);
        UNROLL for (size_t t = 0; t < n; t++)
            if (t < filled)
                store_rows(r->sums[t][v] * factors, out + t * to->stride, row,
                           rows);
    }
}

/* Two panels with a tile of n rows of inputs.  They stand far apart: two
 * streams, and memory has two requests to serve. */
INLINE void thin_panels(enum packed_kind kind, const size_t *panels,
                        const struct inputs *x, size_t n,
                        const struct thin_out *to)
{
    struct reader readers[STREAMS];
    size_t at = to->first * x->groups;
    UNROLL for (size_t i = 0; i < STREAMS; i++)
    {
        const struct packed *p = to->matrix;
        readers[i].at = p->bytes + panels[i] * p->panel_bytes;
        UNROLL for (size_t t = 0; t < n; t++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                readers[i].sums[t][v] = (vfloat){0};
        ask_for_lines(to, panels[i], n);
    }
    for (size_t g = 0; g < x->groups; g += 2, at += 2 * n)
        multiply_pair(kind, readers, x, g, at, n);
    UNROLL for (size_t i = 0; i < STREAMS; i++)
        write_sums(to, &readers[i], panels[i], n);
}

/* All rows of inputs, which stand in tiles of n; after the first tile the
 * panels' codes are near.  Of an odd number of panels the last has no other
 * beside it, and is both. */
INLINE void thin_kind(enum packed_kind kind, const struct packed *p,
                      size_t first, size_t end, const struct inputs *x,
                      size_t n, float *out, size_t stride)
{
    size_t half = (end - first + 1) / 2;
    for (size_t i = first; i < first + half; i++) {
        size_t panels[STREAMS] = {i, i + half < end ? i + half : end - 1};
        for (size_t t = 0; t < x->n; t += n) {
            const struct thin_out to = {
                p, t, t + n < x->n ? t + n : x->n, out, stride};
            thin_panels(kind, panels, x, n, &to);
        }
    }
}

#endif

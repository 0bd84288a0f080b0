/* Products of two matrices of floats, tile by tile: as many sums as there are
 * registers for.  Each sum has the order of its products, from the first k to
 * the last, each fused. */
#ifndef KERNEL_TILES_H
#define KERNEL_TILES_H

#include "queries.h"
#include "vector.h"

#include <stdbool.h>

enum tile_sizes {
    TILE_ROWS = 6,
    TILE_UNITS = LANES == 16 ? 4 : 1, /* of 16 columns */
    LINE_BYTES = 64
};

/* What memory is asked for while something else is computed: some lines in
 * each of so many turns. */
struct asking {
    const unsigned char *next;
    size_t lines, turns;
};

/* Rows x times a matrix: the sums over k, from first to end - 1, of
 * x[row * x_stride + k] * m[k * stride + column]. */
struct sums_of {
    const float *x;
    size_t x_stride;
    const float *m;
    size_t stride;
    size_t first, end;
    struct asking asking;
};

/* Where sums go. */
struct sums_to {
    float *out; /* of row r, column c: out[r * stride + c] */
    size_t stride;
    const float *scales;  /* of the columns; NULL: there are none */
    bool adds;            /* to what is there */
    const float *factors; /* of the rows, what is there times; NULL: scores */
};

/* While the sums of n rows from `row` on are computed, in so many turns,
 * memory may fetch their share of what is wanted next: a block of panels, of
 * the queries' head. */
INLINE struct asking ask_for(const struct queries *q, size_t row, size_t n,
                             size_t turns, const struct panels *p,
                             size_t position)
{
    size_t all = BLOCK_PANELS * p->bytes / LINE_BYTES;
    size_t first = all * row / q->n, end = all * (row + n) / q->n;
    size_t lines = turns ? (end - first + turns - 1) / turns : 0;
    return (struct asking){
        panel_of(p, position, q->head) + first * LINE_BYTES, lines,
        lines ? (end - first + lines - 1) / lines : 0};
}

/* A turn: lines come into the second cache. */
INLINE void ask_more(struct asking *a)
{
    if (a->turns == 0)
        return;
    for (size_t i = 0; i < a->lines; i++, a->next += LINE_BYTES)
        __builtin_prefetch(a->next, 0, 2);
    a->turns--;
}

/* n rows and so many units of 16 columns, from `column` on. */
INLINE void sum_tile(size_t n, size_t units, struct sums_of *s,
                     size_t row, size_t column,
                     vfloat sums[TILE_ROWS][TILE_UNITS * PANEL_VECTORS])
{
    const float *x = s->x + row * s->x_stride;
    const float *m = s->m + column;
    for (size_t k = s->first; k < s->end; k++) {
        ask_more(&s->asking);
        vfloat v[TILE_UNITS * PANEL_VECTORS];
        UNROLL for (size_t i = 0; i < units * PANEL_VECTORS; i++)
            v[i] = load_floats(m + k * s->stride + i * LANES);
        UNROLL for (size_t r = 0; r < n; r++)
        {
            vfloat factor = all_floats(x[r * s->x_stride + k]);
            UNROLL for (size_t i = 0; i < units * PANEL_VECTORS; i++)
                sums[r][i] = fused(factor, v[i], sums[r][i]);
        }
    }
}

/* The sums of a row, so many vectors, to where they go. */
INLINE void put_sums(const vfloat *sums, size_t vectors, size_t row,
                     size_t column, const struct sums_to *to)
{
    float *out = to->out + row * to->stride + column;
    UNROLL for (size_t i = 0; i < vectors; i++, out += LANES)
    {
        vfloat sum = sums[i];
        if (to->factors)
            sum = fused(load_floats(out), all_floats(to->factors[row]), sum);
        else if (to->scales && to->adds)
            sum = fused(sum, load_floats(to->scales + column + i * LANES),
                        load_floats(out));
        else if (to->scales)
            sum = sum * load_floats(to->scales + column + i * LANES);
        store_floats(out, sum);
    }
}

/* A tile, and to where its sums go. */
INLINE void put_tile(size_t n, size_t units, struct sums_of *s,
                     size_t row, size_t column, const struct sums_to *to)
{
    vfloat sums[TILE_ROWS][TILE_UNITS * PANEL_VECTORS] = {{{0}}};
    sum_tile(n, units, s, row, column, sums);
    UNROLL for (size_t r = 0; r < n; r++)
        put_sums(sums[r], units * PANEL_VECTORS, row + r, column, to);
}

/* All columns from first to end - 1, multiples of 16. */
INLINE void sum_columns(size_t n, struct sums_of *s, size_t row,
                        size_t first, size_t end, const struct sums_to *to)
{
    size_t most = TILE_UNITS * PANEL_ROWS, c = first;
    for (; c + most <= end; c += most)
        put_tile(n, TILE_UNITS, s, row, c, to);
    if (TILE_UNITS > 2 && c + 2 * PANEL_ROWS <= end) {
        put_tile(n, TILE_UNITS > 2 ? 2 : 1, s, row, c, to);
        c += 2 * PANEL_ROWS;
    }
    for (; c < end; c += PANEL_ROWS)
        put_tile(n, 1, s, row, c, to);
}

/* Up to TILE_ROWS rows from `row` on. */
static void sum_rows(size_t n, struct sums_of *s, size_t row,
                     size_t first, size_t end, const struct sums_to *to)
{
    switch (n) {
    case 1:
        sum_columns(1, s, row, first, end, to);
        break;
    case 2:
        sum_columns(2, s, row, first, end, to);
        break;
    case 3:
        sum_columns(3, s, row, first, end, to);
        break;
    case 4:
        sum_columns(4, s, row, first, end, to);
        break;
    case 5:
        sum_columns(5, s, row, first, end, to);
        break;
    default:
        sum_columns(TILE_ROWS, s, row, first, end, to);
        break;
    }
}

#endif

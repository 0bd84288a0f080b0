/* Panels become floats, near the processor: what rows of queries share; and
 * which positions of them each row sees. */
#ifndef KERNEL_PANELS_H
#define KERNEL_PANELS_H

#include "queries.h"
#include "vector.h"

#include <stdbool.h>

enum centroid_sizes {
    TABLE_VECTORS = MOST_CENTROIDS / LANES
};

/* The numbers of a panel, and where they go as floats: number (row, column) to
 * out[row * stride + column]. */
struct expansion {
    const unsigned char *from;
    size_t rows, width;
    vfloat table[TABLE_VECTORS]; /* what codes stand for */
    float *out;
    size_t stride;
};

INLINE void put_number(const struct expansion *x, size_t row, size_t column,
                       vfloat v)
{
    store_floats(x->out + row * x->stride + column, v);
}

/* Floats, halves or bytes.  Returns lanes that are not 0 where a number is
 * infinite, or none. */
INLINE vint expand_numbers(enum panel_kind kind, const struct expansion *x)
{
    vint bad = {0};
    for (size_t row = 0; row < x->rows; row++)
        for (size_t c = 0; c < x->width; c += LANES) {
            size_t i = row * x->width + c;
            vfloat v = kind == PANEL_F32   ? load_floats(x->from + 4 * i)
                       : kind == PANEL_F16 ? load_halves(x->from + 2 * i)
                                   : to_floats(load_signed(x->from + i));
            if (kind != PANEL_INT8)
                bad |= ((vint)v & 0x7f800000) == 0x7f800000;
            put_number(x, row, c, v);
        }
    return bad;
}

/* Codes of 4 or 2 bits: the rows that share a byte. */
INLINE void expand_codes(int bits, const struct expansion *x)
{
    size_t sharing = (size_t)(8 / bits);
    const unsigned char *at = x->from;
    for (size_t row = 0; row < x->rows; row += sharing, at += x->width)
        for (size_t c = 0; c < x->width; c += LANES) {
            vint codes = load_unsigned(at + c);
            UNROLL for (size_t i = 0; i < sharing; i++)
                if (row + i < x->rows)
                    put_number(x, row + i, c,
                               look_up(x->table, codes >> (int)i * bits));
        }
}

/* Codes of 3 bits: the lower two of four rows share a byte, the third of
 * eight. */
INLINE void expand_three_bits(const struct expansion *x)
{
    const unsigned char *third = x->from + (x->rows + 3) / 4 * x->width;
    for (size_t row = 0; row < x->rows; row += 4)
        for (size_t c = 0; c < x->width; c += LANES) {
            vint low = load_unsigned(x->from + row / 4 * x->width + c);
            vint high = load_unsigned(third + row / 8 * x->width + c);
            high = (high << 2) >> (int)(row % 8);
            UNROLL for (size_t i = 0; i < 4; i++)
            {
                vint code = (low >> (int)(2 * i) & 3) | (high >> (int)i & ~3);
                if (row + i < x->rows)
                    put_number(x, row + i, c, look_up(x->table, code));
            }
        }
}

static vint expand_panel_of(const struct panels *p, const unsigned char *panel,
                            float *out, size_t stride)
{
    struct expansion x = {.from = panel + p->scale_bytes,
                          .rows = p->rows,
                          .width = p->width,
                          .out = out,
                          .stride = stride};
    memcpy(x.table, p->centroids, sizeof x.table);
    switch (p->kind) {
    case PANEL_F32:
        return expand_numbers(PANEL_F32, &x);
    case PANEL_F16:
        return expand_numbers(PANEL_F16, &x);
    case PANEL_INT8:
        return expand_numbers(PANEL_INT8, &x);
    case PANEL_4BITS:
        expand_codes(4, &x);
        break;
    case PANEL_3BITS:
        expand_three_bits(&x);
        break;
    default:
        expand_codes(2, &x);
        break;
    }
    return (vint){0};
}

/* The scales of a panel: those of part j to out + j * QUERY_BLOCK.  The length
 * of a part of 2^k numbers is kept with codes whose numbers are sqrt(2^k)
 * times as large, and the turned query is, too. */
INLINE void expand_scales(const struct panels *p, const unsigned char *panel,
                          float *out)
{
    for (size_t at = 0, j = 0; j < p->n_parts; j++, out += QUERY_BLOCK) {
        size_t size = part_size(p->kind, p->head_dim - at);
        for (size_t c = 0; c < PANEL_POSITIONS; c += LANES) {
            size_t i = j * PANEL_POSITIONS + c;
            store_floats(out + c, p->kind == PANEL_INT8
                                      ? load_floats(panel + 4 * i)
                                      : load_halves(panel + 2 * i) *
                                            (1 / (float)size));
        }
        at += size;
    }
}

/* The scales of the positions from first to end - 1, which are in one block:
 * to room->scales[part * QUERY_BLOCK + position of the block]. */
INLINE void read_part_scales(const struct panels *p, size_t head, size_t first,
                        size_t end, struct query_room *room)
{
    size_t at = first / PANEL_POSITIONS * PANEL_POSITIONS;
    for (; p->n_parts && at < end; at += PANEL_POSITIONS)
        expand_scales(p, panel_of(p, at, head),
                      room->scales + at % QUERY_BLOCK);
}

/* The same, and their numbers.  Keys become
 * numbers[i * QUERY_BLOCK + position of the block], values
 * numbers[position * width + i].  Returns whether all are finite. */
INLINE bool read_panels(const struct panels *p, size_t head, size_t first,
                        size_t end, struct query_room *room)
{
    vint bad = {0};
    int32_t any = 0;
    size_t at = first / PANEL_POSITIONS * PANEL_POSITIONS;
    read_part_scales(p, head, first, end, room);
    for (; at < end; at += PANEL_POSITIONS) {
        float *out = room->numbers +
                     at % QUERY_BLOCK * (p->is_values ? p->width : 1);
        bad |= expand_panel_of(p, panel_of(p, at, head), out,
                               p->is_values ? p->width : QUERY_BLOCK);
    }
    for (size_t i = 0; i < LANES; i++)
        any |= bad[i];
    return any == 0;
}

/* --- what rows see ------------------------------------------------------- */

/* The positions of a block that a row sees, or several rows do together:
 * first .. end - 1, counted from the block's beginning. */
struct block_view {
    size_t first, end;
};

INLINE struct block_view view_of_row(const struct queries *q, size_t block,
                               size_t row)
{
    size_t first = q->first[row] > block ? q->first[row] - block : 0;
    size_t end = q->end[row] > block ? q->end[row] - block : 0;
    end = end < QUERY_BLOCK ? end : QUERY_BLOCK;
    return first < end ? (struct block_view){first, end}
                       : (struct block_view){0, 0};
}

/* *same: whether all of them see the same. */
static struct block_view view_of_rows(const struct queries *q, size_t block,
                                size_t row, size_t n, bool *same)
{
    struct block_view all = view_of_row(q, block, row);
    *same = true;
    for (size_t r = row + 1; r < row + n; r++) {
        struct block_view one = view_of_row(q, block, r);
        *same = *same && one.first == all.first && one.end == all.end;
        if (one.end == 0)
            continue;
        all.first =
            all.end == 0 || one.first < all.first ? one.first : all.first;
        all.end = one.end > all.end ? one.end : all.end;
    }
    return all;
}

/* The lanes, counted from `first` on. */
INLINE vint counted_lanes(size_t first)
{
    static const int32_t counted[PANEL_ROWS] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    vint lanes;
    memcpy(&lanes, counted, sizeof lanes);
    return lanes + (int32_t)first;
}

/* Which of the lanes, positions of the block from `lane` on, a row sees. */
INLINE vint seen_lanes(struct block_view view, size_t lane)
{
    vint at = counted_lanes(lane);
    return (at >= (int32_t)view.first) & (at < (int32_t)view.end);
}

#endif

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

/* Codes of rows that share a word: its columns are `width`, and LANES of them
 * begin at `words` and, of 3 bits, at `shorts`. */
struct code_words {
    const unsigned char *words, *shorts;
    size_t width;
};

/* Those of columns from `column` on, of the codes at `from`. */
INLINE struct code_words words_of_columns(const unsigned char *from,
                                          size_t width, size_t column)
{
    return (struct code_words){from + 4 * column,
                               from + 4 * width + 2 * column, width};
}

/* The row behind those that share a word with `row`. */
INLINE size_t end_of_word(int bits, size_t row)
{
    size_t sharing = bits == 2 ? 16 : 8;
    return row / sharing * sharing + sharing;
}

/* The words that have `row`, whose codes are their lowest bits. */
INLINE vint codes_from(int bits, const struct code_words *c, size_t row)
{
    size_t group = row / 16 * (size_t)(2 * bits) * c->width;
    vint words = load_words(c->words + group);
    if (bits == 4 && row % 16 >= 8)
        words = load_words(c->words + group + 4 * c->width);
    if (bits == 3 && row % 16 >= 8)
        words = load_short_words(c->shorts + group) | (words >> 8 & 0xff0000);
    return words >> (int)(row % (bits == 2 ? 16 : 8)) * bits;
}

/* What the lowest codes stand for. */
INLINE vfloat centroids_of(int bits, const vfloat *table, vint codes)
{
    return bits == 4 ? look_up(table, codes) : look_up_eight(table, codes);
}

/* Codes of few bits. */
INLINE void expand_codes(int bits, const struct expansion *x)
{
    for (size_t row = 0, end; row < x->rows; row = end) {
        end = end_of_word(bits, row);
        end = end < x->rows ? end : x->rows;
        for (size_t c = 0; c < x->width; c += LANES) {
            struct code_words w = words_of_columns(x->from, x->width, c);
            vint codes = codes_from(bits, &w, row);
            for (size_t r = row; r < end; r++, codes >>= bits)
                put_number(x, r, c, centroids_of(bits, x->table, codes));
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
        expand_codes(3, &x);
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

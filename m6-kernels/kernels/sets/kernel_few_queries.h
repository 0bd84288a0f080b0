/* Products of few rows with panels: a number becomes a float in a register, on
 * its way from memory, and all rows use it there.  What is summed, and in
 * which order, is the same as in kernel_tiles.h. */
#ifndef KERNEL_FEW_QUERIES_H
#define KERNEL_FEW_QUERIES_H

#include "kernel_panels.h"
#include "kernel_tiles.h"

enum few_sizes {
    MOST_UNITS = 4 /* vectors of numbers that are read together */
};

/* A block of panels and the rows that it is multiplied with. */
struct few_sums {
    const struct panels *panels;
    const unsigned char *block;  /* the first of them */
    vfloat table[TABLE_VECTORS]; /* what codes stand for */
    size_t n;                    /* rows, at most FEW_QUERIES */
    const float *x;    /* of keys (head_dim, n), of values (n, QUERY_BLOCK) */
    size_t first, end; /* numbers of keys, or positions, that are summed */
    struct asking asking;
};

/* How many bits a code has; 0: numbers are no codes of few bits. */
INLINE int code_bits(enum panel_kind kind)
{
    return kind == PANEL_4BITS   ? 4
           : kind == PANEL_3BITS ? 3
           : kind == PANEL_2BITS ? 2
                                 : 0;
}

/* How far apart the numbers of a row are, in bytes. */
INLINE size_t bytes_of_number(enum panel_kind kind)
{
    return kind == PANEL_F32 ? 4 : kind == PANEL_F16 ? 2 : 1;
}

/* The numbers of a row; `at` is where they would stand in the first row. */
INLINE vfloat few_numbers(enum panel_kind kind, const struct few_sums *f,
                           const unsigned char *at, size_t row)
{
    size_t place = row * f->panels->width;
    switch (kind) {
    case PANEL_F32:
        return load_floats(at + 4 * place);
    case PANEL_F16:
        return load_halves(at + 2 * place);
    default:
        return to_floats(load_signed(at + place));
    }
}

/* A piece of a tile: the rows first .. end - 1 of panels, in the first of
 * which its vectors of numbers would stand at[0] and following, or their codes
 * in codes[0] and following.  Number k of
 * row r of x is x[k * step + r * stride], k counted from the panels' first
 * row. */
struct few_rows {
    const unsigned char *at[MOST_UNITS];
    struct code_words codes[MOST_UNITS];
    const float *x;
    size_t step, stride;
    size_t first, end;
};

/* Add the products of n rows with numbers v of row k, so many vectors. */
INLINE void add_few_products(size_t n, size_t units, const struct few_rows *p,
                             size_t k, const vfloat *v,
                             vfloat (*sums)[MOST_UNITS])
{
    UNROLL for (size_t r = 0; r < n; r++)
    {
        vfloat factor = all_floats(p->x[k * p->step + r * p->stride]);
        UNROLL for (size_t u = 0; u < units; u++)
            sums[r][u] = fused(factor, v[u], sums[r][u]);
    }
}

/* Add the products of a piece to the sums of n rows, for so many vectors of
 * numbers. */
INLINE void add_few_numbers(enum panel_kind kind, size_t n, size_t units,
                            struct few_sums *f, const struct few_rows *p,
                            vfloat (*sums)[MOST_UNITS])
{
    for (size_t k = p->first; k < p->end; k++) {
        vfloat v[MOST_UNITS];
        ask_more(&f->asking);
        UNROLL for (size_t u = 0; u < units; u++)
            v[u] = few_numbers(kind, f, p->at[u], k);
        add_few_products(n, units, p, k, v, sums);
    }
}

/* The same with codes: words stay in registers while their rows are used. */
INLINE void add_few_codes(int bits, size_t n, size_t units,
                          struct few_sums *f, const struct few_rows *p,
                          vfloat (*sums)[MOST_UNITS])
{
    for (size_t k = p->first, end; k < p->end;) {
        vfloat v[MOST_UNITS];
        vint codes[MOST_UNITS];
        end = end_of_word(bits, k);
        end = end < p->end ? end : p->end;
        UNROLL for (size_t u = 0; u < units; u++)
            codes[u] = codes_from(bits, &p->codes[u], k);
        for (; k < end; k++) {
            ask_more(&f->asking);
            UNROLL for (size_t u = 0; u < units; u++)
            {
                v[u] = centroids_of(bits, f->table, codes[u]);
                codes[u] >>= bits;
            }
            add_few_products(n, units, p, k, v, sums);
        }
    }
}

INLINE void add_few_rows(enum panel_kind kind, size_t n, size_t units,
                         struct few_sums *f, const struct few_rows *p,
                         vfloat (*sums)[MOST_UNITS])
{
    if (code_bits(kind))
        add_few_codes(code_bits(kind), n, units, f, p, sums);
    else
        add_few_numbers(kind, n, units, f, p, sums);
}

/* Keys: a column is a position, and each panel has 16 of them. */
INLINE void sum_few_keys(enum panel_kind kind, size_t n, size_t units,
                         struct few_sums *f, size_t column,
                         vfloat (*sums)[MOST_UNITS])
{
    struct few_rows p = {.x = f->x, .step = n, .stride = 1,
                         .first = f->first, .end = f->end};
    UNROLL for (size_t u = 0; u < units; u++)
    {
        size_t c = column + u * LANES, in = c % PANEL_POSITIONS;
        const unsigned char *numbers =
            f->block + c / PANEL_POSITIONS * f->panels->bytes +
            f->panels->scale_bytes;
        p.at[u] = numbers + in * bytes_of_number(kind);
        p.codes[u] = words_of_columns(numbers, PANEL_POSITIONS, in);
    }
    add_few_rows(kind, n, units, f, &p, sums);
}

/* Values: a row is a position, and each panel has 16 of them. */
INLINE void sum_few_values(enum panel_kind kind, size_t n, size_t units,
                           struct few_sums *f, size_t column,
                           vfloat (*sums)[MOST_UNITS])
{
    size_t first = f->first / PANEL_POSITIONS * PANEL_POSITIONS;
    for (; first < f->end; first += PANEL_POSITIONS) {
        size_t end = f->end - first;
        struct few_rows p = {
            .x = f->x + first, .step = 1, .stride = QUERY_BLOCK,
            .first = f->first > first ? f->first - first : 0,
            .end = end < PANEL_POSITIONS ? end : PANEL_POSITIONS};
        const unsigned char *numbers =
            f->block + first / PANEL_POSITIONS * f->panels->bytes +
            f->panels->scale_bytes;
        UNROLL for (size_t u = 0; u < units; u++)
        {
            size_t c = column + u * LANES;
            p.at[u] = numbers + c * bytes_of_number(kind);
            p.codes[u] = words_of_columns(numbers, f->panels->width, c);
        }
        add_few_rows(kind, n, units, f, &p, sums);
    }
}

/* n rows and so many vectors of columns, from `column` on. */
INLINE void put_few(enum panel_kind kind, bool is_values, size_t n,
                    size_t units, struct few_sums *f, size_t column,
                    const struct sums_to *to)
{
    vfloat sums[FEW_QUERIES][MOST_UNITS];
    UNROLL for (size_t r = 0; r < n; r++)
        UNROLL for (size_t u = 0; u < units; u++)
            sums[r][u] = (vfloat){0};
    if (is_values)
        sum_few_values(kind, n, units, f, column, sums);
    else
        sum_few_keys(kind, n, units, f, column, sums);
    UNROLL for (size_t r = 0; r < n; r++)
        put_sums(sums[r], units, r, column, to);
}

/* How many vectors are read together, so that all sums, these vectors and a
 * few more have registers. */
INLINE size_t units_for(size_t n)
{
    size_t units = MOST_UNITS;
    while (units > 1 && (n + 1) * units + 4 > REGISTERS)
        units /= 2;
    return units;
}

/* All columns; of keys there are QUERY_BLOCK. */
INLINE void sum_few_rows(enum panel_kind kind, bool is_values, size_t n,
                         struct few_sums *f, size_t first, size_t end,
                         const struct sums_to *to)
{
    size_t units = units_for(n);
    for (; first + units * LANES <= end; first += units * LANES)
        put_few(kind, is_values, n, units, f, first, to);
    for (; is_values && units > 1 && first < end; first += LANES)
        put_few(kind, is_values, n, 1, f, first, to);
}

INLINE void sum_few_of(enum panel_kind kind, bool is_values,
                       struct few_sums *f, size_t first, size_t end,
                       const struct sums_to *to)
{
    switch (f->n) {
    case 1:
        sum_few_rows(kind, is_values, 1, f, first, end, to);
        break;
    case 2:
        sum_few_rows(kind, is_values, 2, f, first, end, to);
        break;
    case 3:
        sum_few_rows(kind, is_values, 3, f, first, end, to);
        break;
    case 4:
        sum_few_rows(kind, is_values, 4, f, first, end, to);
        break;
    case 5:
        sum_few_rows(kind, is_values, 5, f, first, end, to);
        break;
    case 6:
        sum_few_rows(kind, is_values, 6, f, first, end, to);
        break;
    case 7:
        sum_few_rows(kind, is_values, 7, f, first, end, to);
        break;
    default:
        sum_few_rows(kind, is_values, FEW_QUERIES, f, first, end, to);
        break;
    }
}

INLINE void few_of_kind(enum panel_kind kind, bool is_values,
                        struct few_sums *f, size_t first, size_t end,
                        const struct sums_to *to)
{
    if (is_values)
        sum_few_of(kind, true, f, first, end, to);
    else
        sum_few_of(kind, false, f, first, end, to);
}

/* Functions of their own: had a compiler all in one, it would take twice as
 * long to compile it. */
__attribute__((noinline)) static void
few_floats(bool is_values, struct few_sums *f, size_t first, size_t end,
           const struct sums_to *to)
{
    few_of_kind(PANEL_F32, is_values, f, first, end, to);
}

__attribute__((noinline)) static void
few_halves(bool is_values, struct few_sums *f, size_t first, size_t end,
           const struct sums_to *to)
{
    few_of_kind(PANEL_F16, is_values, f, first, end, to);
}

__attribute__((noinline)) static void
few_bytes(bool is_values, struct few_sums *f, size_t first, size_t end,
          const struct sums_to *to)
{
    few_of_kind(PANEL_INT8, is_values, f, first, end, to);
}

__attribute__((noinline)) static void
few_4bits(bool is_values, struct few_sums *f, size_t first, size_t end,
          const struct sums_to *to)
{
    few_of_kind(PANEL_4BITS, is_values, f, first, end, to);
}

__attribute__((noinline)) static void
few_3bits(bool is_values, struct few_sums *f, size_t first, size_t end,
          const struct sums_to *to)
{
    few_of_kind(PANEL_3BITS, is_values, f, first, end, to);
}

__attribute__((noinline)) static void
few_2bits(bool is_values, struct few_sums *f, size_t first, size_t end,
          const struct sums_to *to)
{
    few_of_kind(PANEL_2BITS, is_values, f, first, end, to);
}

/* All columns from first to end - 1, multiples of 16. */
static void sum_few(bool is_values, struct few_sums *f, size_t first,
                    size_t end, const struct sums_to *to)
{
    memcpy(f->table, f->panels->centroids, sizeof f->table);
    switch (f->panels->kind) {
    case PANEL_F32:
        few_floats(is_values, f, first, end, to);
        break;
    case PANEL_F16:
        few_halves(is_values, f, first, end, to);
        break;
    case PANEL_INT8:
        few_bytes(is_values, f, first, end, to);
        break;
    case PANEL_4BITS:
        few_4bits(is_values, f, first, end, to);
        break;
    case PANEL_3BITS:
        few_3bits(is_values, f, first, end, to);
        break;
    default:
        few_2bits(is_values, f, first, end, to);
        break;
    }
}

#endif

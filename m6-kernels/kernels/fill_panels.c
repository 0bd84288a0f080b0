/* Rows become panels: packed_codes and packed_floats of packed.h.
 *
 * Whoever opens a model waits for this, so numbers do not move one by one, but
 * at the ends of rows: 16 bytes of some rows are read, sorted, and written
 * where the kernels will read them, from the first byte of a panel to its
 * last. */
#include "packed.h"

#include "half.h"
#include "sizes.h"

#include <string.h>

/* Vectors of 16 bytes, which every processor has that has vectors.  The names
 * say what is in a lane. */
typedef uint32_t words4 __attribute__((vector_size(16)));
typedef uint64_t pairs2 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef float floats4 __attribute__((vector_size(16)));
typedef uint16_t halves8 __attribute__((vector_size(16)));

enum filling {
    LARGEST_SCALE = 14,    /* a row's largest scale is at least 2 to this */
    INFINITE = 0x7f800000, /* as the bits of a float */
    EIGHT = 8              /* groups whose scales become halves at once */
};

static inline words4 load_words4(const void *from)
{
    words4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store16(unsigned char *to, const void *v)
{
    memcpy(to, v, 16);
}

/* --- scales -------------------------------------------------------------- */

/* The size of a number as the bits of a float, which have the order of sizes;
 * 0 for what is no number. */
static uint32_t size_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7fffffff;
    return bits <= INFINITE ? bits : 0;
}

/* The largest of those of x (n,), and of `most`. */
static uint32_t largest_size(const float *x, size_t n, uint32_t most)
{
    size_t i = 0;
    ints4 four = {0};
    for (; i + 4 <= n; i += 4) {
        ints4 bits = (ints4)load_words4(x + i) & 0x7fffffff;
        bits &= bits <= INFINITE;
        ints4 larger = bits > four;
        four = (bits & larger) | (four & ~larger);
    }
    for (size_t lane = 0; lane < 4; lane++)
        most = (uint32_t)four[lane] > most ? (uint32_t)four[lane] : most;
    for (; i < n; i++)
        most = size_bits(x[i]) > most ? size_bits(x[i]) : most;
    return most;
}

/* The power of two that brings the largest of a row's scales and minima to
 * 2^14 or more, so that half floats hold it, and 1/2^28 of it, with all of
 * their bits; 2^-126 where it would be less.  It has an exponent alone. */
static float factor_of(const struct codes_row *row, size_t groups, bool minima)
{
    float factor;
    uint32_t bits = largest_size(row->scales, groups, 0);
    if (minima)
        bits = largest_size(row->minima, groups, bits);
    if (bits == 0 || bits == INFINITE)
        return 1;
    uint32_t exponent = bits >> 23, factor_bits = 1;
    if (exponent > 1 + LARGEST_SCALE)
        factor_bits = exponent - LARGEST_SCALE;
    factor_bits <<= 23;
    memcpy(&factor, &factor_bits, sizeof factor);
    return factor;
}

/* Four numbers as halves, where all of them have halves with all bits: from
 * 2^-14 to less than 65520 in size; else *inside is no longer all ones.  The
 * same steps as half_of's for those. */
static inline words4 four_halves(floats4 x, ints4 *inside)
{
    words4 bits = (words4)x, size = bits & 0x7fffffff;
    *inside &= (ints4)size >= 113 << 23;
    *inside &= (ints4)size < 0x477ff000;
    return (bits >> 16 & 0x8000) |
           (((size + 0xfff + (size >> 13 & 1)) >> 13) - (112 << 10));
}

static inline halves8 eight_halves(const float *x, float inverse,
                                   ints4 *inside)
{
    words4 a = four_halves((floats4)load_words4(x) * inverse, inside);
    words4 b = four_halves((floats4)load_words4(x + 4) * inverse, inside);
    return (halves8){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
}

/* Eight rows' numbers x (8, 8), each row's times its `inverse`. */
static inline void put_halves(const float *const *x, const float *inverses,
                              halves8 *out)
{
    ints4 inside = (ints4){0} - 1;
    for (size_t i = 0; i < 8; i++)
        out[i] = eight_halves(x[i], inverses[i], &inside);
    if ((inside[0] & inside[1] & inside[2] & inside[3]) != 0)
        return;
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < EIGHT; j++)
            out[i][j] = half_of(x[i][j] * inverses[i]);
}

/* Transposes 8 by 8 numbers of 16 bits: lane j of v[i] changes places with
 * lane i of v[j].  Three times, two vectors become their lanes in turn. */
static inline void transpose_eight(halves8 *v)
{
    for (size_t step = 0; step < 3; step++) {
        halves8 w[8];
#pragma GCC unroll 4
        for (size_t i = 0; i < 4; i++) {
            halves8 a = v[i], b = v[i + 4];
            w[2 * i] = (halves8){a[0], b[0], a[1], b[1],
                                 a[2], b[2], a[3], b[3]};
            w[2 * i + 1] = (halves8){a[4], b[4], a[5], b[5],
                                     a[6], b[6], a[7], b[7]};
        }
        memcpy(v, w, sizeof w);
    }
}

/* A panel that is being filled. */
struct filling_panel {
    const struct packed *packed;
    const struct codes_row *rows;           /* (PANEL_ROWS,) */
    const unsigned char *codes[PANEL_ROWS]; /* theirs */
    float inverses[PANEL_ROWS];             /* of their factors */
    size_t groups;
    unsigned char *at;
};

/* Where group g stands: its pair. */
static inline unsigned char *pair_of_group(const struct filling_panel *f,
                                           size_t g)
{
    return f->at + g / 2 * pair_bytes(f->packed->kind);
}

/* Up to eight groups' scales from `first` on, or their minima, which stand 64
 * bytes behind them; of fewer groups the rest of the eight are any. */
static inline void put_scales(const struct filling_panel *f, size_t first,
                              bool minima)
{
    size_t n = smaller_size(f->groups - first, EIGHT);
    for (size_t row = 0; row < PANEL_ROWS; row += 8) {
        float some[8][EIGHT];
        const float *x[8];
        halves8 v[8];
        for (size_t i = 0; i < 8; i++) {
            const struct codes_row *r = &f->rows[row + i];
            x[i] = (minima ? r->minima : r->scales) + first;
            for (size_t j = 0; n < EIGHT && j < EIGHT; j++)
                some[i][j] = x[i][j < n ? j : 0];
            x[i] = n < EIGHT ? some[i] : x[i];
        }
        put_halves(x, f->inverses + row, v);
        transpose_eight(v);
        for (size_t i = 0; i < n; i++)
            store16(pair_of_group(f, first + i) + (minima ? 64 : 0) +
                        (first + i) % 2 * 32 + row * 2,
                    &v[i]);
    }
}

/* --- codes --------------------------------------------------------------- */

/* 16 bytes of four rows, from byte `from` on: four words of each, and of each
 * word the four rows together. */
static inline void put_words(unsigned char *to,
                             const unsigned char *const *rows, size_t from,
                             words4 flip)
{
    words4 a = load_words4(rows[0] + from) ^ flip;
    words4 b = load_words4(rows[1] + from) ^ flip;
    words4 c = load_words4(rows[2] + from) ^ flip;
    words4 d = load_words4(rows[3] + from) ^ flip;
    pairs2 ab = (pairs2)(words4){a[0], b[0], a[1], b[1]};
    pairs2 cd = (pairs2)(words4){c[0], d[0], c[1], d[1]};
    pairs2 ab2 = (pairs2)(words4){a[2], b[2], a[3], b[3]};
    pairs2 cd2 = (pairs2)(words4){c[2], d[2], c[3], d[3]};
    const pairs2 turned[4] = {{ab[0], cd[0]},
                              {ab[1], cd[1]},
                              {ab2[0], cd2[0]},
                              {ab2[1], cd2[1]}};
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        store16(to + i * 4 * PANEL_ROWS, &turned[i]);
}

/* A group's codes of all rows: `bytes` of each, which is known where this is
 * inlined. */
static inline void put_group(unsigned char *to, const struct filling_panel *f,
                             size_t g, size_t bytes)
{
    words4 flip = (words4){0} + 0x01010101u * f->rows->flip;
    for (size_t row = 0; row < PANEL_ROWS; row += 4)
        for (size_t i = 0; i < bytes; i += 16)
            put_words(to + i * PANEL_ROWS + row * 4, f->codes + row,
                      g * f->rows->stride + i, flip);
}

/* Scales and codes of all groups, from the first to the last. */
static void put_panel(const struct filling_panel *f)
{
    bool wide = f->packed->kind == PACKED_INT8;
    bool minima = f->packed->kind == PACKED_AFFINE4;
    for (size_t g = 0; g < f->groups; g++) {
        unsigned char *to = pair_of_group(f, g) + (minima ? 128 : 64);
        if (g % EIGHT == 0)
            put_scales(f, g, false);
        if (g % EIGHT == 0 && minima)
            put_scales(f, g, true);
        if (wide)
            put_group(to + g % 2 * CODES_BYTES8 * PANEL_ROWS, f, g,
                      CODES_BYTES8);
        else
            put_group(to + g % 2 * CODES_BYTES4 * PANEL_ROWS, f, g,
                      CODES_BYTES4);
    }
}

/* The lanes of rows that are not there. */
static void clear_lanes(const struct filling_panel *f, size_t n)
{
    size_t lines = f->packed->kind == PACKED_AFFINE4 ? 2 : 1;
    for (unsigned char *at = f->at; at < f->at + f->packed->panel_bytes;
         at += pair_bytes(f->packed->kind)) {
        size_t words = pair_bytes(f->packed->kind) / 64;
        for (size_t i = 0; i < 2 * lines; i++)
            memset(at + 32 * i + 2 * n, 0, 32 - 2 * n);
        for (size_t i = lines; i < words; i++)
            memset(at + 64 * i + 4 * n, 0, 64 - 4 * n);
    }
}

/* Where n is less than 16, row 0 stands in for the others, and is cleared.
 *
 * The inverse of a factor is exact: both are powers of two from 2^-126 to
 * 2^126. */
void packed_codes(struct packed *p, size_t panel, const struct codes_row *rows,
                  size_t n)
{
    struct codes_row all[PANEL_ROWS];
    float *factors = p->factors + panel * PANEL_ROWS;
    struct filling_panel f = {.packed = p,
                              .rows = all,
                              .groups = (p->cols + GROUP - 1) / GROUP,
                              .at = p->bytes + panel * p->panel_bytes};
    for (size_t i = 0; i < PANEL_ROWS; i++) {
        all[i] = rows[i < n ? i : 0];
        float factor =
            factor_of(&all[i], f.groups, p->kind == PACKED_AFFINE4);
        factors[i] = i < n ? factor : 0;
        f.inverses[i] = 1 / factor;
        f.codes[i] = all[i].codes;
    }
    if (f.groups % 2)
        memset(f.at + p->panel_bytes - pair_bytes(p->kind), 0,
               pair_bytes(p->kind));
    put_panel(&f);
    if (n < PANEL_ROWS)
        clear_lanes(&f, n);
}

/* --- floats -------------------------------------------------------------- */

/* Numbers `first` to end - 1 of each row, of `size` bytes, which is known
 * where this is inlined. */
static inline void put_numbers(unsigned char *to,
                               const unsigned char *const *rows, size_t n,
                               size_t first, size_t end, size_t size)
{
    for (size_t i = first; i < end; i++)
        for (size_t row = 0; row < n; row++)
            memcpy(to + (i * PANEL_ROWS + row) * size, rows[row] + i * size,
                   size);
}

/* 64 bytes of each row, from number `first` on: a line of a processor's
 * cache. */
static inline void put_line2(unsigned char *to,
                             const unsigned char *const *rows, size_t first)
{
    for (size_t row = 0; row < PANEL_ROWS; row += 8)
        for (size_t i = first; i < first + 32; i += 8) {
            halves8 v[8];
            for (size_t k = 0; k < 8; k++)
                memcpy(&v[k], rows[row + k] + i * 2, sizeof v[k]);
            transpose_eight(v);
            for (size_t k = 0; k < 8; k++)
                store16(to + ((i + k) * PANEL_ROWS + row) * 2, &v[k]);
        }
}

static inline void put_line4(unsigned char *to,
                             const unsigned char *const *rows, size_t first)
{
    for (size_t row = 0; row < PANEL_ROWS; row += 4)
        for (size_t i = first; i < first + 16; i += 4)
            put_words(to + (i * PANEL_ROWS + row) * 4, rows + row, 4 * i,
                      (words4){0});
}

static void put_floats(unsigned char *to, const unsigned char *const *rows,
                       size_t n, size_t cols, size_t size)
{
    size_t line = 64 / size, i = 0;
    for (; n == PANEL_ROWS && i + line <= cols; i += line)
        if (size == 2)
            put_line2(to, rows, i);
        else
            put_line4(to, rows, i);
    if (size == 2)
        put_numbers(to, rows, n, i, cols, 2);
    else
        put_numbers(to, rows, n, i, cols, 4);
}

void packed_floats(struct packed *p, size_t panel,
                   const unsigned char *const *rows, size_t n)
{
    unsigned char *to = p->bytes + panel * p->panel_bytes;
    memset(to + p->panel_bytes - pair_bytes(p->kind), 0, pair_bytes(p->kind));
    put_floats(to, rows, n, p->cols, p->kind == PACKED_F32 ? 4 : 2);
}

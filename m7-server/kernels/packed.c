/* Packed matrices: see packed.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "packed.h"

#include "half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum packing {
    SMALL_PAGE = 4096,
    LARGE_PAGE = 1 << 21,
    LARGEST_SCALE = 14, /* a row's largest scale is at least 2 to this */
    SMALLEST_FACTOR = -126 /* 2 to this is the smallest */
};

/* Memory in large pages, as far as it fills them: the system clears and finds
 * one of them where it would 512 small ones, which takes longer than to pack
 * what they hold; and a processor remembers where some thousand pages are.
 * The rest is in small pages, so that no memory is lost.  Not every system has
 * large pages to give. */
unsigned char *packed_reserve(size_t bytes)
{
    size_t page = bytes < LARGE_PAGE ? SMALL_PAGE : LARGE_PAGE;
    size_t whole = bytes / page * page;
    unsigned char *p = aligned_alloc(page, (bytes + page - 1) / page * page);
#if defined MADV_HUGEPAGE
    if (p && page == LARGE_PAGE)
        madvise(p, whole, MADV_HUGEPAGE);
#endif
    (void)whole;
    return p;
}

void packed_shape(struct packed *p, enum packed_kind kind, size_t rows,
                  size_t cols)
{
    *p = (struct packed){.kind = kind, .rows = rows, .cols = cols};
    size_t of_pair = packed_is_float(p) ? 2 : 2 * GROUP;
    p->pairs = (cols + of_pair - 1) / of_pair;
    p->panel_bytes = p->pairs * pair_bytes(kind);
}

size_t packed_whole(const struct packed *p)
{
    size_t factors = packed_is_float(p) ? 0 : PANEL_ROWS * sizeof *p->factors;
    return packed_panels(p) * (p->panel_bytes + factors);
}

void packed_place(struct packed *p, unsigned char *bytes)
{
    p->bytes = bytes;
    if (!packed_is_float(p))
        p->factors = (float *)(bytes + packed_panels(p) * p->panel_bytes);
}

void packed_clear_end(struct packed *p)
{
    size_t last = packed_panels(p) - 1;
    memset(p->bytes + last * p->panel_bytes, 0, p->panel_bytes);
    if (p->factors)
        memset(p->factors + last * PANEL_ROWS, 0,
               PANEL_ROWS * sizeof *p->factors);
}

int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e)
{
    packed_shape(p, kind, rows, cols);
    unsigned char *bytes = packed_reserve(packed_whole(p) + PACKED_BEHIND);
    if (!bytes) {
        *p = (struct packed){0};
        return fail_memory(e, "a packed matrix");
    }
    packed_place(p, bytes);
    packed_clear_end(p);
    return 0;
}

void packed_free(struct packed *p)
{
    free(p->bytes);
    *p = (struct packed){0};
}

/* The size of a number as the bits of a float, which have the order of sizes;
 * 0 for what is no number. */
static uint32_t size_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7fffffff;
    return bits <= 0x7f800000 ? bits : 0;
}

/* The power of two that brings the largest of a row's scales and minima to
 * 2^14 or more, so that half floats hold it, and 1/2^28 of it, with all of
 * their bits. */
static float factor_of(const struct spacing *spacings, size_t groups)
{
    uint32_t bits = 0;
    float most;
    int exponent;
    for (size_t g = 0; g < groups; g++) {
        uint32_t scale = size_bits(spacings[g].scale);
        uint32_t minimum = size_bits(spacings[g].minimum);
        bits = scale > bits ? scale : bits;
        bits = minimum > bits ? minimum : bits;
    }
    memcpy(&most, &bits, sizeof most);
    if (most == 0 || !isfinite(most))
        return 1;
    frexpf(most, &exponent);
    exponent -= 1 + LARGEST_SCALE;
    return ldexpf(1, exponent < SMALLEST_FACTOR ? SMALLEST_FACTOR : exponent);
}

/* Most are halves already but for the factor: 13 bits of their fraction are
 * zeros, and the exponent is in reach. */
static inline void put_half(unsigned char *at, float x)
{
    uint32_t bits, size;
    memcpy(&bits, &x, sizeof bits);
    size = bits & 0x7fffffff;
    bool simple = (bits & 0x1fff) == 0 && size >= 113u << 23 &&
                  size < 143u << 23;
    uint32_t half = (bits >> 16 & 0x8000) | ((size >> 13) - (112u << 10));
    uint16_t rounded = simple ? (uint16_t)half : half_of(x);
    at[0] = (unsigned char)rounded;
    at[1] = (unsigned char)(rounded >> 8);
}

/* Words of four bytes of one row: so many, which is known where this is
 * inlined. */
static inline void put_words(unsigned char *to, const unsigned char *codes,
                             size_t words)
{
#pragma GCC unroll 8
    for (size_t i = 0; i < words; i++)
        memcpy(to + i * 4 * PANEL_ROWS, codes + 4 * i, 4);
}

/* A group's codes, four of one row together. */
static inline void put_group(unsigned char *to, const unsigned char *codes,
                             size_t bytes)
{
    if (bytes == CODES_BYTES4)
        put_words(to, codes, CODES_BYTES4 / 4);
    else
        put_words(to, codes, CODES_BYTES8 / 4);
}

/* The inverse of the factor is exact: both are powers of two from 2^-126 to
 * 2^126. */
void packed_codes(struct packed *p, size_t row, const struct codes_row *codes)
{
    size_t groups = (p->cols + GROUP - 1) / GROUP, lane = row % PANEL_ROWS;
    size_t size = p->kind == PACKED_INT8 ? CODES_BYTES8 : CODES_BYTES4;
    size_t scales = p->kind == PACKED_AFFINE4 ? 128 : 64;
    float factor = factor_of(codes->spacings, groups), inverse = 1 / factor;
    unsigned char *pair = p->bytes + row / PANEL_ROWS * p->panel_bytes;
    p->factors[row] = factor;
    if (groups % 2 && lane == 0)
        memset(pair + p->panel_bytes - pair_bytes(p->kind), 0,
               pair_bytes(p->kind));
    for (size_t g = 0; g < groups; g++) {
        unsigned char *scale = pair + 2 * (g % 2 * PANEL_ROWS + lane);
        put_half(scale, codes->spacings[g].scale * inverse);
        if (p->kind == PACKED_AFFINE4)
            put_half(scale + 64, codes->spacings[g].minimum * inverse);
        put_group(pair + scales + g % 2 * size * PANEL_ROWS + 4 * lane,
                  codes->bytes + g * size, size);
        pair += g % 2 ? pair_bytes(p->kind) : 0;
    }
}

/* Numbers of `size` bytes each, which is known where this is inlined. */
static inline void put_numbers(unsigned char *to,
                               const unsigned char *const *rows, size_t n,
                               size_t cols, size_t size)
{
    for (size_t i = 0; i < cols; i++, to += size * PANEL_ROWS)
        for (size_t row = 0; row < n; row++)
            memcpy(to + row * size, rows[row] + i * size, size);
}

void packed_floats(struct packed *p, size_t panel,
                   const unsigned char *const *rows, size_t n)
{
    unsigned char *to = p->bytes + panel * p->panel_bytes;
    memset(to + p->panel_bytes - pair_bytes(p->kind), 0, pair_bytes(p->kind));
    if (p->kind == PACKED_F32)
        put_numbers(to, rows, n, p->cols, 4);
    else
        put_numbers(to, rows, n, p->cols, 2);
}

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
    BEHIND = 8192,      /* bytes that kernels may ask for early */
    LARGEST_SCALE = 14, /* a row's largest scale is at least 2 to this */
    SMALLEST_FACTOR = -126 /* 2 to this is the smallest */
};

size_t packed_panels(const struct packed *p)
{
    return (p->rows + PANEL_ROWS - 1) / PANEL_ROWS;
}

/* Memory in large pages, as far as it fills them: a processor remembers where
 * some thousand pages are, and a matrix that is read from its first byte to
 * its last has many more small ones.  The rest is in small pages, so that no
 * memory is lost.  Not every system has large pages to give. */
static unsigned char *reserve_pages(size_t bytes)
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

int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e)
{
    *p = (struct packed){.kind = kind, .rows = rows, .cols = cols};
    size_t of_pair = packed_is_float(p) ? 2 : 2 * GROUP;
    p->pairs = (cols + of_pair - 1) / of_pair;
    p->panel_bytes = p->pairs * pair_bytes(kind);
    size_t panels = packed_panels(p);
    p->bytes = reserve_pages(panels * p->panel_bytes + BEHIND);
    if (!packed_is_float(p))
        p->factors = calloc(panels * PANEL_ROWS, sizeof *p->factors);
    if (!p->bytes || (!p->factors && !packed_is_float(p))) {
        packed_free(p);
        return fail_memory(e, "a packed matrix");
    }
    memset(p->bytes + (panels - 1) * p->panel_bytes, 0, p->panel_bytes);
    return 0;
}

void packed_free(struct packed *p)
{
    free(p->bytes);
    free(p->factors);
    *p = (struct packed){0};
}

/* The power of two that brings the largest of a row's scales and minima to
 * 2^14 or more, so that half floats hold it, and 1/2^28 of it, with all of
 * their bits. */
static float factor_of(const struct spacing *spacings, size_t groups)
{
    float most = 0;
    int exponent;
    for (size_t g = 0; g < groups; g++) {
        most = fmaxf(most, fabsf(spacings[g].scale));
        most = fmaxf(most, fabsf(spacings[g].minimum));
    }
    if (most == 0 || !isfinite(most))
        return 1;
    frexpf(most, &exponent);
    exponent -= 1 + LARGEST_SCALE;
    return ldexpf(1, exponent < SMALLEST_FACTOR ? SMALLEST_FACTOR : exponent);
}

static void put_half(unsigned char *at, float x)
{
    half_store(half_of(x), at);
}

/* A group's codes, four of one row together. */
static void put_words(unsigned char *to, const unsigned char *codes,
                      size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4)
        memcpy(to + i * PANEL_ROWS, codes + i, 4);
}

void packed_codes(struct packed *p, size_t row, const struct codes_row *codes)
{
    size_t groups = (p->cols + GROUP - 1) / GROUP, lane = row % PANEL_ROWS;
    size_t size = p->kind == PACKED_INT8 ? CODES_BYTES8 : CODES_BYTES4;
    size_t scales = p->kind == PACKED_AFFINE4 ? 128 : 64;
    float factor = factor_of(codes->spacings, groups);
    unsigned char *pair = p->bytes + row / PANEL_ROWS * p->panel_bytes;
    p->factors[row] = factor;
    for (size_t g = 0; g < groups; g++) {
        unsigned char *scale = pair + 2 * (g % 2 * PANEL_ROWS + lane);
        put_half(scale, codes->spacings[g].scale / factor);
        if (p->kind == PACKED_AFFINE4)
            put_half(scale + 64, codes->spacings[g].minimum / factor);
        put_words(pair + scales + g % 2 * size * PANEL_ROWS + 4 * lane,
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

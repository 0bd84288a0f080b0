/* Packed matrices: see packed.h. */
#include "packed.h"

#include "half.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum packing {
    ALIGNMENT = 4096,   /* of a page, so of a line, too */
    BEHIND = 8192,      /* bytes that kernels may ask for early */
    LARGEST_SCALE = 14  /* a row's largest scale is at least 2 to this */
};

size_t packed_panels(const struct packed *p)
{
    return (p->rows + PANEL_ROWS - 1) / PANEL_ROWS;
}

int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e)
{
    *p = (struct packed){.kind = kind, .rows = rows, .cols = cols};
    p->pairs = (cols + 2 * GROUP - 1) / (2 * GROUP);
    p->panel_bytes = p->pairs * pair_bytes(kind);
    size_t panels = packed_panels(p);
    size_t bytes = panels * p->panel_bytes + BEHIND;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    p->bytes = aligned_alloc(ALIGNMENT, bytes);
    p->factors = calloc(panels * PANEL_ROWS, sizeof *p->factors);
    if (p->bytes && p->factors)
        return 0;
    packed_free(p);
    return fail_memory(e, "a packed matrix");
}

void packed_free(struct packed *p)
{
    free(p->bytes);
    free(p->factors);
    *p = (struct packed){0};
}

struct spacing nearest_spacing(const float *x, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
    return (struct spacing){most / 127, 0};
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
    return ldexpf(1, exponent - 1 - LARGEST_SCALE);
}

/* The code of number x, as it is stored: `middle` more. */
static unsigned char code_of(float x, struct spacing spacing, int middle, int most)
{
    float code = spacing.scale == 0 ? 0 : (x - spacing.minimum) / spacing.scale;
    float whole = rintf(code) + (float)middle;
    return (unsigned char)(whole < 0 ? 0 : whole > most ? most : whole);
}

/* Codes of 4 bits: input i of a group is the lower half of a byte, input
 * 16 + i its upper half. */
static void put_codes4(unsigned char *codes, size_t row, size_t i,
                       unsigned char code)
{
    unsigned char *byte = codes + i % 16 / 4 * 4 * PANEL_ROWS + 4 * row + i % 4;
    *byte = (unsigned char)(i < 16 ? code : *byte | code << 4);
}

static void put_codes8(unsigned char *codes, size_t row, size_t i,
                       unsigned char code)
{
    codes[i / 4 * 4 * PANEL_ROWS + 4 * row + i % 4] = code;
}

/* Group g of a row: its n numbers, fewer than 32 at the row's end, behind
 * which the codes stand for 0. */
static void put_group(const struct packed *p, size_t row, size_t g,
                      const float *x, size_t n, struct spacing spacing, float factor)
{
    bool is_wide = p->kind == PACKED_INT8, has_minimum = p->kind == PACKED_AFFINE4;
    unsigned char *pair = p->bytes + row / PANEL_ROWS * p->panel_bytes +
                          g / 2 * pair_bytes(p->kind);
    unsigned char *codes =
        pair + (has_minimum ? 128 : 64) + g % 2 * (is_wide ? 512 : 256);
    size_t lane = row % PANEL_ROWS, at = 2 * (g % 2 * PANEL_ROWS + lane);
    int middle = is_wide ? 128 : has_minimum ? 0 : 8;
    half_store(half_of(spacing.scale / factor), pair + at);
    if (has_minimum)
        half_store(half_of(spacing.minimum / factor), pair + 64 + at);
    for (size_t i = 0; i < GROUP; i++) {
        unsigned char code = i < n ? code_of(x[i], spacing, middle, is_wide ? 255 : 15)
                                   : (unsigned char)middle;
        (is_wide ? put_codes8 : put_codes4)(codes, lane, i, code);
    }
}

void packed_put(struct packed *p, size_t row, const float *x,
                const struct spacing *spacings)
{
    size_t groups = (p->cols + GROUP - 1) / GROUP;
    float factor = factor_of(spacings, groups);
    p->factors[row] = factor;
    for (size_t g = 0; g < groups; g++) {
        size_t left = p->cols - g * GROUP;
        put_group(p, row, g, x + g * GROUP, left < GROUP ? left : GROUP,
                  spacings[g], factor);
    }
}

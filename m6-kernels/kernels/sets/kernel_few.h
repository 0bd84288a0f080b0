/* Codes with few rows of inputs, as fast as memory: for kernel_int.c. */
#ifndef KERNEL_FEW_H
#define KERNEL_FEW_H

#include "kernel_codes.h"

/* Where a panel is being read, and the sums of its rows so far. */
struct reader {
    const unsigned char *at;
    vfloat sums[FEW_ROWS][PANEL_VECTORS];
};

/* Go on by one group, number `in_pair` of its pair, for n rows of inputs whose
 * group begins at `at`. */
INLINE void multiply_group(enum packed_kind kind, struct reader *r,
                           size_t in_pair, const struct inputs *x, size_t at,
                           size_t n)
{
    const int32_t *words = x->words + at * GROUP_WORDS;
    const unsigned char *scales = r->at + in_pair * 2 * PANEL_ROWS;
    vbytes w[GROUP_WORDS * PANEL_VECTORS];
    expand_group(kind, r->at + scale_bytes(kind) + in_pair * group_bytes(kind),
                 w);
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
    {
        vfloat scale = load_halves(scales + 2 * LANES * v);
        UNROLL for (size_t t = 0; t < n; t++)
        {
            vint sum = first_sum(kind, x, at + t);
            UNROLL for (size_t j = 0; j < GROUP_WORDS; j++)
                sum = add_products(kind, sum, w[j * PANEL_VECTORS + v],
                                   all_ints(words[j * n + t]));
            r->sums[t][v] = fused(to_floats(whole_sum(kind, sum)),
                                  scale * x->scales[at + t], r->sums[t][v]);
        }
        UNROLL for (size_t t = 0; t < n && kind == PACKED_AFFINE4; t++)
            r->sums[t][v] = fused(load_halves(scales + 64 + 2 * LANES * v),
                                  all_floats(x->totals[at + t]),
                                  r->sums[t][v]);
    }
}

/* A pair of groups, and what comes 2 KB later is asked for: a processor waits
 * less for memory when it is told early, but not so early that it is gone
 * again. */
INLINE void multiply_pair(enum packed_kind kind, struct reader *r,
                      const struct inputs *x, size_t g, size_t n)
{
    size_t bytes = scale_bytes(kind) + 2 * group_bytes(kind);
    UNROLL for (size_t line = 0; line < bytes; line += 64)
        __builtin_prefetch(r->at + AHEAD + line);
    multiply_group(kind, r, 0, x, g * n, n);
    if (g + 1 < x->groups)
        multiply_group(kind, r, 1, x, (g + 1) * n, n);
    r->at += bytes;
}

/* The sums of a panel, which are done. */
INLINE void write_sums(const struct packed *p, const struct reader *r,
                       size_t panel, size_t n, float *out, size_t stride)
{
    size_t row = panel * PANEL_ROWS;
    for (size_t t = 0; t < n; t++)
        for (size_t v = 0; v < PANEL_VECTORS; v++)
            store_rows(r->sums[t][v] *
                           load_floats(p->factors + row + v * LANES),
                       out + t * stride, row + v * LANES, p->rows);
}

/* One or two panels with all n rows of inputs.  Two that
 * stand far apart are two streams, and memory has two requests to serve. */
INLINE void thin_panels(enum packed_kind kind, const struct packed *p,
                        const size_t *panels, size_t n_panels,
                        const struct inputs *x, size_t n, float *out,
                        size_t stride)
{
    struct reader readers[2];
    UNROLL for (size_t i = 0; i < n_panels; i++)
        readers[i] =
            (struct reader){.at = p->bytes + panels[i] * p->panel_bytes};
    for (size_t g = 0; g < x->groups; g += 2)
        UNROLL for (size_t i = 0; i < n_panels; i++)
            multiply_pair(kind, &readers[i], x, g, n);
    UNROLL for (size_t i = 0; i < n_panels; i++)
        write_sums(p, &readers[i], panels[i], n, out, stride);
}

INLINE void thin_kind(enum packed_kind kind, const struct packed *p,
                      size_t first, size_t end, const struct inputs *x,
                      size_t n, float *out, size_t stride)
{
    size_t half = (end - first) / 2;
    for (size_t i = 0; i < half; i++) {
        size_t panels[2] = {first + i, first + half + i};
        thin_panels(kind, p, panels, 2, x, n, out, stride);
    }
    size_t last = end - 1;
    if ((end - first) % 2)
        thin_panels(kind, p, &last, 1, x, n, out, stride);
}

#endif

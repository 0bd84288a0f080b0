/* Matrices of floats: F16, BF16 and F32, of which each number is exactly a
 * float of 32 bits.
 *
 * The order of every sum, for a row of the matrix and a row of inputs: blocks
 * of 128 inputs, in each
 *
 *     sum = 0
 *     sum = fused(weight, input, sum)     from its first input to its last
 *
 * and total = total + sum, from the first block, when the total is 0, to the
 * last.  So a long row loses fewer bits than in one sum. */
#include "packed.h"
#include "vector.h"

enum float_sizes {
    FLOAT_BLOCK = 128,
    FLOAT_FEW = 4,     /* rows of inputs, are multiplied as numbers are read */
    FLOAT_AHEAD = 2304, /* bytes before they are used, they are asked for */
    FLOAT_SUMS = 8,    /* vectors of sums that stay in registers while numbers
                          are read */
    FLOAT_SLAB = 480   /* rows of inputs, whose totals are kept at once: filled
                          tiles of any set */
};

typedef uint16_t vhalves __attribute__((vector_size(2 * LANES)));
typedef uint32_t vwords __attribute__((vector_size(4 * LANES)));

INLINE size_t number_bytes(enum packed_kind kind)
{
    return kind == PACKED_F32 ? 4 : 2;
}

/* The upper halves of floats. */
INLINE vfloat load_upper_halves(const void *from)
{
    vhalves halves;
    memcpy(&halves, from, sizeof halves);
    return (vfloat)(__builtin_convertvector(halves, vwords) << 16);
}

INLINE vfloat load_numbers(enum packed_kind kind, const void *from)
{
    switch (kind) {
    case PACKED_F16:
        return load_halves(from);
    case PACKED_BF16:
        return load_upper_halves(from);
    default:
        return load_floats(from);
    }
}

/* --- few rows of inputs: as fast as memory ------------------------------ */

/* A panel that is being read, and its totals with n rows of inputs so far. */
struct float_reader {
    const unsigned char *at;
    vfloat totals[FLOAT_FEW][PANEL_VECTORS];
};

/* Go on by one input, number k of rows x (n, cols). */
INLINE void read_input(enum packed_kind kind, struct float_reader *r,
                       vfloat (*sums)[PANEL_VECTORS], const float *x,
                       size_t cols, size_t k, size_t n)
{
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
    {
        vfloat w = load_numbers(kind, r->at + v * LANES * number_bytes(kind));
        UNROLL for (size_t t = 0; t < n; t++)
            sums[t][v] = fused(w, all_floats(x[t * cols + k]), sums[t][v]);
    }
    r->at += PANEL_ROWS * number_bytes(kind);
}

/* Go on by a block of `inputs` inputs, which begins with number k, in some
 * panels at once.  Two inputs fill one line or two, and what comes 2 KB later
 * is asked for. */
INLINE void read_inputs(enum packed_kind kind, struct float_reader *readers,
                       size_t count, const float *x, size_t cols, size_t k,
                       size_t inputs, size_t n)
{
    vfloat sums[2][FLOAT_FEW][PANEL_VECTORS] = {0};
    size_t end = k + inputs;
#pragma GCC unroll 1
    for (; k + 2 <= end; k += 2)
        UNROLL for (size_t i = 0; i < count; i++)
        {
            __builtin_prefetch(readers[i].at + FLOAT_AHEAD);
            if (kind == PACKED_F32)
                __builtin_prefetch(readers[i].at + FLOAT_AHEAD + 64);
            read_input(kind, &readers[i], sums[i], x, cols, k, n);
            read_input(kind, &readers[i], sums[i], x, cols, k + 1, n);
        }
    UNROLL for (size_t i = 0; i < count; i++)
    {
        if (k < end)
            read_input(kind, &readers[i], sums[i], x, cols, k, n);
        UNROLL for (size_t t = 0; t < n; t++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                readers[i].totals[t][v] += sums[i][t][v];
    }
}

/* One or two panels with all n rows of inputs.  Two that stand far apart are
 * two streams; they go on together as long as their sums fit into the
 * registers, and else in turns. */
INLINE void thin_floats(enum packed_kind kind, const struct packed *p,
                        const size_t *panels, size_t count, const float *x,
                        size_t n, float *out, size_t stride)
{
    struct float_reader readers[2];
    bool together = n * PANEL_VECTORS * count <= FLOAT_SUMS;
    for (size_t i = 0; i < count; i++)
        readers[i] =
            (struct float_reader){.at = p->bytes + panels[i] * p->panel_bytes};
    for (size_t k = 0; k < p->cols; k += FLOAT_BLOCK) {
        size_t left = p->cols - k;
        size_t inputs = left < FLOAT_BLOCK ? left : FLOAT_BLOCK;
        if (together)
            read_inputs(kind, readers, count, x, p->cols, k, inputs, n);
        for (size_t i = 0; i < count && !together; i++)
            read_inputs(kind, &readers[i], 1, x, p->cols, k, inputs, n);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < n; t++)
            for (size_t v = 0; v < PANEL_VECTORS; v++)
                store_rows(readers[i].totals[t][v], out + t * stride,
                           panels[i] * PANEL_ROWS + v * LANES, p->rows);
}

INLINE void thin_panels_of(enum packed_kind kind, const struct packed *p,
                           size_t first, size_t end, const float *x, size_t n,
                           float *out, size_t stride)
{
    size_t half = (end - first) / 2, last = end - 1;
    for (size_t i = 0; i < half; i++) {
        size_t panels[2] = {first + i, first + half + i};
        thin_floats(kind, p, panels, 2, x, n, out, stride);
    }
    if ((end - first) % 2)
        thin_floats(kind, p, &last, 1, x, n, out, stride);
}

/* --- many rows of inputs: as fast as the vector units ------------------- */

/* A block of panels that stand behind each other, and rows of inputs. */
struct float_block {
    const float *weights[TILE_PANELS]; /* (inputs, 16) each */
    size_t inputs;
    const float *rows[FLOAT_ROWS]; /* (inputs,) each */
};

/* Add the products of a block of `panels` panels to totals (rows, panels,
 * 16). */
INLINE void float_tile(const struct float_block *b, size_t panels,
                       float *totals)
{
    vfloat sums[FLOAT_ROWS][TILE_PANELS][PANEL_VECTORS] = {0};
#pragma GCC unroll 1
    for (size_t k = 0; k < b->inputs; k++) {
        vfloat w[TILE_PANELS][PANEL_VECTORS];
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                w[p][v] = load_floats(b->weights[p] + k * PANEL_ROWS +
                                      v * LANES);
        UNROLL for (size_t t = 0; t < FLOAT_ROWS; t++)
        {
            vfloat x = all_floats(b->rows[t][k]);
            UNROLL for (size_t p = 0; p < panels; p++)
                UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                    sums[t][p][v] = fused(w[p][v], x, sums[t][p][v]);
        }
    }
    UNROLL for (size_t t = 0; t < FLOAT_ROWS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            {
                float *to = totals + (t * panels + p) * PANEL_ROWS + v * LANES;
                store_floats(to, load_floats(to) + sums[t][p][v]);
            }
}

/* All rows x (n, cols) of a slab, in tiles, the last of which is filled up
 * with its last row; `x` begins at the block's first input. */
INLINE void float_tiles(struct float_block *b, size_t panels, const float *x,
                        size_t n, size_t cols, float *totals)
{
    for (size_t t = 0; t < n; t += FLOAT_ROWS) {
        for (size_t i = 0; i < FLOAT_ROWS; i++)
            b->rows[i] = x + (t + i < n ? t + i : n - 1) * cols;
        float_tile(b, panels, totals + t * panels * PANEL_ROWS);
    }
}

/* A block of a panel as floats of 32 bits: where it stands, if it is that,
 * or in the nearest cache. */
INLINE const float *widen_block(enum packed_kind kind,
                                const unsigned char *from, size_t inputs,
                                unsigned char *room)
{
    if (kind == PACKED_F32)
        return (const float *)(const void *)from;
    for (size_t i = 0; i < inputs * PANEL_VECTORS; i++) {
        const unsigned char *at = from + i * LANES * number_bytes(kind);
        __builtin_prefetch(at + FLOAT_AHEAD);
        store_floats(room + i * sizeof(vfloat), load_numbers(kind, at));
    }
    return (const float *)(const void *)room;
}

/* Some panels with n rows of x. */
INLINE void wide_floats(enum packed_kind kind, const struct packed *p,
                        size_t panel, size_t count, const float *x, size_t n,
                        struct kernel_scratch *room, float *out, size_t stride)
{
    struct float_block b;
    size_t filled = (n + FLOAT_ROWS - 1) / FLOAT_ROWS * FLOAT_ROWS;
    memset(room->sums, 0, filled * count * PANEL_ROWS * sizeof *room->sums);
    for (size_t k = 0; k < p->cols; k += FLOAT_BLOCK) {
        size_t left = p->cols - k;
        b.inputs = left < FLOAT_BLOCK ? left : FLOAT_BLOCK;
        for (size_t i = 0; i < count; i++)
            b.weights[i] = widen_block(
                kind,
                p->bytes + (panel + i) * p->panel_bytes +
                    k * PANEL_ROWS * number_bytes(kind),
                b.inputs, room->bytes[i]);
        float_tiles(&b, count, x + k, n, p->cols, room->sums);
    }
    for (size_t t = 0; t < n; t++)
        for (size_t v = 0; v < count * PANEL_VECTORS; v++)
            store_rows(load_floats(room->sums + t * count * PANEL_ROWS +
                                   v * LANES),
                       out + t * stride, panel * PANEL_ROWS + v * LANES,
                       p->rows);
}

INLINE void wide_panels_of(enum packed_kind kind, const struct packed *p,
                           size_t first, size_t end, const float *x, size_t n,
                           struct kernel_scratch *room, float *out,
                           size_t stride)
{
    for (size_t t = 0; t < n; t += FLOAT_SLAB) {
        size_t rows = n - t < FLOAT_SLAB ? n - t : FLOAT_SLAB, panel = first;
        const float *slab = x + t * p->cols;
        for (; panel + TILE_PANELS <= end; panel += TILE_PANELS)
            wide_floats(kind, p, panel, TILE_PANELS, slab, rows, room,
                        out + t * stride, stride);
        for (; panel < end; panel++)
            wide_floats(kind, p, panel, 1, slab, rows, room, out + t * stride,
                        stride);
    }
}

/* --- the table ---------------------------------------------------------- */

INLINE void multiply_numbers(enum packed_kind kind, const struct packed *p,
                             size_t first, size_t end, const float *x,
                             size_t n, struct kernel_scratch *room, float *out,
                             size_t stride)
{
    switch (n) {
    case 1:
        thin_panels_of(kind, p, first, end, x, 1, out, stride);
        break;
    case 2:
        thin_panels_of(kind, p, first, end, x, 2, out, stride);
        break;
    case 3:
        thin_panels_of(kind, p, first, end, x, 3, out, stride);
        break;
    case FLOAT_FEW:
        thin_panels_of(kind, p, first, end, x, FLOAT_FEW, out, stride);
        break;
    default:
        wide_panels_of(kind, p, first, end, x, n, room, out, stride);
        break;
    }
}

static void multiply_float(const struct packed *p, const float *x, size_t n,
                           size_t first, size_t end,
                           struct kernel_scratch *room, float *out,
                           size_t stride)
{
    switch (p->kind) {
    case PACKED_F16:
        multiply_numbers(PACKED_F16, p, first, end, x, n, room, out, stride);
        break;
    case PACKED_BF16:
        multiply_numbers(PACKED_BF16, p, first, end, x, n, room, out, stride);
        break;
    default:
        multiply_numbers(PACKED_F32, p, first, end, x, n, room, out, stride);
        break;
    }
}

const struct float_kernels set_float_kernels = {multiply_float};

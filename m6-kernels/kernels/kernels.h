/* The kernels that a set of instructions has: a table of functions, the same
 * for all sets, and what they read and write.
 *
 * A matrix stands in panels of 16 rows (packed.h).  Its rows' numbers may be
 * codes of 4 or 8 bits; then the rows that it is multiplied with are rounded
 * to 8 bits, too, and whole numbers are multiplied, exactly.  Or they may be
 * floats; then nothing is rounded but products and sums. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum kernel_sizes {
    PANEL_ROWS = 16, /* rows of a matrix that stand together */
    GROUP = 32,      /* inputs that share a scale */
    GROUP_WORDS = GROUP / 4
};

struct packed;

/* Rows to multiply with, rounded: number i of group g is scale[g] * q[i], with
 * q from -127 to 127.
 *
 * They stand in tiles of so many rows as a kernel multiplies with at once; the
 * last tile is filled up with rows of zeros.  Tile by tile, group by group: */
struct inputs {
    size_t n;        /* rows, without those that fill up */
    size_t groups;   /* of a row: ceil(cols / GROUP) */
    size_t tile;     /* rows of a tile */
    int32_t *words;  /* (groups, GROUP_WORDS, tile): four q in each, number
                        4 j first, as the lowest byte of word j */
    float *scales;   /* (groups, tile) */
    int32_t *starts4, *starts8; /* (groups, tile): what a sum of products
                                   begins with, since codes are stored without
                                   sign: 8 or 128 times the sum of q less */
    float *totals;   /* (groups, tile): scale * the sum of q */
};

/* How many rows there are with those that fill up. */
static inline size_t inputs_rows(const struct inputs *in)
{
    return (in->n + in->tile - 1) / in->tile * in->tile;
}

/* Round the rows x (n, cols) from first to end - 1, and fill up the last tile
 * where these are its last. */
typedef void round_function(const struct inputs *in, const float *x,
                            size_t cols, size_t first, size_t end);

enum scratch_sizes {
    BLOCK_INPUTS = 1024, /* whose codes are made bytes at once */
    SLAB_ROWS = 512,     /* of inputs, whose sums are kept at once */
    SCRATCH_PANELS = 2
};

/* Room that a kernel needs while it runs; each thread has its own. */
struct kernel_scratch {
    unsigned char bytes[SCRATCH_PANELS][BLOCK_INPUTS * PANEL_ROWS];
    float sums[SLAB_ROWS * SCRATCH_PANELS * PANEL_ROWS];
};

/* Multiply the panels from first to end - 1 of p with all rows of x:
 * out[t * stride + row]. */
typedef void multiply_rounded(const struct packed *p, const struct inputs *x,
                              size_t first, size_t end,
                              struct kernel_scratch *room, float *out,
                              size_t stride);

struct int_kernels {
    size_t few;  /* up to so many rows of inputs are one tile */
    size_t tile; /* rows of a tile of more */
    round_function *round;
    multiply_rounded *multiply;
};

/* Multiply the panels from first to end - 1 of p, a matrix of floats, with
 * rows x (n, p->cols): out[t * stride + row]. */
typedef void multiply_floats(const struct packed *p, const float *x, size_t n,
                             size_t first, size_t end,
                             struct kernel_scratch *room, float *out,
                             size_t stride);

struct float_kernels {
    multiply_floats *multiply;
};

#endif

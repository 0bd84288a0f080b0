/* The kernels that a set of instructions has: a table of functions, the same
 * for all sets, and what they read and write.
 *
 * A matrix stands in panels of 16 rows (packed.h).  Its rows' numbers may be
 * codes of 4 or 8 bits; then the rows that it is multiplied with are rounded
 * to 8 bits, too, and whole numbers are multiplied, exactly.  Or they may be
 * floats; then nothing is rounded but products and sums. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
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
                        4 j first, as the lowest byte of word j; for tiles of
                        AMX (groups, tile, GROUP_WORDS) */
    float *scales;   /* (groups, tile) */
    int32_t *shorts; /* (groups, GROUP_WORDS, 2, tile): of each word the two
                        even q, then the two odd, in 16 bits each; NULL:
                        nobody multiplies so */
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
    BLOCK_INPUTS = 1024, /* whose codes are gone through at once */
    SLAB_ROWS = 512,     /* of inputs, whose sums are kept at once */
    SCRATCH_PANELS = 4
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
    size_t few;      /* up to so many rows of inputs are one tile, */
    size_t most_few; /* up to so many are tiles of no more than that, */
    size_t tile;     /* and more are tiles of so many */
    size_t parts;    /* in which these multiply a word of codes of 8 bits */
    round_function *round;
    multiply_rounded *multiply;
};

/* How many rows a tile has when there are n: few tiles are of one size, so
 * that hardly a row fills up. */
static inline size_t tile_rows(const struct int_kernels *k, size_t n)
{
    size_t tiles = (n + k->few - 1) / k->few;
    return n > k->most_few ? k->tile : (n + tiles - 1) / tiles;
}

/* What a norm does with rows of `width` numbers: divide each by the root of
 * its mean square, eps being added to that; then multiply by weight + offset,
 * and add the bias. */
struct row_norm {
    size_t width;
    float eps, offset;
    bool centred;         /* the mean is subtracted before */
    const float *weights; /* (width,); NULL: all 1 */
    const float *biases;  /* (width,); NULL: none */
};

enum activation_kind {
    ACTIVATION_SILU,
    ACTIVATION_GELU,
    ACTIVATION_GELU_TANH
};

/* How far the pairs of a token's heads turn. */
struct row_turn {
    size_t head_dim, pairs;
    bool neighbours; /* numbers 2 i and 2 i + 1 of a head are a pair; else i
                        and i + pairs */
    const float *cosines, *sines; /* (pairs,) */
};

/* out (n_rows, width) from x; out may be x. */
typedef void normalize_function(const struct row_norm *norm, const float *x,
                                size_t n_rows, float *out);

/* x (n,) becomes its activation, times up (n,) where that is not NULL. */
typedef void activate_function(enum activation_kind kind, float *x,
                               const float *up, size_t n);

/* x (n,), each number for itself, with one number that all share. */
typedef void number_function(float *x, float same, size_t n);

/* x (n,) += factor * y (n,). */
typedef void add_function(float *x, const float *y, float factor, size_t n);

/* Turn the heads x (n_heads, head_dim) of a token. */
typedef void turn_function(const struct row_turn *turn, float *x,
                           size_t n_heads);

struct row_kernels {
    normalize_function *normalize;
    activate_function *activate;
    number_function *soft_cap;     /* cap * tanh(x / cap) */
    number_function *scale;        /* x * factor */
    add_function *add_scaled;
    number_function *exponentials; /* exp(x - less) */
    turn_function *turn;
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

/* What a set can do at most (kernel_probe.c): `rounds` times so many products
 * of what is in registers; or read bytes, a multiple of 576.  What they return
 * means nothing. */
typedef int32_t probe_products(size_t rounds);
typedef int32_t probe_reading(const unsigned char *from, size_t bytes);

struct probe_kernels {
    size_t round_products;           /* of codes, in a round */
    probe_products *nibbles, *bytes; /* with codes of 4 bits, and of 8 */
    size_t round_floats;             /* fused multiply-adds in a round */
    probe_products *floats;
    probe_reading *read_plain;   /* from the first to the last */
    probe_reading *read_streams; /* as matrices are read */
};

#endif

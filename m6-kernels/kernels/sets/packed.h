/* A matrix in the order in which kernels read it.
 *
 * 16 rows make a panel: their codes stand side by side, so that one vector
 * holds four inputs of each of the 16 rows, and no sum crosses lanes.  Panels
 * stand one after another; the last is filled up with rows of zeros.  Codes
 * come in pairs of groups, each pair with its scales in front: a processor
 * then reads one stream, and not two.
 *
 *     INT4     64 bytes   scales, f16 [2 groups][16 rows]
 *              2 x 256    codes [word 0..3][row][input 0..3]: lower half
 *                         input 4 word + i, upper half 16 more
 *     AFFINE4  the same, with 64 bytes of minima behind the scales
 *     INT8     64 bytes   scales
 *              2 x 512    codes [word 0..7][row][input 0..3]
 *
 * A weight is factor[row] * scale * (code - 8), of AFFINE4
 * factor[row] * (scale * code + minimum), of INT8
 * factor[row] * scale * (code - 128).  The factor is a power of two that brings
 * a row's largest scale near the largest f16, so that its small ones lose
 * nothing: what had at most 11 bits keeps them all. */
#ifndef PACKED_H
#define PACKED_H

#include "error.h"
#include "kernels.h"

#include <stddef.h>

enum packed_kind { PACKED_INT4, PACKED_AFFINE4, PACKED_INT8, N_PACKED };

struct packed {
    enum packed_kind kind;
    size_t rows, cols;
    size_t pairs;         /* of groups in a row */
    size_t panel_bytes;   /* pairs times the bytes of one */
    unsigned char *bytes; /* (panels, panel_bytes), at a multiple of 64 */
    float *factors;       /* (rows of whole panels,) */
};

/* Bytes of a pair of groups of a panel: scales, minima, codes. */
static inline size_t pair_bytes(enum packed_kind kind)
{
    static const size_t bytes[N_PACKED] = {
        [PACKED_INT4] = 576, [PACKED_AFFINE4] = 640, [PACKED_INT8] = 1088};
    return bytes[kind];
}

/* Make room for a matrix, all of zeros.  After an error *p holds nothing. */
int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e);
void packed_free(struct packed *p);

/* How many panels the rows fill. */
size_t packed_panels(const struct packed *p);

/* What 32 numbers of a row have in common: number = scale * code + minimum,
 * code being a whole number from 0 to 15 (AFFINE4), from -8 to 7 (INT4), or
 * from -128 to 127 (INT8), and without a minimum but for the first. */
struct spacing {
    float scale, minimum;
};

/* Put row `row` in its place: its numbers x (cols,) and the spacings (groups,) at
 * which they stand, up to a rounding of less than half a step.  The scales
 * keep 11 bits of theirs. */
void packed_put(struct packed *p, size_t row, const float *x,
                const struct spacing *spacings);

/* The spacing of the numbers x (n,), n up to 32, when all that is wanted is that
 * they come as near as 8 bits can: 127 steps to the largest. */
struct spacing nearest_spacing(const float *x, size_t n);

#endif

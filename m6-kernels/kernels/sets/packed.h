/* A matrix in the order in which kernels read it.
 *
 * 16 rows make a panel: their numbers stand side by side, so that one vector
 * holds an input of each of the 16 rows, and no sum crosses lanes.  Panels
 * stand one after another; the last is filled up with rows of zeros.
 *
 * Codes come in pairs of groups, each pair with its scales in front: a
 * processor then reads one stream, and not two.
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
 * factor[row] * scale * (code - 128).  The factor is a power of two that
 * brings a row's largest scale near the largest f16, so that its small ones
 * lose nothing: what had at most 11 bits keeps them all.
 *
 * Numbers that are floats stay as they are:
 *
 *     F16, BF16, F32     [input][16 rows], of a panel's inputs an even number
 */
#ifndef PACKED_H
#define PACKED_H

#include "error.h"
#include "kernels.h"
#include "spacing.h"

#include <stdbool.h>
#include <stddef.h>

enum packed_kind {
    PACKED_INT4,
    PACKED_AFFINE4,
    PACKED_INT8,
    PACKED_F16,
    PACKED_BF16,
    PACKED_F32,
    N_PACKED
};

struct packed {
    enum packed_kind kind;
    size_t rows, cols;
    size_t pairs;         /* of groups in a row; of floats, of inputs */
    size_t panel_bytes;   /* pairs times the bytes of one */
    unsigned char *bytes; /* (panels, panel_bytes), at a multiple of 64 */
    float *factors;       /* (rows of whole panels,), behind these; of floats
                             NULL */
};

/* Bytes of a pair of groups of a panel: scales, minima, codes; of a pair of
 * inputs of floats. */
static inline size_t pair_bytes(enum packed_kind kind)
{
    static const size_t bytes[N_PACKED] = {
        [PACKED_INT4] = 576, [PACKED_AFFINE4] = 640, [PACKED_INT8] = 1088,
        [PACKED_F16] = 64,   [PACKED_BF16] = 64,     [PACKED_F32] = 128};
    return bytes[kind];
}

/* Whether numbers are multiplied as floats. */
static inline bool packed_is_float(const struct packed *p)
{
    return p->kind >= PACKED_F16;
}

/* How many panels the rows fill. */
static inline size_t packed_panels(const struct packed *p)
{
    return (p->rows + PANEL_ROWS - 1) / PANEL_ROWS;
}

/* A matrix of this kind and shape, which has no room yet; the bytes that it
 * takes, panels and factors, a multiple of 64; its place, at a multiple of 64,
 * which is not its own. */
void packed_shape(struct packed *p, enum packed_kind kind, size_t rows,
                  size_t cols);
size_t packed_whole(const struct packed *p);
void packed_place(struct packed *p, unsigned char *bytes);

/* Where it ends: the factors of the last panel, and this panel, become zeros,
 * since there may be fewer rows. */
void packed_clear_end(struct packed *p);

/* Behind its last matrix a block of memory has so many bytes more, since
 * kernels ask early for what they will read. */
enum packed_limits { PACKED_BEHIND = 8192 };

/* A block of so many bytes, at a multiple of 64, in large pages as far as it
 * fills them.  To be freed; NULL: there is no memory. */
unsigned char *packed_reserve(size_t bytes);

/* Make room for one matrix.  After an error *p holds nothing. */
int packed_init(struct packed *p, enum packed_kind kind, size_t rows,
                size_t cols, struct error *e);
void packed_free(struct packed *p);

/* Put the rows of a panel (n,) in their places, of a matrix of the same kind
 * of codes: `stride` and `flip` of all are those of the first.  Where n is
 * less than 16, the rest are rows of zeros.  Scales and minima keep 11 bits of
 * theirs, where they are no less than 2^-28 of the row's largest. */
void packed_codes(struct packed *p, size_t panel, const struct codes_row *rows,
                  size_t n);

/* The same of a matrix of floats: each row the bytes of `cols` floats of its
 * kind.  The rest stay what they were. */
void packed_floats(struct packed *p, size_t panel,
                   const unsigned char *const *rows, size_t n);

#endif

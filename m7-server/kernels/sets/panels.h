/* Keys, or values, in the order in which kernels read them.
 *
 * 16 positions make a panel of one head: of keys, number after number, each of
 * all 16 positions, so that a lane of a vector is a position and scores are
 * sums that never cross lanes.  A panel of values is 16 rows, a position each,
 * and a lane is a number of the head.
 *
 *     keys     [head_dim][16 positions]
 *     values   [16 positions][width], width being head_dim, filled up
 *
 * Four panels make a block of 64 positions, which begins at a multiple of 64,
 * whatever text, chunk or thread wrote it.  Blocks stand one after another,
 * each with the panels of all heads.  Where there is less room than text, a
 * block takes the place of the oldest.
 *
 * The numbers are floats, halves, or codes with a scale in front:
 *
 *     INT8     [16 positions] floats, then a byte for each number, -127 .. 127
 *     4 BITS   [parts][16 positions] halves; then words of 32 bits,
 *              [row / 8][column]: the codes of 8 rows, the first lowest
 *     2 BITS   the same, of 16 rows: [row / 16][column]
 *     3 BITS   for each 16 rows [column] words of 32 bits, whose lower 24
 *              are the codes of the first 8 rows; then [column] words of 16,
 *              the lower bits of the 24 of the others, whose upper 8 are the
 *              upper ones of the first word
 *
 * with a row and a column of [head_dim][16] or [16][width].  So a lane of a
 * vector of words has the codes of its own column, and gets to the next by a
 * shift.  A part of a head has a scale of its own; in values each part is
 * filled up to 16 numbers. */
#ifndef PANELS_H
#define PANELS_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum panel_kind {
    PANEL_F32,
    PANEL_F16,
    PANEL_INT8,
    PANEL_4BITS,
    PANEL_3BITS,
    PANEL_2BITS,
    N_PANEL_KINDS
};

enum panel_sizes {
    PANEL_POSITIONS = 16,
    BLOCK_PANELS = 4,
    BLOCK_POSITIONS = BLOCK_PANELS * PANEL_POSITIONS,
    MOST_CENTROIDS = 16,
    LARGEST_PART = 512 /* numbers of a head */
};

struct panels {
    enum panel_kind kind;
    bool is_values;
    size_t n_heads, head_dim;
    size_t rows, width; /* (head_dim, 16) of keys, (16, width) of values */
    size_t n_parts;     /* of a head, that have a scale; 0: no scales */
    size_t scale_bytes; /* of a panel: they come first */
    size_t bytes;       /* of a panel */
    float centroids[MOST_CENTROIDS]; /* what codes of few bits stand for, over
                                        and over */

    size_t n_blocks;     /* that there is room for */
    unsigned char *data; /* (n_blocks, n_heads, BLOCK_PANELS, bytes), at a
                            multiple of 64; NULL: there are no panels */
    void *owned;
};

/* The shape of panels, without room for any. */
struct panels panels_shape(enum panel_kind kind, bool is_values,
                           size_t n_heads, size_t head_dim);

/* Make room for n_blocks of them, all zeros.  Pages that are never written are
 * left to the system. */
int panels_reserve(struct panels *p, size_t n_blocks, struct error *e);
void panels_free(struct panels *p);

/* How many bytes there is room for. */
size_t panels_size(const struct panels *p);

/* The panel that has a position of a head: the one place that knows in which
 * order blocks stand. */
static inline unsigned char *panel_of(const struct panels *p, size_t position,
                                      size_t head)
{
    size_t block = position / BLOCK_POSITIONS;
    size_t panel = position / PANEL_POSITIONS % BLOCK_PANELS;
    block = block < p->n_blocks ? block : block % p->n_blocks;
    block = block * p->n_heads + head;
    return p->data + (block * BLOCK_PANELS + panel) * p->bytes;
}

/* How large the first part is of `left` numbers of a head: a power of two,
 * where codes of few bits stand for a head that was turned part by part
 * (cache_form.h), and else all of them. */
static inline size_t part_size(enum panel_kind kind, size_t left)
{
    size_t size = LARGEST_PART;
    if (kind < PANEL_4BITS)
        return left;
    while (size > left)
        size /= 2;
    return size;
}

/* The numbers in a row or column that a part takes in values. */
static inline size_t filled_up(size_t numbers)
{
    return (numbers + PANEL_POSITIONS - 1) / PANEL_POSITIONS *
           PANEL_POSITIONS;
}

/* Put a head of a position in its place, and take it out again.  `head_bytes`
 * are its scales and its numbers one after another, as a form of cache_form.h
 * stores them. */
void panels_put(const struct panels *p, size_t position, size_t head,
                const unsigned char *head_bytes);
void panels_take(const struct panels *p, size_t position, size_t head,
                 unsigned char *head_bytes);

#endif

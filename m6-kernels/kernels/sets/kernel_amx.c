/* Codes with many rows of inputs by AMX: a group of 16 rows of the matrix and
 * of 16 rows of inputs is one product of registers.  The order of floats is
 * that of kernel_int.c, and so are the bits. */
#include "kernel_many.h"
#include "kernel_round.h"

enum amx_sizes {
    MOST_THIN = 40 /* rows of inputs, up to which AVX-512 is as fast */
};

_Static_assert((int)FEW_ROWS < (int)TILE_TOKENS &&
                   (int)MOST_THIN <= (int)MOST_FEW,
               "AVX-512 takes for few what does not stand in tiles of AMX");

extern const struct int_kernels avx512_int_kernels;

/* A group of a panel as bytes with a sign; those of AFFINE4 need none. */
INLINE void expand_signed(enum packed_kind kind, const unsigned char *codes,
                          unsigned char *bytes)
{
    const unsigned char less = kind == PACKED_INT4 ? 8 : 0;
    for (size_t i = 0; i < group_bytes(kind); i += 4 * LANES) {
        vbytes both = load_bytes(codes + i);
        if (kind == PACKED_INT8) {
            store_bytes(bytes + i, both ^ 128);
        } else {
            store_bytes(bytes + i, (both & 15) - less);
            store_bytes(bytes + group_bytes(kind) + i, (both >> 4) - less);
        }
    }
}

/* Load group g of a panel's block and of a tile of inputs, whose words of the
 * block begin at `words`; behind the last there is nothing to load. */
INLINE void load_group(enum packed_kind kind, const struct block *b,
                       const int32_t *words, size_t g)
{
    if (g < b->groups)
        amx_load(words + g * TILE_TOKENS * GROUP_WORDS,
                 b->bytes + g * expanded_bytes(kind));
}

/* A panel of a block with a tile of inputs: the sums so far are at sums_at
 * (tile, 16) unless the block is the first, and go there, done or not.  While
 * the sums of a group become floats, the next group is multiplied and the one
 * behind it loaded; in the last round what was there is multiplied once more,
 * and not stored.  If the sums will be done, the lines in which they belong
 * are asked for, a row each round: they are far from one another. */
INLINE void sum_panel(enum packed_kind kind, const struct block *b,
                      const struct inputs *x, size_t start, float *sums_at,
                      const struct wide_out *to)
{
    size_t at = start * x->groups + b->first * TILE_TOKENS;
    size_t rows = b->first + b->groups == x->groups ? to->end - start : 0;
    const float *out = to->out + start * to->stride + to->row;
    const int32_t *words = x->words + at * GROUP_WORDS;
    vint whole[2][TILE_TOKENS][TILE_PANELS][PANEL_VECTORS];
    tile_sums sums = {{{{0}}}};
    if (b->first > 0)
        load_tile(1, sums_at, sums);
    load_group(kind, b, words, 0);
    amx_multiply();
    load_group(kind, b, words, 1);
    for (size_t g = 0; g < b->groups; g++) {
        amx_store((int32_t *)whole[g % 2]);
        amx_multiply();
        load_group(kind, b, words, g + 2);
        if (g < TILE_TOKENS && g < rows)
            __builtin_prefetch(out + g * to->stride, 1);
        tile_add(kind, b, g, 1, x, at + g * TILE_TOKENS, whole[g % 2], sums);
    }
    keep_tile(1, sums, sums_at);
}

/* The sums of a panel, which are done, go where they belong.  A function of
 * its own: inlined, it would take registers from the loop above. */
__attribute__((noinline)) static void
write_panel(const struct wide_out *to, size_t start, const float *sums_at)
{
    tile_sums sums;
    load_tile(1, sums_at, sums);
    write_tile(to, 1, start, sums);
}

/* What tile_block (kernel_many.h) does, panel by panel: after the first the
 * inputs are near. */
INLINE void amx_block(enum packed_kind kind, const struct block *b,
                      size_t panels, const struct inputs *x, size_t start,
                      float *sums_at, const struct wide_out *to)
{
    struct block panel = *b;
    struct wide_out there = *to;
    for (size_t p = 0; p < panels; p++) {
        sum_panel(kind, &panel, x, start, sums_at, &there);
        if (b->first + b->groups == x->groups)
            write_panel(&there, start, sums_at);
        panel.bytes += BLOCK_INPUTS * PANEL_ROWS;
        panel.pairs += b->panel_bytes;
        there.row += PANEL_ROWS;
        sums_at += TILE_TOKENS * PANEL_ROWS;
    }
}

/* What wide_kind (kernel_many.h) does, with as many panels as there is room
 * for. */
INLINE void amx_kind(enum packed_kind kind, const struct packed *p,
                     size_t first, size_t end, const struct inputs *x,
                     struct kernel_scratch *room, float *out, size_t stride)
{
    for (size_t t = 0; t < x->n; t += SLAB_ROWS) {
        size_t to = x->n - t < SLAB_ROWS ? x->n : t + SLAB_ROWS;
        for (size_t panel = first; panel < end; panel += SCRATCH_PANELS) {
            size_t left = end - panel;
            wide_panels(kind, p, panel,
                        left < SCRATCH_PANELS ? left : SCRATCH_PANELS, x, t,
                        to, room, out, stride);
        }
    }
}

static void multiply_amx(const struct packed *p, const struct inputs *x,
                         size_t first, size_t end, struct kernel_scratch *room,
                         float *out, size_t stride)
{
    if (x->tile != TILE_TOKENS) {
        avx512_int_kernels.multiply(p, x, first, end, room, out, stride);
        return;
    }
    amx_begin();
    switch (p->kind) {
    case PACKED_INT4:
        amx_kind(PACKED_INT4, p, first, end, x, room, out, stride);
        break;
    case PACKED_AFFINE4:
        amx_kind(PACKED_AFFINE4, p, first, end, x, room, out, stride);
        break;
    default:
        amx_kind(PACKED_INT8, p, first, end, x, room, out, stride);
        break;
    }
    amx_end();
}

const struct int_kernels set_int_kernels = {FEW_ROWS, MOST_THIN, TILE_TOKENS,
                                            WORD_PARTS, round_inputs,
                                            multiply_amx};

/* Codes with many rows of inputs, as fast as the vector units: for
 * kernel_int.c. */
#ifndef KERNEL_MANY_H
#define KERNEL_MANY_H

#include "kernel_codes.h"

/* Panels whose codes of a block stand as bytes in a near cache. */
struct block {
    const unsigned char *bytes; /* expanded: (panels, groups, parts * 512) */
    const unsigned char *pairs; /* of the first panel, as they are packed */
    size_t panel_bytes;         /* how far on those of the next panel are */
    size_t first, groups;       /* of the row, and how many */
};

/* Where the sums of some panels go when they are done. */
struct wide_out {
    const struct packed *matrix;
    size_t row; /* the first panel's first */
    size_t end; /* of the rows of inputs: what follows only fills up */
    float *out; /* [row of inputs * stride + row of the matrix] */
    size_t stride;
};

/* What a set may do in a way of its own: a group of a panel as bytes
 * (expand_words), a block with a tile of inputs (tile_block). */
#ifndef set_block
#define set_block tile_block
#endif
INLINE void set_expand(enum packed_kind kind, const unsigned char *codes,
                       unsigned char *bytes);
INLINE void set_block(enum packed_kind kind, const struct block *b,
                      size_t panels, const struct inputs *x, size_t start,
                      float *sums_at, const struct wide_out *to);

/* Codes of the groups of a block of one panel become bytes. */
INLINE void expand_panel(enum packed_kind kind, const unsigned char *pair,
                         size_t groups, unsigned char *bytes)
{
    for (size_t g = 0; g < groups; g++, bytes += expanded_bytes(kind)) {
        const unsigned char *codes =
            pair + scale_bytes(kind) + g % 2 * group_bytes(kind);
        UNROLL for (size_t i = 0; i < group_bytes(kind); i += 64)
            __builtin_prefetch(codes + AHEAD + i);
        set_expand(kind, codes, bytes);
        pair += g % 2 ? scale_bytes(kind) + 2 * group_bytes(kind) : 0;
    }
}

/* The sums of a tile, in registers: rows of inputs, panels, vectors. */
typedef vfloat tile_sums[TILE_TOKENS][TILE_PANELS][PANEL_VECTORS];

/* What a step adds to a token's sums.  Each is renewed behind the products: a
 * compiler that may move additions lets products wait for them, for which
 * there are no registers. */
INLINE void token_products(enum packed_kind kind, size_t panels,
                           vbytes (*w)[PANEL_VECTORS], int32_t word,
                           vint (*whole)[PANEL_VECTORS])
{
    UNROLL for (size_t p = 0; p < panels; p++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            whole[p][v] =
                add_parts(kind, whole[p][v], w[p][v], all_ints(word));
    UNROLL for (size_t p = 0; p < panels; p++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            renew(&whole[p][v]);
}

/* The whole sums of a tile: of `panels` panels, whose bytes of a group begin
 * here and `next` further on, with a tile of inputs, whose group begins at
 * `at`.  A step is a word, or a part of one; up to TILE_STEPS are
 * written out. */
INLINE void word_products(enum packed_kind kind, const unsigned char *bytes,
                          size_t next, size_t panels, const struct inputs *x,
                          size_t at,
                          vint (*whole)[TILE_PANELS][PANEL_VECTORS])
{
    const size_t steps = GROUP_WORDS * parts_of(kind);
    const int32_t *words = read_anew(
        (parts_of(kind) > 1 ? x->shorts : x->words) + at * steps);
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                whole[t][p][v] = first_sum(kind, x, at + t);
#pragma GCC unroll TILE_STEPS
    for (size_t j = 0; j < steps; j++) {
        vbytes w[TILE_PANELS][PANEL_VECTORS];
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                w[p][v] =
                    load_bytes(bytes + p * next + j * 64 + v * 4 * LANES);
        UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
            token_products(kind, panels, w, words[j * TILE_TOKENS + t],
                           whole[t]);
    }
}

/* The same of group g of a block; set_products is word_products, but where a
 * set says otherwise. */
INLINE void group_products(enum packed_kind kind, const struct block *b,
                           size_t g, size_t panels, const struct inputs *x,
                           size_t at,
                           vint (*whole)[TILE_PANELS][PANEL_VECTORS])
{
    const size_t next = BLOCK_INPUTS * PANEL_ROWS;
    if (is_expanded(kind))
        set_products(kind, b->bytes + g * expanded_bytes(kind), next, panels,
                     x, at, whole);
    else
        set_products(kind,
                     b->pairs + g / 2 * pair_bytes(kind) + scale_bytes(kind) +
                         g % 2 * group_bytes(kind),
                     b->panel_bytes, panels, x, at, whole);
}

/* Add them to the sums. */
INLINE void tile_add(enum packed_kind kind, const struct block *b, size_t g,
                     size_t panels, const struct inputs *x, size_t at,
                     vint (*whole)[TILE_PANELS][PANEL_VECTORS],
                     vfloat (*sums)[TILE_PANELS][PANEL_VECTORS])
{
    const unsigned char *scales =
        b->pairs + g / 2 * pair_bytes(kind) + g % 2 * 2 * PANEL_ROWS;
    UNROLL for (size_t p = 0; p < panels; p++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
        {
            const unsigned char *here =
                scales + p * b->panel_bytes + v * 2 * LANES;
            vfloat scale = load_halves(here), minimum = {0};
            if (kind == PACKED_AFFINE4)
                minimum = load_halves(here + 64);
            UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
            {
                sums[t][p][v] =
                    fused(to_floats(whole_sum(kind, whole[t][p][v])),
                          scale * x->scales[at + t], sums[t][p][v]);
                if (kind == PACKED_AFFINE4)
                    sums[t][p][v] =
                        fused(minimum, all_floats(x->totals[at + t]),
                              sums[t][p][v]);
            }
        }
}

/* The sums of a tile between two blocks: sums_at (tile, panels, 16). */
INLINE void load_tile(size_t panels, const float *sums_at,
                      vfloat (*sums)[TILE_PANELS][PANEL_VECTORS])
{
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                sums[t][p][v] = load_floats(
                    sums_at + (t * panels + p) * PANEL_ROWS + v * LANES);
}

INLINE void keep_tile(size_t panels,
                      vfloat (*sums)[TILE_PANELS][PANEL_VECTORS],
                      float *sums_at)
{
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                store_floats(
                    sums_at + (t * panels + p) * PANEL_ROWS + v * LANES,
                    sums[t][p][v]);
}

/* The sums of a tile, which are done, from row `start` of the inputs on.  They
 * go where they belong while the next tile is being computed: that line is far
 * from the one before, and memory takes its time to fetch it. */
INLINE void write_tile(const struct wide_out *to, size_t panels, size_t start,
                       vfloat (*sums)[TILE_PANELS][PANEL_VECTORS])
{
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t i = 0; i < panels * PANEL_VECTORS; i++)
        {
            size_t row = to->row + i * LANES;
            vfloat factors = load_floats(to->matrix->factors + row);
            if (start + t < to->end)
                store_rows(
                    sums[t][i / PANEL_VECTORS][i % PANEL_VECTORS] * factors,
                    to->out + (start + t) * to->stride, row,
                    to->matrix->rows);
        }
}

/* A block with a tile of inputs, from row `start` on, whose sums so far stand
 * at sums_at (tile, panels, 16) unless the block is the first. */
INLINE void tile_block(enum packed_kind kind, const struct block *b,
                       size_t panels, const struct inputs *x, size_t start,
                       float *sums_at, const struct wide_out *to)
{
    size_t at = start * x->groups + b->first * TILE_TOKENS;
    tile_sums sums = {{{{0}}}};
    if (b->first > 0)
        load_tile(panels, sums_at, sums);
    for (size_t g = 0; g < b->groups; g++, at += TILE_TOKENS) {
        vint whole[TILE_TOKENS][TILE_PANELS][PANEL_VECTORS];
        group_products(kind, b, g, panels, x, at, whole);
        tile_add(kind, b, g, panels, x, at, whole, sums);
    }
    if (b->first + b->groups == x->groups)
        write_tile(to, panels, start, sums);
    else
        keep_tile(panels, sums, sums_at);
}

/* Codes that are wanted soon: so many lines of each panel. */
struct lines {
    const unsigned char *at; /* of the first panel */
    size_t count;
};

INLINE size_t lines_of(enum packed_kind kind, size_t groups)
{
    return (groups + 1) / 2 * pair_bytes(kind) / 64;
}

INLINE size_t block_groups(enum packed_kind kind)
{
    return BLOCK_INPUTS / GROUP / parts_of(kind);
}

/* Those of the block behind this one; behind the last of a row, those of the
 * next panels' first, if the matrix has more. */
INLINE struct lines next_lines(enum packed_kind kind, const struct block *b,
                               size_t panels, const struct inputs *x,
                               const struct wide_out *to)
{
    const unsigned char *at = b->pairs + lines_of(kind, b->groups) * 64;
    size_t left = x->groups - b->first - b->groups;
    if (left == 0 &&
        to->row / PANEL_ROWS + 2 * panels <= packed_panels(to->matrix)) {
        at += (panels - 1) * b->panel_bytes;
        left = x->groups;
    }
    if (left > block_groups(kind))
        left = block_groups(kind);
    return (struct lines){at, lines_of(kind, left)};
}

/* While a tile is computed, the first of `turns` or a later one, memory may
 * fetch its share of them into the second cache: a block is expanded, or read
 * for the first time, faster than memory could send it. */
INLINE void ask_for_codes(const struct block *b, size_t panels,
                          const struct lines *next, size_t turn, size_t turns)
{
    size_t end = next->count * (turn + 1) / turns;
    for (size_t i = next->count * turn / turns; i < end; i++)
        UNROLL for (size_t p = 0; p < panels; p++)
            __builtin_prefetch(next->at + p * b->panel_bytes + i * 64, 0, 2);
}

/* Tile by tile, all rows of inputs from first to end - 1 and those that fill
 * up the last tile. */
INLINE void all_tiles(enum packed_kind kind, const struct block *b,
                      size_t panels, const struct inputs *x, size_t first,
                      size_t end, float *sums, const struct wide_out *to)
{
    size_t turns = (end - first + TILE_TOKENS - 1) / TILE_TOKENS;
    const struct lines next = next_lines(kind, b, panels, x, to);
    for (size_t t = first; t < end; t += TILE_TOKENS) {
        ask_for_codes(b, panels, &next, (t - first) / TILE_TOKENS, turns);
        set_block(kind, b, panels, x, t, sums, to);
        sums += TILE_TOKENS * panels * PANEL_ROWS;
    }
}

/* `count` panels from `panel` on, all rows of inputs: block by block of the
 * matrix's columns, so that its bytes and the sums stay near. */
INLINE void wide_panels(enum packed_kind kind, const struct packed *p,
                        size_t panel, size_t count, const struct inputs *x,
                        size_t first, size_t end, struct kernel_scratch *room,
                        float *out, size_t stride)
{
    size_t most = block_groups(kind);
    const struct wide_out to = {p, panel * PANEL_ROWS, end, out, stride};
    for (size_t pair = 0; pair < p->pairs; pair += most / 2) {
        size_t left = x->groups - 2 * pair;
        struct block b = {.bytes = room->bytes[0],
                          .pairs = p->bytes + panel * p->panel_bytes +
                                   pair * pair_bytes(kind),
                          .panel_bytes = p->panel_bytes,
                          .first = 2 * pair,
                          .groups = left < most ? left : most};
        for (size_t i = 0; i < count && is_expanded(kind); i++)
            expand_panel(kind, b.pairs + i * p->panel_bytes, b.groups,
                         room->bytes[i]);
        all_tiles(kind, &b, count, x, first, end, room->sums, &to);
    }
}

INLINE void wide_kind(enum packed_kind kind, const struct packed *p,
                      size_t first, size_t end, const struct inputs *x,
                      struct kernel_scratch *room, float *out, size_t stride)
{
    for (size_t t = 0; t < x->n; t += SLAB_ROWS) {
        size_t to = x->n - t < SLAB_ROWS ? x->n : t + SLAB_ROWS;
        size_t panel = first;
        for (; panel + TILE_PANELS <= end; panel += TILE_PANELS)
            wide_panels(kind, p, panel, TILE_PANELS, x, t, to, room, out,
                        stride);
        for (; panel < end; panel++)
            wide_panels(kind, p, panel, 1, x, t, to, room, out, stride);
    }
}

#endif

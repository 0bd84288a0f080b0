/* Matrices of codes: whole numbers are multiplied, and only their sums become
 * floats.
 *
 * The order of every sum, for a row of the matrix and a row of inputs: in a
 * group of 32 the products are whole numbers, and their sum is exact whatever
 * its order.  Between groups
 *
 *     sum = fused(that sum, scale of the weights * scale of the inputs, sum)
 *     sum = fused(minimum of the weights, total of the inputs, sum)
 *
 * from the first group to the last, the second line for AFFINE4 alone; at the
 * end sum * factor. */
#include "packed.h"
#include "vector.h"

enum int_sizes {
    FEW_ROWS = 8, /* of inputs, are multiplied as codes are read */
    AHEAD = 2304  /* bytes before they are used, they are asked for */
};

/* --- rounding inputs ---------------------------------------------------- */

enum rounding_sizes {
    GROUP_VECTORS = GROUP / LANES
};

/* The largest size, as the bits of a float: these have the order of the
 * numbers, and a number that is none is larger than all. */
INLINE int32_t largest_bits(const vint *bits)
{
    vint most = bits[0] & 0x7fffffff;
    UNROLL for (size_t v = 1; v < GROUP_VECTORS; v++)
    {
        vint other = bits[v] & 0x7fffffff, more = other > most;
        most = (other & more) | (most & ~more);
    }
    return largest_lane(most);
}

/* Round a group x (32,) to *q; returns its scale.  The magic number, added to a
 * small one, rounds that to a whole number, which the lowest bits of the sum
 * are; halves go to the even neighbour. */
INLINE float round_group(const float *x, vgroup *q)
{
    const float magic = 0x1.8p23f, nothing = 0x1p-100f;
    vfloat v[GROUP_VECTORS];
    vint bits[GROUP_VECTORS];
    memcpy(v, x, sizeof v);
    memcpy(bits, x, sizeof bits);
    int32_t most_bits = largest_bits(bits);
    float most;
    memcpy(&most, &most_bits, sizeof most);
    float inverse = most < nothing ? 0 : 127 / most;
    UNROLL for (size_t i = 0; i < GROUP_VECTORS; i++)
        bits[i] = (vint)(v[i] * inverse + magic);
    *q = lowest_bytes(bits);
    return most * (1.0f / 127);
}

/* Put a rounded group q of row t of a tile in its place, `at` being that of
 * the tile's group. */
INLINE void place_group(const struct inputs *in, vgroup q, float scale,
                        size_t at, size_t t)
{
    int32_t words[GROUP_WORDS];
    int32_t total = total_of(q);
    memcpy(words, &q, sizeof words);
    for (size_t j = 0; j < GROUP_WORDS; j++)
        in->words[at * GROUP_WORDS + j * in->tile + t] = words[j];
    in->scales[at + t] = scale;
    in->starts4[at + t] = start_nibbles(total, q);
    in->starts8[at + t] = start_bytes(total);
    in->totals[at + t] = scale * (float)total;
}

/* Of a row's last group there may be less; what is missing counts as 0. */
static void round_row(const struct inputs *in, const float *x, size_t cols,
                      size_t row)
{
    vgroup q;
    float rest[GROUP] = {0};
    size_t t = row % in->tile, whole = cols / GROUP;
    size_t at = (row - t) * in->groups;
    for (size_t g = 0; g < in->groups; g++, x += GROUP, at += in->tile) {
        if (g == whole)
            memcpy(rest, x, cols % GROUP * sizeof *x);
        float scale = round_group(g == whole ? rest : x, &q);
        place_group(in, q, scale, at, t);
    }
}

/* A row of zeros. */
static void fill_input(const struct inputs *in, size_t row)
{
    const vgroup nothing = {0};
    size_t t = row % in->tile, at = (row - t) * in->groups;
    for (size_t g = 0; g < in->groups; g++, at += in->tile)
        place_group(in, nothing, 0, at, t);
}

static void round_inputs(const struct inputs *in, const float *x, size_t cols,
                         size_t first, size_t end)
{
    for (size_t row = first; row < end; row++)
        round_row(in, x + row * cols, cols, row);
    for (size_t row = in->n; end == in->n && row < inputs_rows(in); row++)
        fill_input(in, row);
}

/* --- what a kind of codes is -------------------------------------------- */

INLINE size_t scale_bytes(enum packed_kind kind)
{
    return kind == PACKED_AFFINE4 ? 128 : 64;
}

/* A group of a panel as bytes, one for each code: vector v of word j. */
INLINE void expand_group(enum packed_kind kind, const unsigned char *codes,
                         vbytes *out)
{
    if (kind == PACKED_INT8) {
        UNROLL for (size_t i = 0; i < GROUP_WORDS * PANEL_VECTORS; i++)
            out[i] = load_bytes(codes + i * sizeof *out);
        return;
    }
    size_t half = GROUP_WORDS / 2 * PANEL_VECTORS;
    UNROLL for (size_t i = 0; i < half; i++)
    {
        vbytes both = load_bytes(codes + i * sizeof both);
        out[i] = both & 15;
        out[half + i] = both >> 4;
    }
}

INLINE size_t group_bytes(enum packed_kind kind)
{
    return kind == PACKED_INT8 ? 512 : 256;
}

INLINE vint first_sum(enum packed_kind kind, const struct inputs *x, size_t at)
{
    switch (kind) {
    case PACKED_INT4:
        return all_ints(x->starts4[at]);
    case PACKED_INT8:
        return all_ints(x->starts8[at]);
    default:
        return all_ints(0);
    }
}

INLINE vint add_products(enum packed_kind kind, vint sum, vbytes w, vint x)
{
    return kind == PACKED_INT8 ? dot_bytes(sum, w, x) : dot_nibbles(sum, w, x);
}

INLINE vint whole_sum(enum packed_kind kind, vint sum)
{
    return kind == PACKED_INT8 ? sum : nibbles_sum(sum);
}

/* --- few rows of inputs: as fast as memory ------------------------------ */

/* Where a panel is being read, and the sums of its rows so far. */
struct reader {
    const unsigned char *at;
    vfloat sums[FEW_ROWS][PANEL_VECTORS];
};

/* Go on by one group, number `in_pair` of its pair, for n rows of inputs whose
 * group begins at `at`. */
INLINE void multiply_group(enum packed_kind kind, struct reader *r, size_t in_pair,
                       const struct inputs *x, size_t at, size_t n)
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
            store_rows(r->sums[t][v] * load_floats(p->factors + row + v * LANES),
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

/* --- many rows of inputs: as fast as the vector units ------------------- */

/* Panels whose codes of a block stand as bytes in the nearest cache. */
struct block {
    const unsigned char *bytes;  /* (panels, groups, 512) */
    const unsigned char *scales; /* of the first panel: its pair */
    size_t panel_bytes;          /* how far on those of the next panel are */
    size_t first, groups;        /* of the row, and how many */
};

/* Codes of the groups of a block of one panel become bytes. */
INLINE void expand_panel(enum packed_kind kind, const unsigned char *pair,
                         size_t groups, unsigned char *bytes)
{
    vbytes w[GROUP_WORDS * PANEL_VECTORS];
    for (size_t g = 0; g < groups; g++, bytes += sizeof w) {
        const unsigned char *codes =
            pair + scale_bytes(kind) + g % 2 * group_bytes(kind);
        __builtin_prefetch(codes + AHEAD);
        __builtin_prefetch(codes + AHEAD + 64);
        __builtin_prefetch(codes + AHEAD + 128);
        __builtin_prefetch(codes + AHEAD + 192);
        expand_group(kind, codes, w);
        memcpy(bytes, w, sizeof w);
        pair += g % 2 ? scale_bytes(kind) + 2 * group_bytes(kind) : 0;
    }
}

/* The sums of a tile, in registers: rows of inputs, panels, vectors. */
typedef vfloat tile_sums[TILE_TOKENS][TILE_PANELS][PANEL_VECTORS];

/* The whole sums of group g of the block: of `panels` panels with a tile of
 * inputs, whose group begins at `at`. */
INLINE void tile_products(enum packed_kind kind, const struct block *b,
                          size_t g, size_t panels, const struct inputs *x,
                          size_t at, vint (*whole)[TILE_PANELS][PANEL_VECTORS])
{
    const int32_t *words = x->words + at * GROUP_WORDS;
    const unsigned char *bytes = b->bytes + g * GROUP_WORDS * 64;
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                whole[t][p][v] = first_sum(kind, x, at + t);
#pragma GCC unroll 2
    for (size_t j = 0; j < GROUP_WORDS; j++) {
        vbytes w[TILE_PANELS][PANEL_VECTORS];
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                w[p][v] = load_bytes(bytes + p * BLOCK_INPUTS * PANEL_ROWS +
                                     j * 64 + v * 4 * LANES);
        UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
            UNROLL for (size_t p = 0; p < panels; p++)
                UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                    whole[t][p][v] =
                        add_products(kind, whole[t][p][v], w[p][v],
                                     all_ints(words[j * TILE_TOKENS + t]));
    }
}

/* Add them to the sums. */
INLINE void tile_add(enum packed_kind kind, const struct block *b, size_t g,
                     size_t panels, const struct inputs *x, size_t at,
                     vint (*whole)[TILE_PANELS][PANEL_VECTORS],
                     vfloat (*sums)[TILE_PANELS][PANEL_VECTORS])
{
    size_t pair = g / 2 * (scale_bytes(kind) + 2 * group_bytes(kind));
    const unsigned char *scales = b->scales + pair + g % 2 * 2 * PANEL_ROWS;
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

/* A block with a tile of inputs, from row `start` on: added to sums_at (tile,
 * panels, 16). */
INLINE void tile_block(enum packed_kind kind, const struct block *b,
                       size_t panels, const struct inputs *x, size_t start,
                       float *sums_at)
{
    size_t at = start * x->groups + b->first * TILE_TOKENS;
    tile_sums sums;
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                sums[t][p][v] = load_floats(
                    sums_at + (t * panels + p) * PANEL_ROWS + v * LANES);
    for (size_t g = 0; g < b->groups; g++, at += TILE_TOKENS) {
        vint whole[TILE_TOKENS][TILE_PANELS][PANEL_VECTORS];
        tile_products(kind, b, g, panels, x, at, whole);
        tile_add(kind, b, g, panels, x, at, whole, sums);
    }
    UNROLL for (size_t t = 0; t < TILE_TOKENS; t++)
        UNROLL for (size_t p = 0; p < panels; p++)
            UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
                store_floats(
                    sums_at + (t * panels + p) * PANEL_ROWS + v * LANES,
                    sums[t][p][v]);
}

/* Tile by tile, all rows of inputs from first to end - 1 and those that fill
 * up the last tile. */
INLINE void all_tiles(enum packed_kind kind, const struct block *b,
                      size_t panels, const struct inputs *x, size_t first,
                      size_t end, float *sums)
{
    for (size_t t = first; t < end; t += TILE_TOKENS) {
        tile_block(kind, b, panels, x, t, sums);
        sums += TILE_TOKENS * panels * PANEL_ROWS;
    }
}

/* The sums (end - first, count, 16) of some panels, which are done. */
INLINE void write_wide(const struct packed *p, size_t panel, size_t count,
                       size_t first, size_t end, const float *sums, float *out,
                       size_t stride)
{
    size_t width = count * PANEL_ROWS, row = panel * PANEL_ROWS;
    for (size_t t = first; t < end; t++, sums += width)
        for (size_t i = 0; i < width; i += LANES)
            store_rows(load_floats(sums + i) *
                           load_floats(p->factors + row + i),
                       out + t * stride, row + i, p->rows);
}

/* `count` panels from `panel` on, all rows of inputs: block by block of the
 * matrix's columns, so that its bytes and the sums stay near. */
INLINE void wide_panels(enum packed_kind kind, const struct packed *p,
                        size_t panel, size_t count, const struct inputs *x,
                        size_t first, size_t end, struct kernel_scratch *room,
                        float *out, size_t stride)
{
    size_t pairs_of_block = BLOCK_INPUTS / GROUP / 2;
    size_t filled = (end - first + TILE_TOKENS - 1) / TILE_TOKENS * TILE_TOKENS;
    memset(room->sums, 0, filled * count * PANEL_ROWS * sizeof *room->sums);
    for (size_t pair = 0; pair < p->pairs; pair += pairs_of_block) {
        size_t left = x->groups - 2 * pair;
        struct block b = {.bytes = room->bytes[0],
                          .scales = p->bytes + panel * p->panel_bytes +
                                    pair * pair_bytes(kind),
                          .panel_bytes = p->panel_bytes,
                          .first = 2 * pair,
                          .groups = left < 2 * pairs_of_block
                                        ? left
                                        : 2 * pairs_of_block};
        for (size_t i = 0; i < count; i++)
            expand_panel(kind, b.scales + i * p->panel_bytes, b.groups,
                         room->bytes[i]);
        all_tiles(kind, &b, count, x, first, end, room->sums);
    }
    write_wide(p, panel, count, first, end, room->sums, out, stride);
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

/* --- the table ---------------------------------------------------------- */

INLINE void multiply_kind(enum packed_kind kind, const struct packed *p,
                          size_t first, size_t end, const struct inputs *x,
                          struct kernel_scratch *room, float *out,
                          size_t stride)
{
    switch (x->n) {
    case 1:
        thin_kind(kind, p, first, end, x, 1, out, stride);
        break;
    case 2:
        thin_kind(kind, p, first, end, x, 2, out, stride);
        break;
    case 3:
        thin_kind(kind, p, first, end, x, 3, out, stride);
        break;
    case 4:
        thin_kind(kind, p, first, end, x, 4, out, stride);
        break;
    case 5:
        thin_kind(kind, p, first, end, x, 5, out, stride);
        break;
    case 6:
        thin_kind(kind, p, first, end, x, 6, out, stride);
        break;
    case 7:
        thin_kind(kind, p, first, end, x, 7, out, stride);
        break;
    case FEW_ROWS:
        thin_kind(kind, p, first, end, x, FEW_ROWS, out, stride);
        break;
    default:
        wide_kind(kind, p, first, end, x, room, out, stride);
        break;
    }
}

static void multiply_int(const struct packed *p, const struct inputs *x,
                         size_t first, size_t end, struct kernel_scratch *room,
                         float *out, size_t stride)
{
    switch (p->kind) {
    case PACKED_INT4:
        multiply_kind(PACKED_INT4, p, first, end, x, room, out, stride);
        break;
    case PACKED_AFFINE4:
        multiply_kind(PACKED_AFFINE4, p, first, end, x, room, out, stride);
        break;
    default:
        multiply_kind(PACKED_INT8, p, first, end, x, room, out, stride);
        break;
    }
}

const struct int_kernels set_int_kernels = {FEW_ROWS, TILE_TOKENS,
                                            round_inputs, multiply_int};

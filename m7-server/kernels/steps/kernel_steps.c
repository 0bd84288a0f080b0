/* Steps 2 to 6: vectors.  Compiled once for each set of instructions. */
#include "product_steps.h"
#include "vector.h"

enum step_tiles {
    STEP_TOKENS = TILE_TOKENS, /* rows of inputs in a tile */
    PAIR_BYTES = 64 + 2 * CODE_GROUP, /* two groups and their scales */
    BYTES_AHEAD = 2304         /* so early memory is asked: four pairs */
};

/* --- step 2: a lane is a row -------------------------------------------- */

INLINE vint load_ints(const void *from)
{
    vint v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* LANES rows of a group times 32 inputs. */
INLINE vfloat dot_floats(const unsigned char *codes, const float *x)
{
    vfloat sum = {0};
    UNROLL for (size_t word = 0; word < 4; word++)
    {
        vint eight = load_ints(codes + word * 4 * PANEL_ROWS);
        UNROLL for (size_t i = 0; i < 4; i++)
        {
            vint low = (eight >> (int)(8 * i) & 15) - CODE_MIDDLE;
            vint high = (eight >> (int)(8 * i + 4) & 15) - CODE_MIDDLE;
            size_t input = 4 * word + i;
            sum = fused(to_floats(low), all_floats(x[input]), sum);
            sum = fused(to_floats(high), all_floats(x[16 + input]), sum);
        }
    }
    return sum;
}

/* A panel with a row of inputs x (cols,): its sums (16,). */
INLINE void panel_of_floats(const struct code_panels *m, size_t panel,
                            const float *x, vfloat *sums)
{
    size_t groups = m->cols / GROUP, at = panel * groups;
    for (size_t g = 0; g < groups; g++, at++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
        {
            const unsigned char *codes = m->codes + at * CODE_GROUP;
            const float *scales = m->scales + at * PANEL_ROWS;
            vfloat sum = dot_floats(codes + v * 4 * LANES, x + g * GROUP);
            sums[v] = fused(sum, load_floats(scales + v * LANES), sums[v]);
        }
}

/* The sums of a panel go to a row of the result. */
INLINE void store_panel(const vfloat *sums, size_t panel, size_t rows,
                        float *out)
{
    UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
        store_rows(sums[v], out, panel * PANEL_ROWS + v * LANES, rows);
}

static void multiply_by_vectors(const struct code_panels *m, const float *x,
                                size_t n, float *out)
{
    for (size_t panel = 0; panel < panels_of(m->rows); panel++)
        for (size_t t = 0; t < n; t++) {
            vfloat sums[PANEL_VECTORS] = {{0}};
            panel_of_floats(m, panel, x + t * m->cols, sums);
            store_panel(sums, panel, m->rows, out + t * m->rows);
        }
}

/* --- step 3: whole numbers ---------------------------------------------- */

/* LANES rows of a group times 32 inputs that were rounded: exact. */
INLINE vint dot_integers(const unsigned char *codes, const int32_t *words,
                         int32_t start)
{
    vint sum = all_ints(start);
    UNROLL for (size_t word = 0; word < 4; word++)
    {
        vbytes both = load_bytes(codes + word * 4 * PANEL_ROWS);
        sum = dot_nibbles(sum, both & 15, all_ints(words[word]));
        sum = dot_nibbles(sum, both >> 4, all_ints(words[4 + word]));
    }
    return nibbles_sum(sum);
}

/* A panel with row `t` of the inputs: its sums (16,). */
INLINE void panel_of_integers(const struct code_panels *m, size_t panel,
                              const struct inputs *x, size_t t, vfloat *sums)
{
    size_t from = panel * x->groups, to = t * x->groups;
    for (size_t g = 0; g < x->groups; g++, from++, to++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
        {
            const unsigned char *codes = m->codes + from * CODE_GROUP;
            const float *scales = m->scales + from * PANEL_ROWS;
            vint whole =
                dot_integers(codes + v * 4 * LANES,
                             x->words + to * GROUP_WORDS, x->starts4[to]);
            vfloat scale = load_floats(scales + v * LANES) * x->scales[to];
            sums[v] = fused(to_floats(whole), scale, sums[v]);
        }
}

static void multiply_by_integers(const struct code_panels *m,
                                 const struct inputs *x, float *out)
{
    for (size_t panel = 0; panel < panels_of(m->rows); panel++)
        for (size_t t = 0; t < x->n; t++) {
            vfloat sums[PANEL_VECTORS] = {{0}};
            panel_of_integers(m, panel, x, t, sums);
            store_panel(sums, panel, m->rows, out + t * m->rows);
        }
}

/* --- step 4: one load, several rows of inputs --------------------------- */

/* The sums of a tile: of each row of inputs, 16. */
typedef vfloat step_sums[STEP_TOKENS][PANEL_VECTORS];

/* LANES rows of a group, with the n rows of a tile whose group begins at `at`:
 * added to sums[t][v]. */
INLINE void add_tile_group(const unsigned char *codes, vfloat scale,
                           const struct inputs *x, size_t at, size_t n,
                           size_t v, vfloat (*sums)[PANEL_VECTORS])
{
    const int32_t *words = x->words + at * GROUP_WORDS;
    vbytes w[GROUP_WORDS];
    UNROLL for (size_t word = 0; word < 4; word++)
    {
        vbytes both = load_bytes(codes + word * 4 * PANEL_ROWS);
        w[word] = both & 15;
        w[4 + word] = both >> 4;
    }
    UNROLL for (size_t t = 0; t < n; t++)
    {
        vint sum = all_ints(x->starts4[at + t]);
        UNROLL for (size_t j = 0; j < GROUP_WORDS; j++)
            sum = dot_nibbles(sum, w[j], all_ints(words[j * n + t]));
        sums[t][v] = fused(to_floats(nibbles_sum(sum)),
                           scale * x->scales[at + t], sums[t][v]);
    }
}

/* The sums of a tile that begins with row `first`; what fills it up is not
 * stored. */
INLINE void store_tile(vfloat (*sums)[PANEL_VECTORS], size_t panel,
                       size_t rows, const struct inputs *x, size_t first,
                       size_t n, float *out)
{
    for (size_t t = 0; t < n && first + t < x->n; t++)
        store_panel(sums[t], panel, rows, out + (first + t) * rows);
}

INLINE void panel_of_tile(const struct code_panels *m, size_t panel,
                          const struct inputs *x, size_t first, size_t n,
                          vfloat (*sums)[PANEL_VECTORS])
{
    size_t from = panel * x->groups, at = first * x->groups;
    for (size_t g = 0; g < x->groups; g++, from++, at += n)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            add_tile_group(
                m->codes + from * CODE_GROUP + v * 4 * LANES,
                load_floats(m->scales + from * PANEL_ROWS + v * LANES), x, at,
                n, v, sums);
}

INLINE void tiles_of(const struct code_panels *m, const struct inputs *x,
                     size_t n, float *out)
{
    for (size_t panel = 0; panel < panels_of(m->rows); panel++)
        for (size_t first = 0; first < x->n; first += n) {
            step_sums sums = {{{0}}};
            panel_of_tile(m, panel, x, first, n, sums);
            store_tile(sums, panel, m->rows, x, first, n, out);
        }
}

static void multiply_by_tiles(const struct code_panels *m,
                              const struct inputs *x, float *out)
{
    if (x->tile == 1)
        tiles_of(m, x, 1, out);
    else
        tiles_of(m, x, STEP_TOKENS, out);
}

/* --- step 5: scales in line --------------------------------------------- */

/* A pair of groups, or the first alone: its scales, halves, come first. */
INLINE void add_pair(const unsigned char *pair, const struct inputs *x,
                     size_t g, size_t first, size_t n,
                     vfloat (*sums)[PANEL_VECTORS])
{
    for (size_t i = 0; i < 2 && g + i < x->groups; i++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            add_tile_group(
                pair + 64 + i * CODE_GROUP + v * 4 * LANES,
                load_halves(pair + 2 * (i * PANEL_ROWS + v * LANES)), x,
                first * x->groups + (g + i) * n, n, v, sums);
}

/* The factors of a panel's rows, and where their sums go. */
INLINE void finish_tile(const struct packed *p,
                        vfloat (*sums)[PANEL_VECTORS], size_t panel,
                        const struct inputs *x, size_t first, size_t n,
                        float *out)
{
    UNROLL for (size_t t = 0; t < n; t++)
        UNROLL for (size_t v = 0; v < PANEL_VECTORS; v++)
            sums[t][v] *=
                load_floats(p->factors + panel * PANEL_ROWS + v * LANES);
    store_tile(sums, panel, p->rows, x, first, n, out);
}

INLINE void in_line_of(const struct packed *p, const struct inputs *x,
                       size_t panel, size_t n, float *out)
{
    for (size_t first = 0; first < x->n; first += n) {
        const unsigned char *pair = p->bytes + panel * p->panel_bytes;
        step_sums sums = {{{0}}};
        for (size_t g = 0; g < x->groups; g += 2, pair += PAIR_BYTES)
            add_pair(pair, x, g, first, n, sums);
        finish_tile(p, sums, panel, x, first, n, out);
    }
}

static void multiply_in_line(const struct packed *p, const struct inputs *x,
                             size_t first, size_t end, float *out)
{
    for (size_t panel = first; panel < end; panel++)
        if (x->tile == 1)
            in_line_of(p, x, panel, 1, out);
        else
            in_line_of(p, x, panel, STEP_TOKENS, out);
}

/* --- step 6: two streams, asked for early ------------------------------- */

/* The lines of a pair that comes soon. */
INLINE void ask_early(const unsigned char *pair)
{
    UNROLL for (size_t line = 0; line < PAIR_BYTES; line += 64)
        __builtin_prefetch(pair + BYTES_AHEAD + line);
}

/* Two panels in turn, pair by pair. */
INLINE void streams_of(const struct packed *p, const struct inputs *x,
                       size_t one, size_t other, size_t n, float *out)
{
    for (size_t first = 0; first < x->n; first += n) {
        const unsigned char *pairs[2] = {p->bytes + one * p->panel_bytes,
                                         p->bytes + other * p->panel_bytes};
        step_sums sums[2] = {{{{0}}}};
        for (size_t g = 0; g < x->groups; g += 2)
            UNROLL for (size_t i = 0; i < 2; i++)
            {
                ask_early(pairs[i]);
                add_pair(pairs[i], x, g, first, n, sums[i]);
                pairs[i] += PAIR_BYTES;
            }
        finish_tile(p, sums[0], one, x, first, n, out);
        finish_tile(p, sums[1], other, x, first, n, out);
    }
}

static void multiply_by_streams(const struct packed *p,
                                const struct inputs *x, size_t first,
                                size_t end, float *out)
{
    size_t half = (end - first) / 2;
    for (size_t i = first; i < first + half; i++)
        if (x->tile == 1)
            streams_of(p, x, i, i + half, 1, out);
        else
            streams_of(p, x, i, i + half, STEP_TOKENS, out);
    multiply_in_line(p, x, first + 2 * half, end, out);
}

const struct step_kernels set_step_kernels = {
    STEP_TOKENS,       multiply_by_vectors, multiply_by_integers,
    multiply_by_tiles, multiply_in_line,    multiply_by_streams};

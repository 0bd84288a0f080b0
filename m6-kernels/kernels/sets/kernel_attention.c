/* Attention over panels.  The order of every sum stands in queries.h.
 *
 * Keys and values of a block of 64 positions become floats once, and all rows
 * use them: the scores of the rows are a product of two matrices, and so are
 * the sums of the values. */
#include "kernel_few_queries.h"
#include "kernel_math.h"

#include <math.h>

enum attention_sizes {
    BLOCK_VECTORS = QUERY_BLOCK / LANES
};

/* --- scores -------------------------------------------------------------- */

/* Tile by tile, rows that are shared out evenly: n is how many the next tile
 * has, of `left`. */
INLINE size_t next_tile(size_t left)
{
    size_t tiles = (left + TILE_ROWS - 1) / TILE_ROWS;
    return (left + tiles - 1) / tiles;
}

/* Scores from the keys that room->numbers has, tile by tile; `part` is the
 * first number of a part, of which there are `size`. */
static void score_tiles(const struct queries *q, size_t block, size_t part,
                        size_t size, const struct query_room *room,
                        const struct sums_to *to)
{
    bool same;
    for (size_t row = 0, n; row < q->n; row += n) {
        n = next_tile(q->n - row);
        struct block_view view = view_of_rows(q, block, row, n, &same);
        struct sums_of s = {.x = q->q, .x_stride = q->keys->head_dim,
                            .m = room->numbers, .stride = QUERY_BLOCK,
                            .first = part, .end = part + size};
        if (part == 0)
            s.asking = ask_for(q, row, n, size, q->values, block);
        if (view.end > 0)
            sum_rows(n, &s, row, view.first / PANEL_ROWS * PANEL_ROWS,
                     filled_up(view.end), to);
    }
}

/* The same of few rows, from the keys where they stand. */
static void score_few(const struct queries *q, size_t block, size_t part,
                      size_t size, const struct query_room *room,
                      const struct sums_to *to)
{
    struct few_sums f = {.panels = q->keys,
                         .block = panel_of(q->keys, block, q->head),
                         .n = q->n, .x = room->few,
                         .first = part, .end = part + size};
    if (part == 0)
        f.asking = ask_for(q, 0, q->n, size, q->values, block);
    sum_few(false, &f, 0, QUERY_BLOCK, to);
}

/* The scores of all rows for the keys of a block. */
static void score_block(const struct queries *q, size_t block, bool few,
                        struct query_room *room)
{
    const struct panels *keys = q->keys;
    size_t parts = keys->n_parts ? keys->n_parts : 1;
    for (size_t j = 0, part = 0; j < parts; j++) {
        size_t size = part_size(keys->kind, keys->head_dim - part);
        struct sums_to to = {.out = room->scores, .stride = QUERY_BLOCK,
                             .adds = j > 0};
        if (keys->n_parts)
            to.scales = room->scales + j * QUERY_BLOCK;
        if (few)
            score_few(q, block, part, size, room, &to);
        else
            score_tiles(q, block, part, size, room, &to);
        part += size;
    }
}

INLINE vfloat larger_floats(vfloat a, vfloat b)
{
    return select_floats(a > b, a, b);
}

/* Of lane i and lane i + `by`, in all lanes: lanes are a ring. */
INLINE vfloat turned_lanes(vfloat v, size_t by)
{
    return pick_lanes(v, counted_lanes(by) & (LANES - 1));
}

INLINE float largest_float(vfloat v)
{
    UNROLL for (size_t by = LANES / 2; by > 0; by /= 2)
        v = larger_floats(v, turned_lanes(v, by));
    return v[0];
}

/* The sum of 16 sums, in vectors side by side, as queries.h says. */
INLINE float sum_of_sums(vfloat *sums)
{
    UNROLL for (size_t by = PANEL_VECTORS / 2; by > 0; by /= 2)
        UNROLL for (size_t i = 0; i < by; i++)
            sums[i] = sums[i] + sums[i + by];
    vfloat v = sums[0];
    UNROLL for (size_t by = LANES / 2; by > 0; by /= 2)
        v = v + turned_lanes(v, by);
    return v[0];
}

/* cap * tanh(score / cap), of a row. */
static void cap_scores(float *scores, float cap)
{
    for (size_t i = 0; i < QUERY_BLOCK; i += LANES)
        store_floats(scores + i,
                     cap * vector_tanh(load_floats(scores + i) / cap));
}

/* The largest of `before` and of the scores at positions that the row sees. */
INLINE float largest_score(struct block_view view, const float *scores,
                           float before)
{
    const vfloat nothing = all_floats(-__builtin_inff());
    vfloat most = nothing;
    UNROLL for (size_t i = 0; i < BLOCK_VECTORS; i++)
        most = larger_floats(select_floats(seen_lanes(view, i * LANES),
                                           load_floats(scores + i * LANES),
                                           nothing),
                             most);
    float here = largest_float(most);
    return here > before ? here : before;
}

/* A row's scores become e, and 0 at positions that it does not see; returns
 * the sum of all e. */
INLINE float weigh_row(struct block_view view, float *scores, float largest)
{
    vfloat sums[PANEL_VECTORS] = {{0}};
    UNROLL for (size_t i = 0; i < BLOCK_VECTORS; i++)
    {
        float *at = scores + i * LANES;
        vfloat e = select_floats(seen_lanes(view, i * LANES),
                                 vector_exp(load_floats(at) - largest),
                                 (vfloat){0});
        store_floats(at, e);
        sums[i % PANEL_VECTORS] = sums[i % PANEL_VECTORS] + e;
    }
    return sum_of_sums(sums);
}

/* What each row's sums so far are multiplied with.  Where the largest score
 * has not changed that is 1, also for a row that has seen nothing, whose -inf
 * less -inf would be no number.  A vector of rows at once, of which the last
 * is filled up. */
static void find_factors(size_t n, const float *before, const float *now,
                         float *factors)
{
    for (size_t row = 0; row < n; row += LANES) {
        vfloat old = load_floats(before + row), new = load_floats(now + row);
        store_floats(factors + row,
                     select_floats(old == new, all_floats(1),
                                   vector_exp(old - new)));
    }
}

/* First the largest scores of all rows, then their factors, then e and sums:
 * within a row these wait for one another, but no row waits for another.  A
 * row that sees nothing of the block keeps its largest score and its total. */
static void weigh_block(const struct queries *q, size_t block,
                        struct query_room *room, struct found *out)
{
    float before[QUERY_ROWS] = {0}, now[QUERY_ROWS] = {0};
    memcpy(before, out->largest, q->n * sizeof *before);
    for (size_t row = 0; row < q->n; row++) {
        float *scores = room->scores + row * QUERY_BLOCK;
        if (q->soft_cap > 0)
            cap_scores(scores, q->soft_cap);
        now[row] = largest_score(view_of_row(q, block, row), scores,
                                 before[row]);
    }
    find_factors(q->n, before, now, room->factors);
    for (size_t row = 0; row < q->n; row++) {
        float sum = weigh_row(view_of_row(q, block, row),
                              room->scores + row * QUERY_BLOCK, now[row]);
        out->largest[row] = now[row];
        out->totals[row] = fmaf(out->totals[row], room->factors[row], sum);
    }
}

/* e times the scale of part j of the values, 0 where a row does not see. */
static void scale_weights(const struct queries *q, size_t block, size_t j,
                          struct query_room *room)
{
    for (size_t row = 0; row < q->n; row++) {
        struct block_view view = view_of_row(q, block, row);
        for (size_t i = 0; i < QUERY_BLOCK; i += LANES) {
            size_t at = row * QUERY_BLOCK + i;
            vfloat scaled = load_floats(room->scores + at) *
                            load_floats(room->scales + j * QUERY_BLOCK + i);
            store_floats(room->weights + at,
                         select_floats(seen_lanes(view, i), scaled,
                                       (vfloat){0}));
        }
    }
}

/* Add the values of columns first .. end - 1, n rows from `row` on.  What a
 * row does not see has weight 0, which leaves no trace, unless the value is
 * not finite: then rows that see different positions are alone. */
static void add_tile(const struct queries *q, size_t block, size_t row,
                     size_t n, bool finite, struct sums_of *s, size_t first,
                     size_t end, const struct sums_to *to)
{
    bool same;
    struct block_view view = view_of_rows(q, block, row, n, &same);
    if (!same && !finite) {
        for (size_t r = row; r < row + n; r++)
            add_tile(q, block, r, 1, finite, s, first, end, to);
        return;
    }
    s->first = view.first;
    s->end = view.end;
    if (first == 0)
        s->asking = ask_for(q, row, n, view.end - view.first, q->keys,
                            block + QUERY_BLOCK);
    if (view.end > 0)
        sum_rows(n, s, row, first, end, to);
}

/* Values of columns first .. end - 1, which room->numbers has, times the
 * weights x (n, QUERY_BLOCK), to the sums of all rows. */
static void add_tiles(const struct queries *q, size_t block, bool finite,
                      const struct query_room *room, const float *x,
                      size_t first, size_t end, const struct sums_to *to)
{
    for (size_t row = 0, n; row < q->n; row += n) {
        struct sums_of s = {.x = x, .x_stride = QUERY_BLOCK,
                            .m = room->numbers, .stride = q->values->width};
        n = next_tile(q->n - row);
        add_tile(q, block, row, n, finite, &s, first, end, to);
    }
}

/* The same of few rows, from the values where they stand. */
static void add_few(const struct queries *q, size_t block, const float *x,
                    size_t first, size_t end, const struct sums_to *to)
{
    struct block_view view = view_of_row(q, block, 0);
    struct few_sums f = {.panels = q->values,
                         .block = panel_of(q->values, block, q->head),
                         .n = q->n, .x = x,
                         .first = view.first, .end = view.end};
    if (first == 0)
        f.asking = ask_for(q, 0, q->n, view.end - view.first, q->keys,
                           block + QUERY_BLOCK);
    sum_few(true, &f, first, end, to);
}

/* The values of a block, weighed, to the sums of all rows. */
static void add_block(const struct queries *q, size_t block, bool few,
                      bool finite, struct query_room *room, struct found *out)
{
    const struct panels *values = q->values;
    size_t parts = values->n_parts ? values->n_parts : 1;
    struct sums_to to = {.out = out->sums, .stride = values->width,
                         .adds = true, .factors = room->factors};
    for (size_t j = 0, part = 0, column = 0; j < parts; j++) {
        size_t size = part_size(values->kind, values->head_dim - part);
        size_t end = column + filled_up(size);
        const float *x = values->n_parts ? room->weights : room->scores;
        if (values->n_parts)
            scale_weights(q, block, j, room);
        if (few)
            add_few(q, block, x, column, end, &to);
        else
            add_tiles(q, block, finite, room, x, column, end, &to);
        part += size;
        column = end;
    }
}

/* What the rows find in a block.  Few rows that see the same read panels
 * where they stand; more of them share numbers that became floats before. */
static void attend_block(const struct queries *q, size_t block,
                         struct query_room *room, struct found *out)
{
    bool same, finite = true;
    struct block_view view = view_of_rows(q, block, 0, q->n, &same);
    size_t first = block + view.first, end = block + view.end;
    if (view.end == 0)
        return;
    bool few = same && q->n <= FEW_QUERIES;
    if (few)
        read_part_scales(q->keys, q->head, block, block + QUERY_BLOCK, room);
    else
        read_panels(q->keys, q->head, first, end, room);
    score_block(q, block, few, room);
    weigh_block(q, block, room, out);
    if (few)
        read_part_scales(q->values, q->head, first, end, room);
    else
        finite = read_panels(q->values, q->head, first, end, room);
    add_block(q, block, few, finite, room, out);
}

/* The queries of few rows, number by number. */
static void turn_over(const struct queries *q, float *few)
{
    for (size_t row = 0; row < q->n; row++)
        for (size_t i = 0; i < q->keys->head_dim; i++)
            few[i * q->n + row] = q->q[row * q->keys->head_dim + i];
}

static void attend_range(const struct queries *q, size_t start,
                         struct query_room *room, struct found *out)
{
    for (size_t row = 0; row < q->n; row++) {
        out->largest[row] = -__builtin_inff();
        out->totals[row] = 0;
    }
    memset(out->sums, 0, q->n * q->values->width * sizeof *out->sums);
    if (q->n <= FEW_QUERIES)
        turn_over(q, room->few);
    for (size_t at = start; at < start + QUERY_RANGE; at += QUERY_BLOCK)
        attend_block(q, at, room, out);
}

/* A row of a range, which saw something, to what the row had found. */
static void join_row(struct found *all, const struct found *range, size_t row,
                    size_t width)
{
    float before = all->largest[row], here = range->largest[row];
    float now = here > before ? here : before;
    vfloat old = vector_exp(all_floats(before - now));
    vfloat new = vector_exp(all_floats(here - now));
    vfloat total = all_floats(range->totals[row]) * new;
    all->largest[row] = now;
    all->totals[row] = fused(all_floats(all->totals[row]), old, total)[0];
    for (size_t i = row * width; i < (row + 1) * width; i += LANES)
        store_floats(all->sums + i,
                     fused(load_floats(all->sums + i), old,
                           load_floats(range->sums + i) * new));
}

static void join_range(struct found *all, const struct found *range, size_t n,
                      size_t width)
{
    for (size_t row = 0; row < n; row++) {
        if (range->totals[row] == 0)
            continue;
        if (all->totals[row] != 0) {
            join_row(all, range, row, width);
            continue;
        }
        all->largest[row] = range->largest[row];
        all->totals[row] = range->totals[row];
        memcpy(all->sums + row * width, range->sums + row * width,
               width * sizeof *all->sums);
    }
}

static void finish_row(const struct panels *values, const struct found *all,
                       size_t row, float *out)
{
    const float *sums = all->sums + row * values->width;
    vfloat total = all_floats(all->totals[row]);
    for (size_t at = 0, column = 0, size; at < values->head_dim; at += size) {
        size = part_size(values->kind, values->head_dim - at);
        for (size_t i = 0; i < size; i += LANES)
            store_rows((vfloat){0} + load_floats(sums + column + i) / total,
                       out + at, i, size);
        column += filled_up(size);
    }
}

const struct attention_kernels set_attention_kernels = {
    attend_range, join_range, finish_row};

/* Attention over panels.  The order of every sum stands in queries.h.
 *
 * Keys and values of a block of 64 positions become floats once, near the
 * processor, and all rows use them: the scores of the rows are a product of
 * two matrices, and so are the sums of the values. */
#include "kernel_math.h"
#include "kernel_panels.h"
#include "kernel_tiles.h"

enum attention_sizes {
    BLOCK_VECTORS = QUERY_BLOCK / LANES
};

/* --- a block ------------------------------------------------------------- */

/* The positions of a block that a row sees, or several rows do together:
 * first .. end - 1, counted from the block's beginning. */
struct block_view {
    size_t first, end;
};

INLINE struct block_view view_of_row(const struct queries *q, size_t block,
                               size_t row)
{
    size_t first = q->first[row] > block ? q->first[row] - block : 0;
    size_t end = q->end[row] > block ? q->end[row] - block : 0;
    end = end < QUERY_BLOCK ? end : QUERY_BLOCK;
    return first < end ? (struct block_view){first, end}
                       : (struct block_view){0, 0};
}

/* *same: whether all of them see the same. */
static struct block_view view_of_rows(const struct queries *q, size_t block,
                                size_t row, size_t n, bool *same)
{
    struct block_view all = view_of_row(q, block, row);
    *same = true;
    for (size_t r = row + 1; r < row + n; r++) {
        struct block_view one = view_of_row(q, block, r);
        *same = *same && one.first == all.first && one.end == all.end;
        if (one.end == 0)
            continue;
        all.first =
            all.end == 0 || one.first < all.first ? one.first : all.first;
        all.end = one.end > all.end ? one.end : all.end;
    }
    return all;
}

/* The lanes, counted from `first` on. */
INLINE vint counted_lanes(size_t first)
{
    static const int32_t counted[PANEL_ROWS] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    vint lanes;
    memcpy(&lanes, counted, sizeof lanes);
    return lanes + (int32_t)first;
}

/* Which of the lanes, positions of the block from `lane` on, a row sees. */
INLINE vint seen_lanes(struct block_view view, size_t lane)
{
    vint at = counted_lanes(lane);
    return (at >= (int32_t)view.first) & (at < (int32_t)view.end);
}

/* Tile by tile, rows that are shared out evenly: n is how many the next tile
 * has, of `left`. */
INLINE size_t next_tile(size_t left)
{
    size_t tiles = (left + TILE_ROWS - 1) / TILE_ROWS;
    return (left + tiles - 1) / tiles;
}

/* The scores of all rows, from the keys that room->numbers has. */
static void score_block(const struct queries *q, size_t block,
                        struct query_room *room)
{
    const struct panels *keys = q->keys;
    size_t parts = keys->n_parts ? keys->n_parts : 1;
    bool same;
    for (size_t row = 0, n; row < q->n; row += n) {
        n = next_tile(q->n - row);
        struct block_view view = view_of_rows(q, block, row, n, &same);
        size_t at = 0;
        for (size_t j = 0; j < parts && view.end > 0; j++) {
            size_t size = part_size(keys->kind, keys->head_dim - at);
            struct sums_of s = {q->q, keys->head_dim, room->numbers,
                                QUERY_BLOCK, at, at + size, NULL, 0};
            if (j == 0)
                ask_for(&s, q, row, n, q->values, block);
            struct sums_to to = {room->scores, QUERY_BLOCK, NULL, j > 0, NULL};
            if (keys->n_parts)
                to.scales = room->scales + j * QUERY_BLOCK;
            sum_rows(n, &s, row, view.first / PANEL_ROWS * PANEL_ROWS,
                     filled_up(view.end), &to);
            at += size;
        }
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

/* A row's scores become e.  Where it sees nothing they are 0, and so the rest
 * of the row stays as it is. */
static void weigh_row(struct block_view view, float *scores, float *largest,
                      float *total, float *factor)
{
    const vfloat nothing = all_floats(-__builtin_inff());
    vfloat most = nothing, e[BLOCK_VECTORS];
    vfloat sums[PANEL_VECTORS] = {{0}};
    UNROLL for (size_t i = 0; i < BLOCK_VECTORS; i++)
    {
        e[i] = select_floats(seen_lanes(view, i * LANES),
                             load_floats(scores + i * LANES), nothing);
        most = larger_floats(e[i], most);
    }
    float before = *largest, now = largest_float(most);
    now = now > before ? now : before;
    UNROLL for (size_t i = 0; i < BLOCK_VECTORS; i++)
    {
        e[i] = select_floats(seen_lanes(view, i * LANES),
                             vector_exp(e[i] - now), (vfloat){0});
        store_floats(scores + i * LANES, e[i]);
        sums[i % PANEL_VECTORS] = sums[i % PANEL_VECTORS] + e[i];
    }
    if (view.end == 0)
        return;
    *largest = now;
    *factor = now == before ? 1 : vector_exp(all_floats(before - now))[0];
    *total = fused(all_floats(*total), all_floats(*factor),
                   all_floats(sum_of_sums(sums)))[0];
}

static void weigh_block(const struct queries *q, size_t block,
                        struct query_room *room, struct found *out)
{
    for (size_t row = 0; row < q->n; row++) {
        float *scores = room->scores + row * QUERY_BLOCK;
        if (q->soft_cap > 0)
            cap_scores(scores, q->soft_cap);
        room->factors[row] = 1;
        weigh_row(view_of_row(q, block, row), scores, &out->largest[row],
                  &out->totals[row], &room->factors[row]);
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
    s->ahead_step = 0;
    if (first == 0)
        ask_for(s, q, row, n, q->keys, block + QUERY_BLOCK);
    if (view.end > 0)
        sum_rows(n, s, row, first, end, to);
}

/* The values that room->numbers has, weighed, to the sums of all rows. */
static void add_block(const struct queries *q, size_t block, bool finite,
                      struct query_room *room, struct found *out)
{
    const struct panels *values = q->values;
    size_t parts = values->n_parts ? values->n_parts : 1;
    size_t at = 0, column = 0;
    for (size_t j = 0; j < parts; j++) {
        size_t size = part_size(values->kind, values->head_dim - at);
        struct sums_of s = {room->scores, QUERY_BLOCK, room->numbers,
                            values->width, 0, 0, NULL, 0};
        struct sums_to to = {out->sums, values->width, NULL, true,
                             room->factors};
        if (values->n_parts) {
            scale_weights(q, block, j, room);
            s.x = room->weights;
        }
        for (size_t row = 0, n; row < q->n; row += n) {
            n = next_tile(q->n - row);
            add_tile(q, block, row, n, finite, &s, column,
                     column + filled_up(size), &to);
        }
        at += size;
        column += filled_up(size);
    }
}

/* --- the table ----------------------------------------------------------- */

static void attend_range(const struct queries *q, size_t start,
                         struct query_room *room, struct found *out)
{
    bool same;
    for (size_t row = 0; row < q->n; row++) {
        out->largest[row] = -__builtin_inff();
        out->totals[row] = 0;
    }
    memset(out->sums, 0, q->n * q->values->width * sizeof *out->sums);
    for (size_t at = start; at < start + QUERY_RANGE; at += QUERY_BLOCK) {
        struct block_view view = view_of_rows(q, at, 0, q->n, &same);
        if (view.end == 0)
            continue;
        read_panels(q->keys, q->head, at + view.first, at + view.end, room);
        score_block(q, at, room);
        weigh_block(q, at, room, out);
        bool finite = read_panels(q->values, q->head, at + view.first,
                                  at + view.end, room);
        add_block(q, at, finite, room, out);
    }
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

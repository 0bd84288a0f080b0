/* Attention over panels.  The order of every sum stands in queries.h.
 *
 * Keys and values of a block of 64 positions become floats once, near the
 * processor, and all rows use them: the scores of the rows are a product of
 * two matrices, and so are the sums of the values. */
#include "kernel_math.h"
#include "queries.h"
#include "vector.h"

enum attention_tile {
    TILE_ROWS = 6,
    TILE_UNITS = LANES == 16 ? 4 : 1, /* of 16 columns */
    TABLE_VECTORS = MOST_CENTROIDS / LANES,
    BLOCK_VECTORS = QUERY_BLOCK / LANES,
    LINE_BYTES = 64
};

/* --- numbers of panels become floats ------------------------------------- */

/* The numbers of a panel, and where they go as floats: number (row, column) to
 * out[row * stride + column]. */
struct expansion {
    const unsigned char *from;
    size_t rows, width;
    vfloat table[TABLE_VECTORS]; /* what codes stand for */
    float *out;
    size_t stride;
};

INLINE void put_number(const struct expansion *x, size_t row, size_t column,
                       vfloat v)
{
    store_floats(x->out + row * x->stride + column, v);
}

/* Floats, halves or bytes.  Returns lanes that are not 0 where a number is
 * infinite, or none. */
INLINE vint expand_numbers(enum panel_kind kind, const struct expansion *x)
{
    vint bad = {0};
    for (size_t row = 0; row < x->rows; row++)
        for (size_t c = 0; c < x->width; c += LANES) {
            size_t i = row * x->width + c;
            vfloat v = kind == PANEL_F32   ? load_floats(x->from + 4 * i)
                       : kind == PANEL_F16 ? load_halves(x->from + 2 * i)
                                   : to_floats(load_signed(x->from + i));
            if (kind != PANEL_INT8)
                bad |= ((vint)v & 0x7f800000) == 0x7f800000;
            put_number(x, row, c, v);
        }
    return bad;
}

/* Codes of 4 or 2 bits: the rows that share a byte. */
INLINE void expand_codes(int bits, const struct expansion *x)
{
    size_t sharing = (size_t)(8 / bits);
    const unsigned char *at = x->from;
    for (size_t row = 0; row < x->rows; row += sharing, at += x->width)
        for (size_t c = 0; c < x->width; c += LANES) {
            vint codes = load_unsigned(at + c);
            UNROLL for (size_t i = 0; i < sharing; i++)
                if (row + i < x->rows)
                    put_number(x, row + i, c,
                               look_up(x->table, codes >> (int)i * bits));
        }
}

/* Codes of 3 bits: the lower two of four rows share a byte, the third of
 * eight. */
INLINE void expand_three_bits(const struct expansion *x)
{
    const unsigned char *third = x->from + (x->rows + 3) / 4 * x->width;
    for (size_t row = 0; row < x->rows; row += 4)
        for (size_t c = 0; c < x->width; c += LANES) {
            vint low = load_unsigned(x->from + row / 4 * x->width + c);
            vint high = load_unsigned(third + row / 8 * x->width + c);
            high = (high << 2) >> (int)(row % 8);
            UNROLL for (size_t i = 0; i < 4; i++)
            {
                vint code = (low >> (int)(2 * i) & 3) | (high >> (int)i & ~3);
                if (row + i < x->rows)
                    put_number(x, row + i, c, look_up(x->table, code));
            }
        }
}

static vint expand_panel_of(const struct panels *p, const unsigned char *panel,
                            float *out, size_t stride)
{
    struct expansion x = {.from = panel + p->scale_bytes,
                          .rows = p->rows,
                          .width = p->width,
                          .out = out,
                          .stride = stride};
    memcpy(x.table, p->centroids, sizeof x.table);
    switch (p->kind) {
    case PANEL_F32:
        return expand_numbers(PANEL_F32, &x);
    case PANEL_F16:
        return expand_numbers(PANEL_F16, &x);
    case PANEL_INT8:
        return expand_numbers(PANEL_INT8, &x);
    case PANEL_4BITS:
        expand_codes(4, &x);
        break;
    case PANEL_3BITS:
        expand_three_bits(&x);
        break;
    default:
        expand_codes(2, &x);
        break;
    }
    return (vint){0};
}

/* The scales of a panel: those of part j to out + j * QUERY_BLOCK.  The length
 * of a part of 2^k numbers is kept with codes whose numbers are sqrt(2^k)
 * times as large, and the turned query is, too. */
INLINE void expand_scales(const struct panels *p, const unsigned char *panel,
                          float *out)
{
    for (size_t at = 0, j = 0; j < p->n_parts; j++, out += QUERY_BLOCK) {
        size_t size = part_size(p->kind, p->head_dim - at);
        for (size_t c = 0; c < PANEL_POSITIONS; c += LANES) {
            size_t i = j * PANEL_POSITIONS + c;
            store_floats(out + c, p->kind == PANEL_INT8
                                      ? load_floats(panel + 4 * i)
                                      : load_halves(panel + 2 * i) *
                                            (1 / (float)size));
        }
        at += size;
    }
}

/* The panels of a block that have the positions from first to end - 1.  Keys
 * become numbers[i * QUERY_BLOCK + position of the block], values
 * numbers[position * width + i].  Returns whether all are finite. */
INLINE bool read_panels(const struct panels *p, size_t head, size_t first,
                        size_t end, struct query_room *room)
{
    vint bad = {0};
    int32_t any = 0;
    size_t begin = first / PANEL_POSITIONS * PANEL_POSITIONS;
    for (size_t at = begin; at < end; at += PANEL_POSITIONS) {
        size_t slot = at % QUERY_BLOCK;
        const unsigned char *panel = panel_of(p, at, head);
        float *out = room->numbers + slot * (p->is_values ? p->width : 1);
        bad |= expand_panel_of(p, panel, out,
                               p->is_values ? p->width : QUERY_BLOCK);
        expand_scales(p, panel, room->scales + slot);
    }
    for (size_t i = 0; i < LANES; i++)
        any |= bad[i];
    return any == 0;
}

/* --- sums of products ---------------------------------------------------- */

/* Rows x times a matrix: the sums over k, from first to end - 1, of
 * x[row * x_stride + k] * m[k * stride + column]. */
struct sums_of {
    const float *x;
    size_t x_stride;
    const float *m;
    size_t stride;
    size_t first, end;
    const unsigned char *ahead; /* what is asked for meanwhile: so many bytes */
    size_t ahead_step;          /* at each k, whole lines; 0: nothing */
};

/* Where sums go. */
struct sums_to {
    float *out; /* of row r, column c: out[r * stride + c] */
    size_t stride;
    const float *scales;  /* of the columns; NULL: there are none */
    bool adds;            /* to what is there */
    const float *factors; /* of the rows, what is there times; NULL: scores */
};

/* While the sums of rows from `row` on are computed, memory may fetch their
 * share of what is wanted next: a block of panels, of the queries' head. */
INLINE void ask_for(struct sums_of *s, const struct queries *q, size_t row,
                    size_t n, const struct panels *p, size_t position)
{
    size_t bytes = BLOCK_PANELS * p->bytes, steps = s->end - s->first;
    size_t first = bytes * row / q->n / LINE_BYTES * LINE_BYTES;
    size_t lines = bytes * n / q->n / LINE_BYTES + 1;
    s->ahead = panel_of(p, position, q->head) + first;
    s->ahead_step = steps ? (lines + steps - 1) / steps * LINE_BYTES : 0;
}

/* Into the second cache: it can wait for more lines at once than the first.
 * From memory, in one thread, that made a cache of halves 1.5 to 1.8 times as
 * fast to read. */
INLINE void ask_memory(const unsigned char *line)
{
    __builtin_prefetch(line, 0, 2);
}

/* n rows and so many units of 16 columns, from `column` on. */
INLINE void sum_tile(size_t n, size_t units, const struct sums_of *s,
                     size_t row, size_t column,
                     vfloat sums[TILE_ROWS][TILE_UNITS * PANEL_VECTORS])
{
    const float *x = s->x + row * s->x_stride;
    const float *m = s->m + column;
    for (size_t k = s->first; k < s->end; k++) {
        for (size_t i = 0; i < s->ahead_step; i += LINE_BYTES)
            ask_memory(s->ahead + (k - s->first) * s->ahead_step + i);
        vfloat v[TILE_UNITS * PANEL_VECTORS];
        UNROLL for (size_t i = 0; i < units * PANEL_VECTORS; i++)
            v[i] = load_floats(m + k * s->stride + i * LANES);
        UNROLL for (size_t r = 0; r < n; r++)
        {
            vfloat factor = all_floats(x[r * s->x_stride + k]);
            UNROLL for (size_t i = 0; i < units * PANEL_VECTORS; i++)
                sums[r][i] = fused(factor, v[i], sums[r][i]);
        }
    }
}

/* The same, and to where they go. */
INLINE void put_tile(size_t n, size_t units, const struct sums_of *s,
                     size_t row, size_t column, const struct sums_to *to)
{
    vfloat sums[TILE_ROWS][TILE_UNITS * PANEL_VECTORS] = {{{0}}};
    sum_tile(n, units, s, row, column, sums);
    UNROLL for (size_t r = 0; r < n; r++)
    {
        float *out = to->out + (row + r) * to->stride + column;
        UNROLL for (size_t i = 0; i < units * PANEL_VECTORS; i++)
        {
            vfloat sum = sums[r][i];
            if (to->factors)
                sum = fused(load_floats(out + i * LANES),
                            all_floats(to->factors[row + r]), sum);
            else if (to->scales && to->adds)
                sum = fused(sum, load_floats(to->scales + column + i * LANES),
                            load_floats(out + i * LANES));
            else if (to->scales)
                sum = sum * load_floats(to->scales + column + i * LANES);
            store_floats(out + i * LANES, sum);
        }
    }
}

/* All columns from first to end - 1, multiples of 16. */
INLINE void sum_columns(size_t n, const struct sums_of *s, size_t row,
                        size_t first, size_t end, const struct sums_to *to)
{
    size_t most = TILE_UNITS * PANEL_ROWS, c = first;
    for (; c + most <= end; c += most)
        put_tile(n, TILE_UNITS, s, row, c, to);
    if (TILE_UNITS > 2 && c + 2 * PANEL_ROWS <= end) {
        put_tile(n, TILE_UNITS > 2 ? 2 : 1, s, row, c, to);
        c += 2 * PANEL_ROWS;
    }
    for (; c < end; c += PANEL_ROWS)
        put_tile(n, 1, s, row, c, to);
}

/* Up to TILE_ROWS rows from `row` on. */
static void sum_rows(size_t n, const struct sums_of *s, size_t row,
                     size_t first, size_t end, const struct sums_to *to)
{
    switch (n) {
    case 1:
        sum_columns(1, s, row, first, end, to);
        break;
    case 2:
        sum_columns(2, s, row, first, end, to);
        break;
    case 3:
        sum_columns(3, s, row, first, end, to);
        break;
    case 4:
        sum_columns(4, s, row, first, end, to);
        break;
    case 5:
        sum_columns(5, s, row, first, end, to);
        break;
    default:
        sum_columns(TILE_ROWS, s, row, first, end, to);
        break;
    }
}

/* --- a block ------------------------------------------------------------- */

/* The positions of a block that a row sees, or several rows do together:
 * first .. end - 1, counted from the block's beginning. */
struct view {
    size_t first, end;
};

INLINE struct view view_of_row(const struct queries *q, size_t block,
                               size_t row)
{
    size_t first = q->first[row] > block ? q->first[row] - block : 0;
    size_t end = q->end[row] > block ? q->end[row] - block : 0;
    end = end < QUERY_BLOCK ? end : QUERY_BLOCK;
    return first < end ? (struct view){first, end} : (struct view){0, 0};
}

/* *same: whether all of them see the same. */
static struct view view_of_rows(const struct queries *q, size_t block,
                                size_t row, size_t n, bool *same)
{
    struct view all = view_of_row(q, block, row);
    *same = true;
    for (size_t r = row + 1; r < row + n; r++) {
        struct view one = view_of_row(q, block, r);
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
INLINE vint seen_lanes(struct view view, size_t lane)
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
        struct view view = view_of_rows(q, block, row, n, &same);
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

INLINE float largest_lane(vfloat v)
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
static void weigh_row(struct view view, float *scores, float *largest,
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
    float before = *largest, now = largest_lane(most);
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
        struct view view = view_of_row(q, block, row);
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
    struct view view = view_of_rows(q, block, row, n, &same);
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
        struct view view = view_of_rows(q, at, 0, q->n, &same);
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

const struct attention_kernels set_attention_kernels = {attend_range,
                                                        join_range, finish_row};

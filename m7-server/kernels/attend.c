/* Attention by kernels and threads: see attend.h. */
#include "attend.h"

#include "queries.h"
#include "sizes.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- room ---------------------------------------------------------------- */

/* A piece of memory that is cut into others, each at a line's beginning; `at`
 * alone counts when there is none. */
struct cut_memory {
    float *memory;
    size_t at; /* floats */
};

static float *cut_floats(struct cut_memory *m, size_t n)
{
    float *piece = m->memory ? m->memory + m->at : NULL;
    m->at += (n + 15) / 16 * 16;
    return piece;
}

static struct found cut_found(struct cut_memory *m, size_t rows, size_t width)
{
    struct found f;
    f.largest = cut_floats(m, rows);
    f.totals = cut_floats(m, rows);
    f.sums = cut_floats(m, rows * width);
    return f;
}

/* Codes of few bits have the most parts, and are filled up most. */
void attention_limits_add(struct attention_limits *most, size_t n_heads,
                          size_t n_kv_heads, size_t head_dim)
{
    struct panels p = panels_shape(PANEL_4BITS, true, n_kv_heads, head_dim);
    size_t sharing = n_heads / n_kv_heads;
    sharing = smaller_size(sharing, QUERY_ROWS);
    most->n_kv_heads = larger_size(most->n_kv_heads, n_kv_heads);
    most->sharing = larger_size(most->sharing, sharing);
    most->head_dim = larger_size(most->head_dim, head_dim);
    most->width = larger_size(most->width, larger_size(p.width, head_dim));
    most->n_parts = larger_size(most->n_parts, p.n_parts);
}

static struct query_room cut_room(struct cut_memory *m,
                                  const struct attention_limits *most)
{
    struct query_room room;
    room.q = cut_floats(m, QUERY_ROWS * most->head_dim);
    room.few = cut_floats(m, FEW_QUERIES * most->head_dim);
    room.scores = cut_floats(m, QUERY_ROWS * QUERY_BLOCK);
    room.weights = cut_floats(m, QUERY_ROWS * QUERY_BLOCK);
    room.factors = cut_floats(m, QUERY_ROWS);
    room.numbers = cut_floats(m, QUERY_BLOCK * most->width);
    room.scales = cut_floats(m, most->n_parts * QUERY_BLOCK);
    room.range = cut_found(m, QUERY_ROWS, most->width);
    room.all = cut_found(m, QUERY_ROWS, most->width);
    return room;
}

/* The same memory, zeros, at the beginning of a line. */
static int reserve_cut(struct cut_memory *m, float **owned, struct error *e)
{
    *owned = calloc(m->at + 16, sizeof **owned);
    if (!*owned)
        return fail_memory(e, "the numbers of attention");
    m->memory = *owned + (64 - (uintptr_t)*owned % 64) % 64 / sizeof **owned;
    m->at = 0;
    return 0;
}

static int reserve_rooms(struct attender *a,
                         const struct attention_limits *most, struct error *e)
{
    struct cut_memory m = {NULL, 0};
    size_t threads = threads_count(a->threads);
    a->rooms = calloc(threads, sizeof *a->rooms);
    if (!a->rooms)
        return fail_memory(e, "the numbers of attention");
    for (size_t i = 0; i < threads; i++)
        cut_room(&m, most);
    if (reserve_cut(&m, &a->memory, e))
        return -1;
    for (size_t i = 0; i < threads; i++)
        a->rooms[i] = cut_room(&m, most);
    return 0;
}

/* For each range of one token, what its heads find there. */
static int reserve_ranges(struct attender *a,
                          const struct attention_limits *most, struct error *e)
{
    struct cut_memory m = {NULL, 0};
    size_t n = (most->positions / QUERY_RANGE + 1) * most->n_kv_heads;
    a->ranges = calloc(n, sizeof *a->ranges);
    if (!a->ranges)
        return fail_memory(e, "the numbers of attention");
    for (size_t i = 0; i < n; i++)
        cut_found(&m, most->sharing, most->width);
    if (reserve_cut(&m, &a->range_memory, e))
        return -1;
    for (size_t i = 0; i < n; i++)
        a->ranges[i] = cut_found(&m, most->sharing, most->width);
    return 0;
}

int attender_init(struct attender *a, const struct cpu_set *set,
                  struct threads *threads,
                  const struct attention_limits *most, struct error *e)
{
    *a = (struct attender){.set = set, .threads = threads};
    if (reserve_rooms(a, most, e) == 0 &&
        reserve_ranges(a, most, e) == 0)
        return 0;
    attender_free(a);
    return -1;
}

void attender_free(struct attender *a)
{
    free(a->rooms);
    free(a->memory);
    free(a->ranges);
    free(a->range_memory);
    *a = (struct attender){0};
}

/* --- pieces of work ------------------------------------------------------ */

/* Works that are being done: the pieces of one stand behind those of the
 * other, and threads take one after another. */
struct attention_list {
    struct attender *attender;
    const struct attention_work *works; /* (n,) */
    size_t n;
    size_t seen; /* positions, by all works */
    atomic_size_t next;
};

/* A work, and how it is cut into pieces. */
struct attention_job {
    struct attender *attender;
    const struct attention_work *work;
    size_t sharing;    /* rows of a token: heads that share one of keys */
    size_t group_rows; /* rows of a piece, at most */
    size_t groups;     /* pieces of a head of keys */
    size_t first_range, n_ranges; /* of a token alone */
    size_t n_pieces;
};

/* Row `row` of a head of keys: its query, or its result. */
static size_t place_of_row(const struct attention_job *j, size_t head,
                           size_t row)
{
    const struct attention_work *w = j->work;
    size_t token = row / j->sharing, h = head * j->sharing + row % j->sharing;
    return (token * w->n_heads + h) * w->keys->head_dim;
}

static void view_row(const struct attention_job *j, size_t row,
                     struct queries *q)
{
    size_t end = j->work->from + row / j->sharing + 1;
    size_t window = j->work->window;
    q->end[q->n] = end;
    q->first[q->n++] = window > 0 && end > window ? end - window : 0;
}

/* The rows first .. end - 1 of a head of keys, which are to be read. */
static void gather_rows(const struct attention_job *j, size_t head,
                        size_t first, size_t end, struct query_room *room,
                        struct queries *q)
{
    const struct attention_work *w = j->work;
    float *to = room->q;
    q->keys = w->keys;
    q->values = w->values;
    q->head = head;
    q->soft_cap = w->soft_cap;
    q->q = room->q;
    q->n = 0;
    for (size_t row = first; row < end; row++) {
        const float *from = w->q + place_of_row(j, head, row);
        for (size_t i = 0; i < w->keys->head_dim; i++)
            *to++ = from[i] * w->scale;
        view_row(j, row, q);
    }
}

/* Range after range, what the rows see: left in room->all. */
static void attend_rows(const struct attention_kernels *k,
                        const struct queries *q, struct query_room *room)
{
    size_t at = q->first[0] / QUERY_RANGE * QUERY_RANGE;
    k->range(q, at, room, &room->all);
    while ((at += QUERY_RANGE) < q->end[q->n - 1]) {
        k->range(q, at, room, &room->range);
        k->add(&room->all, &room->range, q->n, q->values->width);
    }
}

/* A piece of many rows: a group of them, all that they see.  Those that come
 * last see most, and are taken first. */
static void group_piece(const struct attention_job *j, size_t piece,
                        struct query_room *room)
{
    const struct attention_work *w = j->work;
    const struct attention_kernels *k = j->attender->set->attention;
    struct queries q;
    piece = j->n_pieces - 1 - piece;
    size_t head = piece % w->keys->n_heads;
    size_t rows = w->n * j->sharing;
    size_t first = piece / w->keys->n_heads * j->group_rows;
    size_t end = first + j->group_rows < rows ? first + j->group_rows : rows;
    gather_rows(j, head, first, end, room, &q);
    attend_rows(k, &q, room);
    for (size_t row = first; row < end; row++)
        k->finish(w->values, &room->all, row - first,
                  w->out + place_of_row(j, head, row));
}

/* A piece of one token: a range of what it sees. */
static void range_piece(const struct attention_job *j, size_t piece,
                        struct query_room *room)
{
    struct queries q;
    size_t head = piece / j->n_ranges;
    size_t range = j->first_range + piece % j->n_ranges;
    gather_rows(j, head, 0, j->sharing, room, &q);
    j->attender->set->attention->range(&q, range * QUERY_RANGE, room,
                                       &j->attender->ranges[piece]);
}

/* The ranges of a token become one result, in their order. */
static void join_ranges(const struct attention_job *j)
{
    const struct attention_work *w = j->work;
    const struct attention_kernels *k = j->attender->set->attention;
    for (size_t head = 0; head < w->keys->n_heads; head++) {
        struct found *all = &j->attender->ranges[head * j->n_ranges];
        for (size_t i = 1; i < j->n_ranges; i++)
            k->add(all, all + i, j->sharing, w->values->width);
        for (size_t row = 0; row < j->sharing; row++)
            k->finish(w->values, all, row,
                      w->out + place_of_row(j, head, row));
    }
}

/* --- all of it ----------------------------------------------------------- */

/* The first position that a work's first token sees. */
static size_t first_seen(const struct attention_work *w)
{
    size_t end = w->from + 1;
    return w->window > 0 && end > w->window ? end - w->window : 0;
}

/* How many positions all its tokens see, each counted once. */
static size_t count_positions_seen(const struct attention_work *w)
{
    return w->from + w->n - first_seen(w);
}

/* Whether a work has ranges that may be pieces: a token alone, that sees
 * much. */
static bool has_ranges(const struct attention_work *w)
{
    size_t first = first_seen(w) / QUERY_RANGE, last = w->from / QUERY_RANGE;
    return w->n == 1 && w->n_heads / w->keys->n_heads <= QUERY_ROWS &&
           last > first;
}

/* Whether other threads would wait for one that has a whole head of it: then
 * its ranges are pieces, for which it is alone. */
static bool is_long(const struct attention_list *l,
                    const struct attention_work *w)
{
    size_t threads = threads_count(l->attender->threads);
    return has_ranges(w) &&
           (l->n == 1 ||
            count_positions_seen(w) * threads > l->seen * w->keys->n_heads);
}

static void cut_into_ranges(struct attention_job *j)
{
    const struct attention_work *w = j->work;
    j->first_range = first_seen(w) / QUERY_RANGE;
    j->n_ranges = w->from / QUERY_RANGE - j->first_range + 1;
    j->n_pieces = j->n_ranges * w->keys->n_heads;
}

/* Groups of rows: as many as may share what is read, but some for each
 * thread. */
static void cut_into_groups(struct attention_job *j, size_t n_works)
{
    size_t rows = j->work->n * j->sharing, heads = j->work->keys->n_heads;
    size_t wanted = 2 * threads_count(j->attender->threads);
    wanted = (wanted + n_works - 1) / n_works;
    size_t each = (rows * heads + wanted - 1) / wanted;
    j->group_rows = each < QUERY_ROWS ? each : QUERY_ROWS;
    j->groups = (rows + j->group_rows - 1) / j->group_rows;
    j->n_pieces = j->groups * heads;
}

/* Number `i` of the works; without pieces where it is done alone. */
static struct attention_job cut_work(const struct attention_list *l, size_t i)
{
    const struct attention_work *w = &l->works[i];
    struct attention_job j = {.attender = l->attender,
                              .work = w,
                              .sharing = w->n_heads / w->keys->n_heads};
    if (!is_long(l, w))
        cut_into_groups(&j, l->n);
    else if (l->n == 1)
        cut_into_ranges(&j);
    return j;
}

static void attend_list_share(void *work, size_t index, size_t count)
{
    struct attention_list *l = work;
    struct query_room *room = &l->attender->rooms[index];
    size_t piece = atomic_fetch_add(&l->next, 1), before = 0;
    (void)count;
    for (size_t i = 0; i < l->n; i++) {
        struct attention_job j = cut_work(l, i);
        for (; piece < before + j.n_pieces;
             piece = atomic_fetch_add(&l->next, 1))
            if (j.n_ranges > 0)
                range_piece(&j, piece - before, room);
            else
                group_piece(&j, piece - before, room);
        before += j.n_pieces;
    }
}

/* What is done before another thread has woken up. */
static bool is_little(const struct attention_list *l)
{
    size_t all = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct attention_work *w = &l->works[i];
        all += w->n * w->n_heads * w->keys->head_dim * count_positions_seen(w);
    }
    return all < 32 * 1024;
}

static void attend_list(struct attention_list *l)
{
    atomic_init(&l->next, 0);
    if (is_little(l))
        attend_list_share(l, 0, 1);
    else
        threads_run(l->attender->threads, attend_list_share, l);
}

void attend_all(struct attender *a, const struct attention_work *w)
{
    struct attention_list one = {.attender = a, .works = w, .n = 1};
    attend_list(&one);
    if (is_long(&one, w)) {
        struct attention_job j = cut_work(&one, 0);
        join_ranges(&j);
    }
}

void attend_works(struct attender *a, const struct attention_work *works,
                  size_t n)
{
    struct attention_list all = {.attender = a, .works = works, .n = n};
    if (n == 1) {
        attend_all(a, works);
        return;
    }
    for (size_t i = 0; i < n; i++)
        all.seen += count_positions_seen(&works[i]);
    attend_list(&all);
    for (size_t i = 0; i < n; i++)
        if (is_long(&all, &works[i]))
            attend_all(a, &works[i]);
}

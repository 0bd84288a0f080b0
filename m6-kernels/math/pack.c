/* Packing weights: see pack.h. */
#include "pack.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Matrices that are being packed. */
struct packing_job {
    const struct packing *list;
    size_t n;
    size_t most_cols;
    atomic_bool failed; /* a thread was without memory */
};

/* A thread's room for the rows of a panel, and for one as floats. */
struct packing_room {
    struct compute compute;
    float *row;           /* (cols,) */
    unsigned char *bytes; /* (PANEL_ROWS, groups, CODES_BYTES8) */
    float *scales;        /* (2, PANEL_ROWS, groups): scales, then minima */
    struct codes_row codes[PANEL_ROWS]; /* whose rooms these are */
};

static int reserve_packing(struct packing_room *r, size_t cols)
{
    size_t groups = (cols + GROUP - 1) / GROUP, all = groups * PANEL_ROWS;
    *r = (struct packing_room){0};
    r->row = malloc(cols * sizeof *r->row);
    r->bytes = malloc(all * CODES_BYTES8);
    r->scales = malloc(2 * all * sizeof *r->scales);
    if (!r->row || !r->bytes || !r->scales)
        return -1;
    for (size_t i = 0; i < PANEL_ROWS; i++)
        r->codes[i] =
            (struct codes_row){.scales = r->scales + i * groups,
                               .minima = r->scales + all + i * groups,
                               .bytes = r->bytes + i * groups * CODES_BYTES8};
    return 0;
}

static void free_packing(struct packing_room *r)
{
    free(r->row);
    free(r->bytes);
    free(r->scales);
}

/* Row `row` of a matrix of codes; as floats first, where it has none. */
static void read_codes_row(const struct packing *p, struct packing_room *r,
                           size_t row, struct codes_row *out)
{
    const struct weight *w = p->weight;
    if (w->cols % GROUP) /* codes behind the last column are zeros */
        memset(out->bytes, 0, (w->cols + GROUP - 1) / GROUP * CODES_BYTES8);
    if (p->codes.kind == CODES_NONE) {
        weight_row(&r->compute, w, row, r->row);
        nearest_codes(r->row, w->cols, out);
    } else {
        codes_read(&p->codes, place_of(w, row), out);
    }
}

/* The rows from first to end - 1 of a matrix of codes: panels. */
static void pack_codes(const struct packing *p, struct packing_room *r,
                       size_t first, size_t end)
{
    for (; first < end; first += PANEL_ROWS) {
        size_t n = end - first < PANEL_ROWS ? end - first : PANEL_ROWS;
        for (size_t i = 0; i < n; i++)
            read_codes_row(p, r, first + i, &r->codes[i]);
        packed_codes(p->packed, first / PANEL_ROWS, r->codes, n);
    }
}

/* The rows from first to end - 1 of a matrix of floats: panels. */
static void pack_floats(const struct packing *p, size_t first, size_t end)
{
    const struct weight *w = p->weight;
    size_t bytes = w->cols * dtype_bits(w->dtype) / 8;
    for (; first < end; first += PANEL_ROWS) {
        const unsigned char *rows[PANEL_ROWS];
        size_t n = end - first < PANEL_ROWS ? end - first : PANEL_ROWS;
        for (size_t i = 0; i < n; i++)
            rows[i] = w->data + place_of(w, first + i) * bytes;
        packed_floats(p->packed, first / PANEL_ROWS, rows, n);
    }
}

/* The rows of a thread's panels of a matrix. */
static void pack_part(const struct packing *p, struct packing_room *r,
                      size_t index, size_t count)
{
    size_t first, end, rows = p->weight->rows;
    threads_share(rows, PANEL_ROWS, index, count, &first, &end);
    if (first < end && end == rows)
        packed_clear_end(p->packed);
    if (packed_is_float(p->packed))
        pack_floats(p, first, end);
    else
        pack_codes(p, r, first, end);
}

static void pack_share(void *work, size_t index, size_t count)
{
    struct packing_job *j = work;
    struct packing_room room;
    if (reserve_packing(&room, j->most_cols))
        atomic_store(&j->failed, true);
    for (size_t i = 0; !atomic_load(&j->failed) && i < j->n; i++)
        pack_part(&j->list[i], &room, index, count);
    free_packing(&room);
}

static enum packed_kind kind_for(const struct weight *w, enum codes_kind codes)
{
    static const enum packed_kind of_codes[] = {
        [CODES_NONE] = PACKED_INT8,
        [CODES_INT4] = PACKED_INT4,
        [CODES_AFFINE4] = PACKED_AFFINE4,
        [CODES_INT8] = PACKED_INT8,
    };
    static const enum packed_kind of_numbers[N_DTYPES] = {
        [DTYPE_F32] = PACKED_F32,
        [DTYPE_F16] = PACKED_F16,
        [DTYPE_BF16] = PACKED_BF16,
    };
    return w->quantized ? of_codes[codes] : of_numbers[w->dtype];
}

struct packing packing_plan(const struct weight *w, struct packed *p)
{
    struct packing plan = {.weight = w, .packed = p};
    if (w->quantized)
        plan.codes = codes_of(w->quantized);
    packed_shape(p, kind_for(w, plan.codes.kind), w->rows, w->cols);
    return plan;
}

int packings_run(const struct packing *list, size_t n, struct threads *t,
                 struct error *e)
{
    struct packing_job j = {.list = list, .n = n};
    for (size_t i = 0; i < n; i++)
        if (list[i].weight->cols > j.most_cols)
            j.most_cols = list[i].weight->cols;
    threads_run(t, pack_share, &j);
    return atomic_load(&j.failed) ? fail_memory(e, "packing a matrix") : 0;
}

int weight_pack(const struct weight *w, struct threads *t, struct packed *p,
                struct error *e)
{
    struct packing plan = packing_plan(w, p);
    if (packed_init(p, p->kind, w->rows, w->cols, e))
        return -1;
    int result = packings_run(&plan, 1, t, e);
    if (result)
        packed_free(p);
    return result;
}

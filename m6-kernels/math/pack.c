/* Packing a weight: see weight_pack in ops.h. */
#include "ops.h"
#include "spacing.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A matrix that is being packed. */
struct packing_job {
    const struct weight *weight;
    struct codes codes; /* how its rows are read; without a kind as floats,
                           which are rounded */
    struct packed *packed;
    atomic_bool failed; /* a thread was without memory */
};

/* A thread's room for one row. */
struct packing_room {
    struct compute compute;
    float *row;
    struct codes_row codes;
};

static int reserve_packing(struct packing_room *r, size_t cols)
{
    size_t groups = (cols + GROUP - 1) / GROUP;
    *r = (struct packing_room){0};
    r->row = malloc(cols * sizeof *r->row);
    r->codes.bytes = malloc(groups * CODES_BYTES8);
    r->codes.spacings = calloc(groups, sizeof *r->codes.spacings);
    return r->row && r->codes.bytes && r->codes.spacings ? 0 : -1;
}

static void free_packing(struct packing_room *r)
{
    free(r->row);
    free(r->codes.bytes);
    free(r->codes.spacings);
}

static void pack_codes(const struct packing_job *j, struct packing_room *r,
                       size_t row)
{
    if (j->codes.kind == CODES_NONE) {
        weight_row(&r->compute, j->weight, row, r->row);
        nearest_codes(r->row, j->weight->cols, &r->codes);
    } else {
        j->codes.read(&j->codes, place_of(j->weight, row), &r->codes);
    }
    packed_codes(j->packed, row, &r->codes);
}

/* The rows from first to end - 1 of a matrix of floats: panels. */
static void pack_floats(const struct packing_job *j, size_t first, size_t end)
{
    const struct weight *w = j->weight;
    size_t bytes = w->cols * dtype_bits(w->dtype) / 8;
    for (; first < end; first += PANEL_ROWS) {
        const unsigned char *rows[PANEL_ROWS];
        size_t n = end - first < PANEL_ROWS ? end - first : PANEL_ROWS;
        for (size_t i = 0; i < n; i++)
            rows[i] = w->data + place_of(w, first + i) * bytes;
        packed_floats(j->packed, first / PANEL_ROWS, rows, n);
    }
}

/* The rows of a thread's panels. */
static void pack_share(void *work, size_t index, size_t count)
{
    struct packing_job *j = work;
    struct packing_room room;
    size_t first, end;
    threads_share(j->weight->rows, PANEL_ROWS, index, count, &first, &end);
    if (packed_is_float(j->packed)) {
        pack_floats(j, first, end);
        return;
    }
    if (reserve_packing(&room, j->weight->cols))
        atomic_store(&j->failed, true);
    for (size_t row = first; !atomic_load(&j->failed) && row < end; row++)
        pack_codes(j, &room, row);
    free_packing(&room);
}

/* What a weight becomes. */
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

int weight_pack(const struct weight *w, struct threads *t, struct packed *p,
                struct error *e)
{
    struct packing_job j = {.weight = w, .packed = p};
    if (w->quantized)
        j.codes = codes_of(w->quantized);
    if (packed_init(p, kind_for(w, j.codes.kind), w->rows, w->cols, e))
        return -1;
    threads_run(t, pack_share, &j);
    if (!atomic_load(&j.failed))
        return 0;
    packed_free(p);
    return fail_memory(e, "packing a matrix");
}

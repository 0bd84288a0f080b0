/* Packing a weight: see weight_pack in ops.h. */
#include "ops.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A matrix that is being packed. */
struct packing_job {
    const struct weight *weight;
    struct packed *packed;
    atomic_bool failed; /* a thread was without memory */
};

/* A row as floats, and the grid of each of its groups. */
static void pack_row(const struct packing_job *j, struct compute *c,
                     size_t row, float *x, struct spacing *spacings)
{
    size_t cols = j->weight->cols;
    weight_row(c, j->weight, row, x);
    for (size_t g = 0, at = 0; at < cols; g++, at += GROUP)
        spacings[g] =
            nearest_spacing(x + at, cols - at < GROUP ? cols - at : GROUP);
    packed_put(j->packed, row, x, spacings);
}

/* The rows of a thread's panels. */
static void pack_share(void *work, size_t index, size_t count)
{
    struct packing_job *j = work;
    struct compute c = {0};
    size_t first, end, cols = j->weight->cols;
    threads_share(j->weight->rows, PANEL_ROWS, index, count, &first, &end);
    float *x = malloc(cols * sizeof *x);
    struct spacing *spacings = malloc((cols / GROUP + 1) * sizeof *spacings);
    if (!x || !spacings)
        atomic_store(&j->failed, true);
    for (size_t row = first; x && spacings && row < end; row++)
        pack_row(j, &c, row, x, spacings);
    free(x);
    free(spacings);
}

int weight_pack(const struct weight *w, struct threads *t, struct packed *p,
                struct error *e)
{
    struct packing_job j = {.weight = w, .packed = p};
    if (packed_init(p, PACKED_INT8, w->rows, w->cols, e))
        return -1;
    threads_run(t, pack_share, &j);
    if (!atomic_load(&j.failed))
        return 0;
    packed_free(p);
    return fail_memory(e, "packing a matrix");
}

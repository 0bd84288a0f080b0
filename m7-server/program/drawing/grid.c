/* Grids: see grid.h.  Knows nothing of colours and pixels. */
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* The values of a cell. */
struct sum {
    double total;
    size_t n;
};

/* Add row `row`, its values (columns,), to the sums of its cells
 * (g->columns,). */
static void add_values(struct grid *g, const struct heatmap *h, size_t row,
                       const float *values, struct sum *sums)
{
    size_t n = h->causal ? row + 1 : h->columns;
    for (size_t i = 0; i < n; i++) {
        float value = values[i];
        if (isfinite(value)) {
            if (value < g->least)
                g->least = value;
            if (value > g->most)
                g->most = value;
        } else {
            g->n_not_finite++;
            value = NAN;
        }
        struct sum *sum = &sums[i / g->block_columns];
        sum->total += h->magnitude ? fabsf(value) : value;
        sum->n++;
    }
}

/* Compute row `r` of the cells from the rows of values in its blocks. */
static void fill_row(struct grid *g, const struct heatmap *h, size_t r,
                     float *values, struct sum *sums)
{
    memset(sums, 0, g->columns * sizeof *sums);
    size_t first = r * g->block_rows, row = first;
    for (; row < h->rows && row < first + g->block_rows; row++) {
        h->row(h->source, row, values);
        add_values(g, h, row, values, sums);
    }
    for (size_t c = 0; c < g->columns; c++) {
        float mean =
            sums[c].n ? (float)(sums[c].total / (double)sums[c].n) : NAN;
        g->cells[r * g->columns + c] = mean;
        g->negative |= mean < 0;
    }
}

static int fill(struct grid *g, const struct heatmap *h, struct error *e)
{
    float *values = malloc(h->columns * sizeof *values);
    struct sum *sums = malloc(g->columns * sizeof *sums);
    int result = 0;
    if (!values || !sums)
        result = fail_memory(e, "a row of a picture");
    for (size_t r = 0; !result && r < g->rows; r++)
        fill_row(g, h, r, values, sums);
    free(values);
    free(sums);
    if (g->least > g->most)
        g->least = g->most = 0;
    return result;
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A limit that few cells exceed, one in `share` of them: one large value in a
 * matrix would otherwise make all others pale. sizes (n,) are sorted. */
static float choose_limit(const float *sizes, size_t n, size_t share)
{
    float largest = n ? sizes[n - 1] : 0;
    float usual = n ? sizes[n - 1 - n / share] : 0;
    float limit = largest > 1.25f * usual ? usual : largest;
    if (limit == 0)
        limit = largest;
    return limit > 0 ? limit : 1;
}

/* Set the limit, and count the cells beyond it. */
static int settle_limit(struct grid *g, const struct heatmap *h,
                        struct error *e)
{
    size_t total = g->rows * g->columns, n = 0;
    float *sizes = malloc(total * sizeof *sizes);
    if (!sizes)
        return fail_memory(e, "the cells of a picture");
    for (size_t i = 0; i < total; i++)
        if (isfinite(g->cells[i]))
            sizes[n++] = fabsf(g->cells[i]);
    qsort(sizes, n, sizeof *sizes, by_size);
    g->n_cells = n;
    g->limit = h->limit > 0 ? h->limit
                            : choose_limit(sizes, n, h->causal ? 100 : 1000);
    while (g->n_beyond < n && sizes[n - 1 - g->n_beyond] > g->limit)
        g->n_beyond++;
    free(sizes);
    return 0;
}

int grid_init(struct grid *g, const struct heatmap *h, struct error *e)
{
    *g = (struct grid){.least = INFINITY, .most = -INFINITY};
    if (h->rows == 0 || h->columns == 0)
        return fail(e, ERROR_INPUT, "%s: has no values to draw", h->title);
    g->block_rows = divide_up(h->rows, GRID_MOST);
    g->block_columns = divide_up(h->columns, GRID_MOST);
    g->rows = divide_up(h->rows, g->block_rows);
    g->columns = divide_up(h->columns, g->block_columns);
    g->cells = malloc(g->rows * g->columns * sizeof *g->cells);
    if (!g->cells)
        return fail_memory(e, "the cells of a picture");
    if (fill(g, h, e) || settle_limit(g, h, e)) {
        grid_free(g);
        return -1;
    }
    return 0;
}

void grid_free(struct grid *g)
{
    free(g->cells);
    *g = (struct grid){0};
}

/* Matrix products: see multiply.h. */
#include "multiply.h"

#include <stdlib.h>
#include <string.h>

/* Bytes for `count` of something, whole lines of them. */
static void *reserve_lines(size_t count, size_t size)
{
    return aligned_alloc(64, (count * size + 63) / 64 * 64 + 64);
}

static int reserve_inputs(struct engine *g, struct error *e)
{
    struct inputs *in = &g->inputs;
    in->words = reserve_lines(g->room, GROUP_WORDS * sizeof *in->words);
    in->scales = reserve_lines(g->room, sizeof *in->scales);
    in->starts4 = reserve_lines(g->room, sizeof *in->starts4);
    in->starts8 = reserve_lines(g->room, sizeof *in->starts8);
    in->totals = reserve_lines(g->room, sizeof *in->totals);
    size_t count = threads_count(g->threads);
    g->scratch = reserve_lines(count, sizeof *g->scratch);
    g->shares = reserve_lines(MOST_PRODUCTS * count, sizeof *g->shares);
    bool all = in->words && in->scales && in->starts4 && in->starts8 &&
               in->totals && g->scratch && g->shares;
    if (g->set->integers->parts > 1) {
        g->shorts = reserve_lines(g->room, g->set->integers->parts *
                                               GROUP_WORDS *
                                               sizeof *g->shorts);
        all = all && g->shorts;
    }
    return all ? 0 : fail_memory(e, "the inputs of a matrix product");
}

int engine_init(struct engine *g, const struct cpu_set *set,
                struct threads *threads, size_t rows, size_t cols,
                struct error *e)
{
    const struct int_kernels *k = set->integers;
    size_t tile = k->few > k->tile ? k->few : k->tile;
    *g = (struct engine){.set = set, .threads = threads};
    g->room = (rows + tile) * ((cols + GROUP - 1) / GROUP);
    if (reserve_inputs(g, e) == 0)
        return 0;
    engine_free(g);
    return -1;
}

void engine_free(struct engine *g)
{
    free(g->inputs.words);
    free(g->shorts);
    free(g->inputs.scales);
    free(g->inputs.starts4);
    free(g->inputs.starts8);
    free(g->inputs.totals);
    free(g->scratch);
    free(g->shares);
    *g = (struct engine){0};
}

/* A product that is being computed. */
struct job {
    struct engine *engine;
    const struct product *products;
    size_t n_products;
    const float *x;
    size_t cols;
};

static void round_share(void *work, size_t index, size_t count)
{
    const struct job *j = work;
    const struct inputs *in = &j->engine->inputs;
    size_t first, end;
    threads_share(in->n, in->tile, index, count, &first, &end);
    if (first < end)
        j->engine->set->integers->round(in, j->x, j->cols, first, end);
}

/* The panels from first to end - 1 of a product, by thread `index`. */
static void multiply_panels(const struct job *j, const struct product *product,
                            size_t index, size_t first, size_t end)
{
    const struct packed *p = product->matrix;
    const struct engine *g = j->engine;
    if (packed_is_float(p))
        g->set->floats->multiply(p, j->x, g->inputs.n, first, end,
                                 &g->scratch[index], product->out, p->rows);
    else
        g->set->integers->multiply(p, &g->inputs, first, end,
                                   &g->scratch[index], product->out, p->rows);
}

/* A thread's panels of every product, and those that others have not begun. */
static void multiply_share(void *work, size_t index, size_t count)
{
    const struct job *j = work;
    struct share *shares = j->engine->shares;
    size_t first, end;
    for (size_t i = 0; i < j->n_products; i++, shares += count)
        while (next_piece(shares, index, count, &first, &end))
            multiply_panels(j, &j->products[i], index, first, end);
}

/* Where n rows are to be rounded to numbers of 16 bits, too: where they are
 * many, and a matrix of 8 bits is among those that they meet.  Elsewhere, and
 * where the set has no use for it, NULL. */
static int32_t *place_of_shorts(const struct job *j, size_t n)
{
    const struct engine *g = j->engine;
    for (size_t i = 0; i < j->n_products; i++)
        if (j->products[i].matrix->kind == PACKED_INT8 &&
            n > g->set->integers->most_few)
            return g->shorts;
    return NULL;
}

/* Rows are rounded where a matrix of codes is to be multiplied. */
static void round_rows(struct job *j, size_t n)
{
    size_t i = 0;
    while (i < j->n_products && packed_is_float(j->products[i].matrix))
        i++;
    if (i == j->n_products)
        return;
    if (n == 1)
        round_share(j, 0, 1);
    else
        threads_run(j->engine->threads, round_share, j);
}

size_t multiply_all(struct engine *g, const struct product *products,
                    size_t n_products, const float *x, size_t n)
{
    size_t bytes = 0, count = threads_count(g->threads);
    const struct int_kernels *kernels = g->set->integers;
    struct job j = {g, products, n_products, x, products[0].matrix->cols};
    g->inputs.n = n;
    g->inputs.groups = (j.cols + GROUP - 1) / GROUP;
    g->inputs.tile = tile_rows(kernels, n);
    g->inputs.shorts = place_of_shorts(&j, n);
    for (size_t i = 0; i < n_products; i++) {
        size_t panels = packed_panels(products[i].matrix);
        shares_begin(g->shares + i * count, count, panels);
        bytes += panels * products[i].matrix->panel_bytes;
    }
    round_rows(&j, n);
    threads_run(g->threads, multiply_share, &j);
    return bytes;
}

/* Rows: see rows.h. */
#include "rows.h"

/* Whether kernels can multiply all of them. */
static bool all_packed(const struct linear *const *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!l[i]->weight.packed)
            return false;
    return true;
}

void linears(struct compute *c, const struct linear *const *l, size_t n_layers,
             const float *x, size_t n, float *const *y)
{
    struct product products[MOST_PRODUCTS] = {0};
    if (!c->engine || !all_packed(l, n_layers)) {
        for (size_t i = 0; i < n_layers; i++)
            linear(c, l[i], x, n, y[i]);
        return;
    }
    for (size_t i = 0; i < n_layers; i++)
        products[i] = (struct product){l[i]->weight.packed, y[i]};
    c->fetched += multiply_all(c->engine, products, n_layers, x, n);
    for (size_t i = 0; i < n_layers; i++)
        add_bias(c, l[i], n, y[i]);
}

enum rows_limits {
    FEW_NUMBERS = 8192 /* are done before another thread has begun */
};

struct row_work;

/* Do a part of the work: the rows, or numbers, from first to end - 1. */
typedef void part_function(const struct row_work *w, size_t first, size_t end);

/* Some rows, or a row of numbers; what of it a function does not need is
 * empty. */
struct row_work {
    part_function *do_part;
    size_t n, step; /* how many; a thread has a multiple of so many */

    float *x;         /* what is changed */
    const float *y;   /* what it is changed with */
    float factor;     /* or a cap */
    size_t width;     /* of a row */
    enum activation_kind activation;
    struct row_norm norm;
    struct row_turn turn; /* of the first row */

    const struct row_kernels *kernels;
};

static void share_rows(void *work, size_t index, size_t count)
{
    const struct row_work *w = work;
    size_t first, end;
    threads_share(w->n, w->step, index, count, &first, &end);
    if (first < end)
        w->do_part(w, first, end);
}

static void run_rows(struct engine *g, struct row_work *w)
{
    size_t numbers = w->width ? w->n * w->width : w->n;
    w->kernels = g->set->rows;
    if (numbers <= FEW_NUMBERS)
        share_rows(w, 0, 1);
    else
        threads_run(g->threads, share_rows, w);
}

/* --- activations -------------------------------------------------------- */

static activation *const activations_of_kinds[] = {
    [ACTIVATION_SILU] = silu,
    [ACTIVATION_GELU] = gelu,
    [ACTIVATION_GELU_TANH] = gelu_tanh,
};

/* Its kind; past the last, where kernels have no such function. */
static size_t kind_of_activation(activation *f)
{
    size_t n = sizeof activations_of_kinds / sizeof *activations_of_kinds;
    size_t kind = 0;
    while (kind < n && activations_of_kinds[kind] != f)
        kind++;
    return kind;
}

static void activate_part(const struct row_work *w, size_t first, size_t end)
{
    w->kernels->activate(w->activation, w->x + first,
                         w->y ? w->y + first : NULL, end - first);
}

void activate_rows(struct compute *c, activation *f, float *x, const float *up,
                   size_t n)
{
    size_t kind = kind_of_activation(f);
    if (c->engine && kind <= ACTIVATION_GELU_TANH) {
        struct row_work w = {.do_part = activate_part, .n = n,
                             .step = PANEL_ROWS, .x = x, .y = up,
                             .activation = (enum activation_kind)kind};
        run_rows(c->engine, &w);
        return;
    }
    f(x, n);
    if (up)
        multiply(x, up, n);
}

/* --- number by number --------------------------------------------------- */

static void scale_part(const struct row_work *w, size_t first, size_t end)
{
    w->kernels->scale(w->x + first, w->factor, end - first);
}

void scale_rows(struct compute *c, float *x, float factor, size_t n)
{
    struct row_work w = {.do_part = scale_part, .n = n, .step = PANEL_ROWS,
                         .x = x, .factor = factor};
    if (factor == 1)
        return;
    if (c->engine)
        run_rows(c->engine, &w);
    else
        scale(x, factor, n);
}

static void add_scaled_part(const struct row_work *w, size_t first, size_t end)
{
    w->kernels->add_scaled(w->x + first, w->y + first, w->factor, end - first);
}

void add_scaled_rows(struct compute *c, float *x, const float *y, float factor,
                     size_t n)
{
    struct row_work w = {.do_part = add_scaled_part, .n = n,
                         .step = PANEL_ROWS, .x = x, .y = y, .factor = factor};
    if (c->engine)
        run_rows(c->engine, &w);
    else
        add_scaled(x, y, factor, n);
}

static void soft_cap_part(const struct row_work *w, size_t first, size_t end)
{
    w->kernels->soft_cap(w->x + first, w->factor, end - first);
}

void soft_cap_rows(struct compute *c, float *x, float cap, size_t n)
{
    struct row_work w = {.do_part = soft_cap_part, .n = n, .step = PANEL_ROWS,
                         .x = x, .factor = cap};
    if (!c->engine)
        soft_cap(x, cap, n);
    else if (cap != 0)
        run_rows(c->engine, &w);
}

/* --- rotation ----------------------------------------------------------- */

static void rotate_part(const struct row_work *w, size_t first, size_t end)
{
    struct row_turn turn = w->turn;
    turn.cosines += first * turn.pairs;
    turn.sines += first * turn.pairs;
    for (size_t t = first; t < end; t++) {
        w->kernels->turn(&turn, w->x + t * w->width,
                         w->width / turn.head_dim);
        turn.cosines += turn.pairs;
        turn.sines += turn.pairs;
    }
}

void rotate_rows(struct compute *c, const struct rope *r,
                 const struct angles *a, float *x, size_t n, size_t n_heads,
                 size_t head_dim)
{
    size_t width = n_heads * head_dim;
    struct row_work w = {.do_part = rotate_part, .n = n, .step = 1, .x = x,
                         .width = width,
                         .turn = {head_dim, r->dim / 2, r->neighbours,
                                  a->cosines, a->sines}};
    if (c->engine)
        run_rows(c->engine, &w);
    else
        for (size_t t = 0; t < n; t++)
            rotate(r, a, t, x + t * width, n_heads, head_dim);
}

/* --- vectors ------------------------------------------------------------ */

/* The weights of one, where kernels can read it. */
static bool vector_is_ready(const struct weight *w)
{
    return !w->data || w->floats;
}

static void add_bias_part(const struct row_work *w, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++)
        w->kernels->add_scaled(w->x + t * w->width, w->y, 1, w->width);
}

bool add_bias_rows(struct engine *g, const struct linear *l, size_t n,
                   float *y)
{
    struct row_work w = {.do_part = add_bias_part, .n = n, .step = 1, .x = y,
                         .y = l->bias.floats, .width = l->weight.rows};
    if (!w.y)
        return false;
    run_rows(g, &w);
    return true;
}

static void normalize_part(const struct row_work *w, size_t first, size_t end)
{
    w->kernels->normalize(&w->norm, w->y + first * w->width, end - first,
                          w->x + first * w->width);
}

bool normalize_by_kernels(struct engine *g, const struct norm *norm,
                          const float *x, size_t count, float *out)
{
    struct row_work w = {.do_part = normalize_part,
                         .n = count / norm->width, .step = 1,
                         .x = out, .y = x, .width = norm->width};
    if (!vector_is_ready(&norm->weight) || !vector_is_ready(&norm->bias))
        return false;
    w.norm = (struct row_norm){.width = norm->width,
                               .eps = norm->eps,
                               .offset = norm->weight_offset,
                               .centred = norm->kind == NORM_LAYER,
                               .weights = norm->weight.floats,
                               .biases = norm->bias.floats};
    run_rows(g, &w);
    return true;
}

/* The trace: see trace.h. */
#include "trace.h"

#include "buffer.h"
#include "sizes.h"

#include <stdlib.h>
#include <string.h>

/* What a part of the model takes: bytes to fetch, operations for a token. */
struct amount {
    size_t bytes;
    uint64_t flops;
};

static size_t weight_bytes(const struct weight *w)
{
    return w->data ? w->rows * w->cols * dtype_bits(w->dtype) / 8 : 0;
}

/* Each weight of a matrix is multiplied once, and the product added. */
static uint64_t weight_flops(const struct weight *w)
{
    return w->data ? (uint64_t)2 * w->rows * w->cols : 0;
}

static void add_linear(struct amount *a, const struct linear *l)
{
    a->bytes += weight_bytes(&l->weight) + weight_bytes(&l->bias);
    a->flops += weight_flops(&l->weight);
}

static void add_norm(struct amount *a, const struct norm *norm)
{
    a->bytes += weight_bytes(&norm->weight) + weight_bytes(&norm->bias);
}

static struct amount measure_layer(const struct layer *l)
{
    const struct attention *a = &l->attention;
    const struct linear *const matrices[] = {
        &a->q, &a->k, &a->v, &a->o, &l->mlp.gate, &l->mlp.up, &l->mlp.down};
    const struct norm *const norms[] = {
        &l->mix_norm,  &a->q_norm,    &a->k_norm,    &a->v_norm,
        &l->mix_after, &l->feed_norm, &l->feed_after};
    struct amount all = {weight_bytes(&l->scale), 0};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        add_linear(&all, matrices[i]);
    for (size_t i = 0; i < sizeof norms / sizeof *norms; i++)
        add_norm(&all, norms[i]);
    return all;
}

/* A chunk of n tokens begins. */
static void begin_step(struct trace *t, size_t n)
{
    struct step *steps =
        grow(t->steps, &t->capacity, t->n + 1, sizeof *t->steps);
    t->failed |= !steps;
    if (t->failed)
        return;
    t->steps = steps;
    for (size_t i = 0; i < n; i++)
        ids_add(&t->ids, t->cache->ids[t->cache->length + i]);
    t->failed |= t->ids.failed;
    const struct weight *rows = &t->model->embedding;
    steps[t->n++] =
        (struct step){.decodes = t->state->decodes,
                      .from = t->cache->length,
                      .n = n,
                      .weights = n * weight_bytes(rows) / rows->rows};
}

/* One token has looked at so many positions: each head multiplied its query
 * with their keys, and the weights with their values. */
static void count_attention(struct trace *t, size_t layer, size_t seen)
{
    struct step *s = &t->steps[t->n - 1];
    const struct attention *a = &t->model->layers[layer].attention;
    s->cache_read += seen * cache_layer_bytes(&t->cache->layers[layer]);
    s->flops += (uint64_t)4 * seen * a->n_heads * a->head_dim;
}

/* n tokens have left a layer. */
static void count_layer(struct trace *t, size_t layer, size_t n)
{
    struct step *s = &t->steps[t->n - 1];
    const struct cache_layer *past = &t->cache->layers[layer];
    struct amount all = measure_layer(&t->model->layers[layer]);
    s->weights += all.bytes;
    s->flops += n * all.flops;
    s->cache_written += n * cache_layer_bytes(past);
    s->held +=
        smaller_size(s->from + n, past->slots) * cache_layer_bytes(past);
}

static void count_norm(struct trace *t)
{
    struct amount all = {0, 0};
    add_norm(&all, &t->model->norm);
    t->steps[t->n - 1].weights += all.bytes;
}

/* n rows were scored together. */
static void count_logits(struct trace *t, size_t n)
{
    t->steps[t->n - 1].weights += weight_bytes(&t->model->head);
    t->steps[t->n - 1].flops += n * weight_flops(&t->model->head);
}

void trace_observe(void *context, const char *name, int layer,
                   const float *data, struct shape shape)
{
    struct trace *t = context;
    (void)data;
    if (strcmp(name, "embedding") == 0)
        begin_step(t, shape.rows);
    if (t->failed || t->n == 0)
        return;
    if (strcmp(name, "attention") == 0)
        count_attention(t, (size_t)layer, shape.cols);
    else if (strcmp(name, "layer") == 0)
        count_layer(t, (size_t)layer, shape.rows);
    else if (strcmp(name, "norm") == 0)
        count_norm(t);
    else if (strcmp(name, "logits") == 0)
        count_logits(t, shape.rows);
}

void trace_free(struct trace *t)
{
    free(t->steps);
    ids_free(&t->ids);
    *t = (struct trace){0};
}

void step_add(struct step *all, const struct step *s)
{
    all->n += s->n;
    all->weights += s->weights;
    all->cache_read += s->cache_read;
    all->cache_written += s->cache_written;
    all->held += s->held;
    all->flops += s->flops;
}

struct step trace_total(const struct trace *t)
{
    struct step all = {0};
    for (size_t i = 0; i < t->n; i++) {
        all.held = 0;
        step_add(&all, &t->steps[i]);
    }
    return all;
}

size_t step_bytes(const struct step *s)
{
    return s->weights + s->cache_read + s->cache_written;
}

double step_intensity(const struct step *s)
{
    size_t bytes = step_bytes(s);
    return bytes ? (double)s->flops / (double)bytes : 0;
}

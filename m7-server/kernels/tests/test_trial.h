/* For the tests of attention: a text that a layer reads, in one way or
 * another. */
#ifndef TEST_TRIAL_H
#define TEST_TRIAL_H

#include "attend.h"

#include "kvcache.h"
#include "test_numbers.h"

#include <stdbool.h>

/* A layer, a text, and how the text is read. */
struct trial {
    size_t n_heads, n_kv_heads, head_dim, window;
    float soft_cap;
    const char *form;
    size_t length;
};

struct reading {
    const struct cpu_set *set;
    size_t threads, chunk;
};

struct numbers_of {
    float *q, *k, *v; /* (length, heads, head_dim) */
};

/* From -1 to 1, always the same. */
static inline float random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)(int32_t)(*seed >> 32) / 2147483648.0f;
}

static inline float *random_numbers(size_t n, uint64_t seed, float size)
{
    float *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = size * random_number(&seed);
    return x;
}

static inline size_t width_of(const struct trial *t)
{
    return t->n_kv_heads * t->head_dim;
}

static inline size_t out_of(const struct trial *t)
{
    return t->n_heads * t->head_dim;
}

/* Queries so large that a few positions have most of the weight. */
static inline struct numbers_of numbers_of_trial(const struct trial *t)
{
    size_t kv = t->length * width_of(t);
    return (struct numbers_of){
        random_numbers(t->length * out_of(t), 1, 6),
        random_numbers(kv, 2, 1), random_numbers(kv, 3, 1)};
}

static inline void free_numbers(struct numbers_of *x)
{
    free(x->q);
    free(x->k);
    free(x->v);
}

/* A layer's cache, and what reads it. */
struct reader_of {
    struct layer layer;
    struct model model;
    struct cache cache;
    struct threads *threads;
    struct attender attender;
};

static inline void open_reader(struct reader_of *r, const struct trial *t,
                        const struct reading *how)
{
    struct error e;
    struct attention_limits most = {.positions = t->length};
    r->layer =
        (struct layer){.attention = {.n_heads = t->n_heads,
                                     .n_kv_heads = t->n_kv_heads,
                                     .head_dim = t->head_dim,
                                     .window = t->window}};
    r->model = (struct model){
        .config = {.n_layers = 1}, .layers = &r->layer, .set = how->set};
    assert_ok(cache_init_form(&r->cache, &r->model,
                              cache_form_named(t->form), t->length, how->chunk,
                              &e),
              &e);
    assert_ok(threads_open(&r->threads, how->threads, &e), &e);
    attention_limits_add(&most, t->n_heads, t->n_kv_heads, t->head_dim);
    assert_ok(attender_init(&r->attender, how->set, r->threads, &most, &e),
              &e);
}

static inline void close_reader(struct reader_of *r)
{
    attender_free(&r->attender);
    threads_close(r->threads);
    cache_free(&r->cache);
}

/* Queries as keys are turned, and results back. */
static inline void turn_all(head_turn_function *turn, float *x, size_t heads,
                     size_t head_dim)
{
    for (size_t h = 0; turn && h < heads; h++)
        turn(x + h * head_dim, head_dim);
}

/* What the tokens from .. from + n - 1 find. */
static inline void attend_chunk(struct reader_of *r, const struct trial *t,
                         const struct numbers_of *x, size_t from, size_t n,
                         float *out)
{
    const struct cache_layer *l = r->cache.layers;
    size_t size = out_of(t);
    float *q = malloc(n * size * sizeof *q);
    assert_non_null(q);
    memcpy(q, x->q + from * size, n * size * sizeof *q);
    turn_all(l->key_form->turn, q, n * t->n_heads, t->head_dim);
    struct attention_work w = {.keys = &l->key_panels,
                               .values = &l->value_panels,
                               .n_heads = t->n_heads,
                               .from = from,
                               .n = n,
                               .window = t->window,
                               .scale = 0.3f,
                               .soft_cap = t->soft_cap,
                               .q = q,
                               .out = out + from * size};
    attend_all(&r->attender, &w);
    turn_all(l->value_form->turn_back, w.out, n * t->n_heads, t->head_dim);
    free(q);
}

static inline void store_chunk(struct reader_of *r, const struct trial *t,
                        const struct numbers_of *x, size_t from, size_t n)
{
    cache_store(r->cache.layers, from, n, x->k + from * width_of(t),
                x->v + from * width_of(t));
    r->cache.length = from + n;
}

/* The text, read so: (length, n_heads, head_dim), to be freed. */
static inline float *read_text(const struct trial *t,
                               const struct numbers_of *x, struct reading how)
{
    struct reader_of r;
    float *out = calloc(t->length * out_of(t) + 1, sizeof *out);
    assert_non_null(out);
    out[t->length * out_of(t)] = 0.75f;
    open_reader(&r, t, &how);
    for (size_t from = 0, n; from < t->length; from += n) {
        n = t->length - from < how.chunk ? t->length - from : how.chunk;
        store_chunk(&r, t, x, from, n);
        attend_chunk(&r, t, x, from, n, out);
    }
    assert_true(out[t->length * out_of(t)] == 0.75f);
    close_reader(&r);
    return out;
}

static const struct trial attention_trials[] = {
    {1, 1, 64, 0, 0, "f32", 150},    {3, 1, 64, 0, 0, "f16", 200},
    {8, 2, 32, 0, 0, "int8", 150},   {7, 1, 64, 0, 0, "k4v4", 200},
    {14, 2, 64, 0, 0, "k4v3", 90},   {2, 2, 80, 0, 0, "k3v2", 150},
    {4, 1, 96, 0, 0, "k4v3", 100},   {2, 1, 128, 0, 0, "f16", 100},
    {2, 1, 256, 0, 0, "f32", 90},    {4, 2, 64, 40, 0, "f16", 300},
    {2, 1, 80, 17, 0, "int8", 200},  {3, 1, 64, 64, 30, "k4v4", 300},
    {2, 2, 128, 0, 50, "f32", 130},  {6, 2, 20, 5, 0, "k3v2", 130},
    {2, 1, 12, 0, 0, "k4v4", 130},   {3, 3, 7, 0, 0, "f16", 100},
    {2, 1, 1, 0, 0, "int8", 70},     {60, 1, 8, 0, 0, "f32", 80},
    {.form = NULL},
};

#endif

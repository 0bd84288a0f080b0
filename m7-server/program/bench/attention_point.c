/* Decode's attention: see attention_point.h. */
#include "attention_point.h"

#include "attend.h"
#include "kvcache.h"

#include <stdlib.h>

enum attention_sizes {
    AT_DEPTH = 4096,
    AT_LAYERS = 24,
    AT_HEADS = 14, /* of queries */
    AT_KV_HEADS = 2,
    AT_HEAD_DIM = 64,
    AT_CHUNK = 64 /* tokens, whose keys are stored at once */
};

struct attention_point {
    struct layer layers[AT_LAYERS];
    struct model model; /* as far as a cache asks for it */
    struct cache cache;
    struct attender attender;
    float q[AT_HEADS * AT_HEAD_DIM], out[AT_HEADS * AT_HEAD_DIM];
};

/* Keys and values: numbers from -0.5 to 0.5. */
static void store_all(struct attention_point *a)
{
    float rows[AT_CHUNK * AT_KV_HEADS * AT_HEAD_DIM];
    size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++)
        rows[i] = (float)(i * 37 % 101) / 101 - 0.5f;
    for (size_t i = 0; i < AT_HEADS * AT_HEAD_DIM; i++)
        a->q[i] = (float)(i * 29 % 103) / 103 - 0.5f;
    for (size_t l = 0; l < AT_LAYERS; l++)
        for (size_t p = 0; p < AT_DEPTH; p += AT_CHUNK)
            cache_store(&a->cache.layers[l], p, AT_CHUNK, rows, rows);
}

static int open_point(struct attention_point *a, struct threads *threads,
                      struct error *e)
{
    struct attention_limits most = {.positions = AT_DEPTH};
    a->model.config.n_layers = AT_LAYERS;
    a->model.layers = a->layers;
    for (size_t l = 0; l < AT_LAYERS; l++)
        a->layers[l].attention = (struct attention){.n_heads = AT_HEADS,
                                                    .n_kv_heads = AT_KV_HEADS,
                                                    .head_dim = AT_HEAD_DIM};
    attention_limits_add(&most, AT_HEADS, AT_KV_HEADS, AT_HEAD_DIM);
    if (cache_init_form(&a->cache, &a->model, cache_form_named("f16"),
                        AT_DEPTH, AT_CHUNK, e) ||
        attender_init(&a->attender, a->model.set, threads, &most, e))
        return -1;
    store_all(a);
    return 0;
}

int attention_point_open(struct attention_point **out,
                         const struct cpu_set *set, struct threads *threads,
                         struct error *e)
{
    struct attention_point *a = calloc(1, sizeof *a);
    *out = NULL;
    if (!a)
        return fail_memory(e, "attention");
    a->model.set = set;
    if (open_point(a, threads, e)) {
        attention_point_close(a);
        return -1;
    }
    *out = a;
    return 0;
}

void attention_point_close(struct attention_point *a)
{
    if (!a)
        return;
    cache_free(&a->cache);
    attender_free(&a->attender);
    free(a);
}

void attention_point_run(struct attention_point *a)
{
    for (size_t l = 0; l < AT_LAYERS; l++) {
        struct attention_work w = {.keys = &a->cache.layers[l].key_panels,
                                   .values = &a->cache.layers[l].value_panels,
                                   .n_heads = AT_HEADS,
                                   .from = AT_DEPTH - 1,
                                   .n = 1,
                                   .scale = 0.125f,
                                   .q = a->q,
                                   .out = a->out};
        attend_all(&a->attender, &w);
    }
}

double attention_point_bytes(const struct attention_point *a)
{
    return (double)AT_DEPTH * (double)cache_position_bytes(&a->cache);
}

/* Of each key and value: a product and a sum. */
double attention_point_operations(const struct attention_point *a)
{
    (void)a;
    return 4.0 * AT_LAYERS * AT_HEADS * AT_HEAD_DIM * AT_DEPTH;
}

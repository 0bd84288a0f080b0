/* How fast attention is, in one thread: a head of 64 numbers and the queries
 * that share it, at a depth; all forms of a cache in turn, round by round, and
 * so each in the same company.  Ratios are those of a round, the median.
 *
 *     build/plain/bench_attend [DEPTH [HEADS [HEAD_DIM [FORM]]]] */
#define _GNU_SOURCE
#include "attend.h"

#include "kvcache.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Layers, so that a cache is larger than what a processor keeps. */
enum bench_sizes {
    LAYERS = 24,
    KV_HEADS = 2,
    CHUNK = 64,
    ROUNDS = 15,
    CHUNK_ROUNDS = 3,
    MOST_FORMS = 16
};

struct attend_bench {
    const char *form;
    struct layer layers[LAYERS];
    struct model model;
    struct cache cache;
    struct attender attender;
    size_t depth, sharing, head_dim;
    float *q, *k, *out;
    double one[ROUNDS], many[CHUNK_ROUNDS]; /* seconds: a token, a chunk */
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fill_floats(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)rand() / (float)RAND_MAX - 0.5f;
}

static int open_attend_bench(struct attend_bench *b, const char *form,
                             struct error *e)
{
    struct attention_limits most = {.positions = b->depth + CHUNK};
    size_t heads = KV_HEADS * b->sharing, n = CHUNK * heads * b->head_dim + 7;
    b->model = (struct model){.config = {.n_layers = LAYERS},
                              .layers = b->layers};
    for (size_t l = 0; l < LAYERS; l++)
        b->layers[l].attention = (struct attention){
            .n_heads = heads, .n_kv_heads = KV_HEADS, .head_dim = b->head_dim};
    if (cpu_choose(&b->model.set, e))
        return -1;
    attention_limits_add(&most, heads, KV_HEADS, b->head_dim);
    b->q = calloc(n, sizeof *b->q);
    b->k = calloc(n, sizeof *b->k);
    b->out = calloc(n, sizeof *b->out);
    fill_floats(b->q, n);
    fill_floats(b->k, n);
    if (cache_init_form(&b->cache, &b->model, cache_form_named(form),
                        b->depth + CHUNK, CHUNK, e) ||
        attender_init(&b->attender, b->model.set, NULL, &most, e))
        return -1;
    for (size_t l = 0; l < LAYERS; l++)
        for (size_t p = 0; p < b->depth; p += CHUNK)
            cache_store(&b->cache.layers[l], p, CHUNK, b->k, b->k + 7);
    return 0;
}

static void close_attend_bench(struct attend_bench *b)
{
    cache_free(&b->cache);
    attender_free(&b->attender);
    free(b->q);
    free(b->k);
    free(b->out);
}

/* n tokens behind `from` others, in all layers. */
static double time_attention(struct attend_bench *b, size_t from, size_t n)
{
    double begin = cpu_seconds();
    for (size_t l = 0; l < LAYERS; l++) {
        struct attention_work w = {
            .keys = &b->cache.layers[l].key_panels,
            .values = &b->cache.layers[l].value_panels,
            .n_heads = KV_HEADS * b->sharing,
            .from = from,
            .n = n,
            .scale = 0.125f,
            .q = b->q,
            .out = b->out};
        attend_all(&b->attender, &w);
    }
    return cpu_seconds() - begin;
}

static double median_of_rounds(const double *spent, size_t n)
{
    double sorted[ROUNDS];
    for (size_t i = 0; i < n; i++) {
        size_t j = i;
        for (; j > 0 && spent[i] < sorted[j - 1]; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = spent[i];
    }
    return sorted[n / 2];
}

/* How long a token takes, that of `base` being 1. */
static double median_ratio(const struct attend_bench *b,
                           const struct attend_bench *base)
{
    double ratios[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        ratios[i] = b->one[i] / base->one[i];
    return median_of_rounds(ratios, ROUNDS);
}

static double time_storing(struct attend_bench *b)
{
    double begin = cpu_seconds();
    for (size_t l = 0; l < LAYERS; l++)
        cache_store(&b->cache.layers[l], 0, CHUNK, b->k, b->k + 7);
    return (cpu_seconds() - begin) / CHUNK;
}

static void print_form(struct attend_bench *b, const struct attend_bench *base)
{
    double bytes = (double)b->depth * (double)cache_position_bytes(&b->cache);
    double macs =
        2.0 * LAYERS * KV_HEADS * (double)b->sharing * (double)b->head_dim;
    double one = median_of_rounds(b->one, ROUNDS);
    double many = median_of_rounds(b->many, CHUNK_ROUNDS);
    printf("%-6s decode %7.3f ms, %5.3f of %s, %5.1f GB/s, %5.1f Gmac/s; "
           "chunk of %d: %5.1f Gmac/s; storing %.1f us a token\n",
           b->form, one * 1e3, median_ratio(b, base), base->form,
           bytes / one * 1e-9, macs * (double)b->depth / one * 1e-9, CHUNK,
           macs * CHUNK * ((double)b->depth - CHUNK / 2) / many * 1e-9,
           time_storing(b) * 1e6);
}

/* All forms of which `asked` is one, or NULL: returns how many are open, or 0
 * when one could not be. */
static size_t open_forms(struct attend_bench *all,
                         const struct attend_bench *shape, const char *asked)
{
    struct error e;
    size_t n = 0;
    for (size_t i = 0; cache_form_row(i) && n < MOST_FORMS; i++) {
        if (asked && cache_form_row(i) != cache_form_named(asked))
            continue;
        all[n] = *shape;
        all[n].form = cache_form_row(i)->name;
        if (open_attend_bench(&all[n], all[n].form, &e)) {
            fprintf(stderr, "%s\n", e.message);
            return 0;
        }
        n++;
    }
    return n;
}

static void time_forms(struct attend_bench *all, size_t n)
{
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < n; i++) {
            struct attend_bench *b = &all[i];
            b->one[round] = time_attention(b, b->depth - 1, 1);
            if (round < CHUNK_ROUNDS)
                b->many[round] = time_attention(b, b->depth - CHUNK, CHUNK);
        }
}

int main(int argc, char **argv)
{
    static struct attend_bench all[MOST_FORMS];
    struct attend_bench shape = {.depth = 1024, .sharing = 7, .head_dim = 64};
    const struct attend_bench *base = all;
    if (argc > 1)
        shape.depth = strtoul(argv[1], NULL, 10) / CHUNK * CHUNK;
    if (argc > 2)
        shape.sharing = strtoul(argv[2], NULL, 10);
    if (argc > 3)
        shape.head_dim = strtoul(argv[3], NULL, 10);
    size_t n = open_forms(all, &shape, argc > 4 ? argv[4] : NULL);
    time_forms(all, n);
    for (size_t i = 0; i < n; i++)
        if (cache_form_named(all[i].form) == cache_form_named("f16"))
            base = &all[i];
    for (size_t i = 0; i < n; i++)
        print_form(&all[i], base);
    for (size_t i = 0; i < n; i++)
        close_attend_bench(&all[i]);
    return n > 0 ? 0 : 1;
}

/* What the past costs: the time of decode, and the bytes of the cache, by how
 * many tokens stand before the one that is read.
 *
 *     make build/plain/bench_past
 *     build/plain/bench_past MODEL                 1000 to 40,000 tokens
 *     build/plain/bench_past MODEL TOKENS...       so many; each time at least
 *                                                  25 more than the last time
 *
 * The past is made up, so that nobody has to wait until it is computed: other
 * numbers would cost the same.  Each line is the median of 25 tokens, in
 * processor time, which counts waiting for memory but not other programs. */
#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum bench_sizes {
    RUNS = 25,
    CHUNK = 1, /* decode alone: the rings are as long as their windows */
    MOST_LENGTHS = 16
};

struct bench {
    struct model model;
    struct state state;
    struct cache cache;
    float *row; /* numbers of a position: (the widest layer's,) */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Let the cache hold n tokens, which nobody has read. */
static void make_past(struct bench *b, size_t n)
{
    struct cache *c = &b->cache;
    for (; c->length < n; c->length++) {
        c->ids[c->length] = 0;
        for (size_t l = 0; l < c->n_layers; l++) {
            size_t width = c->layers[l].width;
            for (size_t i = 0; i < width; i++)
                b->row[i] = (float)((c->length * 7 + i * 37) % 65) / 32 - 1;
            cache_store(&c->layers[l], c->length, 1, b->row, b->row);
        }
    }
    c->rotated = n;
}

/* Milliseconds a token behind n others. */
static double time_decode(struct bench *b, size_t n)
{
    double times[RUNS];
    make_past(b, n);
    for (int run = 0; run < RUNS; run++) {
        double begin = now();
        decode(&b->model, &b->state, &b->cache, run, NULL);
        times[run] = (now() - begin) * 1e3;
    }
    qsort(times, RUNS, sizeof *times, compare_times);
    return times[RUNS / 2];
}

/* Behind each so many tokens stand those that were read there. */
static int check_lengths(const size_t *lengths, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        size_t least = i ? lengths[i - 1] + RUNS : 1;
        if (lengths[i] < least)
            return fail(e, ERROR_USAGE,
                        "%zu tokens: this line needs at least %zu",
                        lengths[i], least);
    }
    return 0;
}

/* For texts of up to `longest` tokens. */
static int open_bench(struct bench *b, const char *path, size_t longest,
                      struct error *e)
{
    size_t width = 0;
    if (model_open(&b->model, path, e) ||
        state_init_chunked(&b->state, &b->model, longest, CHUNK, e) ||
        cache_init(&b->cache, &b->model, longest, CHUNK, e))
        return -1;
    for (size_t l = 0; l < b->cache.n_layers; l++)
        if (b->cache.layers[l].width > width)
            width = b->cache.layers[l].width;
    b->row = calloc(width, sizeof *b->row);
    return b->row ? 0 : fail_memory(e, "the benchmark");
}

static int print_times(const char *path, const size_t *lengths, size_t n,
                       struct error *e)
{
    struct bench b;
    if (check_lengths(lengths, n, e) ||
        open_bench(&b, path, lengths[n - 1] + RUNS, e))
        return -1;
    printf("tokens before   ms a token\n");
    for (size_t i = 0; i < n; i++)
        printf("past %-8zu %12.3f\n", lengths[i],
               time_decode(&b, lengths[i]));
    printf("the cache: %.1f MB\n", (double)cache_bytes(&b.cache) / 1e6);
    cache_free(&b.cache);
    state_free(&b.state);
    model_close(&b.model);
    free(b.row);
    return 0;
}

int main(int argc, char **argv)
{
    size_t lengths[MOST_LENGTHS] = {1000, 10000, 20000, 40000}, n = 4;
    const char *path = argc > 1 ? argv[1] : getenv("RUNG_MODEL");
    struct error e;
    if (argc > 2)
        for (n = 0; n + 2 < (size_t)argc && n < MOST_LENGTHS; n++)
            lengths[n] = strtoul(argv[n + 2], NULL, 10);
    if (print_times(path ? path : "../tests/models/tiny-chat", lengths, n,
                    &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    return 0;
}

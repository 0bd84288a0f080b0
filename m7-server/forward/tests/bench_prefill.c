/* What reading a prompt in chunks buys: milliseconds a token, by the length of
 * the chunk, beside decode.
 *
 *     make bench                      the reading model, 128 tokens
 *     build/plain/bench_prefill MODEL TOKENS
 *     build/plain/bench_prefill MODEL TOKENS CHUNK    that length only
 *
 * Each line is the median of five runs over the same text, in processor time,
 * which counts waiting for memory but not other programs.  In a row, the bytes
 * of weights that are fetched for each token: those of the layers, divided by
 * the chunk. */
#include "forward.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum bench_sizes {
    RUNS = 5
};

struct bench {
    struct model model;
    int *ids; /* (n,) */
    size_t n;
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

static void decode_all(const struct bench *b, struct state *s,
                       struct cache *c)
{
    for (size_t t = 0; t < b->n; t++)
        decode(&b->model, s, c, b->ids[t], NULL);
}

/* Milliseconds a token; chunk 0 is decode. */
static double time_chunks(const struct bench *b, size_t chunk)
{
    double times[RUNS];
    struct error e;
    for (int run = 0; run < RUNS; run++) {
        struct state s;
        struct cache c;
        size_t rows = chunk ? chunk : 1;
        if (state_init_chunked(&s, &b->model, b->n, rows, &e) ||
            cache_init(&c, &b->model, b->n, rows, &e))
            return -1;
        double begin = now();
        if (chunk == 0)
            decode_all(b, &s, &c);
        else
            prefill(&b->model, &s, &c, b->ids, b->n, NULL);
        times[run] = (now() - begin) * 1e3 / (double)b->n;
        cache_free(&c);
        state_free(&s);
    }
    qsort(times, RUNS, sizeof *times, compare_times);
    return times[RUNS / 2];
}

static void print_chunk(const struct bench *b, size_t chunk, double alone)
{
    double spent = time_chunks(b, chunk);
    printf("chunk %-4zu %12.3f %10.1f %10.2f times\n", chunk, spent,
           1e3 / spent, alone / spent);
}

/* With chunks of that length, or of several when it is 0. */
static void print_times(const struct bench *b, size_t chunk)
{
    static const size_t chunks[] = {1, 2, 4, 8, 16, 32, 64, 128};
    double alone = time_chunks(b, 0);
    printf("%zu tokens    ms a token   tokens/s   as fast as decode\n", b->n);
    printf("decode     %12.3f %10.1f %10.2f times\n", alone, 1e3 / alone, 1.0);
    if (chunk > 0)
        print_chunk(b, chunk, alone);
    for (size_t i = 0; chunk == 0 && i < sizeof chunks / sizeof *chunks; i++)
        print_chunk(b, chunks[i], alone);
}

static int open_bench(struct bench *b, const char *path, size_t n,
                      struct error *e)
{
    if (model_open(&b->model, path, e))
        return -1;
    b->n = n;
    b->ids = calloc(n, sizeof *b->ids);
    if (!b->ids) {
        model_close(&b->model);
        return fail_memory(e, "the benchmark");
    }
    for (size_t i = 0; i < n; i++)
        b->ids[i] = (int)(i * 37 % b->model.config.vocab_size);
    return 0;
}

int main(int argc, char **argv)
{
    struct bench b;
    struct error e;
    const char *path = argc > 1 ? argv[1] : getenv("RUNG_MODEL");
    size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 128;
    if (open_bench(&b, path ? path : "../tests/models/tiny-chat", n ? n : 1,
                   &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    print_times(&b, argc > 3 ? strtoul(argv[3], NULL, 10) : 0);
    free(b.ids);
    model_close(&b.model);
    return 0;
}

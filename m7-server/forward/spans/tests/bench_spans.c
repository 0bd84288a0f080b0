/* What reading texts together buys: milliseconds of a step that reads one
 * token of each of some texts and scores what comes next, by how many these
 * are.
 *
 *     make bench                            the reading model, 128 tokens each
 *     build/plain/bench_spans MODEL TOKENS THREADS
 *     build/plain/bench_spans smollm2-135m 512    a shape, random weights
 *
 * The median of some rounds, each of which goes through all numbers of
 * texts, so that whatever else the machine does meets all of them. */
#include "random_model.h"
#include "spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum bench_sizes {
    MOST_TEXTS = 16,
    ROUNDS = 25,
    STEPS = 4 /* timed together */
};

static const size_t counts[] = {1, 2, 4, 8, 16};

enum bench_counts {
    N_COUNTS = sizeof counts / sizeof *counts
};

struct bench {
    struct model model;
    bool is_random;
    struct threads *threads;
    struct state state;
    struct cache caches[MOST_TEXTS];
    struct span spans[MOST_TEXTS];
    int id;
    size_t n; /* tokens of each text */
    double times[N_COUNTS][ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One token of each of n texts, which forget it again. */
static void run_step(struct bench *b, size_t n)
{
    size_t rows[MOST_TEXTS];
    for (size_t i = 0; i < n; i++)
        rows[i] = i;
    read_spans(&b->model, &b->state, b->spans, n, NULL);
    logits_of_rows(&b->model, &b->state, rows, n, NULL);
    for (size_t i = 0; i < n; i++)
        cache_truncate(&b->caches[i], b->n);
}

/* Milliseconds of a step. */
static double time_steps(struct bench *b, size_t n)
{
    double begin = now();
    for (size_t i = 0; i < STEPS; i++)
        run_step(b, n);
    return (now() - begin) * 1e3 / STEPS;
}

static void print_times(struct bench *b)
{
    double alone = 0;
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < N_COUNTS; i++)
            b->times[i][round] = time_steps(b, counts[i]);
    printf("%zu tokens each, %zu threads\n", b->n, threads_count(b->threads));
    printf("texts   ms a step   of one text's   tokens/s\n");
    for (size_t i = 0; i < N_COUNTS; i++) {
        qsort(b->times[i], ROUNDS, sizeof(double), compare_times);
        double ms = b->times[i][ROUNDS / 2];
        alone = i == 0 ? ms : alone;
        printf("%5zu   %9.3f   %13.2f   %8.1f\n", counts[i], ms, ms / alone,
               1e3 / ms * (double)counts[i]);
    }
}

/* A shape of that name, or the model at that path. */
static int open_model(struct bench *b, const char *name, struct error *e)
{
    const struct model_shape *shape = shape_named(name);
    b->is_random = shape;
    if (shape)
        return random_model_open(&b->model, shape, PACKED_INT4, PACKED_INT4,
                                 b->threads, e);
    return model_open(&b->model, name, e) ||
                   model_pack(&b->model, b->threads, e)
               ? -1
               : 0;
}

static int open_text(struct bench *b, size_t i, struct error *e)
{
    struct cache *c = &b->caches[i];
    b->spans[i] = (struct span){.cache = c, .ids = &b->id, .n = 1};
    if (cache_init(c, &b->model, b->n + 1, STATE_CHUNK, e))
        return -1;
    for (size_t t = 0; t < b->n; t++) {
        int id = (int)((t * 37 + i) % b->model.config.vocab_size);
        decode(&b->model, &b->state, c, id, NULL);
    }
    return 0;
}

static int open_bench(struct bench *b, const char *name, size_t threads,
                      struct error *e)
{
    if (threads_open(&b->threads, threads, e) || open_model(b, name, e) ||
        state_init_chunked(&b->state, &b->model, b->n + MOST_TEXTS,
                           STATE_CHUNK, e))
        return -1;
    for (size_t i = 0; i < MOST_TEXTS; i++)
        if (open_text(b, i, e))
            return -1;
    return 0;
}

static void close_bench(struct bench *b)
{
    for (size_t i = 0; i < MOST_TEXTS; i++)
        cache_free(&b->caches[i]);
    state_free(&b->state);
    (b->is_random ? random_model_close : model_close)(&b->model);
    threads_close(b->threads);
}

int main(int argc, char **argv)
{
    struct bench b = {.n = argc > 2 ? strtoul(argv[2], NULL, 10) : 128};
    struct error e;
    const char *model = argc > 1 ? argv[1] : getenv("RUNG_MODEL");
    int result = open_bench(&b, model ? model : "../tests/models/tiny-chat",
                            argc > 3 ? strtoul(argv[3], NULL, 10) : 0, &e);
    if (result)
        fprintf(stderr, "%s\n", e.message);
    else
        print_times(&b);
    close_bench(&b);
    return result ? 1 : 0;
}

/* What a number costs between two matrices: nanoseconds for each, by m5's
 * functions and by every set of instructions that this processor has.
 *
 *     make build/plain/bench_rows && build/plain/bench_rows
 *     build/plain/bench_rows NUMBERS      of a row; else 4864
 *
 * One thread, whose own time is measured; all in turn, nine times over, and
 * the median of each. */
#define _GNU_SOURCE /* CLOCK_THREAD_CPUTIME_ID */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum bench_sizes {
    TURNS = 9,
    MOST_WAYS = 6, /* m5 and the sets */
    HEAD = 64
};

struct bench {
    size_t n; /* numbers of a row, whole heads */
    float *x, *y, *z;     /* (n,) */
    float *given;         /* what x becomes before each run */
    struct compute ways[MOST_WAYS]; /* the first without an engine */
    const char *names[MOST_WAYS];
    size_t n_ways;
};

static void run_copy(struct bench *b, struct compute *c)
{
    (void)b;
    (void)c;
}

static void run_norm(struct bench *b, struct compute *c)
{
    struct norm norm = {.kind = NORM_RMS,
                        .width = b->n,
                        .eps = 1e-6f,
                        .weight = {.data = (unsigned char *)b->y,
                                   .dtype = DTYPE_F32,
                                   .floats = b->y,
                                   .rows = b->n,
                                   .cols = 1}};
    normalize_rows(c, &norm, b->x, b->n, b->x);
}

static void run_layer_norm(struct bench *b, struct compute *c)
{
    struct norm norm = {.kind = NORM_LAYER, .width = b->n, .eps = 1e-6f};
    normalize_rows(c, &norm, b->x, b->n, b->x);
}

static void run_silu(struct bench *b, struct compute *c)
{
    activate_rows(c, silu, b->x, b->y, b->n);
}

static void run_gelu(struct bench *b, struct compute *c)
{
    activate_rows(c, gelu, b->x, b->y, b->n);
}

static void run_gelu_tanh(struct bench *b, struct compute *c)
{
    activate_rows(c, gelu_tanh, b->x, b->y, b->n);
}

static void run_soft_cap(struct bench *b, struct compute *c)
{
    soft_cap_rows(c, b->x, 30, b->n);
}

static void run_scale(struct bench *b, struct compute *c)
{
    scale_rows(c, b->x, 0.7f, b->n);
}

static void run_add(struct bench *b, struct compute *c)
{
    add_scaled_rows(c, b->x, b->y, 0.7f, b->n);
}

static void turn_some(struct bench *b, struct compute *c, bool neighbours)
{
    struct rope r = {.dim = HEAD, .neighbours = neighbours};
    struct angles a = {b->y, b->z};
    rotate_rows(c, &r, &a, b->x, 1, b->n / HEAD, HEAD);
}

static void run_turn(struct bench *b, struct compute *c)
{
    turn_some(b, c, false);
}

static void run_turn_neighbours(struct bench *b, struct compute *c)
{
    turn_some(b, c, true);
}

/* For the numbers of a head of 151,936 logits, say, less the largest. */
static void run_exponentials(struct bench *b, struct compute *c)
{
    if (c->engine)
        c->engine->set->rows->exponentials(b->x, 4, b->n);
    else
        for (size_t i = 0; i < b->n; i++)
            b->x[i] = expf(b->x[i] - 4);
}

struct work {
    const char *name;
    void (*run)(struct bench *b, struct compute *c);
};

/* Each run begins with a copy of the numbers; so that is the first, and its
 * time is taken from all others. */
static const struct work works[] = {
    {"copy", run_copy},
    {"RMS norm", run_norm},
    {"layer norm", run_layer_norm},
    {"SiLU, times up", run_silu},
    {"GELU, times up", run_gelu},
    {"GELU by tanh, times up", run_gelu_tanh},
    {"soft cap", run_soft_cap},
    {"exp", run_exponentials},
    {"scale", run_scale},
    {"add scaled", run_add},
    {"turn, halves", run_turn},
    {"turn, neighbours", run_turn_neighbours},
};

enum works_count {
    N_WORKS = sizeof works / sizeof works[0]
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds for each number. */
static double time_work(struct bench *b, const struct work *w,
                        struct compute *c)
{
    size_t runs = 200000 / b->n + 1;
    double begin = now();
    for (size_t i = 0; i < runs; i++) {
        memcpy(b->x, b->given, b->n * sizeof *b->x);
        w->run(b, c);
    }
    return (now() - begin) / (double)(runs * b->n);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, TURNS, sizeof *times, compare_times);
    return times[TURNS / 2];
}

static void run_turns(struct bench *b)
{
    static double times[N_WORKS][MOST_WAYS][TURNS];
    for (size_t t = 0; t < TURNS; t++)
        for (size_t i = 0; i < N_WORKS; i++)
            for (size_t w = 0; w < b->n_ways; w++)
                times[i][w][t] = time_work(b, &works[i], &b->ways[w]);
    printf("%-24s", "ns a number");
    for (size_t w = 0; w < b->n_ways; w++)
        printf("%10s", b->names[w]);
    for (size_t i = 0; i < N_WORKS; i++) {
        printf("\n%-24s", works[i].name);
        for (size_t w = 0; w < b->n_ways; w++)
            printf("%10.3f", median(times[i][w]) -
                                 (i > 0 ? median(times[0][w]) : 0));
    }
    printf("\n");
}

/* m5's functions, and an engine without threads for each set. */
static void open_ways(struct bench *b, struct engine *engines)
{
    b->names[b->n_ways++] = "m5";
    for (size_t i = 0; cpu_set_row(i); i++) {
        struct error e;
        if (!cpu_set_row(i)->is_here() || b->n_ways == MOST_WAYS)
            continue;
        if (engine_init(&engines[b->n_ways], cpu_set_row(i), NULL, 1, GROUP,
                        &e))
            return;
        b->ways[b->n_ways].engine = &engines[b->n_ways];
        b->names[b->n_ways++] = cpu_set_row(i)->name;
    }
}

static void fill_numbers(struct bench *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->given[i] = (float)(i * 37 % 101) / 12 - 4;
        b->y[i] = (float)(i * 29 % 103) / 50 - 1;
        b->z[i] = (float)(i * 31 % 107) / 50 - 1;
    }
}

int main(int argc, char **argv)
{
    struct engine engines[MOST_WAYS] = {{0}};
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4864;
    struct bench b = {.n = (n + HEAD) / HEAD * HEAD};
    float *room = calloc(4 * b.n, sizeof *room);
    if (!room)
        return 1;
    b.x = room;
    b.y = room + b.n;
    b.z = room + 2 * b.n;
    b.given = room + 3 * b.n;
    fill_numbers(&b);
    open_ways(&b, engines);
    run_turns(&b);
    for (size_t i = 0; i < MOST_WAYS; i++)
        engine_free(&engines[i]);
    free(room);
    return 0;
}

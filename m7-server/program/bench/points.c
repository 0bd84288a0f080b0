/* The kernels' points: see points.h. */
#include "points.h"

#include "attention_point.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum points_limits { MOST_INPUTS = 512 };

static const double least_seconds = 0.03;

static const size_t row_counts[] = {1, 4, 8, 64, MOST_INPUTS};

/* A kind of matrix, its name and what limits its products. */
struct point_kind {
    const char *name;
    enum packed_kind kind;
    enum limit_kind compute;
};

static const struct point_kind kinds[] = {
    {"int4", PACKED_INT4, LIMIT_INT4},
    {"int8", PACKED_INT8, LIMIT_INT8},
    {"bf16", PACKED_BF16, LIMIT_FLOAT},
    {"f32", PACKED_F32, LIMIT_FLOAT},
};

static void list_points(struct roofline *r)
{
    size_t n_counts = sizeof row_counts / sizeof *row_counts;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < n_counts; i++) {
            struct point *p = &r->points[r->n_points++];
            *p = (struct point){.kind = kinds[k].kind,
                                .n = row_counts[i],
                                .compute = kinds[k].compute};
            snprintf(p->name, sizeof p->name, "%s x %zu", kinds[k].name, p->n);
        }
    r->points[r->n_points++] =
        (struct point){.name = "attention f16", .compute = LIMIT_FLOAT};
}

/* A matrix of each kind; its factors are all 1. */
static int reserve_matrices(struct roofline *r, struct error *e)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct packed *p = &r->matrices[kinds[k].kind];
        if (packed_init(p, kinds[k].kind, POINT_ROWS, POINT_COLS, e))
            return -1;
        for (size_t i = 0; p->factors && i < POINT_ROWS; i++)
            p->factors[i] = 1;
    }
    return 0;
}

static int reserve_roofline(struct roofline *r, struct error *e)
{
    r->x = malloc((size_t)MOST_INPUTS * POINT_COLS * sizeof *r->x);
    r->out = malloc((size_t)MOST_INPUTS * POINT_ROWS * sizeof *r->out);
    if (!r->x || !r->out)
        return fail_memory(e, "the inputs of kernels");
    for (size_t i = 0; i < (size_t)MOST_INPUTS * POINT_COLS; i++)
        r->x[i] = (float)(i * 37 % 101) / 50 - 1;
    return reserve_matrices(r, e);
}

int roofline_open(struct roofline *r, struct threads *threads, struct error *e)
{
    const struct cpu_set *set;
    *r = (struct roofline){0};
    if (cpu_choose(&set, e))
        return -1;
    if (limits_open(&r->limits, set, threads, e) || reserve_roofline(r, e) ||
        engine_init(&r->engine, set, threads, MOST_INPUTS, POINT_COLS, e) ||
        attention_point_open(&r->attention, set, threads, e)) {
        roofline_close(r);
        return -1;
    }
    list_points(r);
    return 0;
}

void roofline_close(struct roofline *r)
{
    attention_point_close(r->attention);
    engine_free(&r->engine);
    limits_close(&r->limits);
    for (size_t i = 0; i < N_PACKED; i++)
        packed_free(&r->matrices[i]);
    free(r->x);
    free(r->out);
    *r = (struct roofline){0};
}

/* What is done between two looks at the clock. */
struct done {
    double bytes, operations;
};

/* Multiply matrix after matrix of those that fill the memory: none is near
 * when its turn comes. */
static struct done run_matrix(struct roofline *r, const struct point *p,
                              size_t *at)
{
    struct packed matrix = r->matrices[p->kind];
    struct product product = {&matrix, r->out};
    size_t size = packed_panels(&matrix) * matrix.panel_bytes;
    *at = *at + size <= r->limits.bytes ? *at : 0;
    matrix.bytes = r->limits.memory.bytes + *at;
    *at += size;
    multiply_all(&r->engine, &product, 1, r->x, p->n);
    return (struct done){(double)size,
                         2.0 * POINT_ROWS * POINT_COLS * (double)p->n};
}

static struct done run_attention(struct roofline *r)
{
    attention_point_run(r->attention);
    return (struct done){attention_point_bytes(r->attention),
                         attention_point_operations(r->attention)};
}

static void measure_point(struct roofline *r, struct point *p, size_t round)
{
    struct done all = {0, 0};
    size_t at = 0;
    const struct threads *threads = r->limits.threads;
    double begin = computing_seconds(threads), spent;
    do {
        struct done d = p->n ? run_matrix(r, p, &at) : run_attention(r);
        all.bytes += d.bytes;
        all.operations += d.operations;
        spent = computing_seconds(threads) - begin;
    } while (spent < least_seconds);
    p->speeds[round] = all.operations / spent;
    p->intensity = all.operations / all.bytes;
}

/* What a point cannot pass, by the limits of a round. */
static double roof_over(const struct limits *l, const struct point *p,
                        size_t round)
{
    double read = fmax(l->speeds[LIMIT_STREAMS][1][round],
                       l->speeds[LIMIT_READ][1][round]);
    return fmin(p->intensity * read, l->speeds[p->compute][1][round]);
}

void point_find_share(const struct limits *l, struct point *p)
{
    double shares[LIMIT_ROUNDS];
    for (size_t i = 0; i < LIMIT_ROUNDS; i++)
        shares[i] = p->speeds[i] / roof_over(l, p, i);
    p->share = sorted_middle(shares, LIMIT_ROUNDS);
}

/* The first round warms up, and the next takes its place. */
void roofline_measure(struct roofline *r)
{
    for (size_t round = 0; round <= LIMIT_ROUNDS; round++) {
        size_t place = round > 0 ? round - 1 : 0;
        limits_round(&r->limits, place);
        for (size_t i = 0; i < r->n_points; i++)
            measure_point(r, &r->points[i], place);
        if (r->progress)
            r->progress(r->context, round + 1, LIMIT_ROUNDS + 1);
    }
    for (size_t i = 0; i < r->n_points; i++)
        point_find_share(&r->limits, &r->points[i]);
}

double point_speed(const struct point *p)
{
    double rounds[LIMIT_ROUNDS];
    memcpy(rounds, p->speeds, sizeof rounds);
    return sorted_middle(rounds, LIMIT_ROUNDS);
}

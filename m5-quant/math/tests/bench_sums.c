/* What do running sums gain, and what would it cost to make floats of a row
 * of weights before it is multiplied?
 *
 *     make build/plain/bench_sums && build/plain/bench_sums
 *
 * A matrix that stays in the core's own cache is multiplied by one row of x,
 * with 1 to 32 running sums.  With 4 and more of them the compiler puts four
 * sums into one register: what 8 gain over 4, and 16 over 8, is then a gain of
 * not waiting, and no instruction is wider than before.  (More than eight are
 * written in groups of eight: gcc 12 unrolls a loop of eight steps, and leaves
 * the sums of a longer one in memory.)
 *
 * All is measured in turn, nine times over; each figure is the median of its
 * nine.  Time is the processor's, which does not count other programs. */
#include "dtype.h"
#include "ops.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum bench_sizes {
    TURNS = 9,
    ROWS = 192,
    COLS = 576
};

struct bench {
    float weights[ROWS * COLS];
    uint16_t halves[ROWS * COLS]; /* the same in BF16 */
    float x[COLS], out[ROWS], row[COLS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* x · y with so many running sums, at most eight. */
static inline float dot_by(const float *x, const float *y, size_t sums)
{
    float sum[8] = {0}, total = 0;
    for (size_t i = 0; i < COLS; i += sums)
        for (size_t j = 0; j < sums; j++)
            sum[j] += x[i + j] * y[i + j];
    for (size_t j = 0; j < sums; j++)
        total += sum[j];
    return total;
}

static inline void add_eight(float *sum, const float *x, const float *y)
{
    for (size_t j = 0; j < 8; j++)
        sum[j] += x[j] * y[j];
}

static inline float total_of_eight(const float *sum)
{
    float total = 0;
    for (size_t j = 0; j < 8; j++)
        total += sum[j];
    return total;
}

/* So that each has its number of sums in its instructions. */
static float dot_by_1(const float *x, const float *y)
{
    return dot_by(x, y, 1);
}

static float dot_by_2(const float *x, const float *y)
{
    return dot_by(x, y, 2);
}

static float dot_by_4(const float *x, const float *y)
{
    return dot_by(x, y, 4);
}

static float dot_by_8(const float *x, const float *y)
{
    return dot_by(x, y, 8);
}

static float dot_by_16(const float *x, const float *y)
{
    float a[8] = {0}, b[8] = {0};
    for (size_t i = 0; i < COLS; i += 16) {
        add_eight(a, x + i, y + i);
        add_eight(b, x + i + 8, y + i + 8);
    }
    return total_of_eight(a) + total_of_eight(b);
}

static float dot_by_32(const float *x, const float *y)
{
    float a[8] = {0}, b[8] = {0}, c[8] = {0}, d[8] = {0};
    for (size_t i = 0; i < COLS; i += 32) {
        add_eight(a, x + i, y + i);
        add_eight(b, x + i + 8, y + i + 8);
        add_eight(c, x + i + 16, y + i + 16);
        add_eight(d, x + i + 24, y + i + 24);
    }
    return total_of_eight(a) + total_of_eight(b) + total_of_eight(c) +
           total_of_eight(d);
}

static float dot_of_ops(const float *x, const float *y)
{
    return dot(x, y, COLS);
}

typedef float dot_function(const float *x, const float *y);

static void multiply_by(struct bench *b, dot_function *each)
{
    for (size_t r = 0; r < ROWS; r++)
        b->out[r] = each(b->x, b->weights + r * COLS);
}

static void multiply_halves(struct bench *b)
{
    struct compute c = {0};
    const struct weight w = {.data = (const unsigned char *)b->halves,
                             .dtype = DTYPE_BF16,
                             .rows = ROWS,
                             .cols = COLS};
    matmul(&c, b->x, 1, &w, b->out);
}

/* Floats, each row copied before it is multiplied: written and read once
 * more, and not converted. */
static void multiply_copies(struct bench *b)
{
    for (size_t r = 0; r < ROWS; r++) {
        memcpy(b->row, b->weights + r * COLS, sizeof b->row);
        b->out[r] = dot(b->x, b->row, COLS);
    }
}

/* BF16 by a detour: a row becomes floats in memory, and then a dot
 * product. */
static void multiply_detour(struct bench *b)
{
    for (size_t r = 0; r < ROWS; r++) {
        dtype_to_f32(DTYPE_BF16,
                     (const unsigned char *)(b->halves + r * COLS), COLS,
                     b->row);
        b->out[r] = dot(b->x, b->row, COLS);
    }
}

/* One line of the table: a dot product of floats, or a whole matrix. */
struct way {
    const char *name;
    dot_function *each;
    void (*all)(struct bench *b);
};

static const struct way ways[] = {
    {"1 sum", dot_by_1, NULL},
    {"2 sums", dot_by_2, NULL},
    {"4 sums", dot_by_4, NULL},
    {"8 sums", dot_by_8, NULL},
    {"16 sums", dot_by_16, NULL},
    {"32 sums", dot_by_32, NULL},
    {"dot of ops.c", dot_of_ops, NULL},
    {"F32, copied before", NULL, multiply_copies},
    {"BF16, as it is read", NULL, multiply_halves},
    {"BF16, by a detour", NULL, multiply_detour},
};

enum bench_ways {
    N_WAYS = sizeof ways / sizeof ways[0]
};

/* Billions of multiplications and additions in a second. */
static double speed_of(struct bench *b, const struct way *w)
{
    double begin = now(), done = 0;
    do {
        if (w->each)
            multiply_by(b, w->each);
        else
            w->all(b);
        done += 2.0 * ROWS * COLS;
    } while (now() - begin < 0.02);
    return done / (now() - begin) / 1e9;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fill(struct bench *b)
{
    for (size_t i = 0; i < ROWS * COLS; i++) {
        b->weights[i] = (float)(i % 17) - 8;
        uint32_t bits;
        memcpy(&bits, &b->weights[i], sizeof bits);
        b->halves[i] = (uint16_t)(bits >> 16);
    }
    for (size_t i = 0; i < COLS; i++)
        b->x[i] = (float)(i % 13) - 6;
}

int main(void)
{
    static struct bench b;
    static double speeds[N_WAYS][TURNS];
    fill(&b);
    for (size_t t = 0; t < TURNS; t++)
        for (size_t i = 0; i < N_WAYS; i++)
            speeds[i][t] = speed_of(&b, &ways[i]);
    for (size_t i = 0; i < N_WAYS; i++) {
        qsort(speeds[i], TURNS, sizeof speeds[i][0], compare_numbers);
        printf("%-20s %8.2f GFLOP/s\n", ways[i].name, speeds[i][TURNS / 2]);
    }
    return 0;
}

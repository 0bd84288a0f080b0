/* Is a product bound by memory or by arithmetic?  Three things, each measured
 * by itself: how fast bytes are read when nothing is computed, how fast the
 * products are with weights that are near, and with weights that are not.
 *
 *     make build/plain/bench_matmul && build/plain/bench_matmul
 *     build/plain/bench_matmul MB         another size for "far"
 *
 * Weights of three sizes: in the core's own cache, in the last one (where the
 * machine has 32 MB of it), and in memory.  Products are of 1, 4 and 64 rows
 * of x with each row of weights.  All is measured in turn, five times over;
 * each figure is the median of its five, and so is each ratio, whose parts
 * come from the same turn.  Time is the processor's, which counts waiting for
 * memory but not other programs. */
#include "ops.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum bench_sizes {
    TURNS = 5,
    NEAR = 0,   /* in the core's own cache */
    MIDDLE = 1, /* in the last cache, where that has 32 MB */
    FAR = 2,    /* in memory */
    N_PLACES = 3,
    N_TYPES = 2,
    N_COUNTS = 3, /* numbers of rows of x */
    READING = 0,  /* the first speed; those of the products follow */
    N_SPEEDS = 1 + N_TYPES * N_COUNTS,
    ROWS = 192,     /* of each matrix: few, so that what comes out */
    COLS = 576,     /* stays near, too; both as in SmolLM2-135M */
    MOST_ROWS = 64, /* of x */
    FAR_MB = 512
};

static const size_t counts[N_COUNTS] = {1, 4, MOST_ROWS};
static const enum dtype types[N_TYPES] = {DTYPE_BF16, DTYPE_F32};

/* Bytes a second for reading, operations a second for products. */
typedef double turn[N_SPEEDS][N_PLACES];

struct bench {
    unsigned char *weights; /* (sizes[FAR],) */
    size_t sizes[N_PLACES]; /* bytes */
    float *x;               /* (MOST_ROWS, COLS) */
    float *out;             /* (MOST_ROWS, ROWS) */
    uint64_t sum;           /* of what was read, so that it must be read */
    turn turns[TURNS];
};

/* Which speed is that of a type's product with counts[i] rows. */
static size_t product(size_t type, size_t i)
{
    return 1 + type * N_COUNTS + i;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Read all bytes and do next to nothing with them: four sums of words. */
static void read_plainly(struct bench *b, size_t bytes)
{
    const uint64_t *words = (const uint64_t *)(const void *)b->weights;
    uint64_t lane[4] = {0};
    for (size_t i = 0; i + 8 <= bytes / sizeof *words; i += 8) {
        lane[0] += words[i] + words[i + 1];
        lane[1] += words[i + 2] + words[i + 3];
        lane[2] += words[i + 4] + words[i + 5];
        lane[3] += words[i + 6] + words[i + 7];
    }
    b->sum += lane[0] + lane[1] + lane[2] + lane[3];
}

/* n rows of x with all matrices that so many bytes hold; returns the
 * operations. */
static double multiply_all(struct bench *b, enum dtype type, size_t n,
                           size_t bytes)
{
    struct compute c = {0};
    struct weight w = {.dtype = type, .rows = ROWS, .cols = COLS};
    size_t matrix = ROWS * COLS * dtype_bits(type) / 8, at = 0;
    for (; at + matrix <= bytes; at += matrix) {
        w.data = b->weights + at;
        matmul(&c, b->x, n, &w, b->out);
    }
    return 2.0 * (double)n * (double)(at * 8 / dtype_bits(type));
}

/* Bytes a second. */
static double speed_of_reading(struct bench *b, size_t bytes)
{
    double begin = now(), done = 0;
    do {
        read_plainly(b, bytes);
        done += (double)bytes;
    } while (now() - begin < 0.05);
    return done / (now() - begin);
}

/* Operations a second. */
static double speed_of_product(struct bench *b, enum dtype type, size_t n,
                               size_t bytes)
{
    double begin = now(), done = 0;
    do
        done += multiply_all(b, type, n, bytes);
    while (now() - begin < 0.05);
    return done / (now() - begin);
}

static void take_turn(struct bench *b, turn speeds)
{
    for (size_t p = 0; p < N_PLACES; p++) {
        speeds[READING][p] = speed_of_reading(b, b->sizes[p]);
        for (size_t d = 0; d < N_TYPES; d++)
            for (size_t i = 0; i < N_COUNTS; i++)
                speeds[product(d, i)][p] =
                    speed_of_product(b, types[d], counts[i], b->sizes[p]);
    }
}

/* --- the tables --------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of a speed over all turns, in billions. */
static double speed(const struct bench *b, size_t which, size_t place)
{
    double values[TURNS];
    for (size_t t = 0; t < TURNS; t++)
        values[t] = b->turns[t][which][place] / 1e9;
    qsort(values, TURNS, sizeof *values, compare_numbers);
    return values[TURNS / 2];
}

/* The median of one speed divided by another of the same turn. */
static double ratio(const struct bench *b, size_t one, size_t one_place,
                    size_t other, size_t other_place)
{
    double values[TURNS];
    for (size_t t = 0; t < TURNS; t++)
        values[t] =
            b->turns[t][one][one_place] / b->turns[t][other][other_place];
    qsort(values, TURNS, sizeof *values, compare_numbers);
    return values[TURNS / 2];
}

static void print_speeds(const struct bench *b, const char *name,
                         size_t which, double factor)
{
    printf("%-22s", name);
    for (size_t p = 0; p < N_PLACES; p++)
        printf(" %9.2f", factor * speed(b, which, p));
    printf("\n");
}

/* Bytes of a weight for each operation when there is one row of x. */
static double bytes_an_operation(size_t d)
{
    return (double)dtype_bits(types[d]) / 8 / 2;
}

static void print_type(const struct bench *b, size_t d)
{
    char name[32];
    for (size_t i = 0; i < N_COUNTS; i++) {
        snprintf(name, sizeof name, "%s, %zu row%s, GFLOP/s",
                 dtype_name(types[d]), counts[i], counts[i] > 1 ? "s" : "");
        print_speeds(b, name, product(d, i), 1);
    }
    snprintf(name, sizeof name, "%s, 1 row, GB/s", dtype_name(types[d]));
    print_speeds(b, name, product(d, 0), bytes_an_operation(d));
}

/* What 64 rows gain over one when weights come from memory, and the parts
 * whose product it is, but for noise; and how much of what plain reading
 * delivers one row takes. */
static void print_gain(const struct bench *b, size_t d)
{
    size_t one = product(d, 0), many = product(d, N_COUNTS - 1);
    printf("%-5s %9.2f = %9.2f x %9.2f x %9.2f %18.2f\n",
           dtype_name(types[d]), ratio(b, many, FAR, one, FAR),
           ratio(b, many, NEAR, one, NEAR), ratio(b, one, NEAR, one, FAR),
           ratio(b, many, FAR, many, NEAR),
           bytes_an_operation(d) * ratio(b, one, FAR, READING, FAR));
}

static void print_bench(const struct bench *b)
{
    printf("weights, MB           ");
    for (size_t p = 0; p < N_PLACES; p++)
        printf(" %9.2f", (double)b->sizes[p] / 1e6);
    printf("\n");
    print_speeds(b, "plain reading, GB/s", READING, 1);
    for (size_t d = 0; d < N_TYPES; d++)
        print_type(b, d);
    printf("\n      64 rows,    64 rows,    1 row,      64 rows,      1 row, "
           "far,\n      far, over   near, over  near, over  far, over     "
           "of what plain\n      1, far      1, near     far         near"
           "          reading has\n");
    for (size_t d = 0; d < N_TYPES; d++)
        print_gain(b, d);
}

/* --- what is measured --------------------------------------------------- */

/* Small numbers in both types: bytes 0x3c to 0x3f begin them. */
static void fill(struct bench *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        b->weights[i] = (unsigned char)(i % 2 ? 0x3c + i * 37 / 2 % 4 : i);
    for (size_t i = 0; i < MOST_ROWS * COLS; i++)
        b->x[i] = (float)(i % 17) - 8;
}

static int open_bench(struct bench *b, size_t far_bytes)
{
    size_t near = ROWS * COLS * sizeof(float), last = (size_t)12 << 20;
    memcpy(b->sizes, (size_t[]){near, last, far_bytes}, sizeof b->sizes);
    size_t most = far_bytes > last ? far_bytes : last;
    b->weights = malloc(most);
    b->x = malloc(MOST_ROWS * COLS * sizeof *b->x);
    b->out = malloc(MOST_ROWS * ROWS * sizeof *b->out);
    if (!b->weights || !b->x || !b->out)
        return -1;
    fill(b, most);
    return 0;
}

int main(int argc, char **argv)
{
    static struct bench b;
    size_t far_mb = argc > 1 ? strtoul(argv[1], NULL, 10) : FAR_MB;
    if (open_bench(&b, far_mb << 20)) {
        fprintf(stderr, "no memory for %zu MB of weights\n", far_mb);
        return 1;
    }
    for (size_t t = 0; t < TURNS; t++)
        take_turn(&b, b.turns[t]);
    print_bench(&b);
    free(b.weights);
    free(b.x);
    free(b.out);
    return b.sum == 1; /* never: but so the sums are needed */
}

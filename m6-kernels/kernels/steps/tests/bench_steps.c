/* How fast each step of product_steps.h is: with one row of inputs, which is
 * decode, and with 64, which is a chunk of a prompt; with a matrix in the
 * core's own cache, and with matrices in memory, of which none is left in any
 * cache when its turn comes again.  The last row is the engine's own kernel.
 *
 *     make build/plain/bench_steps && build/plain/bench_steps
 *     build/plain/bench_steps MB         another size for "far"
 *     build/plain/bench_steps MB STEP    one step, or "engine", alone
 *     RUNG_CPU=avx2 build/plain/bench_steps
 *
 * All is measured in turn, several times over; each figure is the median.
 * Time is the processor's, for this program: it counts waiting for memory but
 * not other programs; of the step that has several threads, a thread's share
 * of it.
 */
#define _GNU_SOURCE /* madvise */
#include "test_step_operands.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#if !defined MADV_HUGEPAGE /* not every system lets one ask */
#define MADV_HUGEPAGE MADV_NORMAL
#endif

enum step_bench {
    TURNS = 5,
    NEAR = 0, /* in the core's own cache */
    FAR = 1,  /* in memory */
    N_PLACES = 2,
    ENGINE = N_STEPS, /* the row behind the steps: what the engine does */
    N_ROWS = N_STEPS + 1,
    N_COUNTS = 2, /* numbers of rows of inputs: 1 and MANY */
    MANY = 64,
    COLS = 1024,
    NEAR_ROWS = 256,
    FAR_ROWS = 4096,
    GROUPS = COLS / GROUP,
    FAR_MB = 288,
    ORDERS = 3,
    LARGE_PAGE = 1 << 21
};

static const size_t row_counts[N_PLACES] = {NEAR_ROWS, FAR_ROWS};
static const size_t input_counts[N_COUNTS] = {1, MANY};

/* Bytes of a matrix of so many rows: codes, and scales of 4 or 2 bytes. */
static size_t matrix_bytes(enum step_order order, size_t rows)
{
    size_t groups = rows * GROUPS, scale = order == IN_PACKED ? 2 : 4;
    return groups * (GROUP / 2 + scale);
}

struct step_bench_state {
    const char *only;             /* the step to measure; NULL: all */
    unsigned char *bytes[ORDERS]; /* (size + a matrix,) */
    size_t size;                  /* of what is "far" */
    size_t at[ORDERS];            /* how far it was read */
    float *factors;               /* of packed matrices: all 1 */
    float *out;                   /* (MANY, FAR_ROWS) */
    struct step_operands o[N_COUNTS]; /* inputs */
    double turns[N_ROWS][N_PLACES][N_COUNTS][TURNS]; /* products a second */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Point to the matrix in an order that begins at `bytes`. */
static void set_matrix(struct step_bench_state *b, struct step_operands *o,
                       enum step_order order, unsigned char *bytes,
                       size_t rows)
{
    size_t codes = rows * COLS / 2;
    if (order == IN_ROWS)
        o->rows = (struct code_rows){rows, COLS, bytes,
                                     (float *)(void *)(bytes + codes)};
    else if (order == IN_PANELS)
        o->panels = (struct code_panels){rows, COLS, bytes,
                                         (float *)(void *)(bytes + codes)};
    else
        o->packed = (struct packed){.kind = PACKED_INT4,
                                    .rows = rows,
                                    .cols = COLS,
                                    .pairs = GROUPS / 2,
                                    .panel_bytes = GROUPS / 2 * 576,
                                    .bytes = bytes,
                                    .factors = b->factors};
}

/* The next matrix: always the same, or one that was not read for long. */
static void next_matrix(struct step_bench_state *b, struct step_operands *o,
                        enum step_order order, size_t place)
{
    size_t rows = row_counts[place], bytes = matrix_bytes(order, rows);
    if (b->at[order] + bytes > b->size)
        b->at[order] = 0;
    set_matrix(b, o, order,
               b->bytes[order] + (place == FAR ? b->at[order] : 0), rows);
    b->at[order] += place == FAR ? bytes : 0;
}

/* The steps, and the engine's own kernel. */
static const struct step *row_of(size_t s)
{
    static const struct step engine = {"engine", IN_PACKED, true, run_engine};
    return s < N_STEPS ? &steps[s] : &engine;
}

/* Products of a weight and an input, a second. */
static double speed_of_step(struct step_bench_state *b, size_t s, size_t place,
                            size_t count)
{
    struct step_operands *o = &b->o[count];
    bool shares = row_of(s)->run == run_threads;
    double products = 0, begin = now();
    do {
        next_matrix(b, o, row_of(s)->order, place);
        row_of(s)->run(o, b->out);
        products += (double)(row_counts[place] * COLS * o->n);
    } while (now() - begin < 0.06);
    double threads = shares ? (double)threads_count(o->threads) : 1;
    return products / (now() - begin) * threads;
}

static bool is_wanted(const struct step_bench_state *b, size_t s)
{
    return !b->only || strcmp(b->only, row_of(s)->name) == 0;
}

static void take_turns(struct step_bench_state *b)
{
    for (size_t t = 0; t < TURNS; t++)
        for (size_t s = 0; s < N_ROWS; s++)
            for (size_t p = 0; p < N_PLACES && is_wanted(b, s); p++)
                for (size_t c = 0; c < N_COUNTS; c++)
                    b->turns[s][p][c][t] = speed_of_step(b, s, p, c);
}

/* --- the table ---------------------------------------------------------- */

static int compare_speeds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median, in billions. */
static double median_speed(double *turns)
{
    qsort(turns, TURNS, sizeof *turns, compare_speeds);
    return turns[TURNS / 2] / 1e9;
}

static void print_steps(struct step_bench_state *b)
{
    printf("instructions: %s; threads of that step: %zu\n"
           "billions of products a second (Gmac/s), and GB/s of weights\n\n"
           "             1 row of inputs                 %d rows\n"
           "             near          far               near     far\n"
           "step         Gmac/s GB/s   Gmac/s GB/s       Gmac/s   Gmac/s\n",
           b->o[0].set->name, threads_count(b->o[0].threads), MANY);
    for (size_t s = 0; s < N_ROWS; s++) {
        if (!is_wanted(b, s))
            continue;
        double each = (double)matrix_bytes(row_of(s)->order, FAR_ROWS) /
                      (FAR_ROWS * COLS);
        double near = median_speed(b->turns[s][NEAR][0]);
        double far = median_speed(b->turns[s][FAR][0]);
        printf("%-10s %8.2f %6.2f %7.2f %6.2f %12.2f %8.2f\n", row_of(s)->name,
               near, near * each, far, far * each,
               median_speed(b->turns[s][NEAR][1]),
               median_speed(b->turns[s][FAR][1]));
    }
}

/* --- what is measured --------------------------------------------------- */

/* Large pages for all orders alike, as packed matrices have them. */
static unsigned char *reserve_large(size_t bytes)
{
    bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    unsigned char *p = aligned_alloc(LARGE_PAGE, bytes);
    if (p)
        madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

/* Numbers that are ordinary as floats, as halves and as codes. */
static int fill_orders(struct step_bench_state *b)
{
    size_t bytes = b->size + matrix_bytes(IN_ROWS, FAR_ROWS) + LARGE_PAGE;
    for (size_t i = 0; i < ORDERS; i++) {
        b->bytes[i] = reserve_large(bytes);
        if (!b->bytes[i])
            return -1;
        for (size_t at = 0; at < bytes; at++)
            b->bytes[i][at] =
                (unsigned char)(at % 2 ? 0x3c + at * 37 / 2 % 4 : at * 7);
    }
    return 0;
}

static int open_inputs(struct step_operands *o, size_t n, struct error *e)
{
    float *x = reserve_room(n * COLS * sizeof *x);
    for (size_t i = 0; i < n * COLS; i++)
        x[i] = (float)(i % 17) - 8;
    o->x = x;
    o->n = n;
    o->rows.cols = COLS;
    o->room = reserve_room(COLS * sizeof *o->room);
    if (cpu_choose(&o->set, e))
        return -1;
    o->kernels = steps_of_set(o->set->name);
    o->scratch = reserve_room(sizeof *o->scratch);
    round_operands(o);
    return 0;
}

static int open_bench(struct step_bench_state *b, struct error *e)
{
    b->factors = reserve_room(FAR_ROWS * sizeof *b->factors);
    b->out = reserve_room(MANY * FAR_ROWS * sizeof *b->out);
    for (size_t i = 0; i < FAR_ROWS; i++)
        b->factors[i] = 1;
    if (fill_orders(b))
        return fail(e, ERROR_SYSTEM, "no memory for the matrices");
    for (size_t c = 0; c < N_COUNTS; c++)
        if (open_inputs(&b->o[c], input_counts[c], e))
            return -1;
    if (threads_open(&b->o[0].threads, 0, e))
        return -1;
    b->o[1].threads = b->o[0].threads;
    return 0;
}

int main(int argc, char **argv)
{
    static struct step_bench_state b;
    struct error e;
    size_t mb = argc > 1 ? strtoul(argv[1], NULL, 10) : FAR_MB;
    b.size = mb << 20;
    b.only = argc > 2 ? argv[2] : NULL;
    if (open_bench(&b, &e)) {
        fprintf(stderr, "%s\n", e.message);
        return 1;
    }
    take_turns(&b);
    print_steps(&b);
    threads_close(b.o[0].threads);
    return 0;
}

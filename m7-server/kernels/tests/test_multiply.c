/* Products are what the kernels' comments say, bit for bit: a plain program
 * that follows them gives the same as portable C, and every other set of
 * instructions that this machine has, the same again; for any number of
 * threads. */
#include "multiply.h"

#include "test_operands.h"
#include "test_panels.h"

enum multiply_sizes {
    GUARD = 16 /* numbers before and behind results */
};

/* --- the plain program -------------------------------------------------- */

/* A group of inputs, rounded to 8 bits. */
struct rounded_group {
    int q[32];
    float scale;
};

static void round_plainly(const float *x, size_t n, struct rounded_group *g)
{
    float most = 0;
    *g = (struct rounded_group){0};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            g->scale = NAN;
            return;
        }
        most = fmaxf(most, fabsf(x[i]));
    }
    float inverse = most < 0x1p-100f ? 0 : 127 / most;
    for (size_t i = 0; i < n; i++)
        g->q[i] = (int)nearbyintf(x[i] * inverse);
    g->scale = most * (1.0f / 127);
}

static float plain_codes(const struct packed *p, const float *x, size_t row)
{
    float sum = 0;
    for (size_t at = 0; at < p->cols; at += 32) {
        struct rounded_group g;
        int whole = 0, all = 0;
        size_t left = p->cols - at, n = left < 32 ? left : 32;
        round_plainly(x + at, n, &g);
        for (size_t i = 0; i < n; i++) {
            whole += panel_code(p, row, at + i) * g.q[i];
            all += g.q[i];
        }
        sum = fmaf((float)whole, panel_scale(p, row, at) * g.scale, sum);
        if (p->kind == PACKED_AFFINE4)
            sum = fmaf(panel_minimum(p, row, at), g.scale * (float)all, sum);
    }
    return sum * p->factors[row];
}

static float plain_numbers(const struct packed *p, const float *x, size_t row)
{
    float total = 0;
    for (size_t at = 0; at < p->cols; at += 128) {
        float sum = 0;
        for (size_t i = at; i < at + 128 && i < p->cols; i++)
            sum = fmaf(panel_number(p, row, i), x[i], sum);
        total += sum;
    }
    return total;
}

static void multiply_plainly(const struct packed *p, const float *x, size_t n,
                             float *out)
{
    for (size_t t = 0; t < n; t++)
        for (size_t row = 0; row < p->rows; row++)
            out[t * p->rows + row] =
                packed_is_float(p) ? plain_numbers(p, x + t * p->cols, row)
                                   : plain_codes(p, x + t * p->cols, row);
}

/* --- comparing ---------------------------------------------------------- */

/* The same bits; of numbers that are none the bits say nothing. */
static void assert_same_bits(const char *what, const struct packed *p,
                             size_t n, const float *found,
                             const float *expected)
{
    for (size_t i = 0; i < n * p->rows; i++) {
        if (isnan(found[i]) && isnan(expected[i]))
            continue;
        if (memcmp(&found[i], &expected[i], sizeof *found) == 0)
            continue;
        print_error("%s, kind %d, %zu x %zu, %zu rows: number %zu is %a, "
                    "expected %a\n",
                    what, p->kind, p->rows, p->cols, n, i, (double)found[i],
                    (double)expected[i]);
        assert_true(false);
    }
}

static void multiply_with(const struct cpu_set *set, struct threads *threads,
                          const struct packed *p, const float *x, size_t n,
                          float *out)
{
    struct engine g;
    struct error e;
    const struct product product = {p, out};
    assert_ok(engine_init(&g, set, threads, n, p->cols, &e), &e);
    multiply_all(&g, &product, 1, x, n);
    engine_free(&g);
}

/* What a set computes where inputs and results stand anywhere; nothing is
 * written before the results or behind them. */
static void check_set(const struct cpu_set *set, const struct packed *p,
                      const float *x, size_t n, const float *expected)
{
    size_t numbers = n * p->rows, at = random_below(GUARD);
    float *inputs = malloc((n * p->cols + GUARD) * sizeof *inputs);
    float *found = malloc((numbers + 2 * GUARD) * sizeof *found);
    memcpy(inputs + at, x, n * p->cols * sizeof *inputs);
    for (size_t i = 0; i < numbers + 2 * GUARD; i++)
        found[i] = 0.75f;
    multiply_with(set, NULL, p, inputs + at, n, found + at);
    assert_same_bits(set->name, p, n, found + at, expected);
    for (size_t i = 0; i < at; i++)
        assert_true(found[i] == 0.75f);
    for (size_t i = at + numbers; i < numbers + 2 * GUARD; i++)
        assert_true(found[i] == 0.75f);
    free(inputs);
    free(found);
}

/* One shape: the plain program, then all sets. */
static void check_shape_of(enum packed_kind kind, size_t rows, size_t cols,
                           size_t n)
{
    struct packed p;
    const struct cpu_set *set;
    make_matrix(&p, kind, rows, cols);
    float *x = make_inputs(n, cols);
    float *expected = malloc(n * rows * sizeof *expected);
    multiply_plainly(&p, x, n, expected);
    for (size_t i = 0; (set = cpu_set_row(i)); i++)
        if (set->is_here())
            check_set(set, &p, x, n, expected);
    free(x);
    free(expected);
    packed_free(&p);
}

/* Small shapes are more likely than large ones. */
static size_t random_size(size_t most)
{
    return 1 + random_below(1 + random_below(most));
}

/* One in eight has so many rows of inputs that no set takes them for few. */
static size_t random_inputs(size_t i)
{
    return random_size(MOST_N) + (i % 8 == 0 ? MOST_FEW_N : 0);
}

static void check_kind(enum packed_kind kind)
{
    for (size_t i = 0; i < n_shapes(); i++)
        check_shape_of(kind, random_size(MOST_ROWS), random_size(RANDOM_COLS),
                       random_inputs(i));
    check_shape_of(kind, MOST_ROWS, RANDOM_COLS, MOST_N);
}

static void codes_of_4_bits(void **state)
{
    (void)state;
    check_kind(PACKED_INT4);
}

static void codes_of_4_bits_with_minima(void **state)
{
    (void)state;
    check_kind(PACKED_AFFINE4);
}

static void codes_of_8_bits(void **state)
{
    (void)state;
    check_kind(PACKED_INT8);
}

static void halves(void **state)
{
    (void)state;
    check_kind(PACKED_F16);
}

static void upper_halves(void **state)
{
    (void)state;
    check_kind(PACKED_BF16);
}

static void floats(void **state)
{
    (void)state;
    check_kind(PACKED_F32);
}

/* More rows of inputs than are kept at once, more panels than are gone through
 * together, and rows longer than one block and two. */
static void large_shapes(void **state)
{
    (void)state;
    static const size_t shapes[][3] = {
        {33, 40, 1100},  {16, 33, 513},  {1, 64, 961},   {33, 2500, 70},
        {16, 1025, 70}, {48, 513, 90}, {5, 544, 600}, {17, 1088, 530},
        {150, 2090, 45}, {81, 1100, 530}};
    for (enum packed_kind kind = 0; kind < N_PACKED; kind++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            check_shape_of(kind, shapes[i][0], shapes[i][1], shapes[i][2]);
}

/* --- threads ------------------------------------------------------------ */

static const struct cpu_set *fastest_set(void)
{
    size_t i = 0;
    while (!cpu_set_row(i)->is_here())
        i++;
    return cpu_set_row(i);
}

/* Kinds in an order in which each three differ in what they are multiplied
 * with. */
static const enum packed_kind all_kinds[N_PACKED] = {
    PACKED_INT4, PACKED_F16,     PACKED_INT8,
    PACKED_BF16, PACKED_AFFINE4, PACKED_F32};

static void make_kinds(struct packed *p, size_t rows, size_t cols)
{
    for (size_t k = 0; k < N_PACKED; k++)
        make_matrix(&p[k], all_kinds[k], rows, cols);
}

static void free_kinds(struct packed *p)
{
    for (size_t k = 0; k < N_PACKED; k++)
        packed_free(&p[k]);
}

/* Products of all kinds, three at once, by `count` threads: (kinds, n, rows).
 */
static void multiply_kinds(const struct cpu_set *set, const struct packed *p,
                           const float *x, size_t n, size_t count, float *out)
{
    struct threads *threads;
    struct engine g;
    struct error e;
    assert_ok(threads_open(&threads, count, &e), &e);
    assert_ok(engine_init(&g, set, threads, n, p->cols, &e), &e);
    for (size_t first = 0; first < N_PACKED; first += 3) {
        struct product products[3];
        for (size_t i = 0; i < 3; i++)
            products[i] = (struct product){
                &p[first + i], out + (first + i) * n * p->rows};
        multiply_all(&g, products, 3, x, n);
    }
    engine_free(&g);
    threads_close(threads);
}

/* A matrix of floats between two of codes, too.  Of many panels a thread has
 * several pieces, of which one may be odd. */
static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const size_t sizes[][3] = {
        {300, 400, 1}, {70, 399, 3},   {70, 100, 20},
        {5, 64, 9},    {301, 1056, 80}};
    const struct cpu_set *set = fastest_set();
    for (size_t s = 0; s < 5; s++) {
        size_t rows = sizes[s][0], n = sizes[s][2], count = n * rows;
        struct packed p[N_PACKED];
        float *out = malloc(2 * N_PACKED * count * sizeof *out);
        make_kinds(p, rows, sizes[s][1]);
        float *x = make_inputs(n, sizes[s][1]);
        multiply_kinds(set, p, x, n, 1, out);
        for (size_t threads = 2; threads <= 8; threads++) {
            float *again = out + N_PACKED * count;
            memset(again, 0xff, N_PACKED * count * sizeof *again);
            multiply_kinds(set, p, x, n, threads, again);
            for (size_t k = 0; k < N_PACKED; k++)
                assert_same_bits("threads", &p[k], n, again + k * count,
                                 out + k * count);
        }
        free_kinds(p);
        free(x);
        free(out);
    }
}

/* Inputs are rounded once for all matrices that they meet, in all ways that
 * one of these asks for: every set against the plain program. */
static void kinds_beside_others_have_the_bits_of_one_alone(void **state)
{
    (void)state;
    enum shape { ROWS = 33, COLS = 544, N = 70 };
    struct packed p[N_PACKED];
    const struct cpu_set *set;
    make_kinds(p, ROWS, COLS);
    float *x = make_inputs(N, COLS);
    float *expected = malloc(N * ROWS * sizeof *expected);
    float *found = malloc(N_PACKED * N * ROWS * sizeof *found);
    for (size_t i = 0; (set = cpu_set_row(i)); i++) {
        if (!set->is_here())
            continue;
        multiply_kinds(set, p, x, N, 2, found);
        for (size_t k = 0; k < N_PACKED; k++) {
            multiply_plainly(&p[k], x, N, expected);
            assert_same_bits(set->name, &p[k], N, found + k * N * ROWS,
                             expected);
        }
    }
    free_kinds(p);
    free(x);
    free(expected);
    free(found);
}

/* A number that is none makes every sum of its row none, and no other. */
static void what_is_no_number_stays_none(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (enum packed_kind kind = 0; kind < N_PACKED; kind++)
        for (size_t b = 0; b < 3; b++) {
            struct packed p;
            float x[3][40], out[3][20];
            make_matrix(&p, kind, 20, 40);
            for (size_t i = 0; i < 120; i++)
                x[i / 40][i % 40] = 0.5f;
            x[1][37] = bad[b];
            multiply_with(fastest_set(), NULL, &p, x[0], 3, out[0]);
            for (size_t i = 0; i < 60; i++)
                assert_true(isfinite(out[i / 20][i % 20]) == (i / 20 != 1));
            packed_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_4_bits),
        cmocka_unit_test(codes_of_4_bits_with_minima),
        cmocka_unit_test(codes_of_8_bits),
        cmocka_unit_test(halves),
        cmocka_unit_test(upper_halves),
        cmocka_unit_test(floats),
        cmocka_unit_test(large_shapes),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(kinds_beside_others_have_the_bits_of_one_alone),
        cmocka_unit_test(what_is_no_number_stays_none),
    };
    return cmocka_run_group_tests_name("multiply", tests, NULL, NULL);
}

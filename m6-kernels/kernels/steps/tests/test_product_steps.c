/* Each step computes the product: as near to it as its arithmetic can be, and
 * those that multiply whole numbers with the bits of the engine's kernels. */
#include "test_step_operands.h"

#include "multiply.h"
#include "test_operands.h"

#include <float.h>

/* --- a matrix in every order -------------------------------------------- */

/* A scale that a half holds, with some that are 0. */
static float half_scale(void)
{
    float x = ldexpf((float)(1024 + random_below(1024)), -18);
    return random_below(9) == 0 ? 0 : random_below(2) ? x : -x;
}

static void make_rows(struct code_rows *m, size_t rows, size_t cols)
{
    unsigned char *codes = reserve_room(rows * cols / 2);
    float *scales = reserve_room(rows * cols / GROUP * sizeof *scales);
    size_t what = random_below(4);
    for (size_t i = 0; i < rows * cols / 2; i++) {
        unsigned char any = (unsigned char)random_bits();
        codes[i] = what == 0 ? 255 : what == 1 ? 0 : any;
    }
    for (size_t i = 0; i < rows * cols / GROUP; i++)
        scales[i] = half_scale();
    *m = (struct code_rows){rows, cols, codes, scales};
}

static void make_panels(struct code_panels *m, const struct code_rows *from)
{
    size_t groups = panels_of(from->rows) * from->cols / GROUP;
    unsigned char *codes = reserve_room(groups * CODE_GROUP);
    float *scales = reserve_room(groups * PANEL_ROWS * sizeof *scales);
    panels_from_rows(from, codes, scales);
    *m = (struct code_panels){from->rows, from->cols, codes, scales};
}

static void make_packed(struct packed *p, const struct code_rows *from)
{
    struct error e;
    size_t groups = from->cols / GROUP;
    size_t row_bytes = groups * CODES_BYTES4;
    unsigned char *bytes = reserve_room(PANEL_ROWS * row_bytes);
    struct codes_row rows[PANEL_ROWS];
    assert_ok(packed_init(p, PACKED_INT4, from->rows, from->cols, &e), &e);
    for (size_t r = 0; r < from->rows; r++) {
        unsigned char *row = bytes + r % PANEL_ROWS * row_bytes;
        rows[r % PANEL_ROWS] = (struct codes_row){
            .scales = (float *)(uintptr_t)from->scales + r * groups,
            .codes = row,
            .stride = CODES_BYTES4};
        for (size_t g = 0; g < groups; g++)
            codes_of_group(from, r, g, row + g * CODES_BYTES4);
        if (r % PANEL_ROWS == PANEL_ROWS - 1 || r == from->rows - 1)
            packed_codes(p, r / PANEL_ROWS, rows, r % PANEL_ROWS + 1);
    }
    free(bytes);
}

static void make_operands(struct step_operands *o, size_t rows, size_t cols,
                          size_t n)
{
    *o = (struct step_operands){.n = n};
    float *x = reserve_room(n * cols * sizeof *x);
    make_rows(&o->rows, rows, cols);
    make_panels(&o->panels, &o->rows);
    make_packed(&o->packed, &o->rows);
    for (size_t i = 0; i < n * cols; i++)
        x[i] = ldexpf(random_number(), (int)random_below(9) - 4);
    o->x = x;
    o->room = reserve_room(cols * sizeof *o->room);
}

static void free_operands(struct step_operands *o)
{
    free((void *)o->rows.codes);
    free((void *)o->rows.scales);
    free((void *)o->panels.codes);
    free((void *)o->panels.scales);
    packed_free(&o->packed);
    free((void *)o->x);
    free(o->room);
}

/* --- what a step may be off --------------------------------------------- */

static double weight_at(const struct code_rows *m, size_t row, size_t i)
{
    int both = m->codes[(row * m->cols + i) / 2];
    int code = i % 2 ? both >> 4 : both & 15;
    return (code - 8) * (double)m->scales[(row * m->cols + i) / GROUP];
}

/* A number of the product in double, and how far a step may be from it.
 *
 * A sum of floats in any order is off by at most (operations on the way of a
 * term) * 2^-24 * (the sum of the terms' sizes), but for the square of that:
 * a term meets at most cols additions and three products.  Rounding an input
 * to a whole number of a 127th of the group's largest moves it by half of
 * that, and a little for the rounding of the quotient. */
static double expected_number(const struct step_operands *o, size_t t,
                              size_t row, bool is_integer, double *bound)
{
    const float *x = o->x + t * o->rows.cols;
    double sum = 0, sizes = 0, rounding = 0;
    for (size_t at = 0; at < o->rows.cols; at += GROUP) {
        double most = 0, weights = 0;
        for (size_t i = at; i < at + GROUP; i++) {
            double w = weight_at(&o->rows, row, i);
            sum += w * (double)x[i];
            sizes += fabs(w * (double)x[i]);
            weights += fabs(w);
            most = fmax(most, fabs((double)x[i]));
        }
        rounding += weights * most / 254 * (1 + 0x1p-15);
    }
    *bound = (double)(o->rows.cols + 8) * 0x1p-24 *
             (sizes + (is_integer ? rounding : 0));
    *bound += is_integer ? rounding : 0;
    return sum;
}

static void assert_near(const struct step_operands *o, const struct step *s,
                        const float *out)
{
    for (size_t i = 0; i < o->n * o->rows.rows; i++) {
        double bound, expected = expected_number(
                          o, i / o->rows.rows, i % o->rows.rows,
                          s->is_integer, &bound);
        if (fabs((double)out[i] - expected) <= bound)
            continue;
        print_error("%s, %s, %zu x %zu, %zu rows: number %zu is %g, "
                    "expected %g, off by at most %g\n",
                    o->set->name, s->name, o->rows.rows, o->rows.cols, o->n,
                    i, (double)out[i], expected, bound);
        assert_true(false);
    }
}

/* --- every step, every set ---------------------------------------------- */

/* What the engine's kernels make of it. */
static void multiply_by_engine(const struct step_operands *o, float *out)
{
    struct engine g;
    struct error e;
    const struct product product = {&o->packed, out};
    assert_ok(engine_init(&g, o->set, NULL, o->n, o->rows.cols, &e), &e);
    multiply_all(&g, &product, 1, o->x, o->n);
    engine_free(&g);
}

/* What a step makes of it (n, rows), behind it a number that must stay. */
static void run_step(struct step_operands *o, const struct step *s, float *out)
{
    size_t numbers = o->n * o->rows.rows;
    round_operands(o);
    memset(out, 0xff, numbers * sizeof *out);
    out[numbers] = 12345;
    s->run(o, out);
    assert_true(out[numbers] == 12345);
    assert_near(o, s, out);
    free_tiles(&o->single);
    free_tiles(&o->tiled);
    free_tiles(&o->cut);
}

static void assert_bits(const char *what, const struct step_operands *o,
                        const float *found, const float *expected)
{
    size_t bytes = o->n * o->rows.rows * sizeof *found;
    if (memcmp(found, expected, bytes) == 0)
        return;
    print_error("%s, %s, %zu x %zu, %zu rows: other bits\n", o->set->name,
                what, o->rows.rows, o->rows.cols, o->n);
    assert_true(false);
}

/* A step with one shape, on every set: integer steps have the engine's bits,
 * vectors of floats those of plain C, which is the last set. */
static void check_shape(const struct step *s, size_t rows, size_t cols,
                        size_t n, struct threads *threads)
{
    struct step_operands o;
    make_operands(&o, rows, cols, n);
    float *out = reserve_room((2 * rows * n + 1) * sizeof *out);
    float *expected = out + rows * n + 1;
    o.threads = threads;
    for (size_t i = 0, seen = 0; (o.set = cpu_set_row(i)); i++) {
        o.kernels = steps_of_set(o.set->name);
        assert_non_null(o.kernels);
        if (!o.set->is_here())
            continue;
        run_step(&o, s, out);
        if (s->is_integer)
            multiply_by_engine(&o, expected);
        else if (seen++ == 0)
            memcpy(expected, out, rows * n * sizeof *out);
        assert_bits(s->name, &o, out, expected);
    }
    free(out);
    free_operands(&o);
}

static void a_step_computes_the_product(void **state)
{
    for (size_t i = 0; i < n_shapes(); i++)
        check_shape(*state, 1 + random_below(1 + random_below(70)),
                    GROUP * (1 + random_below(9)), 1 + random_below(11), NULL);
}

/* The last shape takes long enough for all threads to be at work at once. */
static void threads_share_the_panels(void **state)
{
    (void)state;
    for (size_t count = 2; count <= 8; count++) {
        struct threads *threads;
        struct error e;
        assert_ok(threads_open(&threads, count, &e), &e);
        for (size_t rows = 1; rows < 300; rows += 49)
            check_shape(&steps[N_STEPS - 1], rows, 96, 1 + rows % 6, threads);
        check_shape(&steps[N_STEPS - 1], 4000, 1024, 1, threads);
        threads_close(threads);
    }
}

static size_t n_sets(void)
{
    size_t n = 0;
    while (cpu_set_row(n))
        n++;
    return n;
}

/* Inputs as large as they can be, and in half of the matrices all codes are
 * the largest or the smallest: sums in 16 bits would overflow if a group were
 * longer.  Portable C, the last row, comes first: every machine has it, so it
 * says the same everywhere. */
static void the_largest_sums_have_room(void **state)
{
    (void)state;
    float out[16 + 1];
    for (size_t i = 0; i < 32; i++) {
        struct step_operands o;
        make_operands(&o, 16, 64, 1);
        for (size_t j = 0; j < 64; j++)
            ((float *)o.x)[j] = i % 2 ? 1 : -1;
        for (size_t s = n_sets(); s--;) {
            o.set = cpu_set_row(s);
            o.kernels = steps_of_set(o.set->name);
            for (size_t k = 0; k < N_STEPS && o.set->is_here(); k++)
                run_step(&o, &steps[k], out);
        }
        free_operands(&o);
    }
}

int main(void)
{
    static const char *const names[N_STEPS] = {
        "step_0_rows",  "step_1_panels",  "step_2_vectors", "step_3_integers",
        "step_4_tiles", "step_5_in_line", "step_6_streams", "step_7_threads"};
    struct CMUnitTest tests[N_STEPS + 2] = {
        cmocka_unit_test(threads_share_the_panels),
        cmocka_unit_test(the_largest_sums_have_room),
    };
    for (size_t i = 0; i < N_STEPS; i++)
        tests[2 + i] = (struct CMUnitTest){
            .name = names[i],
            .test_func = a_step_computes_the_product,
            .initial_state = (void *)(uintptr_t)&steps[i]};
    return cmocka_run_group_tests_name("product steps", tests, NULL, NULL);
}

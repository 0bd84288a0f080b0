/* A packed matrix means what the matrix means: exactly, where its scales have
 * at most 11 bits, and else up to the rounding of scales to so many; and, of
 * formats that have no exact codes, up to half a step of 8 bits. */
#include "pack.h"

#include "test_matrices.h"
#include "test_panels.h"

/* Matrices whose scales have at most 11 bits. */
static bool is_short(const char *name)
{
    static const char *const names[] = {"Q4_0",   "Q4_1",  "Q5_0", "Q8_0",
                                        "IQ4_NL", "MXFP4", "Q3_K", "mxfp4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* The largest number of a row's group of 32. */
static double largest_near(const float *x, size_t cols, size_t col)
{
    double most = 0;
    size_t first = col / 32 * 32;
    for (size_t i = first; i < first + 32 && i < cols; i++)
        most = fmax(most, fabs((double)x[i]));
    return most;
}

/* How far a weight may be from x[col].  A scale is kept as a half, times the
 * row's factor: of 11 bits, so it is off by 2^-11 of itself at most, and of
 * what was kept by 2^-11 (1 + 2^-11).  `most` is the row's largest scale or
 * minimum; as a half it is 2^14 or more, so one below 2^-28 of it is below
 * 2^-14, where halves are 2^-24 apart: it is off by 2^-25 at most, which is
 * 2^-39 of the largest, and codes are 128 at most.  What was kept exactly is
 * multiplied and added here in two more roundings of floats, 2^-24 each of
 * both parts.  Where there are no exact codes, 127 steps of a scale that was
 * rounded up to 11 bits reach to the largest: half a step is 1/254 of it times
 * 1 + 2^-10, less than 1/253.5. */
static double allowance(const char *name, const struct packed *p, bool exact,
                        size_t row, const float *x, size_t col, double most)
{
    double factor = (double)p->factors[row];
    double kept = fabs((double)panel_scale(p, row, col)) * factor;
    double scale = kept * abs(panel_code(p, row, col));
    double minimum = fabs((double)panel_minimum(p, row, col) * factor);
    double last = 0x1p-23 * (scale + minimum) + 0x1p-149;
    if (!exact)
        return last + largest_near(x, p->cols, col) / 253.5;
    if (is_short(name) && kept >= 0x1p-28 * most)
        return panel_minimum(p, row, col) == 0 ? 0x1p-149 : last;
    return last + 0x1p-11 * (1 + 0x1p-11) * (scale + minimum) +
           0x1p-39 * 128 * most;
}

static size_t n_seen, n_other; /* those of rows with one that is not finite */

static void check_row(const char *name, const struct packed *p, bool exact,
                      size_t row, const float *x)
{
    double factor = (double)p->factors[row], most = 0;
    for (size_t i = 0; i < p->cols; i++) {
        most = fmax(most, fabs(factor * (double)panel_scale(p, row, i)));
        most = fmax(most, fabs(factor * (double)panel_minimum(p, row, i)));
        if (!isfinite(x[i])) {
            n_other += p->cols;
            return;
        }
    }
    for (size_t i = 0; i < p->cols; i++, n_seen++) {
        double weight =
            factor * ((double)panel_scale(p, row, i) * panel_code(p, row, i) +
                      (double)panel_minimum(p, row, i));
        double error = fabs(weight - (double)x[i]);
        double most_error = allowance(name, p, exact, row, x, i, most);
        if (!(error <= most_error))
            print_error("%s: %zu, %zu: %.9g became %.9g, %g away and not %g\n",
                        name, row, i, (double)x[i], weight, error, most_error);
        assert_true(error <= most_error);
    }
}

static void check_packed(const char *name, const struct quantized *q)
{
    struct packed p;
    struct error e;
    struct compute c = {0};
    const struct weight w = {.data = q->codes,
                             .quantized = q,
                             .rows = q->rows,
                             .cols = q->cols};
    float *x = malloc(q->cols * sizeof *x);
    bool exact = codes_of(q).kind != CODES_NONE;
    size_t before = n_seen + n_other;
    assert_ok(weight_pack(&w, NULL, &p, &e), &e);
    assert_int_equal(p.rows, q->rows);
    for (size_t row = 0; row < q->rows; row++) {
        weight_row(&c, &w, row, x);
        check_row(name, &p, exact, row, x);
    }
    assert_int_equal(n_seen + n_other, before + q->rows * q->cols);
    packed_free(&p);
    free(x);
}

static void every_format_keeps_its_numbers(void **state)
{
    (void)state;
    each_matrix(check_packed);
    assert_true(n_seen > n_other); /* of 8-bit floats with NaN alone */
}

static size_t n_places;

/* Rows of a matrix that shares its tensor with others, a few of each in turn,
 * or whose rows stand in pairs, are packed from where they stand: 4 of 16
 * rows, or 8 in heads of 8. */
static void check_places(const char *name, const struct quantized *q)
{
    const struct weight parts[] = {
        {.quantized = q, .rows = 4, .cols = q->cols, .run = 2, .stride = 6,
         .first = 2},
        {.quantized = q, .rows = 8, .cols = q->cols, .paired = 8},
    };
    bool exact = codes_of(q).kind != CODES_NONE;
    for (size_t i = 0; i < 2 && q->rows >= 16 && q->cols <= 256; i++) {
        struct packed p;
        struct error e;
        struct compute c = {0};
        float x[256];
        assert_ok(weight_pack(&parts[i], NULL, &p, &e), &e);
        n_places++;
        for (size_t row = 0; row < p.rows; row++) {
            weight_row(&c, &parts[i], row, x);
            check_row(name, &p, exact, row, x);
        }
        packed_free(&p);
    }
}

static void rows_are_found_where_they_stand(void **state)
{
    (void)state;
    each_matrix(check_places);
    assert_true(n_places > 0);
}

static size_t n_packed_twice;

/* Packed into memory that had other bytes before, by other threads: the same
 * bytes, so that a file of them is one whoever wrote it. */
static void pack_into(const struct weight *w, int before, struct threads *t,
                      struct packed *p)
{
    struct error e;
    struct packing plan = packing_plan(w, p);
    size_t size = packed_whole(p);
    unsigned char *bytes = aligned_alloc(64, size);
    memset(bytes, before, size);
    packed_place(p, bytes);
    assert_ok(packings_run(&plan, 1, t, &e), &e);
}

/* Rows that fill up the last panel are zeros. */
static void check_missing(const struct packed *p)
{
    int zero = p->kind == PACKED_INT8 ? -128 : p->kind == PACKED_INT4 ? -8 : 0;
    for (size_t row = p->rows; row % 16 != 0; row++) {
        assert_true(p->factors[row] == 0);
        for (size_t col = 0; col < p->cols; col++) {
            assert_int_equal(panel_code(p, row, col), zero);
            assert_true(panel_scale(p, row, col) == 0);
            assert_true(panel_minimum(p, row, col) == 0);
        }
    }
}

static void check_bytes(const char *name, const struct quantized *q)
{
    const struct weight w = {.data = q->codes,
                             .quantized = q,
                             .rows = q->rows,
                             .cols = q->cols};
    struct packed one, other;
    struct threads *t;
    struct error e;
    (void)name;
    assert_ok(threads_open(&t, 2, &e), &e);
    pack_into(&w, 0xaa, NULL, &one);
    pack_into(&w, 0x55, t, &other);
    assert_memory_equal(one.bytes, other.bytes, packed_whole(&one));
    check_missing(&one);
    n_packed_twice++;
    packed_free(&one);
    packed_free(&other);
    threads_close(t);
}

/* Floats, of an odd number of columns and rows. */
static void check_float_bytes(void)
{
    static const enum dtype types[] = {DTYPE_F16, DTYPE_BF16, DTYPE_F32};
    unsigned char data[4 * 5 * 33];
    memset(data, 1, sizeof data);
    for (size_t i = 0; i < 3; i++) {
        const struct weight w = {
            .data = data, .dtype = types[i], .rows = 5, .cols = 33};
        struct packed one, other;
        pack_into(&w, 0xaa, NULL, &one);
        pack_into(&w, 0x55, NULL, &other);
        assert_memory_equal(one.bytes, other.bytes, packed_whole(&one));
        packed_free(&one);
        packed_free(&other);
    }
}

enum narrow_sizes { WIDE = 64, NARROW = 37, LOW = 40 };

/* int8, with one scale a row. */
static struct quantized matrix_of(const unsigned char *codes, size_t cols,
                                  const struct tensor *scales)
{
    return (struct quantized){.format = format_named("int8"),
                              .rows = LOW,
                              .cols = cols,
                              .group = cols,
                              .codes = codes,
                              .row_bytes = cols,
                              .scales = scales};
}

/* Pack a wide matrix and then a narrow one, which is what is left. */
static void pack_narrow(const struct quantized *q, struct threads *t,
                        struct packed *narrow)
{
    struct weight w[2];
    struct packed wide;
    struct error e;
    for (size_t i = 0; i < 2; i++)
        w[i] = (struct weight){.data = q[i].codes,
                               .quantized = &q[i],
                               .rows = LOW,
                               .cols = q[i].cols};
    const struct packing list[] = {packing_plan(&w[0], &wide),
                                   packing_plan(&w[1], narrow)};
    assert_ok(packed_init(&wide, wide.kind, LOW, WIDE, &e), &e);
    assert_ok(packed_init(narrow, narrow->kind, LOW, NARROW, &e), &e);
    assert_ok(packings_run(list, 2, t, &e), &e);
    packed_free(&wide);
}

/* The last group of a row may be no whole one: what a thread has read before
 * does not show there. */
static void check_narrow_bytes(void)
{
    unsigned char codes[LOW * WIDE], scales[4 * LOW] = {0};
    const struct tensor tensor = {
        .dtype = DTYPE_F32, .rank = 2, .count = LOW, .data = scales};
    const struct quantized q[] = {matrix_of(codes, WIDE, &tensor),
                                  matrix_of(codes, NARROW, &tensor)};
    struct packed one, other;
    struct threads *t;
    struct error e;
    for (size_t i = 0; i < sizeof codes; i++)
        codes[i] = (unsigned char)(i * 7 + i / WIDE * 3);
    assert_ok(threads_open(&t, 2, &e), &e);
    pack_narrow(q, NULL, &one);
    pack_narrow(q, t, &other);
    assert_memory_equal(one.bytes, other.bytes, packed_whole(&one));
    packed_free(&one);
    packed_free(&other);
    threads_close(t);
}

static void every_byte_is_written(void **state)
{
    (void)state;
    each_matrix(check_bytes);
    assert_true(n_packed_twice > 0);
    check_float_bytes();
    check_narrow_bytes();
}

/* Floats of 16 and of 32 bits, of every value that 16 bits can have. */
static void floats_stay_what_they_are(void **state)
{
    (void)state;
    static const enum dtype types[] = {DTYPE_F16, DTYPE_BF16, DTYPE_F32};
    static unsigned char data[4 * 37 * 2221];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i / 2 >> i % 2 * 8);
    for (size_t t = 0; t < 3; t++)
        for (size_t cols = 2220; cols <= 2221; cols++) {
            struct packed p;
            struct error e;
            struct compute c = {0};
            float x[2221];
            const struct weight w = {
                .data = data, .dtype = types[t], .rows = 37, .cols = cols};
            assert_ok(weight_pack(&w, NULL, &p, &e), &e);
            for (size_t row = 0; row < 37; row++) {
                weight_row(&c, &w, row, x);
                for (size_t i = 0; i < cols; i++)
                    if (isnan(x[i]))
                        assert_true(isnan(panel_number(&p, row, i)));
                    else
                        assert_true(panel_number(&p, row, i) == x[i]);
            }
            packed_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_keeps_its_numbers),
        cmocka_unit_test(rows_are_found_where_they_stand),
        cmocka_unit_test(every_byte_is_written),
        cmocka_unit_test(floats_stay_what_they_are),
    };
    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}

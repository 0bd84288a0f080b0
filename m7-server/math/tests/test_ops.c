/* The arithmetic agrees with torch, number by number.
 *
 * golden/ops.safetensors is made by tests/oracle/forward/forward_ops.py, from
 * 64-bit arithmetic where a 32-bit one would be as wrong as ours. */
#include "test_equal.h"
#include "test_numbers.h"

static const char file[] = "golden/ops.safetensors";

static struct compute compute;

static int open_goldens(void **state)
{
    static struct checkpoint c;
    struct error e;
    *state = &c;
    assert_ok(checkpoint_open(&c, file, &e), &e);
    return 0;
}

static int close_goldens(void **state)
{
    checkpoint_close(*state);
    return 0;
}

/* --- sums --------------------------------------------------------------- */

static void a_dot_product_adds_in_the_documented_order(void **state)
{
    float *x = golden_floats(*state, "dot", "x");
    float *y = golden_floats(*state, "dot", "y");
    float *out = golden_floats(*state, "dot", "out");
    float found[41];
    for (size_t n = 0; n <= 40; n++)
        found[n] = dot(x, y, n);
    assert_same("dot of n numbers", found, out, 41);
    free(x);
    free(y);
    free(out);
}

/* Whatever the type of the weights, and however they are aligned. */
static void assert_linear(const struct checkpoint *c, const char *name)
{
    float *x = golden_floats(c, name, "x");
    float *out = golden_floats(c, name, "out");
    struct linear l = {golden_weight(c, name, "w"),
                       golden_weight(c, name, "b")};
    size_t bytes = golden(c, name, "w")->bytes;
    unsigned char *odd = malloc(bytes + 1);
    memcpy(odd + 1, l.weight.data, bytes);
    l.weight.data = odd + 1;

    float found[5 * 11];
    linear(&compute, &l, x, 5, found);
    assert_rows(name, "token, row", found, out, 5, 11);
    free(odd);
    free(out);
    free(x);
}

static void a_linear_map_reads_every_type_of_weight(void **state)
{
    assert_linear(*state, "matmul.float32");
    assert_linear(*state, "matmul.float16");
    assert_linear(*state, "matmul.bfloat16");
}

static void a_row_of_a_product_does_not_depend_on_the_others(void **state)
{
    struct weight w = golden_weight(*state, "matmul.bfloat16", "w");
    float *x = golden_floats(*state, "matmul.bfloat16", "x");
    float all[5 * 11], one[11];
    matmul(&compute, x, 5, &w, all);
    for (size_t t = 0; t < 5; t++) {
        matmul(&compute, x + t * 33, 1, &w, one);
        assert_same("a row alone", one, all + t * 11, 11);
    }
    free(x);
}

static void assert_stored_row(const struct checkpoint *c, const char *name)
{
    struct weight w = golden_weight(c, name, "w");
    float *row = golden_floats(c, name, "row");
    float found[33];
    weight_row(&compute, &w, 0, found);
    assert_same(name, found, row, 33);
    free(row);
}

static void a_row_of_weights_is_read_exactly(void **state)
{
    assert_stored_row(*state, "matmul.float32");
    assert_stored_row(*state, "matmul.float16");
    assert_stored_row(*state, "matmul.bfloat16");
}

/* Each value of a 16-bit type, met alone in a dot product with 1. */
static void assert_every_half(enum dtype type)
{
    for (unsigned bits = 0; bits < 65536; bits++) {
        uint16_t half = (uint16_t)bits;
        struct weight w = {.data = (unsigned char *)&half,
                           .dtype = type,
                           .rows = 1,
                           .cols = 1};
        float one = 1, found, expected;
        matmul(&compute, &one, 1, &w, &found);
        dtype_to_f32(type, &half, 1, &expected);
        if (isnan(expected))
            assert_true(isnan(found));
        else
            assert_equal(found, expected);
    }
}

static void every_half_sized_number_is_multiplied_as_what_it_is(void **state)
{
    (void)state;
    assert_every_half(DTYPE_F16);
    assert_every_half(DTYPE_BF16);
}

static void only_three_types_can_be_multiplied(void **state)
{
    (void)state;
    for (int type = 0; type < N_DTYPES; type++)
        assert_int_equal(weight_type_is_known((enum dtype)type),
                         type == DTYPE_F32 || type == DTYPE_F16 ||
                             type == DTYPE_BF16);
}

/* The last of 11 numbers stays as it is. */
static void assert_eleven(const struct checkpoint *c, const char *name,
                          float *found, const float *before)
{
    float *out = golden_floats(c, name, "out");
    assert_close(name, found, out, 10, 0, 5e-7);
    assert_equal(found[10], before[10]);
    free(out);
    free(found);
}

static void sums_and_products_go_number_by_number(void **state)
{
    float *x = golden_floats(*state, "add_scaled", "x");
    float *y = golden_floats(*state, "add_scaled", "y");
    float *found = golden_floats(*state, "add_scaled", "x");
    add_scaled(found, y, 0.6f, 10);
    assert_eleven(*state, "add_scaled", found, x);
    found = golden_floats(*state, "multiply", "x");
    multiply(found, y, 10);
    assert_eleven(*state, "multiply", found, x);
    found = golden_floats(*state, "scale", "x");
    scale(found, 2.3f, 10);
    assert_eleven(*state, "scale", found, x);
    free(y);
    free(x);
}

/* With steps of eight and without, and never one number more. */
static void a_scaled_sum_has_any_number_of_terms(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 25; n++) {
        float x[26], y[26], expected[26];
        for (size_t i = 0; i < 26; i++) {
            x[i] = expected[i] = (float)i + 0.25f;
            y[i] = 3 - (float)i;
            expected[i] += i < n ? 0.5f * y[i] : 0;
        }
        add_scaled(x, y, 0.5f, n);
        assert_same("x + y / 2", x, expected, 26);
    }
}

/* The same bits, whatever else is multiplied with the matrix, and nothing
 * behind them; widths with and without a rest of eight. */
static void each_row_is_multiplied_as_if_it_were_alone(void **state)
{
    struct weight w = golden_weight(*state, "matmul.bfloat16", "w");
    float x[13 * 33], together[14 * 11], alone[13 * 11];
    for (size_t i = 0; i < 13 * 33; i++)
        x[i] = 1 / (float)(i + 3);
    for (w.cols = 31; w.cols <= 33; w.cols++)
        for (size_t n = 1; n <= 13; n++) {
            together[n * 11] = together[n * 11 + 10] = 7;
            matmul(&compute, x, n, &w, together);
            for (size_t t = 0; t < n; t++)
                matmul(&compute, x + t * w.cols, 1, &w, alone + t * 11);
            assert_same("rows", together, alone, n * 11);
            assert_true(together[n * 11] == 7 && together[n * 11 + 10] == 7);
        }
}

/* One of the three parts that take turns in a matrix, four rows each. */
static void assert_part(const struct checkpoint *c, const char *part, size_t i)
{
    struct linear l = {golden_weight(c, "fused", "w"),
                       golden_weight(c, "fused", "b")};
    float *x = golden_floats(c, "fused", "x");
    float *out = golden_floats(c, part, "out");
    float *row = golden_floats(c, part, "row");
    float found[5 * 12], found_row[9];
    l.weight.data += i * 4 * 9 * sizeof(uint16_t);
    l.bias.data += i * 4 * sizeof(float);
    l.weight.rows = l.bias.rows = 12;
    l.weight.run = l.bias.run = 4;
    l.weight.stride = l.bias.stride = 3 * 4;
    linear(&compute, &l, x, 5, found);
    assert_rows(part, "token, row", found, out, 5, 12);
    weight_row(&compute, &l.weight, 2 * 4 + 3, found_row);
    assert_same(part, found_row, row, 9);
    free(row);
    free(out);
    free(x);
}

static void parts_may_take_turns_in_one_matrix(void **state)
{
    assert_part(*state, "fused.q", 0);
    assert_part(*state, "fused.k", 1);
    assert_part(*state, "fused.v", 2);
}

/* A row counts once for all that it is multiplied with; a vector, too. */
static void what_is_fetched_is_counted(void **state)
{
    struct weight w = golden_weight(*state, "matmul.bfloat16", "w");
    struct weight bias = {
        .data = w.data, .dtype = DTYPE_F32, .rows = w.rows, .cols = 1};
    struct linear l = {w, bias};
    struct norm norm = {NORM_RMS, 33, 1e-6f, w, 0, {.data = NULL}};
    float x[5 * 33] = {0}, out[5 * 11];
    norm.weight.rows = 33;
    norm.weight.cols = 1;
    compute.fetched = 0;
    matmul(&compute, x, 5, &w, out);
    assert_int_equal(compute.fetched, 11 * 33 * 2);
    linear(&compute, &l, x, 3, out);
    assert_int_equal(compute.fetched, 2 * 11 * 33 * 2 + 11 * 4);
    weight_row(&compute, &w, 1, out);
    normalize_rows(&compute, &norm, x, 5 * 33, x);
    assert_int_equal(compute.fetched, 2 * 11 * 33 * 2 + 11 * 4 + 2 * 33 * 2);
}

/* --- norms -------------------------------------------------------------- */

/* Into another place, then in its own. */
static void assert_norm(const struct checkpoint *c, const char *name,
                        struct norm norm)
{
    float *x = golden_floats(c, name, "x");
    float *out = golden_floats(c, name, "out");
    float elsewhere[4 * 29] = {0};
    norm.width = 29;
    normalize_rows(&compute, &norm, x, 4 * 29, elsewhere);
    assert_rows(name, "row, dimension", elsewhere, out, 4, 29);
    normalize_rows(&compute, &norm, x, 4 * 29, x);
    assert_rows(name, "row, dimension", x, out, 4, 29);
    free(out);
    free(x);
}

static void an_rms_norm_divides_by_the_root_mean_square(void **state)
{
    struct weight w = golden_weight(*state, "rmsnorm", "w");
    assert_norm(*state, "rmsnorm",
                (struct norm){.kind = NORM_RMS, .eps = 0.01f, .weight = w});
    assert_norm(*state, "rmsnorm_bare",
                (struct norm){.kind = NORM_RMS, .eps = 1e-6f});
}

static void some_norms_store_their_weights_minus_one(void **state)
{
    struct weight w = golden_weight(*state, "rmsnorm_plus_one", "w");
    assert_norm(
        *state, "rmsnorm_plus_one",
        (struct norm){
            .kind = NORM_RMS, .eps = 1e-6f, .weight = w, .weight_offset = 1});
}

static void a_layer_norm_also_subtracts_the_mean(void **state)
{
    assert_norm(
        *state, "layernorm",
        (struct norm){.kind = NORM_LAYER,
                      .eps = 0.1f,
                      .weight = golden_weight(*state, "layernorm", "w"),
                      .bias = golden_weight(*state, "layernorm", "b")});
}

static void no_norm_changes_nothing(void **state)
{
    (void)state;
    struct norm none = {.kind = NORM_NONE, .width = 3};
    const float expected[] = {1, -2, 3};
    float x[] = {1, -2, 3}, y[3] = {0};
    normalize_rows(&compute, &none, x, 3, y);
    assert_same("no norm", y, expected, 3);
    assert_same("what has no norm", x, expected, 3);
}

static void a_row_that_holds_no_number_is_far_from_any(void **state)
{
    (void)state;
    const float expected[] = {3, 200, 1};
    const float near[] = {3.002f, 200, 1}, none[] = {NAN, 200, 1};
    double off = row_distance(near, expected, 3);
    assert_true(off > 0.999 && off < 1.001);
    assert_true(isinf(row_distance(none, expected, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dot_product_adds_in_the_documented_order),
        cmocka_unit_test(a_linear_map_reads_every_type_of_weight),
        cmocka_unit_test(a_row_of_a_product_does_not_depend_on_the_others),
        cmocka_unit_test(a_row_of_weights_is_read_exactly),
        cmocka_unit_test(every_half_sized_number_is_multiplied_as_what_it_is),
        cmocka_unit_test(only_three_types_can_be_multiplied),
        cmocka_unit_test(sums_and_products_go_number_by_number),
        cmocka_unit_test(a_scaled_sum_has_any_number_of_terms),
        cmocka_unit_test(each_row_is_multiplied_as_if_it_were_alone),
        cmocka_unit_test(parts_may_take_turns_in_one_matrix),
        cmocka_unit_test(what_is_fetched_is_counted),
        cmocka_unit_test(an_rms_norm_divides_by_the_root_mean_square),
        cmocka_unit_test(some_norms_store_their_weights_minus_one),
        cmocka_unit_test(a_layer_norm_also_subtracts_the_mean),
        cmocka_unit_test(no_norm_changes_nothing),
        cmocka_unit_test(a_row_that_holds_no_number_is_far_from_any),
    };
    return cmocka_run_group_tests_name("ops", tests, open_goldens,
                                       close_goldens);
}

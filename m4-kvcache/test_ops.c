/* The arithmetic agrees with torch, number by number.
 *
 * golden/ops.safetensors is made by tests/oracle/forward_ops.py, from 64-bit
 * arithmetic where a 32-bit one would be as wrong as ours. */
#include "test_numbers.h"

static const char file[] = "golden/ops.safetensors";

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
    for (size_t n = 0; n <= 40; n++) {
        float found = dot(x, y, n);
        assert_memory_equal(&found, &out[n], sizeof found);
    }
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
    linear(&l, x, 5, found);
    assert_rows(name, found, out, 5, 11);
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
    matmul(x, 5, &w, all);
    for (size_t t = 0; t < 5; t++) {
        matmul(x + t * 33, 1, &w, one);
        assert_memory_equal(one, all + t * 11, sizeof one);
    }
    free(x);
}

static void assert_stored_row(const struct checkpoint *c, const char *name)
{
    struct weight w = golden_weight(c, name, "w");
    float *row = golden_floats(c, name, "row");
    float found[33];
    weight_row(&w, 0, found);
    assert_memory_equal(found, row, sizeof found);
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
        matmul(&one, 1, &w, &found);
        dtype_to_f32(type, &half, 1, &expected);
        if (isnan(expected))
            assert_true(isnan(found));
        else
            assert_true(found == expected);
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

static void add_and_multiply_go_number_by_number(void **state)
{
    (void)state;
    float long_x[11], long_y[11];
    for (int i = 0; i < 11; i++) {
        long_x[i] = (float)i;
        long_y[i] = (float)(i * i);
    }
    add_scaled(long_x, long_y, 0.5f, 10);
    for (int i = 0; i < 11; i++)
        assert_true(long_x[i] == (i < 10 ? (float)i + 0.5f * long_y[i] : 10));
    float x[] = {1, 2, 3}, y[] = {10, 20, 30};
    multiply(x, y, 2);
    assert_true(x[0] == 10 && x[1] == 40 && x[2] == 3);
}

/* --- norms -------------------------------------------------------------- */

static void assert_norm(const struct checkpoint *c, const char *name,
                        struct norm norm)
{
    float *x = golden_floats(c, name, "x");
    float *out = golden_floats(c, name, "out");
    norm.width = 29;
    normalize_rows(&norm, x, 4 * 29, x);
    assert_rows(name, x, out, 4, 29);
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
    struct norm none = {0};
    float x[] = {1, -2, 3}, y[3];
    normalize_rows(&none, x, 3, y);
    assert_memory_equal(x, y, sizeof x);
}

/* --- one number after the other ----------------------------------------- */

static void soft_cap_of_50(float *x, size_t n)
{
    soft_cap(x, 50, n);
}

/* exp and its kin are good to about one part in 2^23; a small error in their
 * argument is a larger one in their result. */
static void assert_activation(const struct checkpoint *c, const char *name,
                              activation *f, double bound, double floor)
{
    const struct tensor *x = golden(c, name, "x");
    float *found = golden_values(x);
    float *out = golden_floats(c, name, "out");
    f(found, x->count);
    assert_close(name, found, out, x->count, bound, floor);
    free(out);
    free(found);
}

static void activations_agree_with_torch(void **state)
{
    assert_activation(*state, "silu", silu, 3e-7, 1e-37);
    assert_activation(*state, "gelu", gelu, 5e-6, 1e-15);
    assert_activation(*state, "gelu_tanh", gelu_tanh, 5e-6, 1e-15);
}

static void a_soft_cap_bounds_and_no_cap_does_not(void **state)
{
    assert_activation(*state, "soft_cap", soft_cap_of_50, 3e-7, 0);
    float far = 1e30f;
    soft_cap(&far, 0, 1);
    assert_true(far == 1e30f);
}

static void a_softmax_is_a_distribution(void **state)
{
    assert_activation(*state, "softmax", softmax, 2e-6, 1e-37);
    assert_activation(*state, "softmax_far", softmax, 2e-6, 1e-37);
    float one = -5;
    softmax(&one, 1);
    assert_true(one == 1);
}

/* One token stands out of a vocabulary of 100,000: p = 1 / (1 + 99999 / e^11).
 */
static void a_softmax_of_many_loses_no_digits(void **state)
{
    (void)state;
    const size_t many = 100000;
    float *x = malloc(many * sizeof *x);
    for (size_t i = 0; i < many; i++)
        x[i] = i == 7 ? 0 : -11;
    softmax(x, many);
    const float expected = (float)(1 / (1 + (double)(many - 1) * exp(-11)));
    assert_close("softmax of many", &x[7], &expected, 1, 2e-7, 0);
    free(x);
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
        cmocka_unit_test(add_and_multiply_go_number_by_number),
        cmocka_unit_test(an_rms_norm_divides_by_the_root_mean_square),
        cmocka_unit_test(some_norms_store_their_weights_minus_one),
        cmocka_unit_test(a_layer_norm_also_subtracts_the_mean),
        cmocka_unit_test(no_norm_changes_nothing),
        cmocka_unit_test(activations_agree_with_torch),
        cmocka_unit_test(a_soft_cap_bounds_and_no_cap_does_not),
        cmocka_unit_test(a_softmax_is_a_distribution),
        cmocka_unit_test(a_softmax_of_many_loses_no_digits),
    };
    return cmocka_run_group_tests_name("ops", tests, open_goldens,
                                       close_goldens);
}

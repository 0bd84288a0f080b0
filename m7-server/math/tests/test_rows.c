/* Rows by kernels: they agree with torch as m5's functions do, and with those;
 * neither instructions nor threads make a difference.
 *
 * golden/ops.safetensors is made by tests/oracle/forward/forward_ops.py. */
#include "rows.h"

#include "test_numbers.h"

enum sizes {
    WIDTH = 200,
    ROWS = 50,
    COUNT = ROWS * WIDTH /* more than the caller does alone */
};

/* A way to compute: a set of instructions and so many threads. */
struct way {
    struct threads *threads;
    struct engine engine;
    struct compute compute;
};

static void open_way(struct way *w, const struct cpu_set *set, size_t count)
{
    struct error e;
    assert_ok(threads_open(&w->threads, count, &e), &e);
    assert_ok(engine_init(&w->engine, set, w->threads, 1, 32, &e), &e);
    w->compute = (struct compute){.engine = &w->engine};
}

static void close_way(struct way *w)
{
    engine_free(&w->engine);
    threads_close(w->threads);
}

/* What is asserted in every way, with goldens if it wants them. */
typedef void way_function(struct compute *c, const struct checkpoint *goldens);

static void in_every_way(way_function *f)
{
    struct checkpoint goldens;
    struct error e;
    assert_ok(checkpoint_open(&goldens, "golden/ops.safetensors", &e), &e);
    for (size_t i = 0; cpu_set_row(i); i++)
        for (size_t threads = 1; threads < 4; threads += 2) {
            struct way way;
            if (!cpu_set_row(i)->is_here())
                continue;
            open_way(&way, cpu_set_row(i), threads);
            f(&way.compute, &goldens);
            close_way(&way);
        }
    checkpoint_close(&goldens);
}

/* Numbers from -4 to 4, the same for the same `first`. */
static void fill(float *x, size_t n, uint32_t first)
{
    for (size_t i = 0; i < n; i++) {
        first = first * 1664525 + 1013904223;
        x[i] = (float)(first >> 8) / (float)(1 << 21) - 4;
    }
}

/* --- activations -------------------------------------------------------- */

static void assert_activation(struct compute *c, const struct checkpoint *from,
                              const char *name, activation *f, double bound,
                              double floor)
{
    const struct tensor *x = golden(from, name, "x");
    float *found = golden_values(x);
    float *out = golden_floats(from, name, "out");
    activate_rows(c, f, found, NULL, x->count);
    assert_close(name, found, out, x->count, bound, floor);
    free(out);
    free(found);
}

/* The bounds of m5's functions. */
static void assert_activations(struct compute *c,
                               const struct checkpoint *goldens)
{
    assert_activation(c, goldens, "silu", silu, 3e-7, 1e-37);
    assert_activation(c, goldens, "gelu", gelu, 5e-6, 1e-15);
    assert_activation(c, goldens, "gelu_tanh", gelu_tanh, 5e-6, 1e-15);
}

static void activations_agree_with_torch(void **state)
{
    (void)state;
    in_every_way(assert_activations);
}

static void assert_soft_cap(struct compute *c,
                            const struct checkpoint *goldens)
{
    const struct tensor *x = golden(goldens, "soft_cap", "x");
    float *found = golden_values(x);
    float *out = golden_floats(goldens, "soft_cap", "out");
    soft_cap_rows(c, found, 0, x->count);
    soft_cap_rows(c, found, 50, x->count);
    assert_close("soft cap", found, out, x->count, 3e-7, 0);
    free(out);
    free(found);
}

static void a_soft_cap_agrees_with_torch(void **state)
{
    (void)state;
    in_every_way(assert_soft_cap);
}

/* Of an activation that kernels have, the product with `up` is the same as
 * behind it; one that they lack is computed in the old way. */
static void negate(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = -x[i];
}

static void assert_gated(struct compute *c, const struct checkpoint *goldens)
{
    activation *const functions[] = {silu, gelu, gelu_tanh, negate};
    static float x[COUNT], expected[COUNT], up[COUNT];
    (void)goldens;
    fill(up, COUNT, 2);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        fill(x, COUNT, 1);
        memcpy(expected, x, sizeof x);
        activate_rows(c, functions[i], x, up, COUNT);
        activate_rows(c, functions[i], expected, NULL, COUNT);
        multiply(expected, up, COUNT);
        assert_same("gated", x, expected, COUNT);
        fill(x, COUNT, 1);
        functions[i](x, COUNT);
        multiply(x, up, COUNT);
        assert_close("m5's", expected, x, COUNT, 3e-6, 0);
    }
}

static void a_gate_is_multiplied_in_the_same_step(void **state)
{
    (void)state;
    in_every_way(assert_gated);
}

/* --- norms -------------------------------------------------------------- */

static void assert_norm(struct compute *c, const struct checkpoint *goldens,
                        const char *name, struct norm norm)
{
    float *x = golden_floats(goldens, name, "x");
    float *out = golden_floats(goldens, name, "out");
    float weights[29], biases[29];
    norm.width = 29;
    for (size_t i = 0; norm.weight.data && i < 29; i++)
        weight_row(c, &norm.weight, i, weights + i);
    for (size_t i = 0; norm.bias.data && i < 29; i++)
        weight_row(c, &norm.bias, i, biases + i);
    norm.weight.floats = norm.weight.data ? weights : NULL;
    norm.bias.floats = norm.bias.data ? biases : NULL;
    normalize_rows(c, &norm, x, 4 * 29, x);
    assert_rows(name, "row, dimension", x, out, 4, 29);
    free(out);
    free(x);
}

static void assert_norms(struct compute *c, const struct checkpoint *goldens)
{
    struct norm rms = {.kind = NORM_RMS, .eps = 1e-6f};
    struct norm layer = {.kind = NORM_LAYER, .eps = 0.1f};
    assert_norm(c, goldens, "rmsnorm_bare", rms);
    rms.weight_offset = 1;
    rms.weight = golden_weight(goldens, "rmsnorm_plus_one", "w");
    assert_norm(c, goldens, "rmsnorm_plus_one", rms);
    rms.weight_offset = 0;
    rms.eps = 0.01f;
    rms.weight = golden_weight(goldens, "rmsnorm", "w");
    assert_norm(c, goldens, "rmsnorm", rms);
    layer.weight = golden_weight(goldens, "layernorm", "w");
    layer.bias = golden_weight(goldens, "layernorm", "b");
    assert_norm(c, goldens, "layernorm", layer);
}

static void norms_agree_with_torch(void **state)
{
    (void)state;
    in_every_way(assert_norms);
}

/* Where the file's weights have no copy, m5's arithmetic goes on. */
static void assert_unpacked(struct compute *c,
                            const struct checkpoint *goldens)
{
    static float x[COUNT], y[COUNT], weights[WIDTH];
    struct norm norm = {.kind = NORM_RMS,
                        .width = WIDTH,
                        .weight = {.data = (unsigned char *)weights,
                                   .dtype = DTYPE_F32,
                                   .rows = WIDTH,
                                   .cols = 1}};
    struct compute m5 = {0};
    (void)goldens;
    fill(weights, WIDTH, 3);
    fill(x, COUNT, 4);
    normalize_rows(&m5, &norm, x, COUNT, y);
    normalize_rows(c, &norm, x, COUNT, x);
    assert_same("unpacked", x, y, COUNT);
    fill(x, COUNT, 4);
    norm.weight.floats = weights;
    normalize_rows(c, &norm, x, COUNT, x);
    assert_close("m5's", x, y, COUNT, 1e-6, 0);
    assert_int_equal(c->fetched, 2 * WIDTH * sizeof(float));
    c->fetched = 0;
}

static void a_norm_without_a_copy_is_m5s(void **state)
{
    (void)state;
    in_every_way(assert_unpacked);
}

/* --- what has m5's bits ------------------------------------------------- */

static void assert_sums(struct compute *c, const struct checkpoint *goldens)
{
    static float x[COUNT], y[COUNT], more[COUNT];
    const size_t counts[] = {1, 15, WIDTH + 7, COUNT};
    (void)goldens;
    fill(more, COUNT, 5);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t n = counts[i];
        fill(x, COUNT, 6);
        memcpy(y, x, sizeof x);
        scale_rows(c, x, 0.3f, n);
        scale_rows(c, x, 1, n);
        add_scaled_rows(c, x, more, 0.7f, n);
        scale(y, 0.3f, n);
        add_scaled(y, more, 0.7f, n);
        assert_same("sums", x, y, COUNT);
    }
}

static void sums_have_the_bits_of_m5(void **state)
{
    (void)state;
    in_every_way(assert_sums);
}

static void assert_bias(struct compute *c, const struct checkpoint *goldens)
{
    static float x[COUNT], y[COUNT], bias[WIDTH];
    struct linear l = {.weight = {.rows = WIDTH},
                       .bias = {.floats = bias}};
    (void)goldens;
    fill(bias, WIDTH, 7);
    fill(x, COUNT, 8);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = x[i] + bias[i % WIDTH];
    assert_true(add_bias_rows(c->engine, &l, ROWS, x));
    assert_same("bias", x, y, COUNT);
    l.bias.floats = NULL;
    assert_false(add_bias_rows(c->engine, &l, ROWS, x));
    assert_same("no bias", x, y, COUNT);
}

static void a_bias_is_added_to_each_row(void **state)
{
    (void)state;
    in_every_way(assert_bias);
}

/* 5 heads of 40 numbers, of which 36 turn. */
static void assert_turned(struct compute *c, const struct checkpoint *goldens)
{
    static float x[COUNT], y[COUNT], cosines[ROWS * 18], sines[ROWS * 18];
    struct rope r = {.dim = 36};
    struct angles a = {cosines, sines};
    (void)goldens;
    fill(cosines, ROWS * 18, 9);
    fill(sines, ROWS * 18, 10);
    for (int neighbours = 0; neighbours < 2; neighbours++) {
        r.neighbours = neighbours;
        fill(x, COUNT, 11);
        memcpy(y, x, sizeof x);
        rotate_rows(c, &r, &a, x, ROWS, 5, 40);
        for (size_t t = 0; t < ROWS; t++)
            rotate(&r, &a, t, y + t * WIDTH, 5, 40);
        assert_same("turned", x, y, COUNT);
    }
}

static void heads_turn_as_in_m5(void **state)
{
    (void)state;
    in_every_way(assert_turned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activations_agree_with_torch),
        cmocka_unit_test(a_soft_cap_agrees_with_torch),
        cmocka_unit_test(a_gate_is_multiplied_in_the_same_step),
        cmocka_unit_test(norms_agree_with_torch),
        cmocka_unit_test(a_norm_without_a_copy_is_m5s),
        cmocka_unit_test(sums_have_the_bits_of_m5),
        cmocka_unit_test(a_bias_is_added_to_each_row),
        cmocka_unit_test(heads_turn_as_in_m5),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}

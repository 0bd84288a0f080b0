/* A row of floats becomes the codes and scales that its definition gives in
 * numpy: golden/rounded.safetensors, by tests/oracle/quant/rounded_goldens.py;
 * and what these stand for becomes them again. */
#include "formats.h"
#include "quantize.h"
#include "test_numbers.h"

#include <float.h>

enum row_sizes { COLS = 128 };

/* One way to quantize, and its golden. */
struct way {
    struct rounding rounding;
    const float *importance;
    const struct tensor *codes, *scales;
    char name[40];
};

static struct checkpoint goldens;
static float *rows, *importance;
static size_t n_rows;

static int open_goldens(void **state)
{
    (void)state;
    struct error e;
    if (checkpoint_open(&goldens, "golden/rounded.safetensors", &e))
        return -1;
    rows = golden_floats(&goldens, "x", "");
    importance = golden_floats(&goldens, "importance", "");
    n_rows = golden(&goldens, "x", "")->shape[0];
    return 0;
}

static int close_goldens(void **state)
{
    (void)state;
    free(rows);
    free(importance);
    checkpoint_close(&goldens);
    return 0;
}

/* Call `check` with every way. */
static void for_each_way(void (*check)(const struct way *w))
{
    static const char *const kinds[] = {"plain", "search", "weighted"};
    for (size_t bits = 4; bits <= 8; bits += 4)
        for (size_t group = 32; group <= 128; group *= 2)
            for (size_t kind = 0; kind < 3; kind++) {
                struct way w = {
                    {format_named(bits == 4 ? "int4" : "int8"), group,
                     kind > 0},
                    kind == 2 ? importance : NULL,
                    NULL,
                    NULL,
                    ""};
                snprintf(w.name, sizeof w.name, "int%zu.%zu.%s", bits, group,
                         kinds[kind]);
                w.codes = golden(&goldens, w.name, "codes");
                w.scales = golden(&goldens, w.name, "scales");
                check(&w);
            }
}

static size_t code_bytes(const struct way *w)
{
    return COLS * w->rounding.format->bits / 8;
}

static void assert_as_golden(const struct way *w, size_t row, const char *what,
                             const void *found, const struct tensor *golden,
                             size_t bytes)
{
    if (memcmp(found, golden->data + row * bytes, bytes) == 0)
        return;
    print_error("%s: the %s of row %zu are not those of the oracle\n",
                w->name, what, row);
    assert_true(false);
}

static void check_rows(const struct way *w)
{
    unsigned char codes[COLS];
    float scales[COLS / 32];
    size_t groups = COLS / w->rounding.group;
    for (size_t i = 0; i < n_rows; i++) {
        memset(codes, 0xAA, sizeof codes);
        quantize_row(&w->rounding, rows + i * COLS, COLS, w->importance,
                     codes, scales);
        assert_as_golden(w, i, "scales", scales, w->scales,
                         groups * sizeof *scales);
        assert_as_golden(w, i, "codes", codes, w->codes, code_bytes(w));
    }
}

static void codes_and_scales_are_those_of_the_oracle(void **state)
{
    (void)state;
    for_each_way(check_rows);
}

/* The golden as floats (n_rows, COLS), to be freed. */
static float *unpack_golden(const struct way *w)
{
    struct quantized q = {.format = w->rounding.format,
                          .rows = n_rows,
                          .cols = COLS,
                          .group = w->rounding.group,
                          .codes = w->codes->data,
                          .row_bytes = code_bytes(w),
                          .scales = w->scales};
    float *out = malloc(n_rows * COLS * sizeof *out);
    for (size_t i = 0; i < n_rows; i++)
        quantized_row(&q, i, out + i * COLS);
    return out;
}

/* The plainest rounding, and one's own, find the same again.  The rows 4 and 5
 * have scales below the smallest normal float. */
static void check_again(const struct way *w)
{
    float *floats = unpack_golden(w), scales[COLS / 32];
    unsigned char codes[COLS];
    for (size_t i = 0; i < n_rows; i++) {
        struct rounding r = w->rounding;
        if (i == 4 || i == 5)
            continue;
        for (r.search = false;; r.search = true) {
            quantize_row(&r, floats + i * COLS, COLS, w->importance, codes,
                         scales);
            assert_as_golden(w, i, "scales, again,", scales, w->scales,
                             COLS / r.group * sizeof *scales);
            assert_as_golden(w, i, "codes, again,", codes, w->codes,
                             code_bytes(w));
            if (r.search)
                break;
        }
    }
    free(floats);
}

static void what_they_stand_for_becomes_them_again(void **state)
{
    (void)state;
    for_each_way(check_again);
}

/* Within half a scale, and a little for the rounding of the floats. */
static void check_errors(const struct way *w)
{
    if (w->rounding.search)
        return;
    float *floats = unpack_golden(w), *scales = golden_values(w->scales);
    for (size_t i = 0; i < n_rows * COLS; i++) {
        double half = (double)scales[i / w->rounding.group] / 2;
        double error = fabs((double)rows[i] - (double)floats[i]);
        double size = fabs((double)rows[i]);
        assert_true(error <= half + size * 2e-7 + (double)FLT_TRUE_MIN * 8);
    }
    free(scales);
    free(floats);
}

static void no_value_moves_by_more_than_half_a_scale(void **state)
{
    (void)state;
    for_each_way(check_errors);
}

static void what_cannot_be_a_code_times_a_scale_is_known(void **state)
{
    (void)state;
    const struct rounding r = {format_named("int8"), 8, false};
    float most = FLT_MAX / 2, scale;
    float x[8] = {most, -most, 0, 1, -1, most, most, most};
    unsigned char codes[8];
    assert_true(can_quantize(most) && can_quantize(-most));
    assert_true(can_quantize(0) && can_quantize(FLT_TRUE_MIN));
    assert_false(can_quantize(INFINITY) || can_quantize(-INFINITY));
    assert_false(can_quantize(NAN) || can_quantize(FLT_MAX));
    quantize_row(&r, x, 8, NULL, codes, &scale);
    assert_true(isfinite(127 * scale));
    assert_int_equal(codes[0], 127);
    assert_int_equal((signed char)codes[1], -127);
}

static void rows_can_be_quantized_to_two_formats(void **state)
{
    (void)state;
    assert_int_equal(largest_code(quantize_format("int8")), 127);
    assert_int_equal(largest_code(quantize_format("int4")), 7);
    assert_null(quantize_format("Q4_K"));
    assert_null(quantize_format("int5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_and_scales_are_those_of_the_oracle),
        cmocka_unit_test(what_they_stand_for_becomes_them_again),
        cmocka_unit_test(no_value_moves_by_more_than_half_a_scale),
        cmocka_unit_test(what_cannot_be_a_code_times_a_scale_is_known),
        cmocka_unit_test(rows_can_be_quantized_to_two_formats),
    };
    return cmocka_run_group_tests_name("quantize", tests, open_goldens,
                                       close_goldens);
}

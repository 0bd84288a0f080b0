/* Every number format becomes the floats that torch makes of it. */
#include "dtype.h"
#include "test_equal.h"
#include "test_golden.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void every_format_has_a_name_and_a_size(void **state)
{
    (void)state;
    static const char *const names[] = {
        "BOOL",    "U8",          "I8",      "U16",     "I16",
        "U32",     "I32",         "U64",     "I64",     "F64",
        "F32",     "F16",         "BF16",    "F8_E5M2", "F8_E5M2FNUZ",
        "F8_E4M3", "F8_E4M3FNUZ", "F8_E8M0", "F6_E3M2", "F6_E2M3",
        "F4",      "C64"};
    static const size_t bits[] = {8,  8,  8, 16, 16, 32, 32, 64, 64, 64, 32,
                                  16, 16, 8, 8,  8,  8,  8,  6,  6,  4,  64};
    for (int i = 0; i < N_DTYPES; i++) {
        enum dtype type = N_DTYPES;
        assert_true(dtype_find(names[i], &type));
        assert_int_equal(type, i);
        assert_string_equal(dtype_name(type), names[i]);
        assert_int_equal(dtype_bits(type), bits[i]);
        assert_int_equal(dtype_is_real(type), i < DTYPE_F6_E3M2);
    }
}

static void an_unknown_name_is_not_found(void **state)
{
    (void)state;
    enum dtype type;
    assert_false(dtype_find("F128", &type));
    assert_false(dtype_find("bf16", &type));
    assert_false(dtype_find("", &type));
}

/* All patterns of 8 or 16 bits, in order, after one byte that misaligns. */
static void assert_patterns(const char *name, const char *golden)
{
    enum dtype type = N_DTYPES;
    assert_true(dtype_find(name, &type));
    size_t width = dtype_bits(type) / 8;
    size_t n = width == 1 ? 256 : 65536;
    unsigned char *patterns = malloc(1 + n * width);
    float *floats = malloc(n * sizeof *floats);
    assert_non_null(patterns);
    assert_non_null(floats);
    memset(floats, 1, n * sizeof *floats);
    for (size_t i = 0; i < n * width; i++)
        patterns[1 + i] = (unsigned char)(i / width >> 8 * (i % width));
    dtype_to_f32(type, patterns + 1, n, floats);
    char hash[17];
    spell_hash(hash_floats(HASH_START, floats, n), hash);
    assert_string_equal(hash, golden);
    free(patterns);
    free(floats);
}

static void all_bit_patterns_become_the_floats_of_the_oracle(void **state)
{
    (void)state;
    json_t *goldens = golden_part("patterns");
    assert_int_equal(json_object_size(goldens), 11);
    const char *name;
    json_t *golden;
    json_object_foreach(goldens, name, golden)
        assert_patterns(name, json_string_value(golden));
    json_decref(goldens);
}

static float f32_of(enum dtype type, const void *value)
{
    float out;
    dtype_to_f32(type, value, 1, &out);
    return out;
}

static void a_wide_number_rounds_to_the_nearest_float(void **state)
{
    (void)state;
    double tie_down = 1 + 0x1p-24, tie_up = 1 + 3 * 0x1p-24, large = 1e300;
    int64_t tie = (1 << 24) + 3, low = -(1 << 24) - 1;
    uint64_t all = UINT64_MAX;
    assert_equal(f32_of(DTYPE_F64, &tie_down), 1);
    assert_equal(f32_of(DTYPE_F64, &tie_up), 1 + 0x1p-22f);
    assert_equal(f32_of(DTYPE_F64, &large), INFINITY);
    assert_equal(f32_of(DTYPE_I64, &tie), 0x1p24f + 4);
    assert_equal(f32_of(DTYPE_I64, &low), -0x1p24f);
    assert_equal(f32_of(DTYPE_U64, &all), 0x1p64f);
}

static void wide_numbers_stand_one_behind_the_other(void **state)
{
    (void)state;
    const double doubles[] = {0.5, -3, 2};
    const int64_t integers[] = {7, -8, 9};
    const uint64_t naturals[] = {1, 20, 300};
    float out[3];
    dtype_to_f32(DTYPE_F64, (const unsigned char *)doubles, 3, out);
    assert_memory_equal(out, ((float[]){0.5f, -3, 2}), sizeof out);
    dtype_to_f32(DTYPE_I64, (const unsigned char *)integers, 3, out);
    assert_memory_equal(out, ((float[]){7, -8, 9}), sizeof out);
    dtype_to_f32(DTYPE_U64, (const unsigned char *)naturals, 3, out);
    assert_memory_equal(out, ((float[]){1, 20, 300}), sizeof out);
}

/* The formats of which the goldens have no patterns; and F32, of which there
 * may be one number. */
static void narrower_numbers_do_so_too(void **state)
{
    (void)state;
    const uint32_t naturals[] = {3, 1 << 24, UINT32_MAX};
    const int32_t integers[] = {7, -8, INT32_MIN};
    const float one = -0.5f;
    float out[3];
    dtype_to_f32(DTYPE_BOOL, (const unsigned char *)"\1\0\2", 3, out);
    assert_memory_equal(out, ((float[]){1, 0, 1}), sizeof out);
    dtype_to_f32(DTYPE_U32, (const unsigned char *)naturals, 3, out);
    assert_memory_equal(out, ((float[]){3, 0x1p24f, 0x1p32f}), sizeof out);
    dtype_to_f32(DTYPE_I32, (const unsigned char *)integers, 3, out);
    assert_memory_equal(out, ((float[]){7, -8, -0x1p31f}), sizeof out);
    assert_equal(f32_of(DTYPE_F32, &one), -0.5f);
}

static void behind_the_last_number_nothing_is_written(void **state)
{
    (void)state;
    static const unsigned char three[3 * sizeof(double)];
    for (int type = 0; dtype_is_real((enum dtype)type); type++) {
        float out[] = {7, 7, 7};
        dtype_to_f32((enum dtype)type, three, 2, out);
        assert_true(out[1] < 7);
        assert_equal(out[2], 7);
    }
}

static void the_small_formats_have_the_values_of_their_papers(void **state)
{
    (void)state;
    unsigned char e4m3_largest = 0x7e, e5m2_largest = 0x7b, e8m0_one = 127,
                  least = 1;
    unsigned char half_least[] = {1, 0}, half_largest[] = {0xff, 0x7b};
    assert_equal(f32_of(DTYPE_F8_E4M3, &e4m3_largest), 448);
    assert_equal(f32_of(DTYPE_F8_E4M3, &least), 0x1p-9f);
    assert_equal(f32_of(DTYPE_F8_E5M2, &e5m2_largest), 57344);
    assert_equal(f32_of(DTYPE_F8_E5M2, &least), 0x1p-16f);
    assert_equal(f32_of(DTYPE_F8_E8M0, &e8m0_one), 1);
    assert_equal(f32_of(DTYPE_F16, half_least), 0x1p-24f);
    assert_equal(f32_of(DTYPE_F16, half_largest), 65504);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_has_a_name_and_a_size),
        cmocka_unit_test(an_unknown_name_is_not_found),
        cmocka_unit_test(all_bit_patterns_become_the_floats_of_the_oracle),
        cmocka_unit_test(a_wide_number_rounds_to_the_nearest_float),
        cmocka_unit_test(wide_numbers_stand_one_behind_the_other),
        cmocka_unit_test(narrower_numbers_do_so_too),
        cmocka_unit_test(behind_the_last_number_nothing_is_written),
        cmocka_unit_test(the_small_formats_have_the_values_of_their_papers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

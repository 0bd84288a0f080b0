/* A row of codes and spacings means the floats that unpacking gives, for every
 * format; and which formats have one is as spacing.h says. */
#include "spacing.h"

#include "test_matrices.h"

/* Matrices that become codes of these kinds, by the beginnings of their
 * names: the longest decides. */
static const struct expected {
    const char *name;
    enum codes_kind kind;
} expected[] = {
    {"affine2", CODES_AFFINE4},
    {"affine3", CODES_AFFINE4},
    {"affine4", CODES_AFFINE4},
    {"affine", CODES_NONE},
    {"mxfp4", CODES_INT8},
    {"gptq", CODES_NONE}, /* groups of 16 */
    {"gptq2_v2", CODES_INT4},
    {"gptq3_v2", CODES_INT4},
    {"gptq4_v2", CODES_INT4},
    {"gptq8_v2", CODES_INT8},
    {"gptq4_row", CODES_INT4},
    {"centred gptq4", CODES_INT4},
    {"centred gptq8", CODES_INT8},
    {"centred awq", CODES_INT4},
    {"leaning gptq4", CODES_AFFINE4},
    {"leaning gptq8", CODES_NONE},
    {"leaning awq", CODES_AFFINE4},
    {"shuffled", CODES_NONE},
    {"awq", CODES_AFFINE4},
    {"packed4", CODES_INT4},
    {"packed4_group_zeros", CODES_AFFINE4},
    {"packed4_channel_zeros", CODES_AFFINE4},
    {"packed4_order", CODES_NONE},
    {"packed4_many", CODES_NONE}, /* groups of 1 */
    {"packed8", CODES_INT8},
    {"packed8_group_zeros", CODES_NONE},
    {"packed8_channel_zeros", CODES_NONE},
    {"int8", CODES_INT8},
    {"int8_tensor_zeros", CODES_NONE},
    {"int8_channel_zeros", CODES_NONE},
    {"int8_group_zeros", CODES_NONE},
    {"float8", CODES_NONE},
    {"fp8", CODES_NONE},
    {"rung8", CODES_INT8},
    {"rung8_8", CODES_NONE},
    {"rung4", CODES_INT4},
    {"rung4_8", CODES_NONE},
    {"Q4_0", CODES_INT4},
    {"Q4_1", CODES_AFFINE4},
    {"Q5_0", CODES_INT8},
    {"Q5_1", CODES_NONE},
    {"Q8_0", CODES_INT8},
    {"Q2_K", CODES_NONE},
    {"Q3_K", CODES_INT8},
    {"Q4_K", CODES_AFFINE4},
    {"Q5_K", CODES_NONE},
    {"Q6_K", CODES_NONE},
    {"IQ4", CODES_INT8},
    {"MXFP4", CODES_INT8},
};

static enum codes_kind expected_kind(const char *name)
{
    size_t longest = 0;
    enum codes_kind kind = CODES_NONE;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t length = strlen(expected[i].name);
        if (length > longest &&
            strncmp(name, expected[i].name, length) == 0) {
            longest = length;
            kind = expected[i].kind;
        }
    }
    assert_true(longest > 0);
    return kind;
}

/* Value `i` of a row of codes, by the header's words. */
static double meant(enum codes_kind kind, const struct codes_row *row,
                    size_t i)
{
    const unsigned char *codes = row->codes + i / 32 * row->stride;
    double minimum =
        kind == CODES_AFFINE4 ? (double)row->minima[i / 32] : 0;
    unsigned code = codes[i % 32 % (kind == CODES_INT8 ? 32 : 16)] ^ row->flip;
    if (kind != CODES_INT8)
        code = i % 32 < 16 ? code & 15 : code >> 4;
    int middle = kind == CODES_INT8 ? 128 : kind == CODES_INT4 ? 8 : 0;
    return (double)row->scales[i / 32] * ((int)code - middle) + minimum;
}

static size_t n_compared, n_values; /* those that have codes */

/* Both are the same float; where a minimum is added, unpacking rounds twice,
 * and a minimum that is a product was rounded, too. */
static void check_value(const char *name, double value, double minimum,
                        float unpacked)
{
    double slack = 0x1p-23 * (fabs(value - minimum) + fabs(minimum));
    bool same = isfinite(unpacked)
                    ? fabs(value - (double)unpacked) <=
                          (minimum != 0 ? slack : 0x1p-24 * fabs(value)) +
                              0x1p-149
                    : !isfinite((float)value);
    if (!same)
        print_error("%s: %.9g is %.9g as codes\n", name, (double)unpacked,
                    value);
    assert_true(same);
    n_compared++;
}

static void check_codes(const char *name, const struct quantized *q)
{
    size_t groups = (q->cols + 31) / 32;
    struct codes c = codes_of(q);
    if (c.kind != expected_kind(name))
        print_error("%s is of kind %d\n", name, c.kind);
    assert_int_equal(c.kind, expected_kind(name));
    n_values += c.kind != CODES_NONE ? q->rows * q->cols : 0;
    float *unpacked = malloc(q->cols * sizeof *unpacked);
    struct codes_row row = {.bytes = malloc(32 * groups),
                            .scales = malloc(groups * sizeof *row.scales),
                            .minima = calloc(groups, sizeof *row.minima)};
    for (size_t r = 0; r < q->rows && c.kind != CODES_NONE; r++) {
        codes_read(&c, r, &row);
        quantized_row(q, r, unpacked);
        for (size_t i = 0; i < q->cols; i++)
            check_value(name, meant(c.kind, &row, i),
                        (double)row.minima[i / 32], unpacked[i]);
    }
    free(row.bytes);
    free(row.scales);
    free(row.minima);
    free(unpacked);
}

/* With zeros in the middle, as most files have them, 1 less in the first
 * version of GPTQ; with groups that are said to be in order; with other zeros;
 * and with a column that is not in order. */
static void check_centred(const char *name, const struct quantized *q)
{
    size_t bits = q->format->bits, bytes = q->rows * (q->cols / q->group);
    bool gptq = strncmp(name, "gptq", 4) == 0;
    bool awq = strcmp(name, "awq_32") == 0;
    if (!awq && (!gptq || bits < 4 || q->group % 32))
        return;
    unsigned char *zeros = malloc(bytes);
    uint32_t index[256];
    struct tensor at = {.data = zeros}, in = {.data = (void *)index};
    struct quantized centred = *q;
    char full[64];
    snprintf(full, sizeof full, "centred %s", name);
    centred.zeros = &at;
    for (int more = 0; more <= gptq; more++) {
        int zero = (1 << (bits - 1)) - more;
        centred.zero_more = more;
        memset(zeros, bits == 4 ? zero * 17 : zero, bytes);
        centred.group_index = NULL;
        check_codes(full, &centred);
    }
    for (size_t i = 0; i < q->cols; i++)
        index[i] = (uint32_t)(i / q->group);
    centred.zero_more = gptq;
    centred.group_index = gptq ? &in : NULL;
    check_codes(full, &centred);
    memset(zeros, 0x35, bytes);
    snprintf(full, sizeof full, "leaning %s", name);
    check_codes(full, &centred);
    index[q->cols - 1] = 0;
    if (gptq && q->group < q->cols)
        check_codes("shuffled", &centred);
    free(zeros);
}

static void codes_mean_what_unpacking_gives(void **state)
{
    (void)state;
    each_matrix(check_codes);
    assert_true(n_values > 0);
    assert_int_equal(n_compared, n_values);
}

static void zeros_in_the_middle_need_no_minimum(void **state)
{
    (void)state;
    n_compared = n_values = 0;
    each_matrix(check_centred);
    assert_true(n_values > 0);
    assert_int_equal(n_compared, n_values);
}

/* x (n,) rounded, against its own words: 127 steps to the largest, and no
 * number further from a step than half of one. */
static void check_nearest(const float *x, size_t n)
{
    unsigned char bytes[3 * 32];
    float scales[3] = {0};
    struct codes_row row = {.bytes = bytes, .scales = scales};
    nearest_codes(x, n, &row);
    for (size_t g = 0; g * 32 < n; g++) {
        double most = 0, scale = (double)scales[g];
        size_t end = g * 32 + 32 < n ? g * 32 + 32 : n;
        for (size_t i = g * 32; i < end; i++)
            most = fmax(most, fabs((double)x[i]));
        assert_true(scale >= most / 127 * (1 - 0x1p-23) - 0x1p-149);
        assert_true(scale <= most / 127 * (1 + 0x1p-10) + 0x1p-136);
        for (size_t i = g * 32; i < end; i++)
            assert_true(fabs(meant(CODES_INT8, &row, i) - (double)x[i]) <=
                        scale / 2 * (1 + 0x1p-20) + 0x1p-142);
    }
}

static void nearest_codes_are_half_a_step_away_at_most(void **state)
{
    (void)state;
    float x[70];
    for (int exponent = -149; exponent < 128; exponent++)
        for (size_t n = 1; n <= 70; n += 23) {
            for (size_t i = 0; i < n; i++)
                x[i] = ldexpf(sinf((float)(i * i) + (float)exponent),
                              exponent);
            check_nearest(x, n);
        }
    check_nearest((const float[40]){0}, 40);
}

static void a_number_that_is_none_makes_its_group_none(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t b = 0; b < 3; b++) {
        float x[64] = {[5] = 1, [40] = 3};
        unsigned char bytes[64];
        float scales[2] = {0};
        x[7] = bad[b];
        struct codes_row row = {.bytes = bytes, .scales = scales};
        nearest_codes(x, 64, &row);
        assert_true(isnan(scales[0]));
        assert_true(scales[1] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_mean_what_unpacking_gives),
        cmocka_unit_test(zeros_in_the_middle_need_no_minimum),
        cmocka_unit_test(nearest_codes_are_half_a_step_away_at_most),
        cmocka_unit_test(a_number_that_is_none_makes_its_group_none),
    };
    return cmocka_run_group_tests_name("spacing", tests, NULL, NULL);
}

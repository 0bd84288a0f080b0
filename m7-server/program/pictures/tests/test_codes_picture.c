/* Codes are counted where they are, and original weights between them. */
#include "codes_picture.h"

#include "colour.h"
#include "test_commands.h"
#include "test_numbers.h"
#include "test_png.h"
#include "test_rounded_pair.h"

/* The first group has every code once from -7 to 0, the second from 0 to 7;
 * the third is all 3; the fourth has the scale 0. */
static const int codes[32] = {-7, -6, -5, -4, -3, -2, -1, 0, 0, 1, 2,
                              3,  4,  5,  6,  7,  3,  3,  3, 3, 3, 3,
                              3,  3,  0,  0,  0,  0,  0,  0, 0, 0};
static const float scales[4] = {0.5f, 2, 0.25f, 0};

static void each_code_has_its_bar(void **state)
{
    (void)state;
    struct rounded_pair r;
    struct code_counts c;
    struct error e;
    const float off[32] = {0};
    rounded_pair_init(&r, codes, scales, off);
    assert_ok(code_counts_init(&c, &r.pair, &e), &e);
    assert_true(c.codes);
    assert_int_equal(c.n, 15);
    assert_true(c.least == -7 && c.step == 1);
    assert_int_equal(c.n_all, 32);
    assert_int_equal(c.n_beyond, 0);
    for (size_t i = 0; i < 15; i++)
        assert_true(c.bars[i] == (i == 7 ? 10 : i == 10 ? 9 : 1));
    code_counts_free(&c);
}

/* A bar has 8 bins of the original: a weight a quarter of a step above its
 * code stands in the seventh, which begins there. */
static void weights_stand_between_the_codes(void **state)
{
    (void)state;
    struct rounded_pair r;
    struct code_counts c;
    struct error e;
    float off[32] = {0};
    for (size_t i = 0; i < 32; i++)
        off[i] = 0.25f;
    off[15] = 0.5f; /* beyond the last bar, which ends at 7.5 */
    rounded_pair_init(&r, codes, scales, off);
    assert_ok(code_counts_init(&c, &r.pair, &e), &e);
    assert_int_equal(c.finer, 8);
    assert_int_equal(c.n_beyond, 1);
    assert_true(c.original[8 * 0 + 6] == 1);
    assert_true(c.original[8 * 10 + 6] == 9);
    assert_true(c.original[8 * 14 + 6] == 0);
    assert_true(c.original[8 * 7 + 4] == 8); /* of the group without a scale */
    double sum = 0;
    for (size_t i = 0; i < c.n * c.finer; i++)
        sum += c.original[i];
    assert_true(sum == 31);
    code_counts_free(&c);
}

static void a_matrix_of_numbers_has_no_codes(void **state)
{
    (void)state;
    struct rounded_pair r;
    struct code_counts c;
    struct error e;
    const float off[32] = {0};
    rounded_pair_init(&r, codes, scales, off);
    r.pair.b = r.pair.a;
    assert_int_equal(code_counts_init(&c, &r.pair, &e), -1);
    assert_string_equal(e.message, "memory: tensor w.weight is not quantized: "
                                   "it has no codes");
}

/* --- every layout ------------------------------------------------------- */

/* All values of a matrix fall on a bar, and those of the original, which are
 * the same floats, into a bin of that bar. */
static void assert_counts(const char *model, const char *original,
                          const char *name, bool has_codes)
{
    struct matrix_pair p;
    struct code_counts c;
    struct error e;
    char *a = test_path(original), *b = test_path(model);
    double sum = 0;
    assert_ok(matrix_pair_open(&p, a, b, name, &e), &e);
    assert_ok(code_counts_init(&c, &p, &e), &e);
    assert_int_equal(c.codes, has_codes);
    assert_int_equal(c.n_all, p.a.rows * p.a.cols);
    assert_int_equal(c.n_beyond, 0);
    for (size_t i = 0; i < c.n; i++) {
        double behind = 0;
        for (size_t j = 0; j < c.finer; j++)
            behind += c.original[i * c.finer + j];
        assert_true(behind == c.bars[i]);
        sum += c.bars[i];
    }
    assert_true(sum == (double)c.n_all);
    code_counts_free(&c);
    matrix_pair_close(&p);
    free(a);
    free(b);
}

static void every_layout_has_a_measure(void **state)
{
    (void)state;
    static const char *const layouts[] = {"awq",
                                          "gptq",
                                          "mlx",
                                          "mlx-mxfp4",
                                          "compressed-int4",
                                          "compressed-int8",
                                          "fp8"};
    need_model();
    for (size_t i = 0; i < 7; i++) {
        char model[80], dense[80];
        snprintf(model, sizeof model, "quantized/%s", layouts[i]);
        snprintf(dense, sizeof dense, "quantized/%s/dense", layouts[i]);
        assert_counts(model, dense, "model.layers.1.mlp.down_proj",
                      strcmp(layouts[i], "mlx") == 0);
    }
}

static void every_kind_of_block_has_a_measure(void **state)
{
    (void)state;
    static const char *const names[] = {
        "0.mlp.down_proj",    "0.mlp.gate_proj",    "0.mlp.up_proj",
        "0.self_attn.k_proj", "0.self_attn.o_proj", "0.self_attn.q_proj",
        "0.self_attn.v_proj", "1.mlp.gate_proj",    "1.mlp.up_proj",
        "1.self_attn.k_proj", "1.self_attn.o_proj", "1.self_attn.q_proj",
        "1.self_attn.v_proj"};
    need_model();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "model.layers.%s.weight", names[i]);
        assert_counts("gguf/blocks.gguf", "gguf/blocks.gguf", name, false);
    }
}

static char *mlx_path(const char *part)
{
    static char paths[2][4200];
    static size_t next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/../../quantized/mlx%s",
             getenv("RUNG_MODEL"), part);
    return path;
}

static void codes_are_drawn(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "codes", mlx_path("/dense"), mlx_path(""),
                        "model.layers.0.mlp.up_proj", "-o", "codes.png"),
                  "", "");
    assert_error(
        WORDS("picture", "codes", mlx_path("/dense"), mlx_path(""), france), 2,
        "rung: where to? rung picture codes A B TENSOR -o "
        "FILE.png\n");
    struct image m = read_png("codes.png");
    assert_true(find_colour(&m, colour_magnitude(0.7f)).width > 600);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_code_has_its_bar),
        cmocka_unit_test(weights_stand_between_the_codes),
        cmocka_unit_test(a_matrix_of_numbers_has_no_codes),
        cmocka_unit_test(every_layout_has_a_measure),
        cmocka_unit_test(every_kind_of_block_has_a_measure),
        SCRATCH(codes_are_drawn),
    };
    return cmocka_run_group_tests_name("codes_picture", tests, name_model,
                                       NULL);
}

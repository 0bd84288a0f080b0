/* The error of a matrix is what its codes have lost, wherever they are. */
#include "error_picture.h"

#include "colour.h"
#include "test_commands.h"
#include "test_numbers.h"
#include "test_png.h"
#include "test_rounded_pair.h"

static const float scales[4] = {1, 1, 1, 1};

/* Weights 3.3 and 4.4 beside the codes 3 and 4: all is off by a tenth of the
 * codes, which are ten elevenths of the weights. */
static void the_error_is_a_share_of_the_weights(void **state)
{
    (void)state;
    struct rounded_pair r;
    int codes[32] = {3, 4};
    float off[32] = {0.3f, 0.4f};
    rounded_pair_init(&r, codes, scales, off);
    double found = relative_error(&r.pair);
    if (!(fabs(found - 1.0 / 11) < 1e-6))
        print_error("%.9g\n", found);
    assert_true(fabs(found - 1.0 / 11) < 1e-6);
}

static void what_was_kept_has_no_error(void **state)
{
    (void)state;
    struct rounded_pair r;
    const int codes[32] = {3, -4, 7}, none[32] = {0};
    const float off[32] = {0};
    rounded_pair_init(&r, codes, scales, off);
    assert_true(relative_error(&r.pair) == 0);
    rounded_pair_init(&r, none, scales, off);
    assert_true(relative_error(&r.pair) == 0);
    r.row_b[0] = 1;
    r.bytes[0] = 0x89;
    assert_true(isinf(relative_error(&r.pair)));
}

/* --- a matrix in files -------------------------------------------------- */

static void open_layout(struct matrix_pair *p, const char *layout,
                        const char *name)
{
    char model[80], dense[80];
    struct error e;
    snprintf(model, sizeof model, "quantized/%s", layout);
    snprintf(dense, sizeof dense, "quantized/%s/dense", layout);
    char *a = test_path(dense), *b = test_path(model);
    assert_ok(matrix_pair_open(p, a, b, name, &e), &e);
    free(a);
    free(b);
}

/* The dense models have the floats that the codes stand for. */
static void every_layout_is_read(void **state)
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
        struct matrix_pair p;
        open_layout(&p, layouts[i], "model.layers.1.self_attn.o_proj.weight");
        assert_non_null(p.b.quantized);
        assert_null(p.a.quantized);
        for (size_t r = 0; r < p.a.rows; r++) {
            matrix_pair_read(&p, r);
            assert_same(layouts[i], p.row_b, p.row_a, p.a.cols);
        }
        assert_true(relative_error(&p) == 0);
        matrix_pair_close(&p);
    }
}

static void a_matrix_is_found_by_each_of_its_names(void **state)
{
    (void)state;
    static const char *const names[] = {"model.layers.0.mlp.up_proj",
                                        "model.layers.0.mlp.up_proj.weight",
                                        "model.layers.0.mlp.up_proj.qweight",
                                        "model.layers.0.mlp.up_proj.scales"};
    need_model();
    for (size_t i = 0; i < 4; i++) {
        struct matrix_pair p;
        open_layout(&p, "gptq", names[i]);
        assert_string_equal(p.a.tensor->name,
                            "model.layers.0.mlp.up_proj.weight");
        assert_non_null(p.b.quantized);
        matrix_pair_close(&p);
    }
}

/* GGUF files of this family have rows in pairs. */
static void rows_of_gguf_files_are_in_order(void **state)
{
    (void)state;
    struct matrix_pair p;
    struct error e;
    char *a = test_path("checkpoints/llama-1");
    char *b = test_path("gguf/llama-1.gguf");
    need_model();
    assert_ok(
        matrix_pair_open(&p, a, b, "model.layers.0.self_attn.q_proj", &e), &e);
    assert_true(relative_error(&p) == 0);
    matrix_pair_close(&p);
    free(a);
    free(b);
}

/* Also where they are blocks of codes: as the forward pass reads them. */
static void rows_of_blocks_are_in_order(void **state)
{
    (void)state;
    struct model m;
    struct compute c = {0};
    struct stored_matrix found;
    struct error e;
    float row[256], expected[256];
    char *path = test_path("gguf/blocks.gguf");
    need_model();
    assert_ok(model_open(&m, path, &e), &e);
    const struct weight *q = &m.layers[0].attention.q.weight;
    assert_ok(find_stored(&found, &m, path, "model.layers.0.self_attn.q_proj",
                          &e),
              &e);
    assert_true(found.rows == q->rows && found.cols == 256);
    for (size_t r = 0; r < found.rows; r++) {
        stored_row(&found, r, row);
        weight_row(&c, q, r, expected);
        assert_same("a row", row, expected, 256);
    }
    model_close(&m);
    free(path);
}

/* --- what cannot be drawn ----------------------------------------------- */

static char *layout_path(const char *part)
{
    static char paths[4][4200];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/../../quantized/%s",
             getenv("RUNG_MODEL"), part);
    return path;
}

static void assert_refused(char *a, char *b, char *name, const char *format,
                           const char *where)
{
    char message[9000];
    snprintf(message, sizeof message, format, where);
    assert_error(WORDS("picture", "error", a, b, name, "-o", "x.png"), 1,
                 message);
}

static void what_is_no_matrix_is_refused(void **state)
{
    (void)state;
    char *dense = layout_path("mlx/dense"), *mlx = layout_path("mlx");
    char message[9000];
    assert_refused(dense, mlx, france,
                   "rung: %s: no matrix The capital of France is (see: rung "
                   "tensors)\n",
                   dense);
    snprintf(message, sizeof message,
             "rung: %s: tensor model.norm.weight is no matrix of numbers\n",
             dense);
    assert_refused(dense, mlx, "model.norm.weight", message, "");
    snprintf(message, sizeof message,
             "rung: %s: model.layers.0.mlp.up_proj.weight is [64, 32], but "
             "[768, 256] in %%s\n",
             mlx);
    assert_refused(getenv("RUNG_MODEL"), mlx, "model.layers.0.mlp.up_proj",
                   message, getenv("RUNG_MODEL"));
}

static void where_the_error_is_is_drawn(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "error", getenv("RUNG_MODEL"),
                        getenv("RUNG_MODEL"), "model.layers.0.mlp.up_proj",
                        "-o", "error.png"),
                  "", "");
    struct image m = read_png("error.png");
    struct rectangle pale = find_colour(&m, colour_magnitude(0));
    assert_true(pale.height >= 768 && pale.width >= 256);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_a_share_of_the_weights),
        cmocka_unit_test(what_was_kept_has_no_error),
        cmocka_unit_test(every_layout_is_read),
        cmocka_unit_test(a_matrix_is_found_by_each_of_its_names),
        cmocka_unit_test(rows_of_gguf_files_are_in_order),
        cmocka_unit_test(rows_of_blocks_are_in_order),
        SCRATCH(what_is_no_matrix_is_refused),
        SCRATCH(where_the_error_is_is_drawn),
    };
    return cmocka_run_group_tests_name("error_picture", tests, name_model,
                                       NULL);
}

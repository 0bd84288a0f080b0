/* Single matrices, as other programs store them, become the floats that those
 * programs make of them, bit for bit: golden/schemes.json and its tensors,
 * which tests/oracle/quant/schemes_goldens.py made. */
#include "scheme.h"
#include "test_numbers.h"

/* A configuration that consists of what it says about quantization. */
static void read_quantization(struct quantization *s, struct config *c,
                              json_t *config)
{
    struct error e;
    *c = (struct config){.root = node_root("config.json", config)};
    assert_ok(quantization_read(s, c, &e), &e);
}

/* Whether the floats are the same bits; every NaN counts as the same. */
static bool same_floats(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void check_matrix(const struct checkpoint *goldens, const char *name,
                         json_t *config)
{
    struct config c;
    struct quantization s;
    struct quantized q;
    struct error e;
    const struct tensor *expected = golden(goldens, "expected", name);
    size_t rows = expected->shape[0], cols = expected->shape[1];
    const struct sought wanted = {goldens, name, rows, cols};
    float *floats = golden_values(expected), *row = malloc(cols * sizeof *row);
    assert_non_null(row);
    read_quantization(&s, &c, config);
    int found = quantization_find(&s, &wanted, &q, &e);
    assert_ok(found < 0, &e);
    assert_int_equal(found, 1);
    assert_true(quantized_row_bytes(&q) > 0);
    for (size_t r = 0; r < rows; r++) {
        quantized_row(&q, r, row);
        if (!same_floats(row, floats + r * cols, cols))
            assert_same(name, row, floats + r * cols, cols);
    }
    free(row);
    free(floats);
}

static void every_matrix_becomes_the_floats_of_its_program(void **state)
{
    (void)state;
    struct checkpoint goldens;
    struct error e;
    json_t *cases = json_load_file("golden/schemes.json", 0, NULL);
    assert_non_null(cases);
    assert_ok(checkpoint_open(&goldens, "golden/schemes.safetensors", &e), &e);
    assert_int_equal(json_array_size(cases), 60);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        json_t *one = json_array_get(cases, i);
        check_matrix(&goldens, json_string_value(json_object_get(one, "name")),
                     json_object_get(one, "config"));
    }
    checkpoint_close(&goldens);
    json_decref(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matrix_becomes_the_floats_of_its_program),
    };
    return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}

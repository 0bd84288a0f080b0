/* Single matrices, as other programs store them, become the floats that those
 * programs make of them, bit for bit, whatever their scales are:
 * golden/schemes.json and its tensors, which
 * tests/oracle/quant/schemes_goldens.py made. */
#include "scheme.h"
#include "test_hash.h"
#include "test_numbers.h"

/* A configuration that consists of what it says about quantization. */
static void read_quantization(struct quantization *s, struct config *c,
                              json_t *config)
{
    struct error e;
    *c = (struct config){.root = node_root("config.json", config)};
    assert_ok(quantization_read(s, c, &e), &e);
}

/* Each row of the matrix has the hash that stands in the goldens. */
static void check_rows(const struct quantized *q, const char *name,
                       const struct tensor *hashes)
{
    float *row = malloc(q->cols * sizeof *row);
    assert_non_null(row);
    assert_int_equal(hashes->count, q->rows);
    for (size_t r = 0; r < q->rows; r++) {
        uint64_t expected;
        memcpy(&expected, hashes->data + r * sizeof expected, sizeof expected);
        quantized_row(q, r, row);
        if (hash_floats(HASH_START, row, q->cols) != expected) {
            print_error("%s: row %zu is not as its program's\n", name, r);
            assert_true(false);
        }
    }
    free(row);
}

static size_t size_in(const json_t *one, size_t i)
{
    const json_t *shape = json_object_get(one, "shape");
    return (size_t)json_integer_value(json_array_get(shape, i));
}

static void check_matrix(const struct checkpoint *goldens, const json_t *one)
{
    struct config c;
    struct quantization s;
    struct quantized q;
    struct error e;
    const char *name = json_string_value(json_object_get(one, "name"));
    const struct sought wanted = {goldens, name, size_in(one, 0),
                                  size_in(one, 1)};
    read_quantization(&s, &c, json_object_get(one, "config"));
    int found = quantization_find(&s, &wanted, &q, &e);
    assert_ok(found < 0, &e);
    assert_int_equal(found, 1);
    assert_true(quantized_row_bytes(&q) > 0);
    check_rows(&q, name, golden(goldens, "hashes", name));
}

static void every_matrix_becomes_the_floats_of_its_program(void **state)
{
    (void)state;
    struct checkpoint goldens;
    struct error e;
    json_t *cases = json_load_file("golden/schemes.json", 0, NULL);
    assert_non_null(cases);
    assert_ok(checkpoint_open(&goldens, "golden/schemes.safetensors", &e), &e);
    assert_int_equal(json_array_size(cases), 88);
    for (size_t i = 0; i < json_array_size(cases); i++)
        check_matrix(&goldens, json_array_get(cases, i));
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

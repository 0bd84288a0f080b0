/* For the tests of what becomes of a quantized matrix: one of every format,
 * from the goldens of m5, whose rows other programs confirm. */
#ifndef TEST_MATRICES_H
#define TEST_MATRICES_H

#include "formats.h"
#include "scheme.h"
#include "test_numbers.h"

/* Told of each matrix. */
typedef void matrix_function(const char *name, const struct quantized *q);

static inline size_t shape_of(const json_t *one, size_t i)
{
    const json_t *shape = json_object_get(one, "shape");
    return (size_t)json_integer_value(json_array_get(shape, i));
}

/* Those of golden/schemes.json: MLX, GPTQ, AWQ, compressed-tensors, FP8 and
 * our own. */
static inline size_t each_of_schemes(matrix_function *tell)
{
    struct checkpoint goldens;
    struct error e;
    json_t *cases = json_load_file("golden/schemes.json", 0, NULL);
    assert_non_null(cases);
    assert_ok(checkpoint_open(&goldens, "golden/schemes.safetensors", &e), &e);
    size_t n = json_array_size(cases);
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_array_get(cases, i);
        struct config c = {.root = node_root(
                               "config.json", json_object_get(one, "config"))};
        struct quantization s;
        struct quantized q;
        const char *name = json_string_value(json_object_get(one, "name"));
        const struct sought wanted = {&goldens, name, shape_of(one, 0),
                                      shape_of(one, 1)};
        assert_ok(quantization_read(&s, &c, &e), &e);
        assert_int_equal(quantization_find(&s, &wanted, &q, &e), 1);
        tell(name, &q);
    }
    checkpoint_close(&goldens);
    json_decref(cases);
    return n;
}

/* Those of golden/gguf_blocks.safetensors, in rows of three blocks. */
static inline size_t each_of_blocks(matrix_function *tell)
{
    struct checkpoint goldens;
    struct error e;
    size_t n = 0;
    assert_ok(
        checkpoint_open(&goldens, "golden/gguf_blocks.safetensors", &e), &e);
    for (size_t i = 0; i < goldens.n_tensors; i++) {
        const struct tensor *t = &goldens.tensors[i];
        char name[16] = "";
        if (sscanf(t->name, "%15[^.].blocks", name) != 1 || t->rank != 2)
            continue;
        const struct format *f = format_named(name);
        tell(name, &(struct quantized){.format = f,
                                       .rows = t->shape[0] / 3,
                                       .cols = 3 * f->block,
                                       .group = f->block,
                                       .codes = t->data,
                                       .row_bytes = 3 * t->shape[1]});
        n++;
    }
    checkpoint_close(&goldens);
    return n;
}

static inline void each_matrix(matrix_function *tell)
{
    assert_int_equal(each_of_schemes(tell), 88);
    assert_int_equal(each_of_blocks(tell), 13);
}

#endif

/* A GGUF file of blocks computes the same bits as its weights do that were
 * made floats; and one that was split, the same as the model that it was.
 *
 * What the floats are, the package `gguf` says: tests/gguf, made by
 * tests/oracle/quant/gguf_whole.py. */
#include "test_gguf_model.h"

#include "test_hash.h"
#include "unpacked.h"

#include <inttypes.h>
#include <jansson.h>

/* All of a tensor, in the order that others store it; the caller frees it. */
static float *read_floats(const struct tensor *t)
{
    size_t cols = tensor_cols(t);
    float *floats = calloc(t->count, sizeof *floats);
    for (size_t row = 0; row < t->count / cols; row++)
        tensor_row(t, row, floats + row * cols);
    return floats;
}

/* Its entry of the table, its data from byte `at` on. */
static void print_entry(FILE *table, const struct tensor *t, size_t at)
{
    char shape[TENSOR_SHAPE_TEXT];
    tensor_shape(t, shape);
    fprintf(table,
            "%s\"%s\": {\"dtype\": \"F32\", \"shape\": %s, "
            "\"data_offsets\": [%zu, %zu]}",
            at ? ", " : "{", t->name, shape, at,
            at + t->count * sizeof(float));
}

/* Write model.safetensors: the tensors as floats, each as `hashes` says. */
static void write_floats(const struct checkpoint *c, const json_t *hashes)
{
    char *text = NULL;
    size_t size, at = 0;
    FILE *table = open_memstream(&text, &size);
    for (size_t i = 0; i < c->n_tensors; i++) {
        print_entry(table, &c->tensors[i], at);
        at += c->tensors[i].count * sizeof(float);
    }
    fputs("}", table);
    fclose(table);
    unsigned char length[8];
    put_length(length, size);
    FILE *f = fopen("model.safetensors", "wb");
    fwrite(length, 1, 8, f);
    fwrite(text, 1, size, f);
    free(text);
    for (size_t i = 0; i < c->n_tensors; i++) {
        const struct tensor *t = &c->tensors[i];
        float *floats = read_floats(t);
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64,
                 hash_floats(HASH_START, floats, t->count));
        const json_t *expected = json_object_get(hashes, t->name);
        assert_string_equal(json_string_value(expected), hash);
        fwrite(floats, sizeof *floats, t->count, f);
        free(floats);
    }
    assert_int_equal(fclose(f), 0);
}

static void blocks_compute_what_their_floats_do(void **state)
{
    char tests[PATH_MAX], path[PATH_MAX + 80], config[PATH_MAX + 80];
    find_tests(*state, tests);
    snprintf(path, sizeof path, "%s/gguf/blocks.gguf", tests);
    snprintf(config, sizeof config, "%s/gguf/blocks.json", tests);
    json_t *root = json_load_file(config, 0, NULL);
    if (!root)
        skip();
    json_t *hashes = json_incref(json_object_get(root, "hashes"));
    json_object_del(root, "hashes");
    assert_int_equal(json_dump_file(root, "config.json", 0), 0);
    struct checkpoint c;
    struct error e;
    assert_ok(checkpoint_open(&c, path, &e), &e);
    assert_int_equal(c.n_tensors, json_object_size(hashes));
    write_floats(&c, hashes);
    checkpoint_close(&c);
    json_decref(hashes);
    json_decref(root);
    assert_same_logits(path, ".");
}

static void parts_of_a_model_compute_what_it_does(void **state)
{
    char tests[PATH_MAX], path[PATH_MAX + 80], whole[PATH_MAX + 80];
    find_tests(*state, tests);
    snprintf(whole, sizeof whole, "%s/gguf/llama-1.gguf", tests);
    if (access(whole, R_OK) != 0)
        skip();
    for (int part = 1; part <= 4; part++) {
        snprintf(path, sizeof path, "%s/gguf/split-%05d-of-00004.gguf", tests,
                 part);
        assert_same_logits(path, whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_compute_what_their_floats_do,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test_setup_teardown(parts_of_a_model_compute_what_it_does,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("gguf_whole", tests, NULL, NULL);
}

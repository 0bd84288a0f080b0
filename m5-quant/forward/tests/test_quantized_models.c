/* The same bits as dequantized: a quantized model has the logits of the model
 * with the floats that its codes stand for.  tests/quantized, which
 * tests/oracle/quant/schemes_goldens.py and rounded_goldens.py made. */
#include "forward.h"
#include "test_numbers.h"
#include "test_run.h"

enum text_sizes {
    LENGTH = 40,
    VOCABULARY = 64
};

/* The logits (LENGTH, VOCABULARY) of a text, to be freed. */
static float *logits_of(const char *folder, size_t *n_quantized)
{
    struct model m;
    struct state s;
    struct error e;
    int ids[LENGTH];
    char *path = test_path(folder);
    float *logits = malloc(LENGTH * VOCABULARY * sizeof *logits);
    assert_non_null(logits);
    assert_ok(model_open(&m, path, &e), &e);
    assert_int_equal(m.config.vocab_size, VOCABULARY);
    assert_ok(state_init(&s, &m, LENGTH, &e), &e);
    for (int t = 0; t < LENGTH; t++)
        ids[t] = t * 37 % VOCABULARY;
    assert_ok(forward(&m, &s, ids, LENGTH, NULL, &e), &e);
    for (size_t t = 0; t < LENGTH; t++)
        memcpy(logits + t * VOCABULARY, forward_logits(&m, &s, t, NULL),
               VOCABULARY * sizeof *logits);
    *n_quantized = m.n_quantized;
    state_free(&s);
    model_close(&m);
    free(path);
    return logits;
}

static void check_model(const char *name, size_t expected)
{
    char folder[64], dense[64];
    size_t quantized, none;
    snprintf(folder, sizeof folder, "quantized/%s", name);
    snprintf(dense, sizeof dense, "quantized/%s/dense", name);
    float *found = logits_of(folder, &quantized);
    float *golden = logits_of(dense, &none);
    assert_int_equal(quantized, expected);
    assert_int_equal(none, 0);
    assert_same(name, found, golden, LENGTH * VOCABULARY);
    free(found);
    free(golden);
}

/* Two layers have seven matrices each; MLX quantizes the embedding, too, and
 * one of its models leaves v plain. */
static void logits_are_those_of_the_dequantized_model(void **state)
{
    (void)state;
    char *path = test_path("quantized");
    int missing = access(path, R_OK);
    free(path);
    if (missing)
        skip_without_models();
    check_model("mlx", 13);
    check_model("mlx-mxfp4", 15);
    check_model("gptq", 14);
    check_model("awq", 14);
    check_model("compressed-int4", 14);
    check_model("compressed-int8", 14);
    check_model("fp8", 14);
    check_model("rung-int4", 15);
    check_model("rung-int8", 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_those_of_the_dequantized_model),
    };
    return cmocka_run_group_tests_name("quantized models", tests, NULL, NULL);
}

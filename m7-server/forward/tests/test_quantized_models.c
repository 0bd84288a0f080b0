/* The same bits as dequantized: a quantized model has the logits of the model
 * with the floats that its codes stand for.  tests/quantized, which
 * schemes_goldens.py, schemes_families.py and rounded_goldens.py of
 * tests/oracle/quant made. */
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
    if (quantized != expected)
        print_error("%s: %zu matrices are quantized\n", name, quantized);
    assert_int_equal(quantized, expected);
    assert_int_equal(none, 0);
    assert_same(name, found, golden, LENGTH * VOCABULARY);
    free(found);
    free(golden);
}

/* tests/quantized/NAME, and how many of its matrices are quantized. */
struct quantized_model {
    const char *name;
    size_t n_quantized;
};

/* Two layers have seven matrices each; MLX quantizes the embedding, too, and
 * one of its models leaves v plain. */
static const struct quantized_model formats[] = {
    {"mlx", 13}, {"mlx-mxfp4", 15},       {"gptq", 14},
    {"awq", 14}, {"compressed-int4", 14}, {"compressed-int8", 14},
    {"fp8", 14}, {"rung-int4", 15},       {"rung-int8", 14},
};

/* Heads tied or not, parts that share a matrix, biases, windows, other
 * norms, and a part for texts beside one for pictures. */
static const struct quantized_model families[] = {
    {"llama-int4", 7},        {"gemma3-mlx", 15},     {"smollm3-mlx", 16},
    {"phi3-gptq", 4},         {"internlm2-gptq", 5},  {"qwen2-awq", 7},
    {"gptneox-fp8", 4},       {"glm4-packed", 6},     {"olmo2-packed", 7},
    {"starcoder2-float8", 6}, {"granite-mxfp4", 7},   {"hunyuan-int8", 7},
    {"gemma3-gguf", 15},      {"glm4-gguf", 8},       {"gptneox-gguf", 6},
    {"granite-gguf", 8},      {"llama-gguf", 9},      {"phi3-gguf", 6},
    {"qwen2-gguf", 8},        {"starcoder2-gguf", 7},  {"mistral3-fp8", 7},
};

static void check_models(const struct quantized_model *models, size_t n)
{
    char *path = test_path("quantized");
    int missing = access(path, R_OK);
    free(path);
    if (missing)
        skip_without_models();
    for (size_t i = 0; i < n; i++)
        check_model(models[i].name, models[i].n_quantized);
}

static void logits_are_those_of_the_dequantized_model(void **state)
{
    (void)state;
    check_models(formats, sizeof formats / sizeof formats[0]);
}

static void so_are_those_of_every_family(void **state)
{
    (void)state;
    check_models(families, sizeof families / sizeof families[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_those_of_the_dequantized_model),
        cmocka_unit_test(so_are_those_of_every_family),
    };
    return cmocka_run_group_tests_name("quantized models", tests, NULL, NULL);
}

/* What others have quantized is unpacked, and rounded once more. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "quantize.h"
#include "test_quantized_logits.h"
#include "test_quantizing.h"

#include <math.h>

/* --- how far rounding moves logits --------------------------------------- */

enum matrices {
    OF_A_LAYER = 7,
    MOST_MATRICES = 100
};

/* All matrices of a model, each once; returns how many. */
static size_t matrices_of(struct model *m, struct weight **out)
{
    size_t n = 0;
    assert_true(OF_A_LAYER * m->config.n_layers + 2 <= MOST_MATRICES);
    out[n++] = &m->embedding;
    if (m->head.data != m->embedding.data)
        out[n++] = &m->head;
    for (size_t l = 0; l < m->config.n_layers; l++) {
        struct attention *a = &m->layers[l].attention;
        struct mlp *mlp = &m->layers[l].mlp;
        struct weight *own[OF_A_LAYER] = {
            &a->q.weight,      &a->k.weight,    &a->v.weight,     &a->o.weight,
            &mlp->gate.weight, &mlp->up.weight, &mlp->down.weight};
        memcpy(out + n, own, sizeof own);
        n += OF_A_LAYER;
    }
    return n;
}

/* A number from -1/2 to 1/2, all alike. */
static float draw(uint64_t *dice)
{
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (float)(*dice >> 40) * 0x1p-24f - 0.5f;
}

/* A matrix in 32 bits, its rows (w->rows, w->cols) to be freed.  To each
 * number is added what rounding its group to 8 bits might add. */
static float *add_noise(struct weight *w, size_t group, uint64_t *dice)
{
    struct compute c = {0};
    float *rows = malloc(w->rows * w->cols * sizeof *rows);
    for (size_t r = 0; r < w->rows; r++) {
        float *row = rows + r * w->cols;
        weight_row(&c, w, r, row);
        for (size_t i = 0; i < w->cols; i += group) {
            float scale = largest_of(row + i, group) / 127;
            for (size_t j = i; j < i + group; j++)
                row[j] += scale * draw(dice);
        }
    }
    *w = (struct weight){.data = (const unsigned char *)rows,
                         .dtype = DTYPE_F32,
                         .rows = w->rows,
                         .cols = w->cols};
    return rows;
}

/* The logits of a model with such noise in all matrices that another, which
 * was made of it, has rounded. */
static float *logits_with_noise(const char *path, const char *rounded)
{
    struct model m, other;
    struct weight *all[MOST_MATRICES], *others[MOST_MATRICES];
    float *rows[MOST_MATRICES] = {NULL};
    uint64_t dice = 1;
    struct error e;
    assert_ok(model_open(&m, path, &e), &e);
    assert_ok(model_open(&other, rounded, &e), &e);
    bool tied = m.head.data == m.embedding.data;
    size_t n = matrices_of(&m, all);
    assert_int_equal(matrices_of(&other, others), n);
    for (size_t i = 0; i < n; i++)
        if (others[i]->quantized)
            rows[i] = add_noise(all[i], others[i]->quantized->group, &dice);
    if (tied)
        m.head = m.embedding;
    float *logits = logits_by(&m);
    for (size_t i = 0; i < n; i++)
        free(rows[i]);
    model_close(&other);
    model_close(&m);
    return logits;
}

/* How far logits are from others: the root of the mean square of the
 * differences, over that of the others themselves.  Frees the first. */
static double take_distance(float *found, const float *expected)
{
    double apart = 0, all = 0;
    for (size_t i = 0; i < LENGTH * VOCABULARY; i++) {
        double d = (double)found[i] - (double)expected[i];
        apart += d * d;
        all += (double)expected[i] * (double)expected[i];
    }
    free(found);
    return sqrt(apart / all);
}

/* Rounding moves a number by at most half a scale, and by all of that alike:
 * the root of the mean square is scale / sqrt(12).  How far that moves the
 * logits, the weights decide: large ones have large scores, of which a
 * softmax makes much.  So the measure is the model itself with noise of that
 * size, drawn at random, in place of the errors of rounding: thousands of
 * errors add up to nearly the same, whichever they are.  An error that is
 * twice as large moves the logits twice as far. */
static void assert_moved_by_rounding(const char *name, const char *model,
                                     const char *rounded)
{
    float *expected = logits_of(model);
    double noise = take_distance(logits_with_noise(model, rounded), expected);
    double apart = take_distance(logits_of(rounded), expected);
    free(expected);
    print_message("    %-28s %.4f, by noise %.4f\n", name, apart, noise);
    assert_true(apart < 1.5 * noise);
}

/* --- what others have quantized ------------------------------------------ */

/* Everybody's layout, and GGUF's, whose rows may stand otherwise, becomes
 * ours.  Rounding again to 8 bits is next to no further loss; a row out of its
 * place would make another model of it.  The rows of most of these GGUF files
 * divide into groups in one matrix of each layer only; so the others show what
 * becomes of what is kept. */
static void what_others_have_quantized_is_unpacked(void **state)
{
    (void)state;
    static const char *const models[] = {
        "quantized/mlx",      "quantized/mlx-mxfp4",
        "quantized/gptq",     "quantized/awq",
        "quantized/fp8",      "quantized/compressed-int4",
        "gguf/blocks.gguf",   "gguf/llama-2.gguf",
        "gguf/qwen2-1.gguf",  "gguf/gemma2-1.gguf",
        "gguf/olmo2-1.gguf",  "gguf/starcoder2-1.gguf",
        "gguf/glm4-1.gguf",   "gguf/granite-1.gguf",
        "gguf/smollm3-1.gguf"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const char *source = path_in_tests(models[i]);
        struct quantize_request r = request(source, "out", "int8", 0);
        do_it(&r);
        assert_moved_by_rounding(models[i], source, "out");
        remove_folder("out");
    }
}

/* A copy of a model's weights in which a tensor is all zeros. */
static void write_zeros_in(const char *model, const char *name,
                           const char *path)
{
    struct checkpoint c;
    struct error e;
    assert_ok(checkpoint_open(&c, model, &e), &e);
    const struct tensor *t = checkpoint_find(&c, name);
    assert_non_null(t);
    size_t size = t->file->size, at = (size_t)(t->data - t->file->data);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, t->file->data, size);
    memset(bytes + at, 0, t->bytes);
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
    free(bytes);
    checkpoint_close(&c);
}

/* Zeros for a bias are of no use where the model has none, in files of GPTQ;
 * this one adds them. */
static void a_bias_of_zeros_that_is_added_is_kept(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    const char *source = path_in_tests("quantized/internlm2-gptq");
    mkdir("zeros", 0700);
    write_zeros_in(source, "model.layers.0.attention.wo.bias",
                   "zeros/model.safetensors");
    source = path_in_tests("quantized/internlm2-gptq/config.json");
    assert_int_equal(symlink(source, "zeros/config.json"), 0);
    struct quantize_request r = request("zeros", "out", "int8", 0);
    do_it(&r);
    assert_ok(model_open(&m, "out", &e), &e);
    assert_non_null(m.layers[0].attention.o.bias.data);
    model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(what_others_have_quantized_is_unpacked),
        SCRATCH(a_bias_of_zeros_that_is_added_is_kept),
    };
    return cmocka_run_group_tests_name("quantize_model, from others", tests,
                                       find_tests_folder, NULL);
}

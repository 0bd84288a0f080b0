/* What a matrix meets: the mean squares are those of the rows that
 * transformers multiplies with, as far as the goldens of the forward pass have
 * them (tests/models/goldens/forward.safetensors). */
#define _XOPEN_SOURCE 700 /* realpath */

#include "calibrate.h"

#include "json.h"
#include "test_quantizing.h"

enum golden_sizes { WIDTH = 256, N_LAYERS = 8, N_PROMPTS = 5 };

struct calibrated {
    struct model model;
    struct plan plan;
};

/* The reading model, with the tokens of the model `tokens`. */
static int calibrate_by(struct calibrated *c, const char *tokens,
                        const char *path, struct error *e)
{
    const char *model = path_in_tests("models/tiny-chat");
    const struct work work = {NULL, NULL};
    const struct choice choice = {
        .rounding = {quantize_format("int4"), 64, true}};
    assert_ok(model_open(&c->model, model, e), e);
    assert_ok(plan_make(&c->plan, &c->model, &choice, e), e);
    return calibrate(&c->plan, tokens ? tokens : model, path, &work, e);
}

static int calibrate_with(struct calibrated *c, const char *path,
                          struct error *e)
{
    return calibrate_by(c, NULL, path, e);
}

static void free_calibrated(struct calibrated *c)
{
    plan_free(&c->plan);
    model_close(&c->model);
}

static const struct part *part_named(const struct plan *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->parts[i].source->name, name) == 0)
            return &p->parts[i];
    assert_true(false);
    return NULL;
}

/* The mean squares of the columns of golden rows, each after its norm where
 * there is one. */
static void mean_squares(const struct checkpoint *goldens, const char *name,
                         const struct norm *norm, double *out)
{
    const struct tensor *t = checkpoint_find(goldens, name);
    assert_non_null(t);
    float *rows = golden_values(t);
    size_t n = t->shape[0];
    struct compute c = {0};
    memset(out, 0, WIDTH * sizeof *out);
    assert_int_equal(t->shape[1], WIDTH);
    if (norm)
        normalize_rows(&c, norm, rows, n * WIDTH, rows);
    for (size_t i = 0; i < n * WIDTH; i++)
        out[i % WIDTH] += (double)rows[i] * (double)rows[i] / (double)n;
    free(rows);
}

static void assert_importance(const struct plan *p, const char *name,
                              const double *expected)
{
    const struct part *part = part_named(p, name);
    double most = 0;
    assert_non_null(part->importance);
    for (size_t i = 0; i < WIDTH; i++)
        most = fmax(most, expected[i]);
    for (size_t i = 0; i < WIDTH; i++) {
        double apart = fabs((double)part->importance[i] - expected[i]);
        if (apart > 1e-4 * expected[i] + 1e-6 * most)
            print_error("%s: column %zu: %g, not %g\n", name, i,
                        (double)part->importance[i], expected[i]);
        assert_true(apart <= 1e-4 * expected[i] + 1e-6 * most);
    }
}

/* q, k and v of each layer read what the layer before gave, normalized; the
 * head, which is the embedding, what the last norm gives. */
static void check_calibrated(const struct calibrated *c,
                             const struct checkpoint *goldens, int prompt)
{
    double expected[WIDTH];
    char name[64], matrix[64];
    for (int l = 0; l < N_LAYERS; l++) {
        if (l == 0)
            snprintf(name, sizeof name, "p%d.embed", prompt);
        else
            snprintf(name, sizeof name, "p%d.layer%d", prompt, l - 1);
        mean_squares(goldens, name, &c->model.layers[l].mix_norm, expected);
        for (const char *which = "qkv"; *which; which++) {
            snprintf(matrix, sizeof matrix,
                     "model.layers.%d.self_attn.%c_proj.weight", l, *which);
            assert_importance(&c->plan, matrix, expected);
        }
    }
    snprintf(name, sizeof name, "p%d.norm", prompt);
    mean_squares(goldens, name, NULL, expected);
    assert_importance(&c->plan, "model.embed_tokens.weight", expected);
}

static void columns_meet_what_they_meet_elsewhere(void **state)
{
    (void)state;
    struct checkpoint goldens;
    struct error e;
    json_t *said = json_read_file(
        path_in_tests("models/goldens/forward.json"), &e);
    assert_ok(said ? 0 : -1, &e);
    assert_ok(checkpoint_open(
                  &goldens,
                  path_in_tests("models/goldens/forward.safetensors"), &e),
              &e);
    for (int i = 0; i < N_PROMPTS; i++) {
        struct calibrated c;
        const json_t *prompt =
            json_array_get(json_object_get(said, "prompts"), (size_t)i);
        write_text("text",
                   json_string_value(json_object_get(prompt, "prompt")));
        assert_ok(calibrate_with(&c, "text", &e), &e);
        check_calibrated(&c, &goldens, i);
        free_calibrated(&c);
    }
    checkpoint_close(&goldens);
    json_decref(said);
}

static void every_matrix_that_is_rounded_has_met_something(void **state)
{
    (void)state;
    struct calibrated c;
    struct error e;
    write_text("text", "Once upon a time there was a dog.");
    assert_ok(calibrate_with(&c, "text", &e), &e);
    for (size_t i = 0; i < c.plan.n; i++) {
        const struct part *p = &c.plan.parts[i];
        double sum = 0;
        assert_int_equal(p->importance != NULL, p->fate == FATE_ROUNDED);
        for (size_t j = 0; p->importance && j < p->cols; j++)
            sum += (double)p->importance[j];
        assert_true(!p->importance || (sum > 0 && isfinite(sum)));
    }
    free_calibrated(&c);
}

/* Windows know nothing of each other: the same text twice, each a window
 * long, is as the text once. */
static void windows_begin_anew(void **state)
{
    (void)state;
    static char text[2 * 512 + 1];
    struct calibrated once, twice;
    struct error e;
    memset(text, '7', 2 * 512); /* a digit is a token */
    write_text("twice", text);
    text[512] = 0;
    write_text("once", text);
    assert_ok(calibrate_with(&once, "once", &e), &e);
    assert_ok(calibrate_with(&twice, "twice", &e), &e);
    for (size_t i = 0; i < once.plan.n; i++) {
        const struct part *a = &once.plan.parts[i], *b = &twice.plan.parts[i];
        for (size_t j = 0; a->importance && j < a->cols; j++)
            assert_true(fabsf(a->importance[j] - b->importance[j]) <=
                        1e-6f * a->importance[j]);
    }
    free_calibrated(&once);
    free_calibrated(&twice);
}

static void a_text_must_be_there(void **state)
{
    (void)state;
    struct calibrated c;
    struct error e = {ERROR_NONE, ""};
    write_text("empty", "");
    assert_int_equal(calibrate_with(&c, "empty", &e), -1);
    assert_string_equal(e.message, "empty: is empty: there is nothing to "
                                   "calibrate with");
    free_calibrated(&c);
    assert_int_equal(calibrate_with(&c, "none", &e), -1);
    assert_string_equal(e.message, "none: No such file or directory");
    free_calibrated(&c);
}

/* This tokenizer has one letter, and nothing for others. */
static void a_text_must_hold_a_token(void **state)
{
    (void)state;
    struct calibrated c;
    struct error e = {ERROR_NONE, ""};
    write_text("tokenizer.json", "{\"model\":{\"type\":\"BPE\",\"vocab\":{"
                                 "\"a\":3},\"merges\":[]}}");
    write_text("text", "zz");
    assert_int_equal(calibrate_by(&c, ".", "text", &e), -1);
    assert_string_equal(e.message,
                        "text: holds no token to calibrate with");
    free_calibrated(&c);
}

/* A model of one position, which the token that begins texts would fill. */
static void one_position_is_enough(void **state)
{
    (void)state;
    struct calibrated c;
    struct error e = {ERROR_NONE, ""};
    const char *model = path_in_tests("models/tiny-chat");
    const struct work work = {NULL, NULL};
    const struct choice choice = {
        .rounding = {quantize_format("int4"), 64, true}};
    write_text("text", "<|endoftext|>The dog");
    assert_ok(model_open(&c.model, model, &e), &e);
    c.model.max_positions = 1;
    assert_ok(plan_make(&c.plan, &c.model, &choice, &e), &e);
    assert_ok(calibrate(&c.plan, model, "text", &work, &e), &e);
    free_calibrated(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(columns_meet_what_they_meet_elsewhere),
        SCRATCH(every_matrix_that_is_rounded_has_met_something),
        SCRATCH(windows_begin_anew),
        SCRATCH(a_text_must_be_there),
        SCRATCH(a_text_must_hold_a_token),
        SCRATCH(one_position_is_enough),
    };
    return cmocka_run_group_tests_name("calibrate", tests, find_tests_folder,
                                       NULL);
}

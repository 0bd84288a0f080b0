/* A model whose files say something else is never computed wrong.
 *
 * tests/checkpoints/mutations.jsonl has, for each key of each small model's
 * config.json, what transformers does when it is deleted, changed or added;
 * tests/oracle/families_mutations.py made it.  This program must refuse the
 * model, or compute the same. */
#include "forward.h"

#include "keys.h"
#include "test_links.h"
#include "test_small.h"

/* Keys that do not change what is computed, and whose type is checked by
 * transformers alone. */
static const char harmless[] =
    "attention_dropout initializer_range pad_token_id transformers_version "
    "use_cache resid_pdrop embd_pdrop hidden_dropout classifier_dropout "
    "embedding_dropout residual_dropout pretraining_tp "
    "vocab_size_per_layer_input mm_tokens_per_image boi_token_index "
    "eoi_token_index image_token_index audio_token_id boa_token_id "
    "boi_token_id eoa_token_index eoi_token_id image_token_id video_token_id "
    "no_rope_layer_interval max_window_layers";

/* The model whose lines are being read. */
struct mutated {
    char tests[PATH_MAX]; /* the tests' folder */
    const float *logits;  /* of the file: rows of all models */
    json_t *config;
    int *ids;
    size_t n;
    const json_t *base; /* the line of the model itself */
    size_t judged, wrong;
};

static size_t number_of(const json_t *line, const char *key)
{
    const json_t *value = json_object_get(line, key);
    assert_true(json_is_integer(value));
    return (size_t)json_integer_value(value);
}

/* Begin a model: its files, but for config.json, are linked here. */
static void begin_model(struct mutated *m, const json_t *line)
{
    char folder[PATH_MAX + 80], path[PATH_MAX + 200];
    const char *name = json_string_value(json_object_get(line, "model"));
    const char *text = json_string_value(json_object_get(line, "text"));
    struct checkpoint goldens;
    struct error e;
    remove_files();
    snprintf(folder, sizeof folder, "%s/checkpoints/%s", m->tests, name);
    assert_true(link_files(folder, "config.json"));

    snprintf(path, sizeof path, "%s/config.json", folder);
    json_decref(m->config);
    m->config = json_read_file(path, &e);
    snprintf(path, sizeof path, "%s/checkpoints/goldens/%s.safetensors",
             m->tests, name);
    assert_ok(checkpoint_open(&goldens, path, &e), &e);
    free(m->ids);
    m->ids = golden_ids(&goldens, "", text, &m->n);
    m->n = number_of(line, "tokens");
    checkpoint_close(&goldens);
}

/* Write config.json with the change of this line. */
static void write_changed(const struct mutated *m, const json_t *line)
{
    json_t *config = json_deep_copy(m->config), *inner = config;
    const json_t *at = json_object_get(line, "at");
    json_t *to = json_object_get(line, "to");
    size_t n = json_array_size(at);
    for (size_t i = 0; i + 1 < n; i++)
        inner =
            json_object_get(inner, json_string_value(json_array_get(at, i)));
    const char *key = json_string_value(json_array_get(at, n - 1));
    if (to)
        json_object_set(inner, key, to);
    else
        json_object_del(inner, key);
    assert_int_equal(json_dump_file(config, "config.json", 0), 0);
    json_decref(config);
}

/* Whether the logits of a token are those of a row, both named by `line`. */
static bool agrees(const struct mutated *m, const struct model *model,
                   const json_t *line)
{
    size_t width = model->config.vocab_size;
    const float *expected = m->logits + number_of(line, "row") * width;
    struct state s;
    struct error e;
    assert_ok(state_init(&s, model, m->n, &e), &e);
    forward(model, &s, m->ids, m->n, NULL);
    const float *found =
        forward_logits(model, &s, number_of(line, "token"), NULL);
    double off = row_distance(found, expected, width);
    state_free(&s);
    return off <= 1;
}

/* Whether this program may open the changed model. */
static bool is_right(const struct mutated *m, const struct model *model,
                     const json_t *line)
{
    const char *then = json_string_value(json_object_get(line, "then"));
    const json_t *at = json_object_get(line, "at");
    size_t last = json_array_size(at) - 1;
    if (strcmp(then, "moves") == 0)
        return agrees(m, model, line);
    if (strcmp(then, "same") == 0)
        return agrees(m, model, m->base);
    return words_have(harmless, json_string_value(json_array_get(at, last)));
}

static void judge(struct mutated *m, const json_t *line)
{
    struct model model;
    struct error e;
    write_changed(m, line);
    m->judged++;
    if (model_open(&model, ".", &e))
        return;
    bool right = is_right(m, &model, line);
    model_close(&model);
    if (right)
        return;
    char *text = json_dumps(line, 0);
    print_error("computed, but not so: %s\n", text);
    free(text);
    m->wrong++;
}

/* With sanitizers every 20th line is judged. */
static void judge_all(struct mutated *m, FILE *file)
{
    char text[4096];
    json_t *base = NULL;
    struct error e;
    for (size_t i = 0; fgets(text, sizeof text, file); i++) {
        json_t *line =
            json_parse(text, strlen(text), "mutations.jsonl", 0, &e);
        assert_non_null(line);
        if (json_object_get(line, "model")) {
            json_decref(base);
            m->base = base = json_incref(line);
            begin_model(m, line);
        } else if (!is_slow() || i % 20 == 0) {
            judge(m, line);
        }
        json_decref(line);
    }
    json_decref(base);
    if (is_slow())
        print_message("SAMPLE: every 20th change, %zu of them\n", m->judged);
}

static void a_changed_config_is_refused_or_means_what_it_says(void **state)
{
    const struct scratch *s = *state;
    struct mutated m = {.wrong = 0};
    char path[PATH_MAX + 80];
    struct checkpoint rows;
    struct error e;
    find_tests(s, m.tests);
    snprintf(path, sizeof path, "%s/checkpoints/mutations.jsonl", m.tests);
    FILE *lines = fopen(path, "r");
    if (!lines)
        skip_without_models();
    snprintf(path, sizeof path, "%s/checkpoints/mutations.safetensors",
             m.tests);
    assert_ok(checkpoint_open(&rows, path, &e), &e);
    float *logits = golden_floats(&rows, "", "logits");
    m.logits = logits;
    judge_all(&m, lines);
    assert_int_equal(m.wrong, 0);
    assert_true(m.judged > 200);
    free(logits);
    free(m.ids);
    json_decref(m.config);
    checkpoint_close(&rows);
    fclose(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_changed_config_is_refused_or_means_what_it_says, scratch_enter,
            scratch_leave),
    };
    return cmocka_run_group_tests_name("mutations", tests, NULL, NULL);
}

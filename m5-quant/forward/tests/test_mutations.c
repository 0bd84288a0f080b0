/* A model whose files say something else is never computed wrong.
 *
 * tests/checkpoints/mutations.jsonl has, for each key of each small model's
 * config.json, what transformers does when it is deleted, changed or added,
 * and when keys that speak of the same thing are changed together;
 * tests/oracle/forward/families_mutations.py made it.  This program must
 * refuse the model, or compute the same. */
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
    "eod_token_id eoi_token_index image_token_index audio_token_id "
    "boa_token_id "
    "boi_token_id eoa_token_index eoi_token_id image_token_id video_token_id "
    "multimodal_projector_bias projector_hidden_act spatial_merge_size "
    "vision_feature_layer";

/* Keys that are absent here when they are null, which some classes of
 * transformers do not take. */
static const char null_is_absence[] =
    "head_dim enable_moe_block use_double_wide_mlp is_decoder";

/* The model whose lines are being read. */
struct mutated {
    char tests[PATH_MAX]; /* the tests' folder */
    const float *logits;  /* of the file: rows of all models */
    json_t *config;
    int *ids;
    size_t n;
    json_t *base; /* the line of the model itself */
    size_t changes, judged, wrong;
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

/* The key that an edit is about. */
static const char *key_of(const json_t *edit)
{
    const json_t *at = json_object_get(edit, "at");
    return json_string_value(json_array_get(at, json_array_size(at) - 1));
}

/* Set the key, or without "to" delete it. */
static void apply_edit(json_t *config, const json_t *edit)
{
    const json_t *at = json_object_get(edit, "at");
    json_t *to = json_object_get(edit, "to");
    for (size_t i = 0; i + 1 < json_array_size(at); i++)
        config =
            json_object_get(config, json_string_value(json_array_get(at, i)));
    if (to)
        json_object_set(config, key_of(edit), to);
    else
        json_object_del(config, key_of(edit));
}

/* Write config.json with the changes of this line. */
static void write_changed(const struct mutated *m, const json_t *line)
{
    json_t *config = json_deep_copy(m->config), *edits, *edit;
    size_t i;
    edits = json_object_get(line, "edits");
    json_array_foreach(edits, i, edit) apply_edit(config, edit);
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
    assert_ok(forward(model, &s, m->ids, m->n, NULL, &e), &e);
    const float *found =
        forward_logits(model, &s, number_of(line, "token"), NULL);
    double off = row_distance(found, expected, width);
    state_free(&s);
    return off <= 1;
}

static bool is_harmless(const json_t *edit)
{
    return words_have(harmless, key_of(edit)) ||
           (json_is_null(json_object_get(edit, "to")) &&
            words_have(null_is_absence, key_of(edit)));
}

/* Whether this program may open the changed model. */
static bool is_right(const struct mutated *m, const struct model *model,
                     const json_t *line)
{
    const char *then = json_string_value(json_object_get(line, "then"));
    const json_t *edits = json_object_get(line, "edits");
    if (strcmp(then, "moves") == 0)
        return agrees(m, model, line);
    if (strcmp(then, "same") == 0)
        return agrees(m, model, m->base);
    return json_array_size(edits) == 1 &&
           is_harmless(json_array_get(edits, 0));
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

/* Every sixth change is judged, all of them where there is time, and with
 * sanitizers few. */
static bool is_judged(size_t i)
{
    return is_long() || i % (is_slow() ? 60 : 6) == 0;
}

/* A line is a model, or a change of the model before it. */
static void take_line(struct mutated *m, json_t *line)
{
    if (json_object_get(line, "model")) {
        json_decref(m->base);
        m->base = json_incref(line);
        begin_model(m, line);
    } else if (is_judged(m->changes++)) {
        judge(m, line);
    }
}

static void judge_all(struct mutated *m, FILE *file)
{
    char text[4096];
    struct error e;
    while (fgets(text, sizeof text, file)) {
        json_t *line =
            json_parse(text, strlen(text), "mutations.jsonl", 0, &e);
        assert_non_null(line);
        take_line(m, line);
        json_decref(line);
    }
    json_decref(m->base);
    if (m->judged < m->changes)
        print_message("%zu changes of %zu; RUNG_LONG=1 tries them all\n",
                      m->judged, m->changes);
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

/* A model whose files say something else is never computed wrong.
 *
 * tests/checkpoints/mutations.jsonl has, for each key of each small model's
 * config.json, what transformers does when it is deleted, changed or added;
 * tests/oracle/families_mutations.py made it.  This program must refuse the
 * model, or compute the same. */
#include "forward.h"

#include "keys.h"
#include "test_files.h"
#include "test_small.h"

#include <limits.h>

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
    size_t wrong;
};

/* The tests' folder, by a path that holds in every folder. */
static void find_tests(const struct scratch *s, char *out)
{
    const char *folder = test_folder();
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", *folder == '/' ? "" : s->before,
             *folder == '/' ? "" : "/", folder);
    snprintf(out, PATH_MAX, "%s", path);
}

/* Empty the current folder. */
static void remove_files(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            remove(entry->d_name);
    closedir(directory);
}

static void link_file(const char *folder, const char *name)
{
    char from[2 * PATH_MAX];
    snprintf(from, sizeof from, "%s/%s", folder, name);
    remove(name);
    if (strcmp(name, "config.json") != 0)
        assert_int_equal(symlink(from, name), 0);
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
    DIR *directory = opendir(folder);
    struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            link_file(folder, entry->d_name);
    closedir(directory);

    snprintf(path, sizeof path, "%s/config.json", folder);
    json_decref(m->config);
    m->config = json_read_file(path, &e);
    snprintf(path, sizeof path, "%s/checkpoints/goldens/%s.safetensors",
             m->tests, name);
    assert_ok(checkpoint_open(&goldens, path, &e), &e);
    free(m->ids);
    m->ids = golden_ids(&goldens, "", text, &m->n);
    m->n = (size_t)json_integer_value(json_object_get(line, "tokens"));
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

/* How far the last token's logits are from row `row`, as a share of the
 * tolerance. */
static double distance(const struct mutated *m, const struct model *model,
                       size_t row)
{
    size_t width = model->config.vocab_size;
    const float *expected = m->logits + row * width;
    double most = 1, worst = 0;
    struct state s;
    struct error e;
    assert_ok(state_init(&s, model, m->n, &e), &e);
    forward(model, &s, m->ids, m->n, NULL);
    const float *found = forward_logits(model, &s, m->n - 1, NULL);
    for (size_t i = 0; i < width; i++) {
        most = fmax(most, fabs((double)expected[i]));
        worst = fmax(worst, fabs((double)(found[i] - expected[i])));
    }
    state_free(&s);
    return worst / (1e-5 * most);
}

static void judge(struct mutated *m, const json_t *line, size_t base)
{
    const char *then = json_string_value(json_object_get(line, "then"));
    const json_t *at = json_object_get(line, "at");
    const char *key =
        json_string_value(json_array_get(at, json_array_size(at) - 1));
    bool moves = strcmp(then, "moves") == 0;
    bool computes = moves || strcmp(then, "same") == 0;
    json_int_t row = json_integer_value(json_object_get(line, "row"));
    struct model model;
    struct error e;
    write_changed(m, line);
    if (model_open(&model, ".", &e))
        return;
    bool right = computes
                     ? distance(m, &model, moves ? (size_t)row : base) <= 3
                     : words_have(harmless, key);
    model_close(&model);
    if (right)
        return;
    char *text = json_dumps(line, 0);
    print_error("computed, but not so: %s\n", text);
    free(text);
    m->wrong++;
}

static void judge_all(struct mutated *m, FILE *lines)
{
    char text[4096];
    size_t base = 0;
    struct error e;
    while (fgets(text, sizeof text, lines)) {
        json_t *line =
            json_parse(text, strlen(text), "mutations.jsonl", 0, &e);
        assert_non_null(line);
        if (json_object_get(line, "model")) {
            base = (size_t)json_integer_value(json_object_get(line, "row"));
            begin_model(m, line);
        } else {
            judge(m, line, base);
        }
        json_decref(line);
    }
}

static void a_changed_config_is_refused_or_means_what_it_says(void **state)
{
    const struct scratch *s = *state;
    struct mutated m = {.wrong = 0};
    char path[PATH_MAX + 80];
    struct checkpoint rows;
    struct error e;
    skip_if_slow();
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
    free(logits);
    free(m.ids);
    json_decref(m.config);
    checkpoint_close(&rows);
    fclose(lines);
}

/* --- tensors ----------------------------------------------------------- */

/* Copy the file `path` to `name`, with the first letter of a tensor's name
 * changed; false when it is not in it. */
static bool copy_renamed(const char *path, const char *name,
                         const char *tensor)
{
    char quoted[300];
    struct bytes file = {0};
    struct error e;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&file, f, path, &e), &e);
    fclose(f);
    int length = snprintf(quoted, sizeof quoted, "\"%s\"", tensor);
    bool found = false;
    for (size_t i = 8; i + (size_t)length < file.size && !found; i++)
        if (memcmp(file.data + i, quoted, (size_t)length) == 0) {
            file.data[i + 1] = 'X';
            found = true;
        }
    remove(name);
    write_file(name, file.data, file.size);
    bytes_free(&file);
    return found;
}

/* Rename one tensor: one is missing then, and one is not used. */
static void assert_rename_refused(const char *folder, const struct tensor *t)
{
    const char *path = t->file->path, *name = strrchr(path, '/') + 1;
    struct model m;
    struct error e;
    assert_true(copy_renamed(path, name, t->name));
    if (model_open(&m, ".", &e) == 0) {
        print_error("%s: %s is not missed\n", folder, t->name);
        assert_true(false);
    }
    link_file(folder, name);
}

static void assert_each_tensor_is_missed(const char *folder)
{
    struct checkpoint c;
    struct error e;
    char path[PATH_MAX + 100];
    assert_ok(checkpoint_open(&c, folder, &e), &e);
    for (size_t i = 0; i < c.n_files; i++)
        link_file(folder, strrchr(c.files[i].path, '/') + 1);
    snprintf(path, sizeof path, "%s/config.json", folder);
    copy_renamed(path, "config.json", "");
    for (size_t i = 0; i < c.n_tensors; i++)
        assert_rename_refused(folder, &c.tensors[i]);
    checkpoint_close(&c);
}

static void each_tensor_of_each_model_is_missed(void **state)
{
    struct small_models small;
    char tests[PATH_MAX], folder[PATH_MAX + 80];
    skip_if_slow();
    find_tests(*state, tests);
    snprintf(folder, sizeof folder, "%s/checkpoints/goldens", tests);
    small_models_find_in(&small, folder);
    for (size_t i = 0; i < small.n; i++) {
        remove_files();
        snprintf(folder, sizeof folder, "%s/checkpoints/%s", tests,
                 small.names[i]);
        assert_each_tensor_is_missed(folder);
    }
    if (small.n == 0)
        skip_without_models();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_changed_config_is_refused_or_means_what_it_says, scratch_enter,
            scratch_leave),
        cmocka_unit_test_setup_teardown(each_tensor_of_each_model_is_missed,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("mutations", tests, NULL, NULL);
}

/* The forward pass agrees with transformers, layer by layer.
 *
 * The reading model's goldens are in tests/models/goldens, those of small
 * random models of each family in tests/checkpoints; tests/oracle says how
 * they were made. */
#include "forward.h"

#include "test_numbers.h"
#include "test_small.h"

#include <limits.h>

/* A run that is compared with the goldens `prefix`.NAME. */
struct comparison {
    const struct checkpoint *goldens;
    const char *prefix;
    const int *rows; /* (n_rows,): which tokens there are goldens of */
    size_t n_rows;
    size_t n_seen; /* results that were compared */
};

static void compare_rows(struct comparison *c, const char *name,
                         const float *data, struct shape shape)
{
    const struct tensor *t = golden(c->goldens, c->prefix, name);
    float *expected = golden_values(t);
    assert_int_equal(t->shape[0], c->n_rows);
    assert_int_equal(t->shape[1], shape.cols);
    const char *axes =
        c->n_rows == shape.rows ? "token, dimension" : "place, dimension";
    for (size_t i = 0; i < c->n_rows; i++)
        assert_row(name, axes, shape.rows, (size_t)c->rows[i],
                   data + (size_t)c->rows[i] * shape.cols,
                   expected + i * shape.cols, shape.cols);
    free(expected);
    c->n_seen++;
}

static void compare(void *context, const char *name, int layer,
                    const float *data, struct shape shape)
{
    char golden_name[32];
    if (strcmp(name, "layer") == 0)
        snprintf(golden_name, sizeof golden_name, "layer%d", layer);
    else
        snprintf(golden_name, sizeof golden_name, "%s", name);
    if (strcmp(name, "embedding") == 0 || strcmp(name, "norm") == 0)
        assert_int_equal(layer, -1);
    if (strcmp(name, "embedding") == 0)
        compare_rows(context, "embed", data, shape);
    else if (strcmp(name, "attention") != 0 && strcmp(name, "logits") != 0)
        compare_rows(context, golden_name, data, shape);
}

static void compare_logits(const struct model *m, struct state *s, size_t n,
                           const struct comparison *c)
{
    float *expected = golden_floats(c->goldens, c->prefix, "logits");
    size_t width = m->config.vocab_size;
    for (size_t i = 0; i < c->n_rows; i++) {
        size_t row = (size_t)c->rows[i];
        assert_row("logits", c->n_rows == n ? "token, id" : "place, id", n,
                   row, forward_logits(m, s, row, NULL), expected + i * width,
                   width);
    }
    free(expected);
}

/* Run the text `prefix`.ids; rows NULL: all its tokens have goldens. */
static void assert_run(const struct model *m, const struct checkpoint *goldens,
                       const char *prefix, const int *rows, size_t n_rows)
{
    size_t n;
    int *ids = golden_ids(goldens, prefix, "ids", &n);
    int *all = calloc(n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = (int)i;
    struct comparison c = {goldens, prefix, rows ? rows : all,
                           rows ? n_rows : n, 0};
    struct observer o = {compare, &c};
    struct state s;
    struct error e;
    assert_ok(state_init(&s, m, n, &e), &e);
    assert_ok(forward(m, &s, ids, n, &o, &e), &e);
    assert_int_equal(c.n_seen, m->config.n_layers + 2);
    compare_logits(m, &s, n, &c);
    state_free(&s);
    free(all);
    free(ids);
}

/* --- the models --------------------------------------------------------- */

/* A model and its goldens; false: the tests' folder is not there. */
static bool open_pair(const char *model, const char *goldens, struct model *m,
                      struct checkpoint *c)
{
    char *model_path = test_path(model), *goldens_path = test_path(goldens);
    bool there = access(goldens_path, R_OK) == 0;
    struct error e;
    if (there) {
        assert_ok(model_open(m, model_path, &e), &e);
        assert_ok(checkpoint_open(c, goldens_path, &e), &e);
    }
    free(goldens_path);
    free(model_path);
    return there;
}

static void the_reading_model_agrees_on_five_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"p0", "p1", "p2", "p3", "p4"};
    struct model m;
    struct checkpoint goldens;
    if (!open_pair("models/tiny-chat", "models/goldens/forward.safetensors",
                   &m, &goldens))
        skip_without_models();
    for (size_t i = 0; i < 5; i++)
        assert_run(&m, &goldens, texts[i], NULL, 0);
    checkpoint_close(&goldens);
    model_close(&m);
}

/* One of tests/checkpoints; *state is its name. */
static void small_model(void **state)
{
    struct model m;
    struct checkpoint goldens;
    small_open(*state, &m, &goldens);
    assert_run(&m, &goldens, "", NULL, 0);
    if (checkpoint_find(&goldens, "long.ids")) {
        size_t n;
        int *rows = golden_ids(&goldens, "long", "rows", &n);
        assert_run(&m, &goldens, "long", rows, n);
        free(rows);
    }
    checkpoint_close(&goldens);
    model_close(&m);
}

/* The model qwen3-1, and a state that has room for two tokens. */
static void open_qwen3(struct model *m, struct state *s)
{
    struct checkpoint goldens;
    struct error e;
    if (!open_pair("checkpoints/qwen3-1",
                   "checkpoints/goldens/qwen3-1.safetensors", m, &goldens))
        skip_without_models();
    checkpoint_close(&goldens);
    assert_ok(state_init(s, m, 2, &e), &e);
}

static void what_cannot_be_run_is_refused(void **state)
{
    (void)state;
    struct model m;
    struct state s;
    struct error e;
    open_qwen3(&m, &s);
    int last = (int)m.config.vocab_size - 1;
    char expected[100];
    assert_ok(forward(&m, &s, (int[]){0, last}, 2, NULL, &e), &e);
    const int wrong[] = {last + 1, -1, INT_MIN, INT_MAX};
    for (size_t i = 0; i < 4; i++) {
        int ids[] = {0, 0};
        ids[i % 2] = wrong[i];
        assert_int_equal(forward(&m, &s, ids, 2, NULL, &e), -1);
        snprintf(expected, sizeof expected,
                 "token %zu of the text has the id %d; the model has the ids "
                 "0 to %d",
                 i % 2, wrong[i], last);
        assert_string_equal(e.message, expected);
    }
    assert_int_equal(forward(&m, &s, (int[]){0, 1, 2}, 3, NULL, &e), -1);
    assert_string_equal(e.message,
                        "the text has 3 tokens; there is room for 2");
    state_free(&s);
    model_close(&m);
}

/* What an observer was shown last. */
struct shown {
    const char *name;
    int layer;
    const float *data;
    struct shape shape;
};

static void note(void *context, const char *name, int layer, const float *data,
                 struct shape shape)
{
    *(struct shown *)context = (struct shown){name, layer, data, shape};
}

static void logits_are_shown_as_one_row(void **state)
{
    (void)state;
    struct shown seen = {0};
    struct observer o = {note, &seen};
    struct model m;
    struct state s;
    struct error e;
    open_qwen3(&m, &s);
    assert_ok(forward(&m, &s, (int[]){3, 1}, 2, NULL, &e), &e);
    const float *logits = forward_logits(&m, &s, 1, &o);
    assert_string_equal(seen.name, "logits");
    assert_int_equal(seen.layer, -1);
    assert_ptr_equal(seen.data, logits);
    assert_int_equal(seen.shape.rows, 1);
    assert_int_equal(seen.shape.cols, m.config.vocab_size);
    state_free(&s);
    model_close(&m);
}

/* Layers are shown in order; the embedding and the last norm have none. */
static void count_layers(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    int *n = context;
    bool whole = strcmp(name, "embedding") == 0 || strcmp(name, "norm") == 0;
    (void)data;
    if (!whole && strcmp(name, "layer") != 0)
        return;
    assert_int_equal(layer, whole ? -1 : (*n)++);
    assert_int_equal(shape.rows, 2);
    assert_int_equal(shape.cols, 44);
}

static void all_tokens_are_shown_together(void **state)
{
    (void)state;
    int n_layers = 0;
    struct observer o = {count_layers, &n_layers};
    struct model m;
    struct state s;
    struct error e;
    open_qwen3(&m, &s);
    assert_int_equal(m.config.hidden_size, 44);
    assert_ok(forward(&m, &s, (int[]){3, 1}, 2, &o, &e), &e);
    assert_int_equal(n_layers, m.config.n_layers);
    state_free(&s);
    model_close(&m);
}

enum test_sizes {
    N_OTHER = 4
};

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[N_OTHER + MAX_SMALL] = {
        cmocka_unit_test(the_reading_model_agrees_on_five_texts),
        cmocka_unit_test(what_cannot_be_run_is_refused),
        cmocka_unit_test(logits_are_shown_as_one_row),
        cmocka_unit_test(all_tokens_are_shown_together),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[N_OTHER + i] =
            (struct CMUnitTest){.name = small.names[i],
                                .test_func = small_model,
                                .initial_state = small.names[i]};
    return _cmocka_run_group_tests("forward", tests, N_OTHER + small.n, NULL,
                                   NULL);
}

/* Every switch of every family matters, and is what it is called.
 *
 * Each switch of each small random model is set otherwise.  The result must be
 * that of tests/oracle/forward/families_switches.py for the same change, and
 * at least 50 tolerances from the golden that test_forward.c compares with: a
 * switch that no golden notices could be wrong unnoticed. */
#include "forward.h"
#include "json.h"
#include "test_flip_rope.h"
#include "test_small.h"

struct switch_flip {
    const char *name; /* in tests/checkpoints/switches.json */
    flip_model *model;
    flip_layer *layer; /* every layer */
    flip_norm *norm;   /* every norm that has weights */
    flip_rope *rope;   /* every rope that turns anything */
};

static const struct switch_flip flips[] = {
    {"norm 1+w or w", .norm = add_one_or_not},
    {"eps", .norm = forget_eps},
    {"qk norm eps", .layer = forget_qk_eps},
    {"v norm eps", .layer = forget_v_eps},
    {"LayerNorm's mean", .norm = keep_mean},
    {"norm bias", .norm = drop_norm_bias},
    {"mix norm", .layer = drop_mix_norm},
    {"mix post norm", .layer = drop_mix_after},
    {"feed norm", .layer = drop_feed_norm},
    {"feed post norm", .layer = drop_feed_after},
    {"final norm", .model = drop_last_norm},
    {"qk norm", .layer = drop_qk_norm},
    {"qk norm over all heads", .layer = normalize_heads_together},
    {"qk norm per head", .layer = normalize_heads_apart},
    {"qk norm after rotation", .layer = normalize_turned_heads},
    {"qk norm before rotation", .layer = normalize_before_turning},
    {"v norm", .layer = drop_v_norm},
    {"qkv bias", .layer = drop_qkv_bias},
    {"o bias", .layer = drop_o_bias},
    {"mlp bias", .layer = drop_mlp_bias},
    {"activation", .layer = activate_otherwise},
    {"gate and up swapped", .layer = swap_gate_and_up},
    {"keys and values swapped", .layer = swap_keys_and_values},
    {"embedding scale", .model = drop_embedding_scale},
    {"residual multiplier", .layer = drop_residual},
    {"logits scaling", .model = drop_logit_scale},
    {"attention scale", .layer = scale_by_head},
    {"attention cap", .layer = drop_score_cap},
    {"final cap", .model = drop_logit_cap},
    {"layer scalar", .layer = drop_layer_scale},
    {"rotation", .rope = turn_nothing},
    {"rotation where there is none", .model = turn_everything},
    {"halves or neighbours", .rope = pair_otherwise},
    {"rotary fraction", .rope = turn_whole_heads},
    {"theta", .rope = change_theta},
    {"theta of the other kind", .model = swap_thetas},
    {"rotary proportion", .rope = turn_all_proportions},
    {"rotary proportion's pairs", .rope = pair_within_proportion},
    {"rotary proportion's factor", .rope = drop_proportion_factor},
    {"rotary scaling", .rope = drop_scaling},
    {"attention factor", .rope = drop_attention_factor},
    {"short factors only", .rope = use_short_factors},
    {"long factors only", .rope = use_long_factors},
    {"yarn truncate", .rope = round_ramp_or_not},
    {"window", .layer = drop_window},
    {"window one wider", .layer = widen_window},
    {"window one narrower", .layer = narrow_window},
    {"window in every layer", .model = put_window_everywhere},
    {"parallel", .layer = run_in_parallel_or_not},
    {"separate head", .model = tie_head},
    {"heads that share keys", .layer = share_keys_in_turn},
    {"fused in blocks", .layer = read_stacked_in_blocks},
};

/* What switches.json also has: nothing flipped, and what no data of a model
 * can say, because it is the same for all. */
static const char *const others[] = {"none", "v from normed keys"};

/* --- flipping ------------------------------------------------------------ */

static bool flip_norms(struct model *m, flip_norm *change)
{
    bool used = change(&m->norm);
    for (size_t i = 0; i < m->config.n_layers; i++) {
        struct layer *l = &m->layers[i];
        struct norm *const norms[] = {
            &l->mix_norm,   &l->mix_after,        &l->feed_norm,
            &l->feed_after, &l->attention.q_norm, &l->attention.k_norm};
        for (size_t j = 0; j < sizeof norms / sizeof norms[0]; j++)
            if (norms[j]->kind != NORM_NONE)
                used |= change(norms[j]);
    }
    return used;
}

static bool flip_ropes(struct model *m, flip_rope *change)
{
    bool used = false;
    struct error e;
    for (size_t i = 0; i < m->n_ropes; i++) {
        struct rope_config config = m->ropes[i].config;
        if (config.dim == 0 || !change(&config))
            continue;
        rope_free(&m->ropes[i]);
        assert_ok(rope_init(&m->ropes[i], &config, &e), &e);
        used = true;
    }
    return used;
}

static bool flip_switch(struct model *m, const struct switch_flip *f)
{
    bool used = false;
    if (f->model)
        return f->model(m);
    if (f->norm)
        return flip_norms(m, f->norm);
    if (f->rope)
        return flip_ropes(m, f->rope);
    for (size_t l = 0; l < m->config.n_layers; l++)
        used |= f->layer(&m->layers[l]);
    return used;
}

/* --- comparing ----------------------------------------------------------- */

/* tests/checkpoints/switches.json and flips.safetensors. */
struct matrix {
    json_t *places; /* by checkpoint and switch */
    struct checkpoint rows;
};

/* One row of a result, to be caught on its way. */
struct wanted {
    const char *name; /* of the golden */
    size_t token;
    float *row; /* (most,) */
    size_t most;
};

static void catch_row(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct wanted *w = context;
    char golden_name[32];
    snprintf(golden_name, sizeof golden_name, layer < 0 ? "%s" : "%s%d", name,
             layer);
    if (strcmp(golden_name, w->name) != 0)
        return;
    assert_true(shape.cols <= w->most && w->token < shape.rows);
    memcpy(w->row, data + w->token * shape.cols, shape.cols * sizeof *w->row);
}

/* Run a text; the wanted row is caught. */
static void run_text(const struct model *m, const int *ids, size_t n,
                     struct wanted *w)
{
    struct observer o = {catch_row, w};
    struct state s;
    struct error e;
    assert_ok(state_init(&s, m, n, &e), &e);
    assert_ok(forward(m, &s, ids, n, &o, &e), &e);
    if (strcmp(w->name, "logits") == 0)
        memcpy(w->row, forward_logits(m, &s, w->token, NULL),
               m->config.vocab_size * sizeof *w->row);
    state_free(&s);
}

/* The row of the golden tensor that tells of a token, to be freed; a long
 * text has goldens of some tokens only. */
static float *golden_row(const struct checkpoint *goldens, const char *prefix,
                         const struct wanted *w, size_t width)
{
    const struct tensor *t = golden(goldens, prefix, w->name);
    float *row = malloc(width * sizeof *row);
    size_t at = w->token, n;
    assert_non_null(row);
    assert_int_equal(t->shape[1], width);
    if (*prefix) {
        int *rows = golden_ids(goldens, prefix, "rows", &n);
        for (at = 0; at < n && rows[at] != (int)w->token;)
            at++;
        free(rows);
    }
    assert_true(at < t->shape[0]);
    tensor_read(t, at * width, width, row);
    return row;
}

/* Compare the flipped model with its golden, and with the unflipped one. */
static void assert_flipped(const struct model *m,
                           const struct checkpoint *goldens,
                           const struct tensor *expected, const json_t *place)
{
    const char *text = json_string_value(json_object_get(place, "text"));
    const char *prefix = strcmp(text, "long.ids") == 0 ? "long" : "";
    struct wanted w = {.name = json_string_value(json_object_get(place, "at")),
                       .most = expected->count};
    float *flipped = golden_values(expected);
    size_t n;
    int *ids = golden_ids(goldens, prefix, "ids", &n);
    w.token = (size_t)json_integer_value(json_object_get(place, "token"));
    w.row = calloc(w.most, sizeof *w.row);
    assert_non_null(w.row);
    float *before = golden_row(goldens, prefix, &w, w.most);

    run_text(m, ids, n, &w);
    double off = row_distance(w.row, flipped, w.most);
    double moved = row_distance(w.row, before, w.most);
    if (!(off <= 1 && moved >= 50))
        print_error("%s: %.2f tolerances from what it should be, %.2f from "
                    "the golden\n",
                    expected->name, off, moved);
    assert_true(off <= 1 && moved >= 50);
    free(before);
    free(w.row);
    free(ids);
    free(flipped);
}

/* Flip one switch of one model; false when the model does not use it. */
static bool assert_noticed(const struct matrix *x, const char *name,
                           const struct switch_flip *f)
{
    struct model m;
    struct checkpoint goldens;
    char row[100];
    const json_t *place =
        json_object_get(json_object_get(x->places, name), f->name);
    snprintf(row, sizeof row, "%s/%s", name, f->name);
    small_open(name, &m, &goldens);
    bool used = flip_switch(&m, f);
    if (used != (place != NULL))
        print_error("%s: %s here, %s in switches.json\n", row,
                    used ? "used" : "not used", place ? "used" : "not used");
    assert_int_equal(used, place != NULL);
    if (used)
        assert_flipped(&m, &goldens, golden(&x->rows, row, ""), place);
    checkpoint_close(&goldens);
    model_close(&m);
    return used;
}

/* --- the matrix ---------------------------------------------------------- */

static struct matrix open_matrix(void)
{
    struct matrix x;
    struct error e;
    char *places = test_path("checkpoints/switches.json");
    char *rows = test_path("checkpoints/flips.safetensors");
    json_t *root = json_read_file(places, &e);
    assert_ok(root ? 0 : -1, &e);
    assert_ok(checkpoint_open(&x.rows, rows, &e), &e);
    x.places = json_incref(json_object_get(root, "checkpoints"));
    json_decref(root);
    free(rows);
    free(places);
    return x;
}

/* One of tests/checkpoints; *state is its name. */
static void small_model(void **state)
{
    struct matrix x = open_matrix();
    const json_t *places = json_object_get(x.places, *state);
    size_t n = 0;
    for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++)
        n += assert_noticed(&x, *state, &flips[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        n += json_object_get(places, others[i]) != NULL;
    assert_int_equal(n, json_object_size(places));
    checkpoint_close(&x.rows);
    json_decref(x.places);
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[MAX_SMALL];
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[i] = (struct CMUnitTest){.name = small.names[i],
                                       .test_func = small_model,
                                       .initial_state = small.names[i]};
    return _cmocka_run_group_tests("flips", tests, small.n, NULL, NULL);
}

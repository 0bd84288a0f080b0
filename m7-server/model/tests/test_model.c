/* A model is opened: every switch set, every weight in its place. */
#include "test_model_open.h"

static void a_small_model_is_opened(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(NULL, 0, "F32");
    open_changed(&m, NULL, 0);
    const struct attention *a = &m.layers[0].attention;
    assert_int_equal(a->n_heads, 2);
    assert_int_equal(a->n_kv_heads, 1);
    assert_int_equal(a->head_dim, 4);
    assert_int_equal(a->window, 0);
    assert_true(a->scale == 0.5f && a->soft_cap == 0);
    assert_int_equal(a->q_norm.kind, NORM_NONE);
    assert_null(a->q.bias.data);
    assert_true(m.norm.eps == 1e-6f);
    assert_ptr_equal(m.layers[0].mlp.activate, silu);
    assert_int_equal(m.ropes[0].dim, 4);
    assert_ptr_not_equal(m.head.data, m.embedding.data);
    model_close(&m);
}

/* Open a model whose texts were of 32 tokens, with this scaling. */
static void open_scaled(struct model *m, const char *architecture,
                        const char *type, const char *scaling)
{
    const struct change norms[] = {
        {"model.layers.0.self_attn.query_layernorm.weight", "[4]"},
        {"model.layers.0.self_attn.key_layernorm.weight", "[4]"}};
    bool has_norms = strcmp(type, "\"llama\"") != 0;
    write_small_weights(norms, has_norms ? 2 : 0, "F32");
    open_changed(m,
                 CHANGES({"architectures", architecture}, {"model_type", type},
                         {"head_dim", "4"}, {"rope_scaling", scaling}),
                 4);
}

/* Past the length of the texts in training, transformers forgets the alpha
 * and others do not: such a text is not run. */
static void only_a_dynamic_rope_is_for_longer_texts(void **state)
{
    (void)state;
    struct model m;
    open_scaled(&m, "[\"LlamaForCausalLM\"]", "\"llama\"",
                "{\"type\": \"dynamic\", \"factor\": 4}");
    assert_int_equal(m.max_positions, 4 * 32);
    model_close(&m);
    open_scaled(&m, "[\"HunYuanDenseV1ForCausalLM\"]", "\"hunyuan_v1_dense\"",
                "{\"type\": \"dynamic\", \"factor\": 4, \"alpha\": 50}");
    assert_int_equal(m.max_positions, 32);
    model_close(&m);
}

/* Here only the layers with a window are stretched. */
static void any_dynamic_rope_is_for_longer_texts(void **state)
{
    (void)state;
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_small_config(
        CHANGES({"architectures", "[\"Gemma3ForCausalLM\"]"},
                {"model_type", "\"gemma3_text\""}, {"head_dim", "4"},
                {"rope_parameters",
                 "{\"full_attention\": {\"rope_theta\": 100}, "
                 "\"sliding_attention\": {\"rope_type\": \"dynamic\", "
                 "\"rope_theta\": 100, \"factor\": 2.5}}"}),
        4);
    model_describe(&m, ".", &e);
    assert_string_equal(e.message, "");
    assert_int_equal(m.max_positions, 80);
    model_close(&m);
}

static void a_text_must_fit_the_model(void **state)
{
    (void)state;
    struct error e;
    struct model m = {.max_positions = 100};
    assert_int_equal(model_check_length(&m, 100, 0, &e), 0);
    assert_int_equal(model_check_length(&m, 60, 40, &e), 0);
    assert_int_equal(model_check_length(&m, 101, 0, &e), -1);
    assert_string_equal(e.message,
                        "the text has 101 tokens; this model can hold 100");
    assert_int_equal(model_check_length(&m, 60, SIZE_MAX, &e), -1);
    assert_int_equal(model_check_length(&m, 60, 41, &e), -1);
    assert_string_equal(e.message,
                        "the text has 60 tokens, and 41 more were asked for; "
                        "this model can hold 100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_small_model_is_opened),
        SCRATCH(only_a_dynamic_rope_is_for_longer_texts),
        SCRATCH(any_dynamic_rope_is_for_longer_texts),
        cmocka_unit_test(a_text_must_fit_the_model),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}

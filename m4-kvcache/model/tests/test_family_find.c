/* A model is of a known family, and its config.json says nothing that the
 * family does not read: else it is refused by name. */
#include "test_model_open.h"

static void an_unknown_model_is_refused_by_name(void **state)
{
    (void)state;
    assert_key_refused("architectures", "[\"MambaForCausalLM\"]",
                       "./config.json: architectures: this program knows no "
                       "model \"MambaForCausalLM\"");
    assert_config_refused(
        CHANGES({"architectures", NULL}, {"model_type", "\"mamba\""}), 2,
        ERROR_UNSUPPORTED,
        "./config.json: architectures: this program knows no model \"mamba\"");
    assert_key_wrong("model_type", "\"qwen2\"",
                     "./config.json: model_type: found \"qwen2\", but a "
                     "LlamaForCausalLM is of type \"llama\"");
}

static void a_key_that_nobody_reads_is_refused(void **state)
{
    (void)state;
    assert_key_refused("logit_scale", "2",
                       "./config.json: logit_scale: is not a key that this "
                       "program knows for LlamaForCausalLM");
    assert_key_refused("sliding_window", "16",
                       "./config.json: sliding_window: is not a key that this "
                       "program knows for LlamaForCausalLM");
    assert_config_refused(CHANGES({"architectures", "[\"Qwen2ForCausalLM\"]"},
                                  {"model_type", "\"qwen2\""},
                                  {"attention_bias", "true"}),
                          3, ERROR_UNSUPPORTED,
                          "./config.json: attention_bias: is not a key that "
                          "this program knows for Qwen2ForCausalLM");
}

static void a_key_beside_the_part_for_texts_is_refused(void **state)
{
    (void)state;
    assert_config_refused(
        CHANGES({"architectures", "[\"Gemma3ForConditionalGeneration\"]"},
                {"text_config",
                 "{\"model_type\": \"gemma3_text\", \"vocab_size\": 5, "
                 "\"hidden_size\": 8, \"intermediate_size\": 6, "
                 "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
                 "\"max_position_embeddings\": 9}"}),
        2, ERROR_UNSUPPORTED,
        "./config.json: vocab_size: is not a key that this program knows for "
        "Gemma3ForConditionalGeneration");
}

static void a_key_that_is_on_unless_told_is_refused_when_off(void **state)
{
    (void)state;
    assert_key_refused("is_causal", "false",
                       "./config.json: is_causal: is not a key that this "
                       "program knows for LlamaForCausalLM");
    assert_key_refused("is_causal", "null",
                       "./config.json: is_causal: is not a key that this "
                       "program knows for LlamaForCausalLM");
    assert_config_refused(
        CHANGES({"architectures", "[\"Gemma3ForCausalLM\"]"},
                {"model_type", "\"gemma3_text\""}, {"head_dim", "4"},
                {"rope_parameters", "{\"truncate\": false}"}),
        4, ERROR_UNSUPPORTED,
        "./config.json: rope_parameters.truncate: is not a key that this "
        "program knows for Gemma3ForCausalLM");
}

/* With this one, transformers forgets to cap the scores of a Gemma 2. */
static void a_key_that_begins_with_a_bar_is_no_exception(void **state)
{
    (void)state;
    const char *const values[] = {"\"sdpa\"", "null"};
    for (size_t i = 0; i < 2; i++)
        assert_key_refused("_attn_implementation", values[i],
                           "./config.json: _attn_implementation: is not a key "
                           "that this program knows for LlamaForCausalLM");
}

static void null_is_not_the_same_as_nothing_said(void **state)
{
    (void)state;
    assert_key_wrong("rope_theta", "null",
                     "./config.json: rope_theta: is null: leave it out, or "
                     "say what it is");
    assert_key_wrong("tie_word_embeddings", "null",
                     "./config.json: tie_word_embeddings: is null: leave it "
                     "out, or say what it is");
    assert_key_wrong("rope_scaling",
                     "{\"type\": \"yarn\", \"factor\": 4, \"truncate\": null}",
                     "./config.json: rope_scaling.truncate: is null: leave it "
                     "out, or say what it is");
}

static void a_key_that_only_others_read_is_refused(void **state)
{
    (void)state;
    assert_config_refused(
        CHANGES({"architectures", "[\"GPTNeoXForCausalLM\"]"},
                {"model_type", "\"gpt_neox\""}),
        2, ERROR_UNSUPPORTED,
        "./config.json: num_key_value_heads: is not a key that this program "
        "knows for GPTNeoXForCausalLM");
    assert_config_refused(
        CHANGES({"architectures", "[\"Gemma4ForCausalLM\"]"},
                {"model_type", "\"gemma4_text\""}, {"rope_theta", "5000"}),
        3, ERROR_UNSUPPORTED,
        "./config.json: rope_theta: is not a key that this program knows for "
        "Gemma4ForCausalLM");
}

static void a_key_that_is_off_or_about_training_is_not(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(NULL, 0, "F32");
    open_changed(&m,
                 CHANGES({"sliding_window", "null"}, {"some_switch", "false"},
                         {"initializer_range", "0.02"},
                         {"_name_or_path", "\"x\""}),
                 4);
    model_close(&m);
}

static void a_key_that_is_on_anyway_may_say_so(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(NULL, 0, "F32");
    open_changed(&m, CHANGES({"is_causal", "true"}), 1);
    model_close(&m);
    assert_key_refused("use_something_else", "true",
                       "./config.json: use_something_else: is not a key that "
                       "this program knows for LlamaForCausalLM");
}

/* transformers has a number of its own where these are absent; a checkpoint
 * that leaves them out may mean that, or what others do. */
static void a_key_that_a_family_must_say_is_missed(void **state)
{
    (void)state;
    assert_config_refused(CHANGES({"architectures", "[\"Qwen3ForCausalLM\"]"},
                                  {"model_type", "\"qwen3\""},
                                  {"num_key_value_heads", NULL}),
                          3, ERROR_INPUT,
                          "./config.json: num_key_value_heads: is missing, "
                          "and a Qwen3ForCausalLM has no rule for it");
    assert_config_refused(CHANGES({"architectures", "[\"Glm4ForCausalLM\"]"},
                                  {"model_type", "\"glm4\""}),
                          2, ERROR_INPUT,
                          "./config.json: head_dim: is missing, and a "
                          "Glm4ForCausalLM has no rule for it");
    assert_config_refused(CHANGES({"architectures", "[\"Gemma3ForCausalLM\"]"},
                                  {"model_type", "\"gemma3_text\""},
                                  {"head_dim", "null"}),
                          3, ERROR_INPUT,
                          "./config.json: head_dim: is null, and a "
                          "Gemma3ForCausalLM has no rule for it");
    assert_config_refused(
        CHANGES({"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
                {"model_type", "\"hunyuan_v1_dense\""}),
        2, ERROR_INPUT,
        "./config.json: head_dim: is missing, and a HunYuanDenseV1ForCausalLM "
        "has no rule for it");
}

static void parts_that_this_program_lacks_must_be_0(void **state)
{
    (void)state;
    const struct change gemma4[] = {
        {"architectures", "[\"Gemma4ForCausalLM\"]"},
        {"model_type", "\"gemma4_text\""},
        {"head_dim", "4"},
        {"rope_parameters", "{}"},
        {"hidden_size_per_layer_input", "0"},
        {"num_kv_shared_layers", "1"},
    };
    assert_config_refused(gemma4, 4, ERROR_INPUT,
                          "./config.json: hidden_size_per_layer_input: is "
                          "missing: expected an integer");
    assert_config_refused(gemma4, 6, ERROR_UNSUPPORTED,
                          "./config.json: num_kv_shared_layers: this program "
                          "has only models in which it is 0");
}

static void assert_hunyuan_refused(const char *key, const char *value,
                                   const char *message)
{
    assert_config_refused(
        CHANGES({"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
                {"model_type", "\"hunyuan_v1_dense\""}, {"head_dim", "4"},
                {"use_qk_norm", "true"}, {"norm_type", "\"rms\""},
                {key, value}),
        6, ERROR_UNSUPPORTED, message);
}

/* Keys of which there is only one way here.  What they say of the model that
 * is here is not refused: that would be the first to be named. */
static void a_key_with_another_value_than_its_only_one_is_refused(void **state)
{
    (void)state;
    assert_hunyuan_refused("num_experts", "16",
                           "./config.json: num_experts: this program has only "
                           "models in which it is 1");
    assert_hunyuan_refused("use_rotary_pos_emb", "false",
                           "./config.json: use_rotary_pos_emb: this program "
                           "has only models in which it is true");
    assert_hunyuan_refused("use_cla", "true",
                           "./config.json: use_cla: is not a key that this "
                           "program knows for HunYuanDenseV1ForCausalLM");
    assert_config_refused(
        CHANGES({"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
                {"model_type", "\"hunyuan_v1_dense\""}, {"head_dim", "4"},
                {"norm_type", "\"layer\""}),
        4, ERROR_UNSUPPORTED,
        "./config.json: norm_type: this program has only models in which it "
        "is \"rms\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(an_unknown_model_is_refused_by_name),
        SCRATCH(a_key_that_nobody_reads_is_refused),
        SCRATCH(a_key_beside_the_part_for_texts_is_refused),
        SCRATCH(a_key_that_is_on_unless_told_is_refused_when_off),
        SCRATCH(a_key_that_begins_with_a_bar_is_no_exception),
        SCRATCH(null_is_not_the_same_as_nothing_said),
        SCRATCH(a_key_that_only_others_read_is_refused),
        SCRATCH(a_key_that_is_off_or_about_training_is_not),
        SCRATCH(a_key_that_is_on_anyway_may_say_so),
        SCRATCH(a_key_that_a_family_must_say_is_missed),
        SCRATCH(parts_that_this_program_lacks_must_be_0),
        SCRATCH(a_key_with_another_value_than_its_only_one_is_refused),
    };
    return cmocka_run_group_tests_name("family_find", tests, NULL, NULL);
}

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

/* By its type, where it names no class. */
static void a_model_without_architecture_is_found_by_its_type(void **state)
{
    (void)state;
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_small_config(CHANGES({"architectures", NULL}), 1);
    model_describe(&m, ".", &e);
    assert_string_equal(e.message, "");
    model_close(&m);
}

/* By its name, also where it has no such sizes. */
static void a_model_without_sizes_is_refused_by_its_name(void **state)
{
    (void)state;
    write_text("config.json", "{\"architectures\": [\"WhisperForX\"], "
                              "\"model_type\": \"whisper\"}");
    assert_refused(ERROR_UNSUPPORTED,
                   "./config.json: architectures: this program knows no model "
                   "\"WhisperForX\"");
}

static void a_key_that_is_read_elsewhere_is_refused(void **state)
{
    (void)state;
    assert_key_refused("configuration_files", "[\"config.4.0.0.json\"]",
                       "./config.json: configuration_files: is not a key that "
                       "this program knows for LlamaForCausalLM");
    assert_key_refused("is_encoder_decoder", "true",
                       "./config.json: is_encoder_decoder: is not a key that "
                       "this program knows for LlamaForCausalLM");
    assert_key_refused("sliding_window", "16",
                       "./config.json: sliding_window: is not a key that this "
                       "program knows for LlamaForCausalLM");
    assert_config_refused(CHANGES({"architectures", "[\"Qwen2ForCausalLM\"]"},
                                  {"model_type", "\"qwen2\""},
                                  {"layer_type", "\"x\""}),
                          3, ERROR_UNSUPPORTED,
                          "./config.json: layer_type: is not a key that "
                          "this program knows for Qwen2ForCausalLM");
}

/* transformers takes its own number for hidden_size, not that of n_embd. */
static void another_spelling_is_no_size(void **state)
{
    (void)state;
    assert_config_refused(CHANGES({"hidden_size", NULL}, {"n_embd", "8"}), 2,
                          ERROR_INPUT,
                          "./config.json: hidden_size: is missing, and a "
                          "LlamaForCausalLM has no rule for it");
}

/* A model of this family, with one key more. */
static void assert_nothing(const char *architecture, const char *type,
                           const char *key, const char *value)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_small_config(CHANGES({"architectures", architecture},
                               {"model_type", type}, {"head_dim", "4"},
                               {key, value}),
                       4);
    model_describe(&m, ".", &e);
    assert_string_equal(e.message, "");
    model_close(&m);
}

/* Each of these is from a file that people use. */
static void what_published_files_say_for_nothing_is_passed_over(void **state)
{
    (void)state;
    static const char *const said[][4] = {
        {"Phi3", "phi3", "auto_map",
         "{\"AutoConfig\": \"configuration_phi3.Phi3Config\"}"},
        {"Phi3", "phi3", "full_attn_mod", "1"},
        {"Phi3", "phi3", "interpolate_factor", "1"},
        {"Starcoder2", "starcoder2", "mlp_type", "\"default\""},
        {"Starcoder2", "starcoder2", "norm_type", "\"layer_norm\""},
        {"Gemma2", "gemma2", "sliding_window_size", "4096"},
        {"Gemma2", "gemma2", "cache_implementation", "\"hybrid\""},
        {"Llama", "llama", "unsloth_fixed", "true"},
        {"Qwen3", "qwen3", "unsloth_version", "\"2025.5.9\""},
        {"Llama", "llama", "return_dict", "true"},
        {"Llama", "llama", "id2label", "{\"0\": \"LABEL_0\"}"},
        {"Mistral", "mistral", "chunk_size_feed_forward", "0"},
        {"Qwen2", "qwen2", "attention_probs_dropout_prob", "0"},
        {"Llama", "llama", "n_embd", "7"},
    };
    char architecture[64], type[64];
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        snprintf(architecture, sizeof architecture, "[\"%sForCausalLM\"]",
                 said[i][0]);
        snprintf(type, sizeof type, "\"%s\"", said[i][1]);
        assert_nothing(architecture, type, said[i][2], said[i][3]);
    }
}

static void open_gemma4(struct model *m, const char *bidirectional,
                        struct error *e)
{
    *e = (struct error){ERROR_NONE, ""};
    write_small_config(
        CHANGES({"architectures", "[\"Gemma4ForCausalLM\"]"},
                {"model_type", "\"gemma4_text\""}, {"head_dim", "4"},
                {"global_head_dim", "4"}, {"hidden_size_per_layer_input", "0"},
                {"rope_parameters",
                 "{\"full_attention\": {\"rope_theta\": 100}, "
                 "\"sliding_attention\": {\"rope_theta\": 100}}"},
                {"num_kv_shared_layers", "0"},
                {"use_bidirectional_attention", bidirectional}),
        8);
    model_describe(m, ".", e);
}

/* The tokens of a picture see each other; those of a text do not. */
static void only_pictures_may_be_seen_both_ways(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    open_gemma4(&m, "\"vision\"", &e);
    assert_string_equal(e.message, "");
    model_close(&m);
    open_gemma4(&m, "\"all\"", &e);
    assert_string_equal(e.message,
                        "./config.json: use_bidirectional_attention: this "
                        "program has only models in which it is \"vision\"");
}

static void a_key_that_is_on_unless_told_is_refused_when_off(void **state)
{
    (void)state;
    assert_key_refused("is_causal", "false",
                       "./config.json: is_causal: this program has only "
                       "models in which it is true");
    assert_key_refused("return_dict", "false",
                       "./config.json: return_dict: this program has only "
                       "models in which it is true");
    assert_key_refused("is_causal", "null",
                       "./config.json: is_causal: this program has only "
                       "models in which it is true");
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
                           "./config.json: _attn_implementation: this program "
                           "has only models in which it is \"eager\"");
}

/* The plain way to compute attention, as here: a Gemma 2 27B asks for it. */
static void eager_attention_may_be_asked_for(void **state)
{
    (void)state;
    assert_nothing("[\"Gemma2ForCausalLM\"]", "\"gemma2\"",
                   "_attn_implementation", "\"eager\"");
}

static void null_is_not_the_same_as_nothing_said(void **state)
{
    (void)state;
    assert_key_wrong("auto_map", "null",
                     "./config.json: auto_map: is null: leave it out, or say "
                     "what it is");
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
    struct change wide = {"hidden_size_per_layer_input", "256"};
    assert_config_refused(
        CHANGES(gemma4[0], gemma4[1], gemma4[2], gemma4[3], wide), 5,
        ERROR_UNSUPPORTED,
        "./config.json: hidden_size_per_layer_input: this program has only "
        "models in which it is 0");
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

static void assert_internlm2_refused(const char *key, const char *value,
                                     const char *message)
{
    assert_config_refused(
        CHANGES({"architectures", "[\"InternLM2ForCausalLM\"]"},
                {"model_type", "\"internlm2\""}, {"bias", "false"},
                {key, value}),
        4, ERROR_UNSUPPORTED, message);
}

/* Its code was published beside its weights: transformers has none. */
static void what_the_code_of_internlm2_lacks_is_refused(void **state)
{
    (void)state;
    assert_internlm2_refused("head_dim", "4",
                             "./config.json: head_dim: is not a key that this "
                             "program knows for InternLM2ForCausalLM");
    assert_internlm2_refused("rope_parameters", "{\"rope_theta\": 100.0}",
                             "./config.json: rope_parameters: is not a key "
                             "that this program knows for "
                             "InternLM2ForCausalLM");
    assert_internlm2_refused("attn_implementation", "\"sdpa\"",
                             "./config.json: attn_implementation: this "
                             "program has only models in which it is "
                             "\"eager\"");
    assert_internlm2_refused(
        "rope_scaling", "{\"type\": \"yarn\", \"factor\": 4.0}",
        "./config.json: rope_scaling.type: this program knows no rotary "
        "scaling \"yarn\"");
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
    assert_hunyuan_refused("alpha", "50",
                           "./config.json: alpha: is not a key that this "
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
        SCRATCH(a_model_without_architecture_is_found_by_its_type),
        SCRATCH(a_model_without_sizes_is_refused_by_its_name),
        SCRATCH(a_key_that_is_read_elsewhere_is_refused),
        SCRATCH(another_spelling_is_no_size),
        SCRATCH(what_published_files_say_for_nothing_is_passed_over),
        SCRATCH(only_pictures_may_be_seen_both_ways),
        SCRATCH(a_key_that_is_on_unless_told_is_refused_when_off),
        SCRATCH(a_key_that_begins_with_a_bar_is_no_exception),
        SCRATCH(eager_attention_may_be_asked_for),
        SCRATCH(null_is_not_the_same_as_nothing_said),
        SCRATCH(a_key_that_only_others_read_is_refused),
        SCRATCH(a_key_that_is_off_or_about_training_is_not),
        SCRATCH(a_key_that_is_on_anyway_may_say_so),
        SCRATCH(a_key_that_a_family_must_say_is_missed),
        SCRATCH(parts_that_this_program_lacks_must_be_0),
        SCRATCH(what_the_code_of_internlm2_lacks_is_refused),
        SCRATCH(a_key_with_another_value_than_its_only_one_is_refused),
    };
    return cmocka_run_group_tests_name("family_find", tests, NULL, NULL);
}

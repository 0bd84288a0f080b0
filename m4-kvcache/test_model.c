/* A model is opened only when every key of config.json and every tensor is
 * understood. */
#include "model.h"

#include "family.h"
#include "layer_config.h"
#include "test_model_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define CHANGES(...)                                                          \
    (const struct change[])                                                   \
    {                                                                         \
        __VA_ARGS__                                                           \
    }

/* Open the small model with changes (n,) to its config.json. */
static void open_changed(struct model *m, const struct change *changes,
                         size_t n)
{
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    model_open(m, ".", &e);
    assert_string_equal(e.message, "");
}

static void assert_refused(enum error_code code, const char *message)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(model_open(&m, ".", &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
    assert_null(m.layers);
}

/* There are no weights at all: so it is refused before they are looked for. */
static void assert_config_refused(const struct change *changes, size_t n,
                                  enum error_code code, const char *message)
{
    write_small_config(changes, n);
    assert_refused(code, message);
}

static void assert_key_refused(const char *key, const char *value,
                               const char *message)
{
    assert_config_refused(CHANGES({key, value}), 1, ERROR_UNSUPPORTED,
                          message);
}

static void assert_key_wrong(const char *key, const char *value,
                             const char *message)
{
    assert_config_refused(CHANGES({key, value}), 1, ERROR_INPUT, message);
}

/* --- families ------------------------------------------------------------ */

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
    assert_key_wrong("rope_scaling",
                     "{\"type\": \"yarn\", \"factor\": 4, \"truncate\": null}",
                     "./config.json: rope_scaling.truncate: expected true or "
                     "false, found null");
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

/* --- values -------------------------------------------------------------- */

static void a_value_that_is_not_known_is_refused(void **state)
{
    (void)state;
    assert_key_refused("hidden_act", "\"relu\"",
                       "./config.json: hidden_act: this program knows no "
                       "activation \"relu\"");
    assert_key_wrong("hidden_act", "3",
                     "./config.json: hidden_act: expected a string, found an "
                     "integer");
    assert_key_wrong("rms_norm_eps", "-1",
                     "./config.json: rms_norm_eps: expected 0 or more, found "
                     "-1");
    assert_key_wrong("attention_bias", "1",
                     "./config.json: attention_bias: expected true or false, "
                     "found an integer");
    assert_key_wrong("rope_scaling",
                     "{\"type\": \"llama3\", \"factor\": 8, "
                     "\"low_freq_factor\": 4, \"high_freq_factor\": 4}",
                     "./config.json: rope_scaling.high_freq_factor: expected "
                     "more than low_freq_factor, 4, found 4");
    assert_key_wrong("head_dim", "5",
                     "./config.json: head_dim: 5 numbers do not make pairs to "
                     "rotate");
}

static void activations_have_several_names(void **state)
{
    (void)state;
    const char *const names[] = {"\"silu\"", "\"swish\"", "\"gelu\"",
                                 "\"gelu_new\"", "\"gelu_pytorch_tanh\""};
    activation *const functions[] = {silu, silu, gelu, gelu_tanh, gelu_tanh};
    struct model m;
    write_small_weights(NULL, 0, "F32");
    for (size_t i = 0; i < 5; i++) {
        open_changed(&m, CHANGES({"hidden_act", names[i]}), 1);
        assert_ptr_equal(m.layers[0].mlp.activate, functions[i]);
        model_close(&m);
    }
}

static const struct change qwen3[] = {
    {"architectures", "[\"Qwen3ForCausalLM\"]"},
    {"model_type", "\"qwen3\""},
    {"num_hidden_layers", "3"},
};

/* Refuse a Qwen3 of three layers with these settings. */
static void assert_window_refused(struct change a, struct change b,
                                  enum error_code code, const char *message)
{
    const struct change changes[] = {
        qwen3[0], qwen3[1], qwen3[2], a, b, {"use_sliding_window", "true"}};
    assert_config_refused(changes, 6, code, message);
}

static void windows_must_make_sense(void **state)
{
    (void)state;
    const struct change size = {"sliding_window", "7"};
    assert_window_refused((struct change){"sliding_window", "0"},
                          (struct change){"max_window_layers", "1"},
                          ERROR_INPUT,
                          "./config.json: sliding_window: a token must see at "
                          "least itself");
    assert_window_refused(
        size, (struct change){"layer_types", "[\"full_attention\"]"},
        ERROR_INPUT, "./config.json: layer_types: 1 types for 3 layers");
    assert_window_refused(
        size,
        (struct change){"layer_types", "[\"full_attention\", \"round\", "
                                       "\"sliding_attention\"]"},
        ERROR_UNSUPPORTED,
        "./config.json: layer_types[1]: this program knows no layer type "
        "\"round\"");
    assert_window_refused(
        (struct change){"sliding_window", "null"},
        (struct change){"layer_types",
                        "[\"full_attention\", \"full_attention\", "
                        "\"sliding_attention\"]"},
        ERROR_INPUT,
        "./config.json: layer_types: layer 2 has a window, but its size is "
        "not given");
}

/* Of layer l, where config.json gives no max_window_layers. */
static size_t upper_window(size_t l)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    write_small_config(CHANGES(qwen3[0], qwen3[1], {"num_hidden_layers", "29"},
                               {"use_sliding_window", "true"},
                               {"sliding_window", "7"}),
                       5);
    assert_int_equal(config_load(&c, ".", &e), 0);
    const struct family *f = family_find(&c, &e);
    assert_non_null(f);
    size_t window;
    assert_int_equal(layer_window(f, &c, l, &window, &e), 0);
    config_free(&c);
    return window;
}

static void windows_have_defaults(void **state)
{
    (void)state;
    struct model m;
    assert_int_equal(upper_window(27), 0);
    assert_int_equal(upper_window(28), 7);
    write_small_weights(NULL, 0, "F32");
    open_changed(&m,
                 CHANGES({"architectures", "[\"MistralForCausalLM\"]"},
                         {"model_type", "\"mistral\""}),
                 2);
    assert_int_equal(m.layers[0].attention.window, 4096);
    model_close(&m);
}

/* --- weights ------------------------------------------------------------- */

static void assert_weights_refused(const char *name, const char *shape,
                                   const char *message)
{
    write_small_config(NULL, 0);
    write_small_weights(CHANGES({name, shape}), 1, "F32");
    assert_refused(ERROR_INPUT, message);
}

static void each_missing_tensor_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TENSORS; i++) {
        char message[200];
        snprintf(message, sizeof message,
                 "./model.safetensors: there is no tensor %s",
                 small_tensors[i].key);
        assert_weights_refused(small_tensors[i].key, NULL, message);
    }
}

static void a_tensor_of_another_shape_is_refused(void **state)
{
    (void)state;
    assert_weights_refused(
        "model.layers.0.mlp.up_proj.weight", "[8, 6]",
        "./model.safetensors: tensor model.layers.0.mlp.up_proj.weight is "
        "[8, 6], but by config.json it should be [6, 8]");
    assert_weights_refused("model.norm.weight", "[8, 1]",
                           "./model.safetensors: tensor model.norm.weight is "
                           "[8, 1], but by config.json it should be [8]");
    assert_weights_refused(
        "model.embed_tokens.weight", "[6, 8]",
        "./model.safetensors: tensor model.embed_tokens.weight is [6, 8], but "
        "by config.json it should be [5, 8]");
    assert_weights_refused(
        "lm_head.weight", "[40]",
        "./model.safetensors: tensor lm_head.weight is [40], but by "
        "config.json it should be [5, 8]");
}

static void assert_unused_refused(const char *name, const char *shape)
{
    char message[200];
    snprintf(message, sizeof message,
             "./model.safetensors: nothing uses tensor %s, so the model is "
             "not what config.json says it is",
             name);
    write_small_config(NULL, 0);
    write_small_weights(CHANGES({name, shape}), 1, "F32");
    assert_refused(ERROR_UNSUPPORTED, message);
}

static void a_tensor_that_nothing_uses_is_refused(void **state)
{
    (void)state;
    assert_unused_refused("model.layers.0.self_attn.q_proj.bias", "[8]");
    assert_unused_refused("model.layers.1.mlp.up_proj.weight", "[6, 8]");
}

static void a_type_that_cannot_be_multiplied_is_refused(void **state)
{
    (void)state;
    write_small_config(NULL, 0);
    write_small_weights(NULL, 0, "I8");
    assert_refused(ERROR_UNSUPPORTED,
                   "./model.safetensors: tensor model.embed_tokens.weight has "
                   "numbers of type I8; F32, F16 and BF16 can be multiplied");
}

static void old_files_may_hold_rotary_frequencies(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(
        CHANGES({"model.layers.0.self_attn.rotary_emb.inv_freq", "[2]"}), 1,
        "F32");
    open_changed(&m, NULL, 0);
    model_close(&m);
}

static void a_tied_head_is_the_embedding_unless_it_is_there(void **state)
{
    (void)state;
    struct model m;
    const struct change tied[] = {{"tie_word_embeddings", "true"}};
    write_small_weights(CHANGES({"lm_head.weight", NULL}), 1, "F32");
    open_changed(&m, tied, 1);
    assert_ptr_equal(m.head.data, m.embedding.data);
    model_close(&m);
    write_small_weights(NULL, 0, "F32");
    open_changed(&m, tied, 1);
    assert_ptr_not_equal(m.head.data, m.embedding.data);
    model_close(&m);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_small_model_is_opened),
        SCRATCH(an_unknown_model_is_refused_by_name),
        SCRATCH(a_key_that_nobody_reads_is_refused),
        SCRATCH(a_key_beside_the_part_for_texts_is_refused),
        SCRATCH(a_key_that_is_on_unless_told_is_refused_when_off),
        SCRATCH(a_key_that_is_off_or_about_training_is_not),
        SCRATCH(a_value_that_is_not_known_is_refused),
        SCRATCH(activations_have_several_names),
        SCRATCH(windows_must_make_sense),
        SCRATCH(windows_have_defaults),
        SCRATCH(each_missing_tensor_is_named),
        SCRATCH(a_tensor_of_another_shape_is_refused),
        SCRATCH(a_tensor_that_nothing_uses_is_refused),
        SCRATCH(a_type_that_cannot_be_multiplied_is_refused),
        SCRATCH(old_files_may_hold_rotary_frequencies),
        SCRATCH(a_tied_head_is_the_embedding_unless_it_is_there),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}

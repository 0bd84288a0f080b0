/* What config.json says for all layers must make sense. */
#include "switches.h"

#include "test_model_open.h"

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
    const char *const names[] = {"\"silu\"",      "\"swish\"",
                                 "\"gelu\"",      "\"gelu_new\"",
                                 "\"gelu_fast\"", "\"gelu_pytorch_tanh\""};
    activation *const functions[] = {silu,      silu,      gelu,
                                     gelu_tanh, gelu_tanh, gelu_tanh};
    struct model m;
    write_small_weights(NULL, 0, "F32");
    for (size_t i = 0; i < 6; i++) {
        open_changed(&m, CHANGES({"hidden_act", names[i]}), 1);
        assert_ptr_equal(m.layers[0].mlp.activate, functions[i]);
        model_close(&m);
    }
}

static void assert_granite_refused(const char *value, const char *message)
{
    assert_config_refused(
        CHANGES({"architectures", "[\"GraniteForCausalLM\"]"},
                {"model_type", "\"granite\""},
                {"attention_multiplier", value}),
        3, ERROR_INPUT, message);
}

/* Too small a number would be 0 in the forward pass, where that says that
 * there is no such scale. */
static void a_scale_must_be_above_0(void **state)
{
    (void)state;
    assert_granite_refused("0", "./config.json: attention_multiplier: "
                                "expected a 32-bit number above 0, found 0");
    assert_granite_refused("1e-46",
                           "./config.json: attention_multiplier: expected a "
                           "32-bit number above 0, found 1e-46");
    assert_granite_refused("1e39",
                           "./config.json: attention_multiplier: expected a "
                           "32-bit number above 0, found 1e+39");
    assert_granite_refused("null", "./config.json: attention_multiplier: is "
                                   "null: leave it out, or say what it is");
}

/* A null takes a cap away; without the key there is the family's own. */
static void a_soft_cap_may_be_taken_away(void **state)
{
    (void)state;
    const struct change gemma2[] = {
        {"architectures", "[\"Gemma2ForCausalLM\"]"},
        {"model_type", "\"gemma2\""},
        {"head_dim", "4"},
        {"attn_logit_softcapping", "null"}};
    struct config c;
    struct switches s;
    struct error e = {ERROR_NONE, ""};
    open_small_config(&c, gemma2, 4);
    assert_int_equal(switches_read(family_find(&c, &e), &c, &s, &e), 0);
    assert_true(s.score_cap == 0 && s.logit_cap == 30);
    config_free(&c);
}

/* The number of config.json, or what the family says. */
static void scores_are_scaled_as_the_family_says(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(NULL, 0, "F32");
    open_changed(&m,
                 CHANGES({"architectures", "[\"GraniteForCausalLM\"]"},
                         {"model_type", "\"granite\""},
                         {"attention_multiplier", "0.125"},
                         {"logits_scaling", "4"},
                         {"residual_multiplier", "0.5"}),
                 5);
    assert_true(m.layers[0].attention.scale == 0.125f);
    assert_true(m.logit_scale == 0.25f && m.layers[0].residual == 0.5f);
    assert_true(m.embedding_scale == 1);
    model_close(&m);
    open_changed(&m,
                 CHANGES({"architectures", "[\"GraniteForCausalLM\"]"},
                         {"model_type", "\"granite\""}),
                 2);
    assert_true(m.layers[0].attention.scale == 1);
    model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_value_that_is_not_known_is_refused),
        SCRATCH(activations_have_several_names),
        SCRATCH(a_scale_must_be_above_0),
        SCRATCH(a_soft_cap_may_be_taken_away),
        SCRATCH(scores_are_scaled_as_the_family_says),
    };
    return cmocka_run_group_tests_name("switches", tests, NULL, NULL);
}

/* Each switch has its key: one after the other, in families that are made up
 * for a test. */
#include "switches.h"

#include "test_model_open.h"

#include <math.h>

/* Read the switches of a family that is made up for a test. */
static struct switches read_made(const struct family *f,
                                 const struct change *changes, size_t n)
{
    struct config c;
    struct switches s = {0};
    struct error e = {ERROR_NONE, ""};
    open_small_config(&c, changes, n);
    assert_accepted(switches_read(f, &c, &s, &e), &e);
    config_free(&c);
    return s;
}

static void assert_made_refused(const struct family *f,
                                const struct change *changes, size_t n,
                                enum error_code code, const char *message)
{
    struct config c;
    struct switches s = {0};
    struct error e = {ERROR_NONE, ""};
    open_small_config(&c, changes, n);
    assert_int_equal(switches_read(f, &c, &s, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
    config_free(&c);
}

static void a_family_may_call_its_keys_otherwise(void **state)
{
    (void)state;
    const struct family plain = {.keys = "", .norm = NORM_RMS};
    const struct family own = {.keys = "",
                               .norm = NORM_LAYER,
                               .norm_offset = 3,
                               .eps_key = "norm_epsilon",
                               .eps = 0.25,
                               .activation_key = "activation_function",
                               .activation = "gelu"};
    struct switches s = read_made(&plain, COUNTED(NOTHING));
    assert_ptr_equal(s.activate, silu);
    assert_true(s.norm.kind == NORM_RMS && s.norm.eps == (float)1e-6);
    assert_true(s.norm.weight_offset == 0);
    s = read_made(&own, COUNTED({"hidden_act", "\"swish\""},
                                {"rms_norm_eps", "2"}));
    assert_ptr_equal(s.activate, gelu);
    assert_true(s.norm.kind == NORM_LAYER && s.norm.eps == 0.25F);
    assert_true(s.norm.weight_offset == 3);
    s = read_made(&own, COUNTED({"activation_function", "\"gelu_new\""},
                                {"norm_epsilon", "0.5"}));
    assert_ptr_equal(s.activate, gelu_tanh);
    assert_true(s.norm.eps == 0.5F);
}

/* A family may have a key without a value of its own, and the reverse. */
static void a_key_and_its_default_are_two_things(void **state)
{
    (void)state;
    const struct family keys = {.keys = "",
                                .norm = NORM_RMS,
                                .eps_key = "norm_epsilon",
                                .activation_key = "activation_function"};
    const struct family values = {
        .keys = "", .norm = NORM_RMS, .eps = 0.25, .activation = "gelu"};
    const struct change eps = {"rms_norm_eps", "2"};
    const struct change name = {"hidden_act", "\"gelu_new\""};
    struct switches s = read_made(&keys, COUNTED(eps, name));
    assert_true(s.norm.eps == (float)1e-6);
    assert_ptr_equal(s.activate, silu);
    s = read_made(&values, COUNTED(NOTHING));
    assert_true(s.norm.eps == 0.25F);
    assert_ptr_equal(s.activate, gelu);
    s = read_made(&values, COUNTED(eps, name));
    assert_true(s.norm.eps == 2);
    assert_ptr_equal(s.activate, gelu_tanh);
}

static void what_norms_and_activations_may_be(void **state)
{
    (void)state;
    const struct family plain = {.keys = ""};
    assert_made_refused(&plain, COUNTED({"hidden_act", "\"relu\""}),
                        ERROR_UNSUPPORTED,
                        "./config.json: hidden_act: this program knows no "
                        "activation \"relu\"");
    assert_made_refused(&plain, COUNTED({"hidden_act", "3"}), ERROR_INPUT,
                        "./config.json: hidden_act: expected a string, found "
                        "an integer");
    assert_made_refused(&plain, COUNTED({"rms_norm_eps", "\"1\""}),
                        ERROR_INPUT,
                        "./config.json: rms_norm_eps: expected a number, "
                        "found a string");
    assert_made_refused(&plain, COUNTED({"rms_norm_eps", "-1"}), ERROR_INPUT,
                        "./config.json: rms_norm_eps: expected 0 or more, "
                        "found -1");
    assert_made_refused(&plain, COUNTED({"rms_norm_eps", "1e39"}), ERROR_INPUT,
                        "./config.json: rms_norm_eps: expected 0 or more, "
                        "found 1e+39");
    struct switches s = read_made(&plain, COUNTED({"rms_norm_eps", "0"}));
    assert_true(s.norm.eps == 0);
    s = read_made(&plain,
                  COUNTED({"rms_norm_eps", "3.4028234663852886e38"}));
    assert_true(s.norm.eps == 3.4028234663852886e38F);
}

/* --- biases ------------------------------------------------------------- */

/* A letter for each of queries, outputs and MLP: B has a bias, - has none. */
static void assert_biases(const char *expected, const struct family *f,
                          struct change change)
{
    struct switches s = read_made(f, COUNTED(change));
    char found[4] = "---";
    if (s.qkv_bias)
        found[0] = 'B';
    if (s.o_bias)
        found[1] = 'B';
    if (s.mlp_bias)
        found[2] = 'B';
    assert_string_equal(found, expected);
}

static void each_bias_has_its_key(void **state)
{
    (void)state;
    struct family f = {
        .keys = "", .qkv_bias = "q", .o_bias = "o", .mlp_bias = "m"};
    const struct change nothing = NOTHING;
    assert_biases("---", &f, nothing);
    assert_biases("B--", &f, (struct change){"q", "true"});
    assert_biases("-B-", &f, (struct change){"o", "true"});
    assert_biases("--B", &f, (struct change){"m", "true"});
    f.biased = true;
    assert_biases("BBB", &f, nothing);
    assert_biases("-BB", &f, (struct change){"q", "false"});
    assert_biases("B-B", &f, (struct change){"o", "false"});
    assert_biases("BB-", &f, (struct change){"m", "false"});
    f = (struct family){.keys = "", .o_bias = "always", .mlp_bias = "m"};
    assert_biases("-B-", &f, nothing);
    assert_biases("-B-", &f, (struct change){"always", "false"});
}

static void a_bias_is_there_or_not(void **state)
{
    (void)state;
    static const char *const keys[] = {"q", "o", "m"};
    const struct family f = {
        .keys = "", .qkv_bias = "q", .o_bias = "o", .mlp_bias = "m"};
    for (size_t i = 0; i < 3; i++) {
        char message[90];
        snprintf(message, sizeof message,
                 "./config.json: %s: expected true or false, found an integer",
                 keys[i]);
        assert_made_refused(&f, COUNTED({keys[i], "1"}), ERROR_INPUT, message);
    }
}

static void halves_are_parallel_where_a_family_can(void **state)
{
    (void)state;
    const struct family can = {.keys = "use_parallel_residual"};
    const struct family cannot = {.keys = ""};
    const struct change yes = {"use_parallel_residual", "true"};
    assert_true(read_made(&can, COUNTED(NOTHING)).parallel);
    assert_true(read_made(&can, COUNTED(yes)).parallel);
    assert_false(
        read_made(&can, COUNTED({"use_parallel_residual", "false"})).parallel);
    assert_false(read_made(&cannot, COUNTED(yes)).parallel);
    assert_made_refused(&can, COUNTED({"use_parallel_residual", "2"}),
                        ERROR_INPUT,
                        "./config.json: use_parallel_residual: expected true "
                        "or false, found an integer");
}

/* --- scales ------------------------------------------------------------- */

#define SCALES                                                                \
    {"embedding_multiplier", "2"}, {"residual_multiplier", "3"},              \
        {"logits_scaling", "5"}, {"attn_logit_softcapping", "7"},             \
        {"final_logit_softcapping", "11"},                                    \
    {                                                                         \
        "attention_multiplier", "13"                                          \
    }

static const char all_scales[] =
    "embedding_multiplier residual_multiplier logits_scaling "
    "attn_logit_softcapping final_logit_softcapping attention_multiplier";

static void each_scale_has_its_key(void **state)
{
    (void)state;
    const struct family f = {
        .keys = all_scales, .score_cap = 50, .logit_cap = 30};
    struct switches s = read_made(&f, COUNTED(SCALES));
    assert_true(s.embedding_scale == 2 && s.residual == 3);
    assert_true(s.logits_divisor == 5 && s.score_scale == 13);
    assert_true(s.score_cap == 7 && s.logit_cap == 11);
    s = read_made(&f, COUNTED(NOTHING));
    assert_true(s.embedding_scale == 1 && s.residual == 1);
    assert_true(s.logits_divisor == 1 && s.score_scale == 1);
    assert_true(s.score_cap == 50 && s.logit_cap == 30);
}

static void what_a_family_does_not_read_scales_nothing(void **state)
{
    (void)state;
    const struct family f = {.keys = "", .score_cap = 50, .logit_cap = 30};
    struct switches s = read_made(&f, COUNTED(SCALES));
    assert_true(s.embedding_scale == 1 && s.residual == 1);
    assert_true(s.logits_divisor == 1 && s.score_scale == 0);
    assert_true(s.score_cap == 50 && s.logit_cap == 30);
    s = read_made(&f, COUNTED({"attn_logit_softcapping", "null"},
                              {"final_logit_softcapping", "null"}));
    assert_true(s.score_cap == 50 && s.logit_cap == 30);
}

static void a_null_takes_one_cap_away(void **state)
{
    (void)state;
    const struct family f = {
        .keys = all_scales, .score_cap = 50, .logit_cap = 30};
    struct switches s =
        read_made(&f, COUNTED({"attn_logit_softcapping", "null"}));
    assert_true(s.score_cap == 0 && s.logit_cap == 30);
    s = read_made(&f, COUNTED({"final_logit_softcapping", "null"}));
    assert_true(s.score_cap == 50 && s.logit_cap == 0);
}

static void each_scale_must_be_above_0(void **state)
{
    (void)state;
    static const struct change scales[] = {SCALES};
    const struct family f = {.keys = all_scales};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        char message[100];
        snprintf(message, sizeof message,
                 "./config.json: %s: expected a 32-bit number above 0, found "
                 "0",
                 scales[i].name);
        assert_made_refused(&f, COUNTED({scales[i].name, "0"}), ERROR_INPUT,
                            message);
        snprintf(message, sizeof message,
                 "./config.json: %s: expected a number, found a string",
                 scales[i].name);
        assert_made_refused(&f, COUNTED({scales[i].name, "\"1\""}),
                            ERROR_INPUT, message);
    }
}

/* The smallest and the largest number that a float holds as it holds 1. */
static void a_scale_may_be_what_32_bits_can_hold(void **state)
{
    (void)state;
    const struct family f = {.keys = "logits_scaling"};
    assert_true(
        read_made(&f, COUNTED({"logits_scaling", "1.1754943508222875e-38"}))
            .logits_divisor == 1.1754943508222875e-38);
    assert_true(
        read_made(&f, COUNTED({"logits_scaling", "3.4028234663852886e38"}))
            .logits_divisor == 3.4028234663852886e38);
    assert_made_refused(&f, COUNTED({"logits_scaling", "3.41e38"}),
                        ERROR_INPUT,
                        "./config.json: logits_scaling: expected a 32-bit "
                        "number above 0, found 3.41e+38");
}

/* 64 numbers a head: scores are divided by 8; without the key by 16. */
static void scores_may_be_scaled_by_another_size(void **state)
{
    (void)state;
    const struct family f = {.keys = "query_pre_attn_scalar"};
    const struct family plain = {.keys = "", .plain_scores = true};
    const struct change size = {"query_pre_attn_scalar", "64"};
    assert_true(read_made(&f, COUNTED(size)).score_scale == 0.125);
    assert_true(read_made(&f, COUNTED(NOTHING)).score_scale == 0.0625);
    assert_true(read_made(&plain, COUNTED(size)).score_scale == 1);
    assert_made_refused(&f, COUNTED({"query_pre_attn_scalar", "0"}),
                        ERROR_INPUT,
                        "./config.json: query_pre_attn_scalar: expected a "
                        "32-bit number above 0, found 0");
}

static void an_embedding_may_be_scaled_by_its_width(void **state)
{
    (void)state;
    const struct family f = {.keys = "embedding_multiplier",
                             .scale_embedding = true};
    struct switches s = read_made(&f, COUNTED({"embedding_multiplier", "3"}));
    assert_true(s.embedding_scale == sqrt(8) && s.residual == 1);
}

/* --- ropes -------------------------------------------------------------- */

static void layers_that_do_not_turn_have_a_rope_of_their_own(void **state)
{
    (void)state;
    const struct family plain = {.keys = ""};
    const struct family some = {.keys = "no_rope_layers"};
    struct switches s = read_made(&plain, COUNTED({"rope_theta", "300"}));
    assert_int_equal(s.n_ropes, 1);
    assert_true(s.ropes[0].theta == 300 && s.ropes[0].dim == 4);
    s = read_made(&some, COUNTED({"rope_theta", "300"}));
    assert_int_equal(s.n_ropes, 2);
    assert_true(s.ropes[0].theta == 300 && s.ropes[0].dim == 4);
    assert_int_equal(s.ropes[1].dim, 0);
    assert_made_refused(&plain, COUNTED({"rope_theta", "1"}), ERROR_INPUT,
                        "./config.json: rope_theta: expected a 32-bit number "
                        "above 1, found 1");
}

/* Heads of 6 in full layers, of 4 in windowed ones. */
static void each_kind_of_layers_has_a_rope(void **state)
{
    (void)state;
    struct switches s = read_made(
        &two_kinds,
        COUNTED(three_layers, full_first, {"global_head_dim", "6"}));
    assert_int_equal(s.n_ropes, 3);
    assert_true(s.ropes[LAYER_FULL].theta == 100);
    assert_true(s.ropes[LAYER_WINDOWED].theta == 200);
    assert_int_equal(s.ropes[LAYER_FULL].head_dim, 6);
    assert_int_equal(s.ropes[LAYER_WINDOWED].head_dim, 4);
    s = read_made(&two_kinds, COUNTED({"global_head_dim", "6"}));
    assert_int_equal(s.ropes[LAYER_FULL].head_dim, 4); /* there is none */
    struct family most = two_kinds; /* what would be the next layer is full */
    most.windows = WINDOW_MOST;
    most.full_every = 2;
    s = read_made(&most, COUNTED({"global_head_dim", "6"}));
    assert_int_equal(s.ropes[LAYER_FULL].head_dim, 4);
}

/* The size of the first layer of a kind is that of its rope. */
static void a_rope_fits_the_first_layer_of_its_kind(void **state)
{
    (void)state;
    const struct change own = {
        "per_layer_config",
        "{\"1\": {\"head_dim\": 8}, \"2\": {\"head_dim\": 10}}"};
    struct switches s =
        read_made(&two_kinds, COUNTED(three_layers, full_first, own));
    assert_int_equal(s.ropes[LAYER_FULL].head_dim, 4);
    assert_int_equal(s.ropes[LAYER_WINDOWED].head_dim, 8);
    assert_made_refused(&two_kinds, COUNTED({"layer_types", "[\"round\"]"}),
                        ERROR_UNSUPPORTED,
                        "./config.json: layer_types[0]: this program knows no "
                        "layer type \"round\"");
    assert_made_refused(&two_kinds, COUNTED({"max_window_layers", "[]"}),
                        ERROR_INPUT,
                        "./config.json: max_window_layers: expected an "
                        "integer, found an array");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_family_may_call_its_keys_otherwise),
        SCRATCH(a_key_and_its_default_are_two_things),
        SCRATCH(what_norms_and_activations_may_be),
        SCRATCH(each_bias_has_its_key),
        SCRATCH(a_bias_is_there_or_not),
        SCRATCH(halves_are_parallel_where_a_family_can),
        SCRATCH(each_scale_has_its_key),
        SCRATCH(what_a_family_does_not_read_scales_nothing),
        SCRATCH(a_null_takes_one_cap_away),
        SCRATCH(each_scale_must_be_above_0),
        SCRATCH(a_scale_may_be_what_32_bits_can_hold),
        SCRATCH(scores_may_be_scaled_by_another_size),
        SCRATCH(an_embedding_may_be_scaled_by_its_width),
        SCRATCH(layers_that_do_not_turn_have_a_rope_of_their_own),
        SCRATCH(each_kind_of_layers_has_a_rope),
        SCRATCH(a_rope_fits_the_first_layer_of_its_kind),
    };
    return cmocka_run_group_tests_name("switches, key by key", tests, NULL,
                                       NULL);
}

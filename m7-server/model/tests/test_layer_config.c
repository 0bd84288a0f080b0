/* What config.json says of single layers. */
#include "layer_config.h"

#include "family.h"
#include "test_model_open.h"

/* What makes the small model one of another family. */
#define MISTRAL                                                               \
    {"architectures", "[\"MistralForCausalLM\"]"},                            \
    {                                                                         \
        "model_type", "\"mistral\""                                           \
    }
#define QWEN3                                                                 \
    {"architectures", "[\"Qwen3ForCausalLM\"]"},                              \
    {                                                                         \
        "model_type", "\"qwen3\""                                             \
    }
#define SMOLLM3                                                               \
    {"architectures", "[\"SmolLM3ForCausalLM\"]"},                            \
    {                                                                         \
        "model_type", "\"smollm3\""                                           \
    }
#define GEMMA2                                                                \
    {"architectures", "[\"Gemma2ForCausalLM\"]"},                             \
        {"model_type", "\"gemma2\""},                                         \
    {                                                                         \
        "head_dim", "4"                                                       \
    }
#define GEMMA3                                                                \
    {"architectures", "[\"Gemma3ForCausalLM\"]"},                             \
        {"model_type", "\"gemma3_text\""},                                    \
    {                                                                         \
        "head_dim", "4"                                                       \
    }

static void open_config(struct config *c, const struct family **f,
                        const struct change *changes, size_t n)
{
    struct error e = {ERROR_NONE, ""};
    open_small_config(c, changes, n);
    *f = family_find(c, &e);
    assert_string_equal(e.message, "");
}

/* --- which layers have a window ----------------------------------------- */

/* `expected` has a letter for each layer: W windowed, F full. */
static void assert_kinds(const char *expected, const struct change *changes,
                         size_t n)
{
    struct config c;
    const struct family *f;
    struct error e = {ERROR_NONE, ""};
    char found[64] = "";
    open_config(&c, &f, changes, n);
    for (size_t l = 0; l < c.n_layers; l++) {
        enum layer_kind kind;
        assert_int_equal(layer_kind_of(f, &c, l, &kind, &e), 0);
        found[l] = kind == LAYER_WINDOWED ? 'W' : 'F';
    }
    assert_string_equal(found, expected);
    config_free(&c);
}

static void each_family_has_a_rule(void **state)
{
    (void)state;
    const struct change six = {"num_hidden_layers", "6"};
    const struct change thirty = {"num_hidden_layers", "30"};
    assert_kinds("FFFFFF", COUNTED(six));
    assert_kinds("WWWWWW", COUNTED(MISTRAL, six));
    assert_kinds("FFWWWW", COUNTED(QWEN3, six, {"max_window_layers", "2"}));
    assert_kinds("FFFFFFFFFFFFFFFFFFFFFFFFFFFFWW", COUNTED(QWEN3, thirty));
    assert_kinds("FFFWFF", COUNTED(SMOLLM3, six));
    assert_kinds("WFWFWF", COUNTED(GEMMA2, six));
    assert_kinds("WWWWWF", COUNTED(GEMMA3, six));
    assert_kinds("WFWFWF",
                 COUNTED(GEMMA3, six, {"sliding_window_pattern", "2"}));
}

static void a_list_of_types_counts_more_than_the_rule(void **state)
{
    (void)state;
    const struct change two = {"num_hidden_layers", "2"};
    assert_kinds("FW", COUNTED(GEMMA2, two,
                               {"layer_types", "[\"full_attention\", "
                                               "\"sliding_attention\"]"}));
}

static void the_last_layer_of_gemma_4_sees_everything(void **state)
{
    (void)state;
    const struct change both = {
        "layer_types", "[\"sliding_attention\", \"sliding_attention\"]"};
    assert_kinds("WF", COUNTED(GEMMA4, {"num_hidden_layers", "2"}, both));
    assert_kinds("WWWWWFF", COUNTED(GEMMA4, {"num_hidden_layers", "7"}));
}

/* --- windows ------------------------------------------------------------- */

/* Refuse a Qwen3 of three layers with these settings. */
static void assert_window_refused(struct change a, struct change b,
                                  enum error_code code, const char *message)
{
    const struct change changes[] = {QWEN3,
                                     {"num_hidden_layers", "3"},
                                     a,
                                     b,
                                     {"use_sliding_window", "true"}};
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

static void assert_window(size_t expected, const struct change *changes,
                          size_t n)
{
    struct config c;
    const struct family *f;
    struct error e = {ERROR_NONE, ""};
    size_t window = 99;
    open_config(&c, &f, changes, n);
    assert_int_equal(layer_window(f, &c, 0, &window, &e), 0);
    assert_int_equal(window, expected);
    config_free(&c);
}

static void windows_have_defaults(void **state)
{
    (void)state;
    const struct change upper = {"max_window_layers", "0"};
    const struct change use = {"use_sliding_window", "true"};
    const struct change size = {"sliding_window", "7"};
    const struct change none = {"sliding_window", "null"};
    assert_window(4096, COUNTED(MISTRAL));
    assert_window(7, COUNTED(MISTRAL, size));
    assert_window(0, COUNTED(MISTRAL, none));
    assert_window(0, COUNTED(QWEN3, upper, size));
    assert_window(7, COUNTED(QWEN3, upper, size, use));
    assert_window(4096, COUNTED(QWEN3, upper, use));
    assert_window(0, COUNTED(QWEN3, size, use));
    assert_window(512, COUNTED(GEMMA4, {"num_hidden_layers", "2"}));
}

/* --- rotation ------------------------------------------------------------ */

/* `expected` has a letter for each layer: T turns, - does not. */
static void assert_turns(const char *expected, const struct change *changes,
                         size_t n)
{
    struct config c;
    const struct family *f;
    struct error e = {ERROR_NONE, ""};
    char found[64] = "";
    open_config(&c, &f, changes, n);
    for (size_t l = 0; l < c.n_layers; l++) {
        bool turns;
        assert_int_equal(layer_turns(f, &c, l, &turns, &e), 0);
        found[l] = turns ? 'T' : '-';
    }
    assert_string_equal(found, expected);
    config_free(&c);
}

static void some_layers_do_not_turn(void **state)
{
    (void)state;
    const struct change six = {"num_hidden_layers", "6"};
    assert_turns("TTTTTT", COUNTED(QWEN3, six));
    assert_turns("TTT-TT", COUNTED(SMOLLM3, six));
    assert_turns("T-T-T-",
                 COUNTED(SMOLLM3, six, {"no_rope_layer_interval", "2"}));
    assert_turns("-TT---", COUNTED(SMOLLM3, six,
                                   {"no_rope_layers", "[0, 1, 1, 0, 0, 0]"}));
}

static void a_list_has_an_entry_for_each_layer(void **state)
{
    (void)state;
    assert_config_refused(COUNTED(SMOLLM3, {"no_rope_layers", "[1, 1]"}),
                          ERROR_INPUT,
                          "./config.json: no_rope_layers: 2 entries for 1 "
                          "layers");
    assert_config_refused(COUNTED(SMOLLM3, {"no_rope_layer_interval", "0"}),
                          ERROR_INPUT,
                          "./config.json: no_rope_layer_interval: there is no "
                          "0th layer");
    assert_config_refused(COUNTED(GEMMA3, {"sliding_window_pattern", "0"}),
                          ERROR_INPUT,
                          "./config.json: sliding_window_pattern: there is no "
                          "0th layer");
}

/* --- heads --------------------------------------------------------------- */

/* The heads of layer l of a Gemma 4 whose second layer is full. */
static void assert_heads(size_t l, size_t head_dim, size_t n_kv_heads,
                         bool shares, struct change a, struct change b)
{
    struct config c;
    const struct family *f;
    struct error e = {ERROR_NONE, ""};
    size_t dim, n_kv;
    bool found;
    open_config(&c, &f,
                COUNTED(GEMMA4, {"num_hidden_layers", "2"},
                        {"num_key_value_heads", "2"}, a, b));
    assert_int_equal(layer_heads(f, &c, l, &dim, &n_kv, &e), 0);
    assert_int_equal(layer_shares_keys(f, &c, l, &found, &e), 0);
    assert_int_equal(dim, head_dim);
    assert_int_equal(n_kv, n_kv_heads);
    assert_int_equal(found, shares);
    config_free(&c);
}

static void full_layers_may_have_heads_of_their_own(void **state)
{
    (void)state;
    const struct change wide = {"global_head_dim", "6"};
    const struct change shared = {"attention_k_eq_v", "true"};
    const struct change fewer = {"num_global_key_value_heads", "1"};
    const struct change nothing = {"dtype", "null"};
    const struct change own = {"per_layer_config",
                               "{\"1\": {\"head_dim\": 8}}"};
    assert_heads(0, 4, 2, false, wide, fewer);
    assert_heads(1, 6, 2, false, wide, fewer);
    assert_heads(1, 512, 2, false, fewer, nothing);
    assert_heads(0, 4, 2, false, shared, fewer);
    assert_heads(1, 512, 1, true, shared, fewer);
    assert_heads(0, 4, 2, false, own, wide);
    assert_heads(1, 8, 2, false, own, wide);
}

static void heads_must_make_sense(void **state)
{
    (void)state;
    assert_config_refused(COUNTED(GEMMA4, {"global_head_dim", "0"}),
                          ERROR_INPUT,
                          "./config.json: global_head_dim: a head must have a "
                          "size");
    assert_config_refused(
        COUNTED(GEMMA4,
                {"per_layer_config", "{\"0\": {\"num_key_value_heads\": 3}}"}),
        ERROR_INPUT,
        "./config.json: 3 heads of keys in layer 0 do not divide 2 heads");
    assert_config_refused(
        COUNTED(GEMMA4,
                {"per_layer_config", "{\"0\": {\"sliding_window\": 3}}"}),
        ERROR_UNSUPPORTED,
        "./config.json: per_layer_config.0.sliding_window: is not a key that "
        "this program knows for one layer");
}

static void assert_no_layer(const char *own, const char *message)
{
    assert_config_refused(
        COUNTED(GEMMA4, {"num_hidden_layers", "2"}, {"per_layer_config", own}),
        ERROR_INPUT, message);
}

static void each_name_in_per_layer_config_is_a_layers(void **state)
{
    (void)state;
    assert_no_layer("{\"1\": {}, \"2\": {}}",
                    "./config.json: per_layer_config.2: is none of the 2 "
                    "layers, which count from 0");
    assert_no_layer("{\"00\": {}}",
                    "./config.json: per_layer_config.00: is none of the 2 "
                    "layers, which count from 0");
    assert_no_layer("{\"-1\": {}}",
                    "./config.json: per_layer_config.-1: is none of the 2 "
                    "layers, which count from 0");
    assert_no_layer("{\"18446744073709551616\": {}}",
                    "./config.json: per_layer_config.18446744073709551616: is "
                    "none of the 2 layers, which count from 0");
    assert_no_layer("[]",
                    "./config.json: per_layer_config: expected an object, "
                    "found an array");
}

static void a_rule_makes_sense_though_a_list_overrides_it(void **state)
{
    (void)state;
    assert_config_refused(COUNTED(SMOLLM3, {"no_rope_layers", "[1]"},
                                  {"no_rope_layer_interval", "\"7\""}),
                          ERROR_INPUT,
                          "./config.json: no_rope_layer_interval: expected an "
                          "integer, found a string");
    assert_config_refused(
        COUNTED(QWEN3, {"layer_types", "[\"full_attention\"]"},
                {"max_window_layers", "[]"}),
        ERROR_INPUT,
        "./config.json: max_window_layers: expected an integer, found an "
        "array");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(each_family_has_a_rule),
        SCRATCH(a_list_of_types_counts_more_than_the_rule),
        SCRATCH(the_last_layer_of_gemma_4_sees_everything),
        SCRATCH(windows_must_make_sense),
        SCRATCH(windows_have_defaults),
        SCRATCH(some_layers_do_not_turn),
        SCRATCH(a_list_has_an_entry_for_each_layer),
        SCRATCH(full_layers_may_have_heads_of_their_own),
        SCRATCH(heads_must_make_sense),
        SCRATCH(each_name_in_per_layer_config_is_a_layers),
        SCRATCH(a_rule_makes_sense_though_a_list_overrides_it),
    };
    return cmocka_run_group_tests_name("layer_config", tests, NULL, NULL);
}

/* For the tests of config.json: the small model's, with changes, and families
 * that are made up. */
#ifndef TEST_SMALL_CONFIG_H
#define TEST_SMALL_CONFIG_H

#include "config.h"
#include "family.h"
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

/* Changes to config.json, and how many. */
#define COUNTED(...)                                                          \
    CHANGES(__VA_ARGS__), sizeof(CHANGES(__VA_ARGS__)) / sizeof(struct change)

/* A change that changes nothing. */
#define NOTHING                                                               \
    {                                                                         \
        "made_up", "0"                                                        \
    }

/* Those that make the small model a Gemma 4. */
#define GEMMA4                                                                \
    {"architectures", "[\"Gemma4ForCausalLM\"]"},                             \
        {"model_type", "\"gemma4_text\""}, {"head_dim", "4"},                 \
        {"hidden_size_per_layer_input", "0"},                                 \
    {                                                                         \
        "rope_parameters", "{\"full_attention\": {\"rope_theta\": 100}, "     \
                           "\"sliding_attention\": {\"rope_theta\": 100}}"    \
    }

/* Open the config.json of the small model with changes (n,). */
static inline void open_small_config(struct config *c,
                                     const struct change *changes, size_t n)
{
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    int result = config_load(c, ".", &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
}

/* What a function returned that must not have failed; *e was empty before. */
static inline void assert_accepted(int result, const struct error *e)
{
    assert_string_equal(e->message, "");
    assert_int_equal(result, 0);
}

/* A family whose layers are of two kinds, each with a rope of its own; and
 * three layers, of which the second has a window. */
static const struct family two_kinds = {
    .keys = "layer_types global_head_dim per_layer_config sliding_window "
            "no_rope_layers attention_k_eq_v max_window_layers",
    .windows = WINDOW_ALL,
    .window = 3,
    .two_ropes = true,
    .thetas = {100, 200}};

static const struct change three_layers = {"num_hidden_layers", "3"};
static const struct change full_first = {
    "layer_types",
    "[\"full_attention\", \"sliding_attention\", \"full_attention\"]"};

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

#endif

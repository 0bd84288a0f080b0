/* What config.json says about rotary positions is read in both spellings, or
 * refused. */
#include "rope_config.h"

#include "test_small_config.h"

/* Read a config.json with changes (n,); returns rope_config_read's result. */
static int read_changed(const struct change *changes, size_t n,
                        struct rope_config *out, struct error *e)
{
    struct config c;
    open_small_config(&c, changes, n);
    const struct family *f = family_find(&c, e);
    assert_non_null(f);
    int result = rope_config_read(f, &c, LAYER_FULL, c.head_dim, out, e);
    config_free(&c);
    return result;
}

/* The same with one or two more members. */
static int read_rope(struct change a, struct change b, struct rope_config *out,
                     struct error *e)
{
    return read_changed((const struct change[]){a, b}, 2, out, e);
}

static struct rope_config accept(const char *key, const char *value,
                                 const char *theta)
{
    struct rope_config r;
    struct error e = {ERROR_NONE, ""};
    read_rope((struct change){key, value},
              (struct change){"rope_theta", theta}, &r, &e);
    assert_string_equal(e.message, "");
    return r;
}

static void assert_rope_refused(const char *key, const char *value,
                                const char *message)
{
    struct rope_config r;
    struct error e = {ERROR_NONE, ""};
    int result = read_rope((struct change){key, value},
                           (struct change){"rms_norm_eps", "1e-6"}, &r, &e);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, message);
}

static void without_settings_the_defaults_hold(void **state)
{
    (void)state;
    struct rope_config r = accept("rope_scaling", "null", NULL);
    assert_true(r.theta == 10000);
    assert_int_equal(r.scaling, ROPE_DEFAULT);
    assert_int_equal(r.dim, 4);
    assert_false(r.neighbours);
}

static void both_spellings_say_the_same(void **state)
{
    (void)state;
    struct rope_config old = accept(
        "rope_scaling", "{\"type\": \"linear\", \"factor\": 2.5}", "500");
    struct rope_config new = accept(
        "rope_parameters",
        "{\"rope_type\": \"linear\", \"factor\": 2.5, \"rope_theta\": 500}",
        NULL);
    assert_int_equal(old.scaling, ROPE_LINEAR);
    assert_int_equal(new.scaling, ROPE_LINEAR);
    assert_true(old.theta == 500 && new.theta == 500);
    assert_true(old.factor == 2.5 && new.factor == 2.5);
}

static void the_inner_theta_counts(void **state)
{
    (void)state;
    struct rope_config r =
        accept("rope_parameters",
               "{\"rope_type\": \"default\", \"rope_theta\": 700}", "500");
    assert_true(r.theta == 700);
}

static void llama3_has_two_frequencies(void **state)
{
    (void)state;
    struct rope_config r =
        accept("rope_scaling",
               "{\"rope_type\": \"llama3\", \"factor\": 8, "
               "\"low_freq_factor\": 1, \"high_freq_factor\": 4, "
               "\"original_max_position_embeddings\": 64}",
               "500");
    assert_int_equal(r.scaling, ROPE_LLAMA3);
    assert_true(r.factor == 8 && r.low_freq_factor == 1);
    assert_true(r.high_freq_factor == 4 && r.original_positions == 64);
}

static void yarn_has_defaults(void **state)
{
    (void)state;
    struct rope_config r = accept(
        "rope_scaling", "{\"rope_type\": \"yarn\", \"factor\": 4}", "500");
    assert_int_equal(r.scaling, ROPE_YARN);
    assert_true(r.beta_fast == 32 && r.beta_slow == 1);
    assert_true(r.original_positions == 32); /* max_position_embeddings */
    assert_true(r.attention_factor == 0 && r.mscale == 0);
    assert_true(r.truncate);
    r = accept("rope_scaling",
               "{\"rope_type\": \"yarn\", \"factor\": 4, \"beta_fast\": 16, "
               "\"beta_slow\": 2, \"attention_factor\": 0.5, \"mscale\": 3, "
               "\"mscale_all_dim\": 5, \"truncate\": false, "
               "\"original_max_position_embeddings\": 16}",
               "500");
    assert_true(r.beta_fast == 16 && r.beta_slow == 2);
    assert_true(r.original_positions == 16 && r.attention_factor == 0.5);
    assert_true(r.mscale == 3 && r.mscale_all_dim == 5);
    assert_false(r.truncate);
}

static void what_is_not_known_is_refused(void **state)
{
    (void)state;
    assert_rope_refused("rope_scaling", "{\"type\": \"spiral\"}",
                        "./config.json: rope_scaling.type: this program knows "
                        "no rotary scaling \"spiral\"");
    assert_rope_refused("rope_parameters",
                        "{\"rope_type\": \"linear\", \"factor\": 2, "
                        "\"beta_fast\": 3}",
                        "./config.json: rope_parameters.beta_fast: is not a "
                        "key that this program knows for linear");
    assert_rope_refused("rope_scaling", "[]",
                        "./config.json: rope_scaling: expected an object, "
                        "found an array");
}

static void what_is_missing_or_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_rope_refused("rope_scaling", "{\"type\": \"linear\"}",
                        "./config.json: rope_scaling.factor: is missing: "
                        "expected a number");
    assert_rope_refused("rope_scaling",
                        "{\"type\": \"linear\", \"factor\": 0}",
                        "./config.json: rope_scaling.factor: expected a "
                        "32-bit number above 0, found 0");
    assert_rope_refused("rope_theta", "1",
                        "./config.json: rope_theta: expected a 32-bit number "
                        "above 1, found 1");
    assert_rope_refused("rope_theta", "1e39",
                        "./config.json: rope_theta: expected a 32-bit number "
                        "above 1, found 1e+39");
}

/* --- a dynamic that is not ---------------------------------------------- */

/* Read a model's scaling whose family may have an alpha. */
static int read_alpha(const char *scaling, struct rope_config *out,
                      struct error *e)
{
    const struct change changes[] = {
        {"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
        {"model_type", "\"hunyuan_v1_dense\""},
        {"head_dim", "4"},
        {"rope_scaling", scaling}};
    return read_changed(changes, 4, out, e);
}

static void assert_alpha_refused(const char *scaling, const char *message)
{
    struct rope_config r;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(read_alpha(scaling, &r, &e), -1);
    assert_string_equal(e.message, message);
}

static void dynamic_with_an_alpha_is_another_kind(void **state)
{
    (void)state;
    struct rope_config r;
    struct error e;
    read_alpha("{\"type\": \"dynamic\", \"factor\": 2, \"alpha\": 50, "
               "\"beta_fast\": 32, \"beta_slow\": 1, \"mscale\": 1, "
               "\"mscale_all_dim\": 0}",
               &r, &e);
    assert_int_equal(r.scaling, ROPE_ALPHA);
    assert_true(r.alpha == 50);
    read_alpha("{\"type\": \"dynamic\", \"factor\": 2, \"alpha\": null}", &r,
               &e);
    assert_int_equal(r.scaling, ROPE_DYNAMIC);
}

static void an_alpha_elsewhere_is_refused(void **state)
{
    (void)state;
    assert_alpha_refused(
        "{\"type\": \"linear\", \"factor\": 2, "
        "\"alpha\": 50}",
        "./config.json: rope_scaling.alpha: is not a key that "
        "this program knows for linear");
    assert_alpha_refused("{\"type\": \"alpha\", \"factor\": 2, "
                         "\"alpha\": 50}",
                         "./config.json: rope_scaling.type: this program "
                         "knows no rotary scaling \"alpha\"");
    assert_alpha_refused("{\"type\": \"dynamic\", \"factor\": 2, "
                         "\"alpha\": 0}",
                         "./config.json: rope_scaling.alpha: expected a "
                         "32-bit number above 0, found 0");
}

/* A Llama turns without an alpha, and nobody reads attn_factor. */
static void what_nobody_reads_turns_nothing(void **state)
{
    (void)state;
    struct rope_config r =
        accept("rope_scaling",
               "{\"type\": \"dynamic\", \"factor\": 2, \"alpha\": 50, "
               "\"attn_factor\": 0.5}",
               "10000");
    assert_int_equal(r.scaling, ROPE_DYNAMIC);
    assert_true(r.factor == 2 && r.alpha == 0);
}

/* dim / (dim - 2), by which theta grows, would be infinite. */
static void one_pair_cannot_turn_slower_than_another(void **state)
{
    (void)state;
    static const char *const scalings[] = {
        "{\"type\": \"dynamic\", \"factor\": 2}",
        "{\"type\": \"dynamic\", \"factor\": 2, \"alpha\": 50}"};
    for (size_t i = 0; i < 2; i++) {
        const struct change changes[] = {
            {"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
            {"model_type", "\"hunyuan_v1_dense\""},
            {"head_dim", "2"},
            {"rope_scaling", scalings[i]}};
        struct rope_config r;
        struct error e = {ERROR_NONE, ""};
        assert_int_equal(read_changed(changes, 4, &r, &e), -1);
        assert_string_equal(e.message,
                            "./config.json: rope_scaling: this scaling needs "
                            "two pairs to rotate, or more; there is one");
    }
}

/* --- two ropes ---------------------------------------------------------- */

/* Refuse a model with a rope for each kind of layers. */
static void assert_own_refused(const char *architecture, const char *type,
                               const char *key, const char *value,
                               const char *message)
{
    struct rope_config r;
    struct error e = {ERROR_NONE, ""};
    const struct change changes[] = {{"architectures", architecture},
                                     {"model_type", type},
                                     {key, value},
                                     {"head_dim", "4"},
                                     {"hidden_size_per_layer_input", "0"}};
    bool has_input = strcmp(type, "\"gemma4_text\"") == 0;
    int result = read_changed(changes, has_input ? 5 : 4, &r, &e);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, message);
}

static void assert_gemma3_refused(const char *key, const char *value,
                                  const char *message)
{
    assert_own_refused("[\"Gemma3ForCausalLM\"]", "\"gemma3_text\"", key,
                       value, message);
}

static void assert_gemma4_refused(const char *full, const char *message)
{
    char both[200];
    snprintf(both, sizeof both,
             "{\"full_attention\": %s, "
             "\"sliding_attention\": {\"rope_theta\": 100}}",
             full);
    assert_own_refused("[\"Gemma4ForCausalLM\"]", "\"gemma4_text\"",
                       "rope_parameters", both, message);
}

/* transformers puts "rope_type": "default" there first, and then "type" does
 * not count. */
static void two_ropes_have_no_type_in_the_old_spelling(void **state)
{
    (void)state;
    assert_gemma3_refused("rope_scaling",
                          "{\"type\": \"linear\", \"factor\": 8}",
                          "./config.json: rope_scaling.type: is not read in "
                          "models with two ropes; rope_type is");
}

static void two_ropes_always_round_the_ramp(void **state)
{
    (void)state;
    assert_gemma3_refused(
        "rope_parameters",
        "{\"full_attention\": {\"rope_type\": \"yarn\", \"factor\": 4, "
        "\"truncate\": false}}",
        "./config.json: rope_parameters.full_attention.truncate: is always "
        "true in models with two ropes");
}

static void without_an_old_spelling_theta_is_inside(void **state)
{
    (void)state;
    assert_gemma4_refused("{\"rope_type\": \"default\"}",
                          "./config.json: rope_parameters.full_attention."
                          "rope_theta: is missing: expected a number");
}

static void no_more_than_all_pairs_turn(void **state)
{
    (void)state;
    assert_gemma4_refused(
        "{\"rope_type\": \"proportional\", \"rope_theta\": 100, "
        "\"partial_rotary_factor\": 1.5}",
        "./config.json: rope_parameters.full_attention.partial_rotary_factor: "
        "expected a number above 0 and at most 1, found 1.5");
}

static void two_descriptions_at_once_are_refused(void **state)
{
    (void)state;
    struct rope_config r;
    struct error e = {ERROR_NONE, ""};
    int result = read_rope(
        (struct change){"rope_scaling", "{\"type\": \"default\"}"},
        (struct change){"rope_parameters", "{\"rope_type\": \"default\"}"}, &r,
        &e);
    assert_int_equal(result, -1);
    assert_string_equal(e.message,
                        "./config.json: rope_scaling: rope_parameters stands "
                        "there too: which is meant?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(without_settings_the_defaults_hold),
        SCRATCH(both_spellings_say_the_same),
        SCRATCH(the_inner_theta_counts),
        SCRATCH(llama3_has_two_frequencies),
        SCRATCH(yarn_has_defaults),
        SCRATCH(what_is_not_known_is_refused),
        SCRATCH(what_is_missing_or_makes_no_sense_is_refused),
        SCRATCH(dynamic_with_an_alpha_is_another_kind),
        SCRATCH(an_alpha_elsewhere_is_refused),
        SCRATCH(what_nobody_reads_turns_nothing),
        SCRATCH(one_pair_cannot_turn_slower_than_another),
        SCRATCH(two_descriptions_at_once_are_refused),
        SCRATCH(two_ropes_have_no_type_in_the_old_spelling),
        SCRATCH(two_ropes_always_round_the_ramp),
        SCRATCH(without_an_old_spelling_theta_is_inside),
        SCRATCH(no_more_than_all_pairs_turn),
    };
    return cmocka_run_group_tests_name("rope_config", tests, NULL, NULL);
}

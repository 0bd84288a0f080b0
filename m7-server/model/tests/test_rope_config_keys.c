/* What config.json says about rotary positions: one key after the other, in
 * families that are made up for a test. */
#include "rope_config.h"

#include "test_model_open.h"

#include <float.h>

/* Read the rope of a kind of layers whose heads have 8 numbers. */
static int read_made(const struct family *f, enum layer_kind kind,
                     const struct change *changes, size_t n,
                     struct rope_config *out, struct error *e)
{
    struct config c;
    open_small_config(&c, changes, n);
    *e = (struct error){ERROR_NONE, ""};
    int result = rope_config_read(f, &c, kind, 8, out, e);
    config_free(&c);
    return result;
}

static struct rope_config accept_kind(const struct family *f,
                                      enum layer_kind kind, const char *key,
                                      const char *value)
{
    struct rope_config r;
    struct error e;
    assert_accepted(read_made(f, kind, COUNTED({key, value}), &r, &e), &e);
    return r;
}

static struct rope_config accept(const struct family *f, const char *key,
                                 const char *value)
{
    return accept_kind(f, LAYER_FULL, key, value);
}

static void assert_rope_refused(const struct family *f, const char *key,
                                const char *value, const char *message)
{
    struct rope_config r;
    struct error e;
    char expected[160];
    int result = read_made(f, LAYER_FULL, COUNTED({key, value}), &r, &e);
    snprintf(expected, sizeof expected, "./config.json: %s", message);
    assert_string_equal(e.message, expected);
    assert_int_equal(result, -1);
}

static const struct family plain = {.keys = ""};

/* --- numbers ------------------------------------------------------------ */

static void a_number_may_be_what_32_bits_can_hold(void **state)
{
    (void)state;
    assert_true(
        accept(&plain, "rope_scaling",
               "{\"type\": \"linear\", \"factor\": 1.1754943508222875e-38}")
            .factor == FLT_MIN);
    assert_true(
        accept(&plain, "rope_theta", "3.4028234663852886e38").theta ==
        FLT_MAX);
    assert_rope_refused(&plain, "rope_theta", "3.41e38",
                        "rope_theta: expected a 32-bit number above 1, found "
                        "3.41e+38");
    assert_rope_refused(&plain, "rope_theta", "\"7\"",
                        "rope_theta: expected a number, found a string");
}

/* theta is above 1: a pair that follows turns slower. */
static void theta_stands_where_the_family_has_it(void **state)
{
    (void)state;
    struct family f = {.keys = "", .theta_keys = {"own_theta"}};
    assert_true(accept(&f, "own_theta", "1.5").theta == 1.5);
    assert_true(accept(&f, "rope_theta", "7").theta == 10000);
    f.thetas[LAYER_FULL] = 300;
    assert_true(accept(&f, "rope_theta", "7").theta == 300);
    f.theta_keys[LAYER_FULL] = NULL;
    assert_true(accept(&f, "own_theta", "7").theta == 300);
    assert_true(accept(&f, "rope_parameters", "{\"rope_theta\": 1.5}").theta ==
                1.5);
    assert_rope_refused(&f, "rope_parameters", "{\"rope_theta\": 1}",
                        "rope_parameters.rope_theta: expected a 32-bit number "
                        "above 1, found 1");
    f.lacks = "rope_theta";
    assert_rope_refused(&f, "rope_theta", "7",
                        "rope_parameters.rope_theta: is missing: expected a "
                        "number");
}

/* --- how many numbers turn ---------------------------------------------- */

static const struct family half = {.keys = "",
                                   .fraction_key = "rotary_pct",
                                   .fraction = 0.5};

static void a_part_of_a_head_turns(void **state)
{
    (void)state;
    const struct family whole = {.keys = "", .fraction = 1};
    assert_int_equal(accept(&plain, "partial_rotary_factor", "0.5").dim, 8);
    assert_int_equal(accept(&half, "partial_rotary_factor", "1").dim, 4);
    assert_int_equal(accept(&half, "rotary_pct", "0.25").dim, 2);
    assert_int_equal(accept(&half, "rotary_pct", "0.75").dim, 6);
    assert_int_equal(accept(&half, "rotary_pct", "1").dim, 8);
    assert_int_equal(accept(&whole, "partial_rotary_factor", "0.5").dim, 4);
    assert_int_equal(accept(&whole, "rotary_pct", "0.5").dim, 8);
    assert_false(accept(&half, "rotary_pct", "1").neighbours);
}

static void a_part_is_a_whole_number_of_pairs(void **state)
{
    (void)state;
    assert_rope_refused(&half, "rotary_pct", "0.375",
                        "head_dim: 3 numbers do not make pairs to rotate");
    assert_rope_refused(&half, "rotary_pct", "0.1",
                        "head_dim: 0 numbers do not make pairs to rotate");
    assert_rope_refused(&half, "rotary_pct", "1.5",
                        "rotary_pct: expected a number above 0 and at most 1, "
                        "found 1.5");
    assert_rope_refused(&half, "rotary_pct", "0",
                        "rotary_pct: expected a 32-bit number above 0, found "
                        "0");
}

/* Beside the scaling or in it; there it counts more. */
static void a_part_may_be_said_with_the_scaling(void **state)
{
    (void)state;
    const struct family whole = {.keys = "", .fraction = 1};
    const char *scaling = "{\"partial_rotary_factor\": 0.25}";
    assert_int_equal(accept(&half, "rope_parameters", scaling).dim, 2);
    assert_int_equal(accept(&whole, "rope_parameters", scaling).dim, 2);
    assert_int_equal(accept(&half, "rope_scaling", scaling).dim, 2);
    assert_rope_refused(&plain, "rope_parameters", scaling,
                        "rope_parameters.partial_rotary_factor: is not a key "
                        "that this program knows for default");
    assert_rope_refused(&half, "rope_parameters",
                        "{\"partial_rotary_factor\": 2}",
                        "rope_parameters.partial_rotary_factor: expected a "
                        "number above 0 and at most 1, found 2");
}

static void of_all_pairs_some_may_turn(void **state)
{
    (void)state;
    const struct family f = {.keys = "",
                             .neighbours = true,
                             .scalings = "proportional"};
    struct rope_config r =
        accept(&f, "rope_scaling",
               "{\"type\": \"proportional\", "
               "\"partial_rotary_factor\": 0.75}");
    assert_int_equal(r.scaling, ROPE_PROPORTIONAL);
    assert_int_equal(r.turning, 3); /* of 4 pairs */
    assert_true(r.dim == 8 && r.head_dim == 8 && r.factor == 0);
    assert_true(r.neighbours);
    r = accept(&f, "rope_scaling", "{\"type\": \"proportional\"}");
    assert_int_equal(r.turning, 4);
}

/* --- two ropes ---------------------------------------------------------- */

static const struct family two = {.architecture = "MadeUp",
                                  .keys = "",
                                  .two_ropes = true,
                                  .theta_keys = {NULL, "local_theta"},
                                  .thetas = {100, 200}};

static void each_kind_of_layers_has_its_scaling(void **state)
{
    (void)state;
    const char *both = "{\"full_attention\": {\"rope_type\": \"linear\", "
                       "\"factor\": 2}, \"sliding_attention\": "
                       "{\"rope_theta\": 7}}";
    const char *one = "{\"full_attention\": {\"rope_type\": \"linear\", "
                      "\"factor\": 2}}";
    struct rope_config r = accept(&two, "rope_parameters", both);
    assert_true(r.scaling == ROPE_LINEAR && r.factor == 2 && r.theta == 100);
    r = accept_kind(&two, LAYER_WINDOWED, "rope_parameters", both);
    assert_true(r.scaling == ROPE_DEFAULT && r.theta == 7);
    r = accept_kind(&two, LAYER_WINDOWED, "rope_parameters", one);
    assert_true(r.scaling == ROPE_DEFAULT && r.theta == 200);
    r = accept_kind(&two, LAYER_WINDOWED, "local_theta", "9");
    assert_true(r.theta == 9);
}

static void what_holds_for_both_is_refused(void **state)
{
    (void)state;
    assert_rope_refused(&two, "rope_parameters", "3",
                        "rope_parameters: expected an object, found an "
                        "integer");
    assert_rope_refused(&two, "rope_parameters", "{\"rope_theta\": 3}",
                        "rope_parameters.rope_theta: is not a key that this "
                        "program knows for MadeUp");
    assert_rope_refused(&two, "rope_parameters", "{\"full_attention\": 3}",
                        "rope_parameters.full_attention: expected an object, "
                        "found an integer");
}

static void the_old_spelling_is_about_full_layers(void **state)
{
    (void)state;
    const char *old = "{\"rope_type\": \"linear\", \"factor\": 2}";
    const char *twice =
        "{\"type\": \"yarn\", \"rope_type\": \"linear\", \"factor\": 2}";
    assert_int_equal(accept(&two, "rope_scaling", old).scaling, ROPE_LINEAR);
    assert_int_equal(
        accept_kind(&two, LAYER_WINDOWED, "rope_scaling", old).scaling,
        ROPE_DEFAULT);
    assert_int_equal(accept(&two, "rope_scaling", twice).scaling, ROPE_LINEAR);
    assert_rope_refused(&two, "rope_scaling",
                        "{\"type\": \"linear\", \"factor\": 2}",
                        "rope_scaling.type: is not read in models with two "
                        "ropes; rope_type is");
}

/* --- kinds of scaling --------------------------------------------------- */

static void a_kind_is_a_word(void **state)
{
    (void)state;
    const struct family f = {.keys = "", .scalings = "linear"};
    assert_rope_refused(&plain, "rope_scaling", "{\"type\": 3}",
                        "rope_scaling.type: expected a string, found an "
                        "integer");
    assert_rope_refused(&f, "rope_scaling", "{\"type\": \"yarn\"}",
                        "rope_scaling.type: this program knows no rotary "
                        "scaling \"yarn\"");
}

static void the_ramp_of_llama3_rises(void **state)
{
    (void)state;
    const char *format =
        "{\"type\": \"llama3\", \"factor\": 8, \"low_freq_factor\": 5, "
        "\"high_freq_factor\": %d}";
    char scaling[120];
    snprintf(scaling, sizeof scaling, format, 4);
    assert_rope_refused(&plain, "rope_scaling", scaling,
                        "rope_scaling.high_freq_factor: expected more than "
                        "low_freq_factor, 5, found 4");
    snprintf(scaling, sizeof scaling, format, 5);
    assert_rope_refused(&plain, "rope_scaling", scaling,
                        "rope_scaling.high_freq_factor: expected more than "
                        "low_freq_factor, 5, found 5");
    snprintf(scaling, sizeof scaling, format, 6);
    assert_true(
        accept(&plain, "rope_scaling", scaling).high_freq_factor == 6);
}

/* In the scaling, where it must be above 1, or beside it. */
static void the_length_before_stretching_stands_where_it_counts(void **state)
{
    (void)state;
    const struct family beside = {.keys = "original_max_position_embeddings"};
    const char *key = "original_max_position_embeddings";
    struct rope_config r = accept(&beside, key, "2");
    assert_true(r.original_positions == 2 && r.positions == 32);
    assert_true(accept(&beside, "made_up", "0").original_positions == 4096);
    assert_true(accept(&plain, key, "2").original_positions == 32);
    assert_true(accept(&plain, "rope_scaling",
                       "{\"type\": \"yarn\", \"factor\": 4, "
                       "\"original_max_position_embeddings\": 2}")
                    .original_positions == 2);
    assert_rope_refused(&plain, "rope_scaling",
                        "{\"type\": \"yarn\", \"factor\": 4, "
                        "\"original_max_position_embeddings\": 1}",
                        "rope_scaling.original_max_position_embeddings: "
                        "expected a 32-bit number above 1, found 1");
}

static void truncate_is_true_or_false(void **state)
{
    (void)state;
    assert_rope_refused(&plain, "rope_scaling",
                        "{\"type\": \"yarn\", \"factor\": 4, \"truncate\": 3}",
                        "rope_scaling.truncate: expected true or false, found "
                        "an integer");
}

/* --- longrope ----------------------------------------------------------- */

static void each_pair_has_two_factors(void **state)
{
    (void)state;
    struct rope_config r = accept(&plain, "rope_scaling",
                                  "{\"type\": \"longrope\", "
                                  "\"short_factor\": [1, 2, 3, 4], "
                                  "\"long_factor\": [5, 6, 7.5, 8]}");
    const float shorter[] = {1, 2, 3, 4}, longer[] = {5, 6, 7.5F, 8};
    assert_int_equal(r.scaling, ROPE_LONGROPE);
    assert_true(r.factor == 0 && r.attention_factor == 0);
    assert_memory_equal(r.short_factors, shorter, sizeof shorter);
    assert_memory_equal(r.long_factors, longer, sizeof longer);
}

static void assert_factors_refused(const char *shorter, const char *longer,
                                   const char *message)
{
    char scaling[160];
    snprintf(scaling, sizeof scaling,
             "{\"type\": \"longrope\", \"short_factor\": %s, "
             "\"long_factor\": %s}",
             shorter, longer);
    assert_rope_refused(&plain, "rope_scaling", scaling, message);
}

static void factors_are_numbers_one_a_pair(void **state)
{
    (void)state;
    assert_factors_refused("3", "[1, 1, 1, 1]",
                           "rope_scaling.short_factor: expected an array, "
                           "found an integer");
    assert_factors_refused("[1, 1, 1, 1]", "[1, 1]",
                           "rope_scaling.long_factor: 2 factors for 4 pairs");
    assert_factors_refused("[1, 1]", "[1, 1, 1, 1]",
                           "rope_scaling.short_factor: 2 factors for 4 pairs");
    assert_factors_refused("[1, 1, 1, 1]", "[1, 0, 1, 1]",
                           "rope_scaling.long_factor[1]: expected a 32-bit "
                           "number above 0, found 0");
    assert_factors_refused("[1, 1, 1, \"1\"]", "[1, 1, 1, 1]",
                           "rope_scaling.short_factor[3]: expected a number, "
                           "found a string");
}

/* A longrope with a factor of 1 for each of `pairs`; rope_config_read's
 * result. */
static int read_pairs(size_t pairs, struct error *e)
{
    struct config c;
    struct rope_config r;
    char scaling[2000] = "{\"type\": \"longrope\", \"short_factor\": [1";
    for (int list = 0; list < 2; list++) {
        for (size_t i = 1; i < pairs; i++)
            strcat(scaling, ",1");
        strcat(scaling, list ? "]}" : "], \"long_factor\": [1");
    }
    open_small_config(&c, COUNTED({"rope_scaling", scaling}));
    int result = rope_config_read(&plain, &c, LAYER_FULL, 2 * pairs, &r, e);
    config_free(&c);
    return result;
}

static void there_is_room_for_256_factors(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(ROPE_MAX_FACTORS, 256);
    assert_int_equal(read_pairs(256, &e), 0);
    assert_int_equal(read_pairs(257, &e), -1);
    assert_string_equal(e.message, "./config.json: rope_scaling.short_factor: "
                                   "257 factors for 257 pairs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_number_may_be_what_32_bits_can_hold),
        SCRATCH(theta_stands_where_the_family_has_it),
        SCRATCH(a_part_of_a_head_turns),
        SCRATCH(a_part_is_a_whole_number_of_pairs),
        SCRATCH(a_part_may_be_said_with_the_scaling),
        SCRATCH(of_all_pairs_some_may_turn),
        SCRATCH(each_kind_of_layers_has_its_scaling),
        SCRATCH(what_holds_for_both_is_refused),
        SCRATCH(the_old_spelling_is_about_full_layers),
        SCRATCH(a_kind_is_a_word),
        SCRATCH(the_ramp_of_llama3_rises),
        SCRATCH(the_length_before_stretching_stands_where_it_counts),
        SCRATCH(truncate_is_true_or_false),
        SCRATCH(each_pair_has_two_factors),
        SCRATCH(factors_are_numbers_one_a_pair),
        SCRATCH(there_is_room_for_256_factors),
    };
    return cmocka_run_group_tests_name("rope_config, key by key", tests, NULL,
                                       NULL);
}

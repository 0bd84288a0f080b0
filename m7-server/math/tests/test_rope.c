/* Rotary positions agree with transformers and torch: each frequency to the
 * last bit, each turned number within rounding.
 *
 * golden/ops.safetensors is made by tests/oracle/forward/forward_ops.py. */
#include "rope.h"

#include "test_numbers.h"

static int open_ropes(void **state)
{
    static struct checkpoint c;
    struct error e;
    *state = &c;
    assert_ok(checkpoint_open(&c, "golden/ops.safetensors", &e), &e);
    return 0;
}

static int close_ropes(void **state)
{
    checkpoint_close(*state);
    return 0;
}

/* The same settings as ROPES in the script. */
struct rope_case {
    const char *name;
    struct rope_config config;
};

static const struct rope_case rope_cases[] = {
    {"rope.default", {.theta = 10000, .scaling = ROPE_DEFAULT}},
    {"rope.linear", {.theta = 500000, .scaling = ROPE_LINEAR, .factor = 2.5}},
    {"rope.llama3",
     {.theta = 500000,
      .scaling = ROPE_LLAMA3,
      .factor = 32,
      .low_freq_factor = 1,
      .high_freq_factor = 4,
      .original_positions = 8192}},
    {"rope.yarn",
     {.theta = 1000000,
      .scaling = ROPE_YARN,
      .factor = 4,
      .original_positions = 32768,
      .beta_fast = 32,
      .beta_slow = 1,
      .truncate = true}},
    {"rope.yarn_given",
     {.theta = 10000,
      .scaling = ROPE_YARN,
      .factor = 8,
      .original_positions = 64,
      .beta_fast = 16,
      .beta_slow = 2,
      .attention_factor = 0.75}},
    {"rope.yarn_mscale",
     {.theta = 10000,
      .scaling = ROPE_YARN,
      .factor = 40,
      .original_positions = 4096,
      .beta_fast = 32,
      .beta_slow = 1,
      .truncate = true,
      .mscale = 0.8,
      .mscale_all_dim = 1.3}},
};

static void frequencies_are_those_of_transformers(void **state)
{
    struct error e;
    for (size_t i = 0; i < sizeof rope_cases / sizeof rope_cases[0]; i++) {
        const struct rope_case *r = &rope_cases[i];
        float *out = golden_floats(*state, r->name, "out");
        float *length = golden_floats(*state, r->name, "length");
        struct rope_config config = r->config;
        struct rope rope;
        config.dim = 64;
        assert_ok(rope_init(&rope, &config, &e), &e);
        assert_close(r->name, rope.frequencies, out, 32, 0, 0);
        assert_close(r->name, &rope.attention_factor, length, 1, 0, 0);
        rope_free(&rope);
        free(length);
        free(out);
    }
}

/* Three heads of 14 numbers at the positions 5 to 11; which row each has among
 * the angles does not matter. */
static void assert_rotated(const struct checkpoint *c, const char *name,
                           size_t dim, bool neighbours)
{
    float *x = golden_floats(c, name, "x");
    float *out = golden_floats(c, name, "out");
    float cosines[7 * 7], sines[7 * 7];
    struct angles angles = {cosines, sines};
    struct rope rope = {.dim = dim,
                        .neighbours = neighbours,
                        .frequencies = golden_floats(c, name, "frequencies"),
                        .attention_factor = 1};
    static const size_t positions[] = {11, 5, 6, 9, 7, 8, 10};
    rope_angles(&rope, 12, positions, 7, &angles);
    for (size_t i = 0; i < 7; i++)
        rotate(&rope, &angles, i, x + (positions[i] - 5) * 3 * 14, 3, 14);
    for (size_t t = 0; t < 7; t++)
        assert_rows(name, "head, dimension", x + t * 3 * 14, out + t * 3 * 14,
                    3, 14);
    rope_free(&rope);
    free(out);
    free(x);
}

static void pairs_are_the_halves_of_a_head(void **state)
{
    assert_rotated(*state, "rotate.half", 14, false);
}

static void pairs_may_be_neighbours_and_only_a_part_turn(void **state)
{
    assert_rotated(*state, "rotate.neighbours", 8, true);
}

static void an_attention_factor_stretches_what_is_turned(void **state)
{
    (void)state;
    float frequency = 0.5f, cosine, sine, x[2] = {3, 4};
    struct rope rope = {
        .dim = 2, .frequencies = &frequency, .attention_factor = 2};
    struct angles angles = {&cosine, &sine};
    rope_angles(&rope, 101, &(size_t){100}, 1, &angles);
    rotate(&rope, &angles, 0, x, 1, 2);
    float length = hypotf(x[0], x[1]), twice = 10;
    assert_close("length of (3, 4)", &length, &twice, 1, 0, 1e-5);
}

/* The angles of the first n of these positions in a text of `length` tokens,
 * of which golden/frequencies.safetensors (test_rope_frequencies.c) has the
 * sines and cosines. */
static void assert_angles(const struct checkpoint *c, const struct rope *r,
                          size_t length, size_t n)
{
    static const size_t positions[] = {0, 1, 2, 7, 62, 63, 64, 599};
    enum pairs { PAIRS = 10 };
    float cosines[8 * PAIRS], sines[8 * PAIRS];
    struct angles found = {cosines, sines};
    char name[40];
    snprintf(name, sizeof name, "dynamic.%zu", length);
    float *cosine = golden_floats(c, name, "cos");
    float *sine = golden_floats(c, name, "sin");
    rope_angles(r, length, positions, n, &found);
    for (size_t t = 0; t < n; t++) {
        size_t row = t * PAIRS;
        snprintf(name, sizeof name, "pairs at position %zu", positions[t]);
        assert_close(name, cosines + row, cosine + row, PAIRS, 0, 2.5e-7);
        assert_close(name, sines + row, sine + row, PAIRS, 0, 2.5e-7);
    }
    free(sine);
    free(cosine);
}

static void the_length_of_a_text_may_set_the_speed(void **state)
{
    (void)state;
    const struct rope_config config = {.theta = 10000,
                                       .dim = 20,
                                       .scaling = ROPE_DYNAMIC,
                                       .factor = 4,
                                       .positions = 256};
    struct checkpoint c;
    struct rope rope;
    struct error e;
    assert_ok(checkpoint_open(&c, "golden/frequencies.safetensors", &e), &e);
    assert_ok(rope_init(&rope, &config, &e), &e);
    assert_angles(&c, &rope, 64, 6);
    assert_angles(&c, &rope, 600, 8);
    rope_free(&rope);
    checkpoint_close(&c);
}

/* What a rope takes over from its settings. */
static void assert_made(struct rope_config config, bool by_length)
{
    struct rope rope;
    struct error e;
    assert_ok(rope_init(&rope, &config, &e), &e);
    assert_true(rope.by_length == by_length);
    assert_true(rope.neighbours == config.neighbours);
    assert_int_equal(rope.dim, config.dim);
    assert_non_null(rope.frequencies);
    rope_free(&rope);
}

static void a_rope_keeps_what_its_settings_say(void **state)
{
    (void)state;
    struct rope_config c = {.theta = 10, .dim = 4, .positions = 9};
    const bool by_length[] = {[ROPE_LONGROPE] = true,
                              [ROPE_DYNAMIC] = true,
                              [ROPE_PROPORTIONAL] = false};
    c.factor = c.alpha = c.original_positions = c.beta_fast = c.beta_slow = 2;
    for (int s = ROPE_DEFAULT; s <= ROPE_PROPORTIONAL; s++) {
        c.scaling = (enum rope_scaling)s;
        c.neighbours = !c.neighbours;
        assert_made(c, by_length[s]);
    }
    assert_made((struct rope_config){.theta = 10}, false); /* none turns */
}

/* A list of factors for texts past the original length; its attention factor
 * is sqrt(1 + log(4) / log(16)). */
static void longrope_begins_with_its_short_factors(void **state)
{
    (void)state;
    struct rope_config c = {.theta = 10,
                            .dim = 2,
                            .scaling = ROPE_LONGROPE,
                            .factor = 4,
                            .original_positions = 16,
                            .short_factors = {2},
                            .long_factors = {8}};
    const float expected[] = {0.5f}, factor = sqrtf(1.5f);
    struct rope rope;
    struct error e;
    assert_ok(rope_init(&rope, &c, &e), &e);
    assert_same("frequencies", rope.frequencies, expected, 1);
    assert_close("attention factor", &rope.attention_factor, &factor, 1, 1e-6,
                 0);
    rope_free(&rope);
    c.original_positions = 1;
    c.attention_factor = 1;
    assert_ok(rope_init(&rope, &c, &e), &e);
    assert_same("frequencies", rope.frequencies, expected, 1);
    rope_free(&rope);
}

/* A rope of these settings, made and freed: its attention factor, and its
 * first n frequencies. */
static float make_rope(const struct rope_config *c, float *frequencies,
                       size_t n)
{
    struct rope rope;
    struct error e;
    assert_ok(rope_init(&rope, c, &e), &e);
    float factor = rope.attention_factor;
    memcpy(frequencies, rope.frequencies, n * sizeof *frequencies);
    rope_free(&rope);
    return factor;
}

static void assert_factor(struct rope_config c, double expected)
{
    float unused[1], wanted = (float)expected;
    c.dim = 2;
    c.theta = 10000;
    c.beta_fast = 32;
    c.beta_slow = 1;
    float found = make_rope(&c, unused, 1);
    assert_close("attention factor", &found, &wanted, 1, 2e-7, 0);
}

/* Section 3.4 of Peng et al. 2023: 0.1 ln(factor) + 1, and 1 for a text that
 * is not stretched.  Two weights of the logarithm count only together. */
static void yarn_lengthens_what_is_stretched(void **state)
{
    (void)state;
    struct rope_config c = {.scaling = ROPE_YARN, .original_positions = 64};
    const double ln4 = 1.3862943611198906, ln1_5 = 0.4054651081081644;
    c.factor = 0.5;
    assert_factor(c, 1);
    c.factor = 1.5;
    assert_factor(c, 0.1 * ln1_5 + 1);
    c.factor = 4;
    assert_factor(c, 0.1 * ln4 + 1);
    c.mscale = 0.8;
    assert_factor(c, 0.1 * ln4 + 1);
    c.mscale_all_dim = 1;
    assert_factor(c, (0.08 * ln4 + 1) / (0.1 * ln4 + 1));
    c.mscale = 1;
    c.mscale_all_dim = 0.5;
    assert_factor(c, (0.1 * ln4 + 1) / (0.05 * ln4 + 1));
    c.mscale = 0;
    assert_factor(c, 0.1 * ln4 + 1);
}

/* Ding et al. 2024, section 3.2: sqrt(1 + ln(factor) / ln(original)). */
static void longrope_lengthens_what_is_stretched(void **state)
{
    (void)state;
    struct rope_config c = {.scaling = ROPE_LONGROPE,
                            .original_positions = 16,
                            .short_factors = {1}};
    c.factor = 0.5;
    assert_factor(c, 1);
    c.factor = 1.5;
    assert_factor(c, sqrt(1 + 0.4054651081081644 / 2.772588722239781));
    c.factor = 0;
    c.positions = 64;
    assert_factor(c, sqrt(1.5));
}

/* Pairs that need 2 pi and 14 pi positions for a turn, of 64: the first turns
 * more than four times, the second less than twice. */
static void llama3_slows_what_turns_less_than_its_least(void **state)
{
    (void)state;
    const struct rope_config c = {.theta = 49,
                                  .dim = 4,
                                  .scaling = ROPE_LLAMA3,
                                  .factor = 8,
                                  .low_freq_factor = 2,
                                  .high_freq_factor = 4,
                                  .original_positions = 64};
    const float expected[] = {1, 1 / 7.0f / 8};
    float found[2];
    make_rope(&c, found, 2);
    assert_same("frequencies", found, expected, 2);
}

/* A ramp may end behind the last pair, at dimension 4 - 1, or be a step. */
static void a_ramp_of_yarn_may_be_cut_short(void **state)
{
    (void)state;
    struct rope_config c = {.theta = 10,
                            .dim = 4,
                            .scaling = ROPE_YARN,
                            .factor = 4,
                            .original_positions = 1e5,
                            .beta_fast = 20000,
                            .beta_slow = 1};
    float found[4], speed = 1 / sqrtf(10);
    const float third[] = {1, speed * (1 - 0.25f) * 2 / 3 + speed / 4};
    make_rope(&c, found, 2);
    assert_close("a third of the ramp", found, third, 2, 1e-6, 0);
    c.theta = 10000;
    c.dim = 8;
    c.original_positions = 200;
    c.beta_fast = 1;
    const float step[] = {1, 0.1f, 0.01f / 4, 0.001f / 4};
    make_rope(&c, found, 4);
    assert_close("a step", found, step, 4, 1e-6, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_are_those_of_transformers),
        cmocka_unit_test(pairs_are_the_halves_of_a_head),
        cmocka_unit_test(pairs_may_be_neighbours_and_only_a_part_turn),
        cmocka_unit_test(an_attention_factor_stretches_what_is_turned),
        cmocka_unit_test(the_length_of_a_text_may_set_the_speed),
        cmocka_unit_test(a_rope_keeps_what_its_settings_say),
        cmocka_unit_test(longrope_begins_with_its_short_factors),
        cmocka_unit_test(yarn_lengthens_what_is_stretched),
        cmocka_unit_test(longrope_lengthens_what_is_stretched),
        cmocka_unit_test(llama3_slows_what_turns_less_than_its_least),
        cmocka_unit_test(a_ramp_of_yarn_may_be_cut_short),
    };
    return cmocka_run_group_tests_name("rope", tests, open_ropes, close_ropes);
}

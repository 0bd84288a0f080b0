/* Every kind of scaling turns as in transformers, whatever the length of the
 * text: frequencies to the last bit, sines and cosines within rounding.
 *
 * golden/frequencies.safetensors is made by
 * tests/oracle/forward/forward_frequencies.py, whose settings these are. */
#include "rope.h"

#include "test_numbers.h"

enum sizes {
    HEAD = 20,
    PAIRS = HEAD / 2
};

struct setting {
    const char *name;
    struct rope_config config;
};

#define LONGROPE                                                              \
    .theta = 10000, .scaling = ROPE_LONGROPE, .original_positions = 64,       \
    .positions = 256,                                                         \
    .short_factors = {1,      1.125f, 1.25f,  1.375f, 1.5f,                   \
                      1.625f, 1.75f,  1.875f, 2,      2.125f},                \
    .long_factors = {1.5f,  1.75f, 2.5f,   3.75f, 5.5f,                       \
                     7.75f, 10.5f, 13.75f, 17.5f, 21.75f}

#define YARN                                                                  \
    .theta = 10000, .scaling = ROPE_YARN, .factor = 4,                        \
    .original_positions = 1024

static const struct setting settings[] = {
    {"default", {.theta = 10000, .scaling = ROPE_DEFAULT}},
    {"linear", {.theta = 500000, .scaling = ROPE_LINEAR, .factor = 2.5}},
    {"dynamic",
     {.theta = 10000, .scaling = ROPE_DYNAMIC, .factor = 4, .positions = 256}},
    {"alpha", {.theta = 10000, .scaling = ROPE_ALPHA, .alpha = 50}},
    {"llama3",
     {.theta = 500000,
      .scaling = ROPE_LLAMA3,
      .factor = 8,
      .low_freq_factor = 1,
      .high_freq_factor = 4,
      .original_positions = 64}},
    {"yarn", {YARN, .beta_fast = 32, .beta_slow = 1, .truncate = true}},
    {"yarn_untruncated", {YARN, .beta_fast = 32, .beta_slow = 1}},
    {"yarn_given",
     {YARN, .beta_fast = 8, .beta_slow = 0.9, .attention_factor = 0.75}},
    {"yarn_mscale",
     {YARN, .beta_fast = 32, .beta_slow = 1, .truncate = true, .mscale = 0.8,
      .mscale_all_dim = 1.3}},
    {"longrope", {LONGROPE}},
    {"longrope_factor", {LONGROPE, .factor = 9}},
    {"longrope_given", {LONGROPE, .attention_factor = 1.25}},
    {"proportional",
     {.theta = 1000000, .scaling = ROPE_PROPORTIONAL, .turning = 3}},
    {"proportional_factor",
     {.theta = 10000,
      .scaling = ROPE_PROPORTIONAL,
      .turning = 2,
      .factor = 2}},
};

/* The positions that there are goldens of, in texts that are long enough. */
static const size_t places[] = {0, 1, 2, 7, 62, 63, 64, 599};

static void assert_angles(const struct checkpoint *c, const char *name,
                          const struct rope *r, size_t length)
{
    float *cosines = golden_floats(c, name, "cos");
    float *sines = golden_floats(c, name, "sin");
    float cosine[PAIRS], sine[PAIRS];
    struct angles found = {cosine, sine};
    double floor = 2.5e-7 * (double)r->attention_factor;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i] >= length)
            break;
        rope_angles(r, length, &places[i], 1, &found);
        assert_close(name, cosine, cosines + i * PAIRS, PAIRS, 0, floor);
        assert_close(name, sine, sines + i * PAIRS, PAIRS, 0, floor);
    }
    free(sines);
    free(cosines);
}

static void assert_setting(const struct checkpoint *c, const struct setting *s)
{
    static const size_t lengths[] = {1, 64, 65, 600};
    struct rope_config config = s->config;
    struct rope rope;
    struct error e;
    float *factor = golden_floats(c, s->name, "factor");
    config.head_dim = config.dim = HEAD;
    assert_ok(rope_init(&rope, &config, &e), &e);
    assert_close(s->name, &rope.attention_factor, factor, 1, 0, 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char name[60];
        snprintf(name, sizeof name, "%s.%zu", s->name, lengths[i]);
        float *inverse = golden_floats(c, name, "inverse");
        if (!rope.by_length || i == 0)
            assert_close(name, rope.frequencies, inverse, PAIRS, 0, 0);
        assert_angles(c, name, &rope, lengths[i]);
        free(inverse);
    }
    rope_free(&rope);
    free(factor);
}

static void all_lengths_turn_as_in_transformers(void **state)
{
    const struct setting *s = *state;
    struct checkpoint c;
    struct error e;
    assert_ok(checkpoint_open(&c, "golden/frequencies.safetensors", &e), &e);
    assert_setting(&c, s);
    checkpoint_close(&c);
}

enum n_settings {
    N_SETTINGS = sizeof settings / sizeof settings[0]
};

int main(void)
{
    struct CMUnitTest tests[N_SETTINGS];
    for (size_t i = 0; i < N_SETTINGS; i++)
        tests[i] = (struct CMUnitTest){.name = settings[i].name,
                                       .test_func =
                                           all_lengths_turn_as_in_transformers,
                                       .initial_state = (void *)&settings[i]};
    return cmocka_run_group_tests_name("frequencies", tests, NULL, NULL);
}

/* Every kind of scaling turns as in transformers, whatever the length of the
 * text: frequencies to the last bit, sines and cosines within rounding.  Of a
 * large head a frequency may differ in its last bit, for torch's power of
 * many numbers is not always the nearest float: for eight of 1,288 frequencies
 * without scaling, of 24 heads, it was not.
 *
 * golden/frequencies.safetensors is made by
 * tests/oracle/forward/forward_frequencies.py, whose settings these are. */
#include "rope.h"

#include "test_numbers.h"

#include <math.h>

enum sizes {
    HEAD = 20,
    PAIRS = HEAD / 2,
    LARGE_HEAD = 128,
    LARGE_PAIRS = LARGE_HEAD / 2,
    FAR = 599 /* a position that tells frequencies apart by a bit */
};

struct setting {
    const char *name;
    struct rope_config config; /* its `turning` is in percent of the pairs */
};

#define LONGROPE                                                              \
    .theta = 10000, .scaling = ROPE_LONGROPE, .original_positions = 64,       \
    .positions = 256

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
     {.theta = 1000000, .scaling = ROPE_PROPORTIONAL, .turning = 35}},
    {"proportional_factor",
     {.theta = 10000,
      .scaling = ROPE_PROPORTIONAL,
      .turning = 25,
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

/* With what the size of a head decides. */
static struct rope_config config_of(const struct setting *s, size_t head)
{
    struct rope_config c = s->config;
    c.head_dim = c.dim = head;
    c.turning = c.turning * (head / 2) / 100;
    for (size_t i = 0; i < head / 2; i++) {
        c.short_factors[i] = 1 + (float)i / 8;
        c.long_factors[i] = 1.5f + (float)(i * i) / 4;
    }
    return c;
}

static bool turns_by(const struct rope *r, float frequency, float cosine,
                     float sine)
{
    float angle = FAR * frequency;
    return cosf(angle) * r->attention_factor == cosine &&
           sinf(angle) * r->attention_factor == sine;
}

/* In a text of `length`; `nearly`: or by one of the two floats beside it. */
static void assert_frequencies(const char *name, const struct rope *r,
                               size_t length, const float *inverse,
                               bool nearly)
{
    float cosines[LARGE_PAIRS], sines[LARGE_PAIRS];
    struct angles found = {cosines, sines};
    rope_angles(r, length, &(size_t){FAR}, 1, &found);
    for (size_t i = 0; i < r->dim / 2; i++) {
        float f = inverse[i], c = cosines[i], s = sines[i];
        bool same = turns_by(r, f, c, s) ||
                    (nearly && (turns_by(r, nextafterf(f, 0), c, s) ||
                                turns_by(r, nextafterf(f, 2), c, s)));
        if (!same)
            print_error("%s: pair %zu does not turn by %.9g\n", name, i,
                        (double)f);
        assert_true(same);
    }
}

static void assert_large(const struct checkpoint *c, const struct setting *s,
                         const char *name, size_t length)
{
    struct rope_config config = config_of(s, LARGE_HEAD);
    struct rope rope;
    struct error e;
    float *inverse = golden_floats(c, name, "inverse128");
    assert_ok(rope_init(&rope, &config, &e), &e);
    assert_frequencies(name, &rope, length, inverse, true);
    rope_free(&rope);
    free(inverse);
}

static void assert_setting(const struct checkpoint *c, const struct setting *s)
{
    static const size_t lengths[] = {1, 64, 65, 600};
    struct rope_config config = config_of(s, HEAD);
    struct rope rope;
    struct error e;
    float *factor = golden_floats(c, s->name, "factor");
    assert_ok(rope_init(&rope, &config, &e), &e);
    assert_close(s->name, &rope.attention_factor, factor, 1, 0, 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char name[60];
        snprintf(name, sizeof name, "%s.%zu", s->name, lengths[i]);
        float *inverse = golden_floats(c, name, "inverse");
        assert_frequencies(name, &rope, lengths[i], inverse, false);
        assert_angles(c, name, &rope, lengths[i]);
        assert_large(c, s, name, lengths[i]);
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

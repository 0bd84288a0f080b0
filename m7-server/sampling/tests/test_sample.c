/* Sampling keeps the tokens that transformers keeps, and draws them as often
 * as it should.  golden/sampling.safetensors is from
 * tests/oracle/sampling/sampling_goldens.py, whose cases these are. */
#include "sample.h"

#include "test_numbers.h"

#include <float.h>

enum golden_sizes {
    V = 100,
    N_ROWS = 6,
    N_TEXT = 14,
    N_PROMPT = 6
};

static const struct bias two_biases[] = {{3, 2.5f}, {90, -7}};
static const struct bias late_biases[] = {{9, 1.5f}, {3, -1}};

static void forbid_thirds(void *context, const struct history *h,
                          float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 0; i < n; i += 3)
        logits[i] = -INFINITY;
}

static void forbid_all_but_77(void *context, const struct history *h,
                              float *logits, size_t n)
{
    assert_null(context);
    assert_int_equal(h->n_prompt, N_PROMPT);
    for (size_t i = 0; i < n; i++)
        if (i != 77)
            logits[i] = -INFINITY;
}

struct golden_case {
    const char *name;
    struct sampling how;
};

static const struct golden_case cases[] = {
    {"temperature", {1, 0, 0, NULL, 0, NULL, NULL, 0.7f, 0, 1, 0, 1}},
    {"hot", {1, 0, 0, NULL, 0, NULL, NULL, 1.9f, 0, 1, 0, 1}},
    {"top_k", {1, 0, 0, NULL, 0, NULL, NULL, 1, 7, 1, 0, 1}},
    {"top_k_1", {1, 0, 0, NULL, 0, NULL, NULL, 1, 1, 1, 0, 1}},
    {"top_k_all", {1, 0, 0, NULL, 0, NULL, NULL, 1, 1000, 1, 0, 1}},
    {"top_p", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 0.905, 0, 1}},
    {"top_p_half", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 0.503, 0, 1}},
    {"top_p_tiny", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1e-9, 0, 1}},
    {"top_p_zero", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 0, 0, 1}},
    {"min_p", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0.08f, 1}},
    {"min_p_1", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 1, 1}},
    {"typical", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0, 0.6}},
    {"typical_most", {1, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0, 0.95}},
    {"repetition", {1.3f, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0, 1}},
    {"reward", {0.8f, 0, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0, 1}},
    {"presence", {1, 0.7f, 0, NULL, 0, NULL, NULL, 1, 0, 1, 0, 1}},
    {"frequency", {1, 0, 0.4f, NULL, 0, NULL, NULL, 1, 0, 1, 0, 1}},
    {"both", {1, -0.5f, 0.9f, NULL, 0, NULL, NULL, 1, 0, 1, 0, 1}},
    {"bias", {1, 0, 0, two_biases, 2, NULL, NULL, 1, 0, 1, 0, 1}},
    {"forbid", {1, 0, 0, NULL, 0, forbid_thirds, NULL, 1, 0, 1, 0, 1}},
    {"forbid_all_but_one",
     {1, 0, 0, NULL, 0, forbid_all_but_77, NULL, 1, 0, 1, 0, 1}},
    {"chain", {1, 0, 0, NULL, 0, NULL, NULL, 0.8f, 40, 0.905, 0.02f, 1}},
    {"whole",
     {1.2f, 0.3f, 0.2f, late_biases, 2, NULL, NULL, 1.3f, 60, 0.95, 0.01f,
      0.9}},
};

enum number_of_cases {
    N_CASES = sizeof cases / sizeof cases[0]
};

/* How many tokens of this logit are left. */
static size_t count_logit(const float *p, const float *logits, float logit)
{
    size_t n = 0;
    for (size_t i = 0; i < V; i++)
        n += logits[i] == logit && p[i] > 0;
    return n;
}

/* The same tokens are left, each within 1e-6 as likely.  Only top-p has to
 * choose among tokens of one logit, at its border: there the number counts. */
static void assert_probabilities(const struct golden_case *c, size_t row,
                                 const float *p, const float *expected,
                                 const float *logits)
{
    for (size_t i = 0; i < V; i++) {
        bool same = (p[i] > 0) == (expected[i] > 0);
        if (!same && c->how.top_p < 1)
            same = count_logit(p, logits, logits[i]) ==
                   count_logit(expected, logits, logits[i]);
        else
            same = same && fabsf(p[i] - expected[i]) < 1e-6f;
        if (!same)
            print_error("%s, row %zu, token %zu: %.8f, not %.8f\n", c->name,
                        row, i, (double)p[i], (double)expected[i]);
        assert_true(same);
    }
}

static void golden_case(void **state)
{
    const struct golden_case *one = *state;
    struct checkpoint c;
    struct error e;
    size_t n;
    assert_ok(checkpoint_open(&c, "golden/sampling.safetensors", &e), &e);
    float *logits = golden_floats(&c, "", "scores");
    float *expected = golden_floats(&c, "", one->name);
    int *ids = golden_ids(&c, "", "ids", &n);
    assert_int_equal(n, N_ROWS * N_TEXT);
    struct sampler s;
    assert_ok(sampler_init(&s, &one->how, V, 0, 0, &e), &e);
    for (size_t row = 0; row < N_ROWS; row++) {
        struct history history = {ids + row * N_TEXT, N_TEXT, N_PROMPT};
        const float *p =
            sampler_probabilities(&s, logits + row * V, &history, NULL, &e);
        assert_ok(p ? 0 : -1, &e);
        assert_probabilities(one, row, p, expected + row * V,
                             logits + row * V);
    }
    sampler_free(&s);
    free(ids);
    free(expected);
    free(logits);
    checkpoint_close(&c);
}

/* --- drawing ------------------------------------------------------------- */

static const int no_ids[] = {0};
static const struct history no_history = {no_ids, 1, 1};

enum draw_sizes {
    N_KINDS = 16,
    N_DRAWS = 100000
};

/* How far counts (N_KINDS,) are from what the probabilities let expect. */
static double chi_square(const size_t *counts, const float *p)
{
    double sum = 0;
    for (size_t i = 0; i < N_KINDS; i++) {
        double expected = (double)p[i] * N_DRAWS;
        sum += ((double)counts[i] - expected) *
               ((double)counts[i] - expected) / expected;
    }
    return sum;
}

/* 16 kinds leave 15 degrees of freedom: 37.70 is exceeded by chance once in a
 * thousand times. */
static void draws_are_as_likely_as_they_should_be(void **state)
{
    (void)state;
    float logits[N_KINDS], p[N_KINDS];
    size_t counts[N_KINDS] = {0};
    struct sampling how = no_sampling;
    struct sampler s;
    struct error e;
    how.temperature = 1.5f;
    for (size_t i = 0; i < N_KINDS; i++)
        logits[i] = 0.4f * (float)((i * 7) % N_KINDS);
    assert_ok(sampler_init(&s, &how, N_KINDS, 2026, 0, &e), &e);
    memcpy(p, sampler_probabilities(&s, logits, &no_history, NULL, &e),
           sizeof p);
    for (size_t i = 0; i < N_DRAWS; i++)
        counts[sampler_choose(&s, logits, &no_history, &e)]++;
    assert_true(chi_square(counts, p) < 37.70);
    sampler_free(&s);
}

/* Choose n times, into ids. */
static void choose_with(const struct sampling *how, uint64_t seed,
                        uint64_t stream, int *ids, size_t n)
{
    float logits[N_KINDS] = {1, 2, 3, 2, 1};
    struct sampler s;
    struct error e;
    assert_ok(sampler_init(&s, how, N_KINDS, seed, stream, &e), &e);
    for (size_t i = 0; i < n; i++)
        ids[i] = sampler_choose(&s, logits, &no_history, &e);
    sampler_free(&s);
}

static void the_same_seed_makes_the_same_choices(void **state)
{
    (void)state;
    int a[50], b[50];
    choose_with(&no_sampling, 7, 0, a, 50);
    choose_with(&no_sampling, 7, 0, b, 50);
    assert_memory_equal(a, b, sizeof a);
    choose_with(&no_sampling, 8, 0, b, 50);
    assert_memory_not_equal(a, b, sizeof a);
    choose_with(&no_sampling, 7, 1, b, 50);
    assert_memory_not_equal(a, b, sizeof a);
}

/* However few tokens are left, a choice takes one number: so what is drawn
 * later does not depend on that. */
static void each_choice_takes_one_number(void **state)
{
    (void)state;
    const float logits[N_KINDS] = {1, 2, 3};
    struct sampling how = no_sampling;
    struct sampler s;
    struct error e;
    how.top_k = 1;
    assert_ok(sampler_init(&s, &how, N_KINDS, 5, 0, &e), &e);
    struct random r = s.random;
    assert_int_equal(sampler_choose(&s, logits, &no_history, &e), 2);
    random_bits(&r);
    assert_memory_equal(&r, &s.random, sizeof r);
    s.how.temperature = 0;
    assert_int_equal(sampler_choose(&s, logits, &no_history, &e), 2);
    assert_memory_equal(&r, &s.random, sizeof r);
    sampler_free(&s);
}

/* --- at the edge --------------------------------------------------------- */

static int choose_once(const struct sampling *how, const float *logits,
                       struct error *e)
{
    struct sampler s;
    assert_ok(sampler_init(&s, how, 4, 1, 0, e), e);
    int id = sampler_choose(&s, logits, &no_history, e);
    sampler_free(&s);
    return id;
}

static void at_temperature_0_the_first_of_the_best_wins(void **state)
{
    (void)state;
    const float logits[] = {-2, 5, 5, 4};
    struct sampling how = no_sampling;
    struct error e;
    how.temperature = 0;
    assert_int_equal(choose_once(&how, logits, &e), 1);
    how.repetition = 2;
    const float halved[] = {5, -4, 3, 3};
    assert_int_equal(choose_once(&how, halved, &e), 2);
}

static void the_smallest_temperature_is_like_0(void **state)
{
    (void)state;
    const float logits[] = {-3e38f, 3e38f, 2.9e38f, 0};
    struct sampling how = no_sampling;
    struct error e;
    how.temperature = FLT_MIN;
    assert_int_equal(choose_once(&how, logits, &e), 1);
    how.temperature = FLT_MIN / 8;
    assert_int_equal(choose_once(&how, logits, &e), 1);
}

static void a_logit_that_penalties_drive_too_far_is_an_error(void **state)
{
    (void)state;
    const float logits[] = {3e38f, 0, 0, 0};
    struct sampling how = no_sampling;
    struct error e;
    how.repetition = 0.01f;
    assert_int_equal(choose_once(&how, logits, &e), -1);
    assert_string_equal(
        e.message, "the penalties make a logit too large for 32-bit numbers");
}

/* Its logit is -infinity when it is no token at all. */
static void what_cannot_come_is_never_chosen(void **state)
{
    (void)state;
    const float logits[] = {-INFINITY, 0, -INFINITY, -INFINITY};
    struct error e;
    struct sampling ways[5] = {no_sampling, no_sampling, no_sampling,
                               no_sampling, no_sampling};
    ways[0].temperature = 2;
    ways[1].top_k = 3;
    ways[2].top_p = 0.5;
    ways[3].typical_p = 0.5;
    ways[4].repetition = 2;
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(choose_once(&ways[i], logits, &e), 1);
}

enum test_sizes {
    N_OTHER = 8
};

static void a_sampler_draws_from_its_stream_of_its_seed(void **state)
{
    (void)state;
    const struct sampling how = {.temperature = 1};
    struct sampler s;
    struct random r;
    struct error e;
    random_init(&r, 3, 2);
    assert_ok(sampler_init(&s, &how, 4, 3, 2, &e), &e);
    assert_true(random_bits(&s.random) == random_bits(&r));
    sampler_free(&s);
}

int main(void)
{
    struct CMUnitTest tests[N_OTHER + N_CASES] = {
        cmocka_unit_test(a_sampler_draws_from_its_stream_of_its_seed),
        cmocka_unit_test(draws_are_as_likely_as_they_should_be),
        cmocka_unit_test(the_same_seed_makes_the_same_choices),
        cmocka_unit_test(each_choice_takes_one_number),
        cmocka_unit_test(at_temperature_0_the_first_of_the_best_wins),
        cmocka_unit_test(the_smallest_temperature_is_like_0),
        cmocka_unit_test(a_logit_that_penalties_drive_too_far_is_an_error),
        cmocka_unit_test(what_cannot_come_is_never_chosen),
    };
    for (size_t i = 0; i < N_CASES; i++)
        tests[N_OTHER + i] =
            (struct CMUnitTest){.name = cases[i].name,
                                .test_func = golden_case,
                                .initial_state = (void *)&cases[i]};
    return _cmocka_run_group_tests("sample", tests, N_OTHER + N_CASES, NULL,
                                   NULL);
}

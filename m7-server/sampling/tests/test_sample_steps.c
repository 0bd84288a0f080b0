/* What each step of the chain leaves, of four tokens; and what whoever looks
 * is shown of it. */
#include "sample.h"

#include "test_numbers.h"

#include <float.h>

static const int no_ids[] = {0};
static const struct history no_history = {no_ids, 1, 1};

static void forbid_first_and_last(void *context, const struct history *h,
                                  float *logits, size_t n)
{
    (void)context;
    (void)h;
    logits[0] = logits[n - 1] = -INFINITY;
}

/* Probabilities (4,) of logits. */
static void find_probabilities(const struct sampling *how, const float *logits,
                               float *out)
{
    struct sampler s;
    struct error e;
    assert_ok(sampler_init(&s, how, 4, 1, 0, &e), &e);
    const float *p = sampler_probabilities(&s, logits, &no_history, NULL, &e);
    assert_ok(p ? 0 : -1, &e);
    memcpy(out, p, 4 * sizeof *out);
    sampler_free(&s);
}

/* Its reciprocal is no infinity: the second is e times less likely. */
static void the_smallest_temperature_still_divides(void **state)
{
    (void)state;
    const float logits[] = {0, -FLT_MIN, -1, -1};
    const float expected[] = {0.73105858f, 0.26894142f, 0, 0};
    struct sampling how = no_sampling;
    float p[4];
    how.temperature = FLT_MIN;
    find_probabilities(&how, logits, p);
    assert_close("probabilities", p, expected, 4, 1e-6, 0);
    how.temperature = FLT_MIN / 2;
    find_probabilities(&how, logits, p);
    assert_close("probabilities", p, (float[]){1, 0, 0, 0}, 4, 0, 0);
}

static void at_temperature_0_one_of_the_best_is_left(void **state)
{
    (void)state;
    const float logits[] = {-2, 5, 5, 4};
    struct sampling how = no_sampling;
    float p[4];
    how.temperature = 0;
    find_probabilities(&how, logits, p);
    assert_close("probabilities", p, (float[]){0, 1, 0, 0}, 4, 0, 0);
}

/* However likely the last one was. */
static void what_is_forbidden_has_no_say(void **state)
{
    (void)state;
    const float logits[] = {0, 1, 1, 500};
    struct sampling how = no_sampling;
    float p[4];
    how.forbid = forbid_first_and_last;
    find_probabilities(&how, logits, p);
    assert_close("probabilities", p, (float[]){0, 0.5f, 0.5f, 0}, 4, 0, 0);
    struct sampler s;
    struct error e;
    size_t n_first = 0;
    assert_ok(sampler_init(&s, &how, 4, 1, 0, &e), &e);
    for (size_t i = 0; i < 100; i++)
        n_first += sampler_choose(&s, logits, &no_history, &e) == 1;
    assert_in_range(n_first, 20, 80);
    sampler_free(&s);
}

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    struct sampler s;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(
        sampler_init(&s, &no_sampling, (size_t)1 << 58, 1, 0, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_string_equal(e.message, "out of memory for the choices");
}

static void forbid_everything(void *context, const struct history *h,
                              float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 0; i < n; i++)
        logits[i] = -INFINITY;
}

static void when_all_are_forbidden_nothing_is_chosen(void **state)
{
    (void)state;
    const float logits[4] = {1, 2, 3, 4};
    struct sampling how = no_sampling;
    struct error e;
    struct sampler s;
    how.forbid = forbid_everything;
    assert_ok(sampler_init(&s, &how, 4, 1, 0, &e), &e);
    assert_int_equal(sampler_choose(&s, logits, &no_history, &e), -1);
    assert_string_equal(e.message, "all 4 tokens are forbidden");
    sampler_free(&s);
}

/* --- the window ---------------------------------------------------------- */

struct names {
    char text[200];
};

static void take_name(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct names *n = context;
    float sum = 0;
    assert_int_equal(layer, -1);
    for (size_t i = 0; i < shape.cols; i++)
        sum += data[i];
    assert_true(shape.rows == 1 && fabsf(sum - 1) < 1e-5f);
    strcat(n->text, name);
    strcat(n->text, " ");
}

static void whoever_looks_sees_each_step_that_does_something(void **state)
{
    (void)state;
    const float logits[] = {1, 2, 3, 4};
    struct names names = {""};
    struct observer o = {take_name, &names};
    struct sampling how = no_sampling;
    struct sampler s;
    struct error e;
    how.repetition = 1.5f;
    how.temperature = 0.5f;
    how.min_p = 0.1f;
    how.top_k = 9;
    assert_ok(sampler_init(&s, &how, 4, 1, 0, &e), &e);
    assert_non_null(sampler_probabilities(&s, logits, &no_history, &o, &e));
    assert_string_equal(names.text, "model repetition temperature min-p ");
    sampler_free(&s);
}

/* The names of the steps that do something. */
static void assert_steps(const struct sampling *how, bool works,
                         const char *expected)
{
    const float logits[] = {1, 2, 3, 4};
    struct names names = {""};
    struct observer o = {take_name, &names};
    struct sampler s;
    struct error e;
    assert_ok(sampler_init(&s, how, 4, 1, 0, &e), &e);
    assert_true(
        works == !!sampler_probabilities(&s, logits, &no_history, &o, &e));
    assert_string_equal(names.text, expected);
    sampler_free(&s);
}

static void what_does_nothing_is_not_shown(void **state)
{
    (void)state;
    const struct bias bias = {3, 2.5f};
    struct sampling how = no_sampling;
    assert_steps(&how, true, "model ");
    how.biases = &bias; /* but there are none */
    how.top_k = 4;
    assert_steps(&how, true, "model ");
    how.top_k = 1;
    assert_steps(&how, true, "model top-k ");
    how.forbid = forbid_everything;
    assert_steps(&how, false, "model ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_temperature_still_divides),
        cmocka_unit_test(at_temperature_0_one_of_the_best_is_left),
        cmocka_unit_test(what_is_forbidden_has_no_say),
        cmocka_unit_test(what_cannot_be_had_is_said),
        cmocka_unit_test(when_all_are_forbidden_nothing_is_chosen),
        cmocka_unit_test(whoever_looks_sees_each_step_that_does_something),
        cmocka_unit_test(what_does_nothing_is_not_shown),
    };
    return cmocka_run_group_tests_name("sample, its steps", tests, NULL, NULL);
}

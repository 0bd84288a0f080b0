/* What the options of sampling are when the command line does not say. */
#include "sampling_options.h"

#include "test_numbers.h"

static float temperature_of(struct settings s, bool chance)
{
    struct sampling_options o;
    struct error e;
    struct input in = {.model.config.vocab_size = 100};
    assert_ok(sampling_options_init(&o, &s, &in, chance, &e), &e);
    float temperature = o.sampling.temperature;
    sampling_options_free(&o);
    return temperature;
}

static void who_speaks_of_chance_wants_it(void **state)
{
    (void)state;
    const struct settings chance[] = {
        {.seed = {true, 7}},    {.samples = {true, 2}},
        {.top_k = {true, 9}},   {.top_p = {true, .5}},
        {.min_p = {true, 0.1}}, {.typical_p = {true, 1}},
    };
    for (size_t i = 0; i < sizeof chance / sizeof chance[0]; i++)
        assert_true(temperature_of(chance[i], false) == 1);
    assert_true(temperature_of((struct settings){0}, true) == 1);
}

static void who_does_not_gets_the_likeliest(void **state)
{
    (void)state;
    const struct settings none[] = {
        {.quiet = true},         {.repetition = {true, 1.3}},
        {.presence = {true, 1}}, {.frequency = {true, 1}},
        {.logprobs = {true, 3}},
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_true(temperature_of(none[i], false) == 0);
}

static void a_temperature_that_is_said_counts(void **state)
{
    (void)state;
    struct settings s = {.temperature = {true, 0}, .samples = {true, 2}};
    assert_true(temperature_of(s, true) == 0);
    s.temperature.value = 0.7;
    assert_true(temperature_of(s, false) == 0.7f);
}

static void a_step_that_is_not_said_does_nothing(void **state)
{
    (void)state;
    struct sampling_options o;
    struct error e;
    struct input in = {.model.config.vocab_size = 100};
    assert_ok(sampling_options_init(&o, &(struct settings){0}, &in, true, &e),
              &e);
    assert_true(o.sampling.repetition == 1 && o.sampling.presence == 0);
    assert_true(o.sampling.frequency == 0 && o.sampling.n_biases == 0);
    assert_true(o.sampling.top_k == 0 && o.sampling.top_p == 1 &&
                o.sampling.min_p == 0);
    assert_true(o.sampling.typical_p == 1);
    assert_true(o.seed <= UINT32_MAX);
    sampling_options_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_speaks_of_chance_wants_it),
        cmocka_unit_test(who_does_not_gets_the_likeliest),
        cmocka_unit_test(a_temperature_that_is_said_counts),
        cmocka_unit_test(a_step_that_is_not_said_does_nothing),
    };
    return cmocka_run_group_tests_name("sampling options", tests, NULL, NULL);
}

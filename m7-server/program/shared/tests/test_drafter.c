/* What --draft opens: a small model with random numbers of its own. */
#include "drafter.h"

#include "test_copies.h"

#include <string.h>

/* With the numbers that choose the model's tokens the drafter would know
 * which of its own are going to be kept. */
static void no_continuation_has_the_drafters_stream(void **state)
{
    (void)state;
    char path[PATH_MAX];
    struct error e;
    struct input in;
    struct drafter d;
    struct sampling_options options = {.sampling = {.temperature = 1},
                                       .seed = 7};
    find_model("tiny-draft", path);
    struct settings s = {.draft = path};
    assert_int_equal(input_open(&in, getenv("RUNG_MODEL"), france, 0, &e), 0);
    assert_int_equal(drafter_open(&d, &s, &in, &options, 20, &e), 0);
    for (uint64_t i = 0; i < 1000; i++) {
        struct random stream;
        random_init(&stream, options.seed, i);
        assert_memory_not_equal(&stream, &d.small.sampler.random,
                                sizeof stream);
    }
    drafter_close(&d);
    input_close(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_continuation_has_the_drafters_stream),
    };
    return cmocka_run_group_tests_name("drafter", tests, name_model, NULL);
}

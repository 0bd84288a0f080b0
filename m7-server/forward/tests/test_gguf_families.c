/* A GGUF file computes what the folder does that it was made from, in every
 * bit: a small model of each family, by
 * tests/oracle/quant/gguf_families.py. */
#include "test_gguf_model.h"

static const char *const models[] = {
    "llama-1",   "llama-2",    "smollm2-1",    "qwen2-1",
    "qwen2-2",   "qwen3-1",    "smollm3-1",    "gemma2-1",
    "gemma3-1",  "phi3-1",     "starcoder2-1", "gptneox-1",
    "granite-1", "olmo2-1",    "glm4-1",       "hunyuan-1",
    "mistral-1", "internlm2-2"};

enum gguf_families {
    N_MODELS = sizeof models / sizeof models[0]
};

/* *state is a scratch folder, and the name stands in its first file. */
static void same_as_its_folder(const struct scratch *s, const char *name)
{
    char tests[PATH_MAX], path[PATH_MAX + 80], config[PATH_MAX + 80];
    find_tests(s, tests);
    snprintf(path, sizeof path, "%s/checkpoints/%s", tests, name);
    if (!link_files(path, "config.json"))
        skip();
    snprintf(config, sizeof config, "%s/gguf/%s.json", tests, name);
    assert_int_equal(symlink(config, "config.json"), 0);
    snprintf(path, sizeof path, "%s/gguf/%s.gguf", tests, name);
    assert_same_logits(path, ".");
    remove_files();
}

static void every_family_computes_what_its_folder_does(void **state)
{
    for (size_t i = 0; i < N_MODELS; i++) {
        print_message("    %s\n", models[i]);
        same_as_its_folder(*state, models[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            every_family_computes_what_its_folder_does, scratch_enter,
            scratch_leave),
    };
    return cmocka_run_group_tests_name("gguf_families", tests, NULL, NULL);
}

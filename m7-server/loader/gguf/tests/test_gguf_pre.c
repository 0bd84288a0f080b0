/* Each name of tokenizer.ggml.pre gives the expressions of the tokenizer.json
 * of models that have it: tests/gguf/pre.json, by
 * tests/oracle/quant/gguf_pre.py. */
#include "gguf_pre.h"
#include "test_run.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether the row is as the entry says. */
static bool is_as_said(const struct gguf_pre *pre, const json_t *entry)
{
    const json_t *splits = json_object_get(entry, "splits");
    const json_t *ignores = json_object_get(entry, "ignore_merges");
    const char *normalizer =
        json_string_value(json_object_get(entry, "normalizer"));
    for (size_t i = 0; i < GGUF_PRE_SPLITS; i++) {
        const char *split = json_string_value(json_array_get(splits, i));
        if (!split != !pre->splits[i] ||
            (split && strcmp(split, pre->splits[i]) != 0))
            return false;
    }
    if (ignores && json_is_true(ignores) != pre->ignore_merges)
        return false;
    if (ignores && (!normalizer != !pre->normalizer ||
                    (normalizer && strcmp(normalizer, pre->normalizer) != 0)))
        return false;
    return json_array_size(splits) <= GGUF_PRE_SPLITS &&
           json_is_true(json_object_get(entry, "digits")) == pre->digits;
}

static json_t *read_entries(void)
{
    char *path = test_path("gguf/pre.json");
    json_t *entries = json_load_file(path, 0, NULL);
    free(path);
    if (!entries)
        skip();
    return entries;
}

static void every_name_cuts_as_its_models_do(void **state)
{
    (void)state;
    json_t *entries = read_entries(), *entry;
    size_t i;
    json_array_foreach(entries, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "name"));
        const struct gguf_pre *pre = gguf_pre_named(name);
        if (!pre || !is_as_said(pre, entry))
            fail_msg("\"%s\" does not cut as in %s", name,
                     json_string_value(json_object_get(entry, "source")));
    }
    json_decref(entries);
}

/* How many names the rows have. */
static size_t count_names(void)
{
    size_t n = 0;
    for (size_t i = 0; gguf_pre_row(i); i++)
        for (const char *c = gguf_pre_row(i)->names; *c; c++)
            n += c[1] == ' ' || !c[1];
    return n;
}

static void no_name_is_there_that_no_model_was_asked_for(void **state)
{
    (void)state;
    json_t *entries = read_entries();
    assert_int_equal(count_names(), json_array_size(entries));
    json_decref(entries);
}

static void other_names_are_not_known(void **state)
{
    (void)state;
    static const char *const others[] = {"",       "default", "llama",
                                         "qwen2 ", "qwen",    "refact smollm",
                                         "viking", "glm"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_null(gguf_pre_named(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_cuts_as_its_models_do),
        cmocka_unit_test(no_name_is_there_that_no_model_was_asked_for),
        cmocka_unit_test(other_names_are_not_known),
    };
    return cmocka_run_group_tests_name("gguf_pre", tests, NULL, NULL);
}

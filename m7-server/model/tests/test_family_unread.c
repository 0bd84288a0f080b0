/* Keys that change nothing are passed over, but not in silence. */
#include "family.h"
#include "read_keys.h"
#include "test_model_open.h"

static void assert_unread(const struct change *changes, size_t n,
                          const char *expected)
{
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_small_config(changes, n);
    model_describe(&m, ".", &e);
    assert_string_equal(e.message, "");
    json_t *list = family_unread(family_named(&m.config, &e), &m.config, &e);
    assert_string_equal(e.message, "");
    char *found = json_dumps(list, 0);
    assert_string_equal(found, expected);
    free(found);
    json_decref(list);
    model_close(&m);
}

static void what_nobody_reads_is_listed(void **state)
{
    (void)state;
    assert_unread(NULL, 0, "[]");
    assert_unread(CHANGES({"unsloth_fixed", "true"}, {"torch_dtype", "null"},
                          {"rms_norm_eps", "0.5"}, {"a.b", "7"}),
                  4, "[\"unsloth_fixed\", \"a.b\"]");
}

static void what_nobody_reads_of_a_rotation_is_listed(void **state)
{
    (void)state;
    assert_unread(CHANGES({"rope_scaling", "{\"type\": \"linear\", "
                                           "\"factor\": 2, "
                                           "\"attn_factor\": 1}"}),
                  1, "[\"rope_scaling.attn_factor\"]");
    assert_unread(
        CHANGES({"architectures", "[\"Gemma3ForCausalLM\"]"},
                {"model_type", "\"gemma3_text\""}, {"head_dim", "4"},
                {"rope_parameters",
                 "{\"full_attention\": {\"rope_theta\": 100, \"skip_it\": "
                 "1}, \"sliding_attention\": {\"rope_theta\": 100}}"}),
        4, "[\"rope_parameters.skip_it\"]");
}

/* A key of which there is only one way here is read: it is compared. */
static void what_has_only_one_value_is_not_listed(void **state)
{
    (void)state;
    assert_unread(
        CHANGES({"architectures", "[\"HunYuanDenseV1ForCausalLM\"]"},
                {"model_type", "\"hunyuan_v1_dense\""}, {"head_dim", "4"},
                {"use_qk_norm", "true"}, {"norm_type", "\"rms\""},
                {"skip_it", "1"}),
        6, "[\"skip_it\"]");
}

static void what_nobody_reads_of_the_part_for_texts_is_listed(void **state)
{
    (void)state;
    struct model m;
    struct error e = {ERROR_NONE, ""};
    write_text("config.json",
               "{\"architectures\": [\"Gemma3ForConditionalGeneration\"], "
               "\"model_type\": \"gemma3\", \"unsloth_fixed\": true, "
               "\"text_config\": {\"model_type\": \"gemma3_text\", "
               "\"hidden_size\": 8, \"intermediate_size\": 6, "
               "\"num_hidden_layers\": 1, \"skip_it\": 1, "
               "\"attention_dropout\": 0.5}}");
    model_describe(&m, ".", &e);
    assert_string_equal(e.message, "");
    json_t *list = family_unread(family_named(&m.config, &e), &m.config, &e);
    char *found = json_dumps(list, 0);
    assert_string_equal(found, "[\"unsloth_fixed\", \"text_config.skip_it\"]");
    free(found);
    json_decref(list);
    model_close(&m);
}

/* What one family reads, another does not; of none that is not here is
 * anything known. */
static void each_family_has_keys_of_its_own(void **state)
{
    (void)state;
    assert_true(transformers_reads("granite", "residual_multiplier"));
    assert_false(transformers_reads("llama", "residual_multiplier"));
    assert_true(transformers_reads("llama", "AutoConfig"));
    assert_true(transformers_reads("mamba", "residual_multiplier"));
}

/* A row that is missing in the list would refuse whatever it does not know. */
static void every_family_is_in_the_list(void **state)
{
    (void)state;
    const struct family *f;
    for (size_t i = 0; (f = family_row(i)); i++)
        assert_false(transformers_reads(f->model_type, "unsloth_version"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(what_nobody_reads_is_listed),
        SCRATCH(what_nobody_reads_of_a_rotation_is_listed),
        SCRATCH(what_has_only_one_value_is_not_listed),
        SCRATCH(what_nobody_reads_of_the_part_for_texts_is_listed),
        cmocka_unit_test(each_family_has_keys_of_its_own),
        cmocka_unit_test(every_family_is_in_the_list),
    };
    return cmocka_run_group_tests_name("family_unread", tests, NULL, NULL);
}

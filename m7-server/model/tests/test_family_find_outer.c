/* In a model that also sees or hears, what stands beside the part for texts
 * is checked as well. */
#include "test_model_open.h"

static void a_key_beside_the_part_for_texts_is_refused(void **state)
{
    (void)state;
    assert_config_refused(
        CHANGES({"architectures", "[\"Gemma3ForConditionalGeneration\"]"},
                {"text_config",
                 "{\"model_type\": \"gemma3_text\", \"vocab_size\": 5, "
                 "\"hidden_size\": 8, \"intermediate_size\": 6, "
                 "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
                 "\"max_position_embeddings\": 9}"}),
        2, ERROR_UNSUPPORTED,
        "./config.json: vocab_size: is not a key that this program knows for "
        "Gemma3ForConditionalGeneration");
}

/* A Gemma 3 that also sees, with these keys beside its part for texts;
 * model_describe's result. */
static int describe_seeing(const char *beside, struct error *e)
{
    char text[500];
    struct model m;
    *e = (struct error){ERROR_NONE, ""};
    snprintf(text, sizeof text,
             "{\"architectures\": [\"Gemma3ForConditionalGeneration\"], %s, "
             "\"text_config\": {\"model_type\": \"gemma3_text\", "
             "\"hidden_size\": 8, \"intermediate_size\": 6, "
             "\"num_hidden_layers\": 1}}",
             beside);
    write_text("config.json", text);
    int result = model_describe(&m, ".", e);
    if (result == 0)
        model_close(&m);
    return result;
}

static void what_stands_beside_the_part_for_texts_is_known(void **state)
{
    (void)state;
    struct error e;
    int result =
        describe_seeing("\"model_type\": \"gemma3\", \"unsloth_fixed\": true, "
                        "\"mm_tokens_per_image\": 256, \"use_cache\": true",
                        &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
}

/* Of the whole model: in the part for texts nobody would read it. */
static void how_it_is_quantized_stands_beside_the_part_for_texts(void **state)
{
    (void)state;
    struct error e;
    int result = describe_seeing("\"model_type\": \"gemma3\", "
                                 "\"quantization_config\": {"
                                 "\"quant_method\": \"fp8\"}",
                                 &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
    write_text("config.json",
               "{\"architectures\": [\"Gemma3ForConditionalGeneration\"], "
               "\"model_type\": \"gemma3\", \"text_config\": {"
               "\"model_type\": \"gemma3_text\", \"hidden_size\": 8, "
               "\"intermediate_size\": 6, \"num_hidden_layers\": 1, "
               "\"quantization_config\": {\"quant_method\": \"fp8\"}}}");
    assert_refused(ERROR_UNSUPPORTED,
                   "./config.json: text_config.quantization_config: is not a "
                   "key that this program knows for "
                   "Gemma3ForConditionalGeneration");
}

static void the_whole_model_is_of_a_type_as_well(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(describe_seeing("\"model_type\": \"gemma3_text\"", &e),
                     -1);
    assert_string_equal(e.message,
                        "./config.json: model_type: found \"gemma3_text\", "
                        "but a Gemma3ForConditionalGeneration is of type "
                        "\"gemma3\"");
    assert_int_equal(describe_seeing("\"use_cache\": true", &e), -1);
    assert_string_equal(e.message,
                        "./config.json: model_type: is missing: expected a "
                        "string");
}

static void a_family_has_other_parts_or_has_not(void **state)
{
    (void)state;
    assert_config_refused(
        CHANGES({"text_config",
                 "{\"model_type\": \"llama\", \"vocab_size\": 5, "
                 "\"hidden_size\": 8, \"intermediate_size\": 6, "
                 "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
                 "\"max_position_embeddings\": 9}"}),
        1, ERROR_UNSUPPORTED,
        "./config.json: text_config: a LlamaForCausalLM has no other parts "
        "beside the one for texts");
    assert_config_refused(
        CHANGES({"architectures", "[\"Gemma3ForConditionalGeneration\"]"},
                {"model_type", "\"gemma3_text\""}),
        2, ERROR_UNSUPPORTED,
        "./config.json: a Gemma3ForConditionalGeneration has other parts "
        "beside the one for texts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_key_beside_the_part_for_texts_is_refused),
        SCRATCH(what_stands_beside_the_part_for_texts_is_known),
        SCRATCH(how_it_is_quantized_stands_beside_the_part_for_texts),
        SCRATCH(the_whole_model_is_of_a_type_as_well),
        SCRATCH(a_family_has_other_parts_or_has_not),
    };
    return cmocka_run_group_tests_name("family_find, other parts", tests, NULL,
                                       NULL);
}

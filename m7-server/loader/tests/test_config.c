/* config.json is believed only where it makes sense. */
#include "config.h"
#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A good config.json as text, with one member replaced: `key` by `value`, or
 * left out when that is NULL. */
static void write_config(const char *key, const char *value)
{
    static const char *const members[][2] = {
        {"architectures", "[\"TestForCausalLM\"]"},
        {"model_type", "\"test\""},
        {"vocab_size", "100"},
        {"hidden_size", "48"},
        {"intermediate_size", "80"},
        {"num_hidden_layers", "3"},
        {"num_attention_heads", "6"},
        {"num_key_value_heads", "2"},
        {"head_dim", "16"},
        {"max_position_embeddings", "512"},
        {"tie_word_embeddings", "true"},
        {"bos_token_id", "1"},
        {"eos_token_id", "2"},
    };
    FILE *f = fopen("config.json", "w");
    fputs("{\"other\": []", f);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        bool changed = key && strcmp(members[i][0], key) == 0;
        const char *shown = changed ? value : members[i][1];
        if (shown)
            fprintf(f, ", \"%s\": %s", members[i][0], shown);
    }
    fputs("}", f);
    fclose(f);
}

static void load_config(struct config *c)
{
    struct error e = {ERROR_NONE, ""};
    config_load(c, ".", &e);
    assert_string_equal(e.message, "");
}

static void assert_refused(const char *message)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(config_load(&c, ".", &e), -1);
    assert_string_equal(e.message, message);
    assert_null(c.file);
}

/* --- what is right ------------------------------------------------------ */

static void every_field_is_read(void **state)
{
    (void)state;
    write_config(NULL, NULL);
    struct config c;
    load_config(&c);
    assert_string_equal(c.architecture, "TestForCausalLM");
    assert_string_equal(c.model_type, "test");
    assert_int_equal(c.vocab_size, 100);
    assert_int_equal(c.hidden_size, 48);
    assert_int_equal(c.intermediate_size, 80);
    assert_int_equal(c.n_layers, 3);
    assert_int_equal(c.n_heads, 6);
    assert_int_equal(c.n_kv_heads, 2);
    assert_int_equal(c.head_dim, 16);
    assert_int_equal(c.max_positions, 512);
    assert_true(c.tie_word_embeddings);
    assert_int_equal(c.bos, 1);
    assert_int_equal(c.eos.size, 1);
    assert_int_equal(c.eos.data[0], 2);
    assert_string_equal(c.file, "./config.json");
    config_free(&c);
}

/* A field of a config.json in which one member is left out or null. */
static size_t size_without(const char *key, const char *value, size_t offset)
{
    write_config(key, value);
    struct config c;
    load_config(&c);
    size_t size = *(size_t *)((char *)&c + offset);
    config_free(&c);
    return size;
}

static void what_may_be_left_out_has_a_usual_value(void **state)
{
    (void)state;
    size_t kv = offsetof(struct config, n_kv_heads);
    size_t head = offsetof(struct config, head_dim);
    assert_int_equal(size_without("num_key_value_heads", NULL, kv), 6);
    assert_int_equal(size_without("num_key_value_heads", "null", kv), 6);
    assert_int_equal(size_without("head_dim", NULL, head), 8);
    assert_int_equal(size_without("head_dim", "null", head), 8);

    write_config("tie_word_embeddings", NULL);
    struct config c;
    load_config(&c);
    assert_false(c.tie_word_embeddings);
    config_free(&c);

    write_config("bos_token_id", "null");
    load_config(&c);
    assert_int_equal(c.bos, -1);
    config_free(&c);

    write_config("architectures", NULL);
    load_config(&c);
    assert_string_equal(c.architecture, "");
    config_free(&c);
}

static void the_other_spelling_of_sizes_is_read(void **state)
{
    (void)state;
    write_text("config.json",
               "{\"model_type\": \"gpt2\", \"vocab_size\": 9, \"n_embd\": 8, "
               "\"n_inner\": 32, \"n_layer\": 2, \"n_head\": 4, "
               "\"n_positions\": 64}");
    struct config c;
    load_config(&c);
    assert_int_equal(c.hidden_size, 8);
    assert_int_equal(c.intermediate_size, 32);
    assert_int_equal(c.n_layers, 2);
    assert_int_equal(c.n_heads, 4);
    assert_int_equal(c.max_positions, 64);
    assert_int_equal(c.head_dim, 2);
    assert_int_equal(c.eos.size, 0);
    config_free(&c);
}

static void the_text_part_of_a_larger_model_is_read(void **state)
{
    (void)state;
    write_text("config.json",
               "{\"architectures\": [\"SeeingModel\"], \"model_type\": "
               "\"seeing\", \"eos_token_id\": [1, 106], \"hidden_size\": 7, "
               "\"tie_word_embeddings\": true, \"text_config\": "
               "{\"model_type\": \"seeing_text\", \"vocab_size\": 200, "
               "\"hidden_size\": 8, \"intermediate_size\": 32, "
               "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
               "\"max_position_embeddings\": 64, \"bos_token_id\": 2}}");
    struct config c;
    load_config(&c);
    assert_string_equal(c.architecture, "SeeingModel");
    assert_string_equal(c.model_type, "seeing_text");
    assert_int_equal(c.hidden_size, 8);
    assert_true(c.tie_word_embeddings);
    assert_int_equal(c.bos, 2);
    assert_int_equal(c.eos.size, 2);
    assert_int_equal(c.eos.data[1], 106);
    assert_ptr_equal(c.text.parent, &c.root);
    config_free(&c);
}

/* As in transformers, where a picture model's class ties its head or not. */
static void the_whole_model_says_whether_the_head_is_tied(void **state)
{
    (void)state;
    static const char *const ties[][2] = {
        {"true", "false"}, {"false", "true"}, {"null", "true"}};
    for (size_t i = 0; i < 3; i++) {
        char text[400];
        struct config c;
        snprintf(text, sizeof text,
                 "{\"tie_word_embeddings\": %s, \"text_config\": "
                 "{\"tie_word_embeddings\": %s, \"model_type\": \"text\", "
                 "\"vocab_size\": 200, \"hidden_size\": 8, "
                 "\"intermediate_size\": 32, \"num_hidden_layers\": 2, "
                 "\"num_attention_heads\": 4, "
                 "\"max_position_embeddings\": 64}}",
                 ties[i][0], ties[i][1]);
        write_text("config.json", text);
        load_config(&c);
        assert_int_equal(c.tie_word_embeddings, i == 0);
        config_free(&c);
    }
}

static void generation_config_has_the_last_word_on_special_ids(void **state)
{
    (void)state;
    write_config(NULL, NULL);
    write_text("generation_config.json",
               "{\"bos_token_id\": 7, \"eos_token_id\": [8, 9]}");
    struct config c;
    load_config(&c);
    assert_int_equal(c.bos, 7);
    assert_int_equal(c.eos.size, 2);
    assert_int_equal(c.eos.data[0], 8);
    assert_int_equal(c.eos.data[1], 9);
    config_free(&c);

    write_text("generation_config.json", "{\"eos_token_id\": null}");
    load_config(&c);
    assert_int_equal(c.bos, 1);
    assert_int_equal(c.eos.data[0], 2);
    config_free(&c);
}

static void the_reading_model_is_read(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat/model.safetensors");
    if (access(path, R_OK))
        skip();
    struct config c;
    struct error e = {ERROR_NONE, ""};
    config_load(&c, path, &e);
    assert_string_equal(e.message, "");
    assert_string_equal(c.architecture, "Qwen3ForCausalLM");
    assert_int_equal(c.vocab_size, 4096);
    assert_int_equal(c.n_layers, 8);
    assert_int_equal(c.eos.size, 2);
    assert_int_equal(c.eos.data[0], 4089);
    config_free(&c);
    free(path);
}

/* --- what is wrong ------------------------------------------------------ */

static void assert_member(const char *key, const char *value,
                          const char *problem)
{
    char message[300];
    write_config(key, value);
    snprintf(message, sizeof message, "./config.json: %s", problem);
    assert_refused(message);
}

/* Each size: missing, of another type, zero, negative, and absurd. */
static void assert_size(const char *key, const char *most, bool required)
{
    static const char *const wrong[][2] = {
        {"\"8\"", "expected an integer, found a string"},
        {"8.5", "expected an integer, found a number"},
        {"[8]", "expected an integer, found an array"},
        {"true", "expected an integer, found true or false"},
    };
    char problem[200];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(problem, sizeof problem, "%s: %s", key, wrong[i][1]);
        assert_member(key, wrong[i][0], problem);
    }
    static const char *const beyond[] = {"0", "-8", "9223372036854775807"};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        snprintf(problem, sizeof problem,
                 "%s: expected an integer from 1 to %s, found %s", key, most,
                 beyond[i]);
        assert_member(key, beyond[i], problem);
    }
    if (!required)
        return;
    snprintf(problem, sizeof problem, "%s: is missing: expected an integer",
             key);
    assert_member(key, NULL, problem);
}

static void sizes_are_sizes(void **state)
{
    (void)state;
    assert_size("vocab_size", "67108864", true);
    assert_size("hidden_size", "1048576", true);
    assert_size("intermediate_size", "16777216", true);
    assert_size("num_hidden_layers", "65536", true);
    assert_size("num_attention_heads", "65536", true);
    assert_size("num_key_value_heads", "65536", false);
    assert_size("head_dim", "65536", false);
    assert_size("max_position_embeddings", "2147483647", true);
}

static void sizes_agree_with_each_other(void **state)
{
    (void)state;
    assert_member("num_key_value_heads", "4",
                  "num_key_value_heads: 4 does not divide the 6 attention "
                  "heads");
    assert_member("num_key_value_heads", "12",
                  "num_key_value_heads: 12 does not divide the 6 attention "
                  "heads");
    write_text("config.json",
               "{\"model_type\": \"t\", \"vocab_size\": 9, \"hidden_size\": "
               "50, \"intermediate_size\": 32, \"num_hidden_layers\": 2, "
               "\"num_attention_heads\": 4, "
               "\"max_position_embeddings\": 64}");
    assert_refused("./config.json: head_dim: is missing, and the 4 attention "
                   "heads do not divide the hidden size, 50");
}

static void other_fields_have_their_types(void **state)
{
    (void)state;
    assert_member("model_type", NULL,
                  "model_type: is missing: expected a string");
    assert_member("model_type", "7",
                  "model_type: expected a string, found an integer");
    assert_member("architectures", "\"X\"",
                  "architectures: expected an array, found a string");
    assert_member("architectures", "[7]",
                  "architectures[0]: expected a string, found an integer");
    assert_member("tie_word_embeddings", "1",
                  "tie_word_embeddings: expected true or false, found an "
                  "integer");
}

static void special_ids_are_in_the_vocabulary(void **state)
{
    (void)state;
    assert_member("bos_token_id", "100",
                  "bos_token_id: expected an integer from 0 to 99, found "
                  "100");
    assert_member("bos_token_id", "\"<s>\"",
                  "bos_token_id: expected an integer, found a string");
    assert_member("eos_token_id", "-1",
                  "eos_token_id: expected an integer from 0 to 99, found -1");
    assert_member("eos_token_id", "[2, 100]",
                  "eos_token_id[1]: expected an integer from 0 to 99, found "
                  "100");
    assert_member("eos_token_id", "{}",
                  "eos_token_id: expected an integer, found an object");
    write_config(NULL, NULL);
    write_text("generation_config.json", "{\"eos_token_id\": [[2]]}");
    assert_refused("./generation_config.json: eos_token_id[0]: expected an "
                   "integer, found an array");
    write_text("generation_config.json", "[]");
    assert_refused("./generation_config.json: expected an object, found an "
                   "array");
}

static void a_file_is_there_and_an_object(void **state)
{
    (void)state;
    assert_refused("./config.json: No such file or directory");
    write_text("config.json", "[]");
    assert_refused("./config.json: expected an object, found an array");
    write_text("config.json", "{\"text_config\": 7}");
    assert_refused("./config.json: text_config: expected an object, found an "
                   "integer");
    write_text("config.json", "{\"text_config\": {\"model_type\": 7}}");
    assert_refused("./config.json: text_config.model_type: expected a "
                   "string, found an integer");
    write_text("config.json", "{");
    assert_refused("./config.json: not JSON: string or '}' expected near end "
                   "of file (line 1, column 1, byte 1)");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(every_field_is_read),
        SCRATCH(what_may_be_left_out_has_a_usual_value),
        SCRATCH(the_other_spelling_of_sizes_is_read),
        SCRATCH(the_text_part_of_a_larger_model_is_read),
        SCRATCH(the_whole_model_says_whether_the_head_is_tied),
        SCRATCH(generation_config_has_the_last_word_on_special_ids),
        cmocka_unit_test(the_reading_model_is_read),
        SCRATCH(sizes_are_sizes),
        SCRATCH(sizes_agree_with_each_other),
        SCRATCH(other_fields_have_their_types),
        SCRATCH(special_ids_are_in_the_vocabulary),
        SCRATCH(a_file_is_there_and_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a config.json leaves out is what the family's class takes it for, or
 * it is missed. */
#include "silence.h"

#include "test_silences.h"

#undef fail /* cmocka's; here it is ours */

struct size_key {
    const char *key;
    size_t offset; /* in struct config */
};

static const struct size_key size_keys[] = {
    {"vocab_size", offsetof(struct config, vocab_size)},
    {"hidden_size", offsetof(struct config, hidden_size)},
    {"intermediate_size", offsetof(struct config, intermediate_size)},
    {"num_hidden_layers", offsetof(struct config, n_layers)},
    {"num_attention_heads", offsetof(struct config, n_heads)},
    {"num_key_value_heads", offsetof(struct config, n_kv_heads)},
    {"head_dim", offsetof(struct config, head_dim)},
    {"max_position_embeddings", offsetof(struct config, max_positions)},
};

/* The ids that transformers ends a text with. */
static bool ends_alike(const struct config *c, const json_t *ids)
{
    if (c->eos.size != json_array_size(ids))
        return false;
    for (size_t i = 0; i < c->eos.size; i++)
        if (c->eos.data[i] != json_integer_value(json_array_get(ids, i)))
            return false;
    return true;
}

/* The first key that means something else here than in transformers; NULL:
 * none does. */
static const char *differs(const struct config *c, const json_t *one)
{
    for (size_t i = 0; i < sizeof size_keys / sizeof size_keys[0]; i++) {
        const struct size_key *k = &size_keys[i];
        size_t found = *(const size_t *)((const char *)c + k->offset);
        const json_t *expected = silence_means(one, k->key);
        if ((json_int_t)found != json_integer_value(expected))
            return k->key;
    }
    const json_t *bos = silence_means(one, "bos_token_id");
    if (c->bos != (json_is_null(bos) ? -1 : json_integer_value(bos)))
        return "bos_token_id";
    const json_t *tie = silence_means(one, "tie_word_embeddings");
    if (c->tie_word_embeddings != json_is_true(tie))
        return "tie_word_embeddings";
    return ends_alike(c, silence_means(one, "eos_token_ids")) ? NULL
                                                              : "eos_token_id";
}

static void assert_means_the_same(const json_t *one)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    silence_write(one);
    int result = config_load(&c, ".", &e);
    const char *wrong = result ? e.message : differs(&c, one);
    if (wrong)
        print_error("%s: %s\n", silence_name(one), wrong);
    assert_null(wrong);
    config_free(&c);
}

static void assert_is_missed(const json_t *one)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    silence_write(one);
    assert_int_equal(config_load(&c, ".", &e), -1);
    assert_non_null(strstr(e.message, "is missing: expected an integer"));
}

static void silence_means_what_transformers_takes_it_for(void **state)
{
    json_t *file = silences_read(*state), *one;
    if (!file)
        skip();
    size_t i = 0;
    for (; (one = silence_at(file, i)); i++)
        if (silence_is_refused(one))
            assert_is_missed(one);
        else
            assert_means_the_same(one);
    assert_true(i >= 40);
    json_decref(file);
}

/* A Gemma 3 with one more member; it has few layers, and is said to be of
 * `type`. */
static void write_silent(const char *type, const char *member)
{
    char text[300];
    snprintf(text, sizeof text,
             "{\"model_type\": \"%s\", \"hidden_size\": 64, "
             "\"intermediate_size\": 80, \"num_hidden_layers\": 3%s}",
             type, member);
    write_text("config.json", text);
}

static void what_is_not_said_is_listed(void **state)
{
    (void)state;
    struct config c;
    struct error e = {ERROR_NONE, ""};
    write_silent("gemma3_text", ", \"vocab_size\": 9, \"head_dim\": 4, "
                                "\"eos_token_id\": 5, \"bos_token_id\": 3, "
                                "\"tie_word_embeddings\": true");
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    char *list = json_dumps(c.by_default, 0);
    assert_string_equal(list,
                        "[\"num_attention_heads\", \"num_key_value_heads\", "
                        "\"max_position_embeddings\"]");
    free(list);
    config_free(&c);
}

static void assert_refused(const char *message)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(config_load(&c, ".", &e), -1);
    assert_string_equal(e.message, message);
}

static bool is_by_default(const struct config *c, const char *key)
{
    for (size_t i = 0; i < json_array_size(c->by_default); i++)
        if (strcmp(json_string_value(json_array_get(c->by_default, i)), key) ==
            0)
            return true;
    return false;
}

/* Whether the head of a model of this type is tied, and whether that is so by
 * default. */
static void assert_tied(const char *type, const char *member, bool tied,
                        bool by_default)
{
    struct config c;
    struct error e = {ERROR_NONE, ""};
    char all[300];
    snprintf(all, sizeof all,
             ", \"vocab_size\": 9, \"num_attention_heads\": 4, "
             "\"max_position_embeddings\": 5%s",
             member);
    write_silent(type, all);
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    assert_int_equal(c.tie_word_embeddings, tied);
    assert_int_equal(is_by_default(&c, "tie_word_embeddings"), by_default);
    config_free(&c);
}

/* As in transformers. */
static void some_heads_are_tied_by_default(void **state)
{
    (void)state;
    static const char no[] = ", \"tie_word_embeddings\": false";
    static const char *const tied[] = {"gemma2", "gemma3_text", "gemma4_text",
                                       "smollm3", "starcoder2"};
    for (size_t i = 0; i < sizeof tied / sizeof tied[0]; i++) {
        assert_tied(tied[i], "", true, true);
        assert_tied(tied[i], no, false, false);
    }
    assert_tied("llama", "", false, false);
    assert_tied("mistral", "", false, false);
}

/* A Mistral 3 is tied, though the Mistral in it would not be. */
static void the_whole_may_be_tied_by_default(void **state)
{
    (void)state;
    struct config c;
    struct error e = {ERROR_NONE, ""};
    write_text("config.json",
               "{\"model_type\": \"mistral3\", \"text_config\": "
               "{\"model_type\": \"mistral\", \"vocab_size\": 9, "
               "\"hidden_size\": 8, \"intermediate_size\": 9, "
               "\"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
               "\"max_position_embeddings\": 5}}");
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    assert_true(c.tie_word_embeddings);
    assert_true(is_by_default(&c, "tie_word_embeddings"));
    static const char tie[] = "tie_word_embeddings";
    assert_true(json_is_true(json_object_get(c.root.value, tie)));
    assert_null(json_object_get(c.text.value, tie));
    config_free(&c);
}

/* Then only the part about text has one. */
static void the_whole_may_have_no_type(void **state)
{
    (void)state;
    struct config c;
    struct error e = {ERROR_NONE, ""};
    write_text("config.json",
               "{\"text_config\": {\"model_type\": \"mistral\", "
               "\"vocab_size\": 9, \"hidden_size\": 8, "
               "\"intermediate_size\": 9, \"num_hidden_layers\": 1, "
               "\"num_attention_heads\": 2, "
               "\"max_position_embeddings\": 5}}");
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    assert_int_equal(json_array_size(c.by_default), 0);
    config_free(&c);
}

static void nothing_is_presumed_of_other_families(void **state)
{
    (void)state;
    write_silent("gemma2", "");
    assert_refused("./config.json: vocab_size: is missing: expected an "
                   "integer");
}

/* As in transformers; some of its files say it by a key that nobody reads. */
static void the_first_llama_holds_2048_tokens(void **state)
{
    (void)state;
    struct config c;
    struct error e = {ERROR_NONE, ""};
    write_silent("llama", ", \"vocab_size\": 9, \"num_attention_heads\": 4, "
                          "\"max_sequence_length\": 512");
    config_load(&c, ".", &e);
    assert_string_equal(e.message, "");
    assert_int_equal(c.max_positions, 2048);
    assert_true(is_by_default(&c, "max_position_embeddings"));
    config_free(&c);
}

static void null_is_not_silence(void **state)
{
    (void)state;
    write_silent("gemma3_text", ", \"vocab_size\": null");
    assert_refused("./config.json: vocab_size: expected an integer, found "
                   "null");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(silence_means_what_transformers_takes_it_for),
        SCRATCH(what_is_not_said_is_listed),
        SCRATCH(some_heads_are_tied_by_default),
        SCRATCH(the_whole_may_be_tied_by_default),
        SCRATCH(the_whole_may_have_no_type),
        SCRATCH(nothing_is_presumed_of_other_families),
        SCRATCH(the_first_llama_holds_2048_tokens),
        SCRATCH(null_is_not_silence),
    };
    return cmocka_run_group_tests_name("silence", tests, NULL, NULL);
}

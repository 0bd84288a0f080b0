/* The least and the most that config.json may say, and what it may leave to
 * other files and to other parts. */
#include "config.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* What stands in the folder's config.json, or an error with this message, is
 * read into *c. */
static void assert_loads(struct config *c, const char *message)
{
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(config_load(c, ".", &e), *message ? -1 : 0);
    assert_string_equal(e.message, message);
}

/* --- sizes -------------------------------------------------------------- */

static void write_sizes(const char *const sizes[8])
{
    static const char *const keys[] = {
        "vocab_size",          "hidden_size",
        "intermediate_size",   "num_hidden_layers",
        "num_attention_heads", "num_key_value_heads",
        "head_dim",            "max_position_embeddings",
    };
    FILE *f = fopen("config.json", "w");
    assert_non_null(f);
    fputs("{\"model_type\": \"test\"", f);
    for (size_t i = 0; i < 8; i++)
        fprintf(f, ", \"%s\": %s", keys[i], sizes[i]);
    fputs("}", f);
    fclose(f);
}

static void assert_sizes(const char *const sizes[8])
{
    struct config c;
    write_sizes(sizes);
    assert_loads(&c, "");
    const size_t found[] = {
        c.vocab_size, c.hidden_size, c.intermediate_size, c.n_layers,
        c.n_heads,    c.n_kv_heads,  c.head_dim,          c.max_positions};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(found[i], strtoull(sizes[i], NULL, 10));
    config_free(&c);
}

static void sizes_may_be_the_least_and_the_most(void **state)
{
    (void)state;
    static const char *const least[] = {"1", "1", "1", "1",
                                        "1", "1", "1", "1"};
    static const char *const most[] = {"67108864", "1048576", "16777216",
                                       "65536",    "65536",   "65536",
                                       "65536",    "2147483647"};
    assert_sizes(least);
    assert_sizes(most);
}

/* 3 heads of 7: each would have 2, of which 7 is no multiple either; 4 heads
 * would have 1, of which everything is; 8 would have none. */
static void heads_without_a_dimension_divide_the_hidden_size(void **state)
{
    (void)state;
    static const char *const heads[] = {"3", "4", "8"};
    for (size_t i = 0; i < 3; i++) {
        struct config c;
        char message[200];
        const char *const sizes[] = {"9",      "7",    "9",    "1",
                                     heads[i], "null", "null", "9"};
        snprintf(message, sizeof message,
                 "./config.json: head_dim: is missing, and the %s attention "
                 "heads do not divide the hidden size, 7",
                 heads[i]);
        write_sizes(sizes);
        assert_loads(&c, message);
    }
}

/* --- the rest ----------------------------------------------------------- */

/* The sizes of a small model, to be followed by other members. */
#define SIZES                                                                 \
    "\"vocab_size\": 9, \"hidden_size\": 8, \"intermediate_size\": 32, "      \
    "\"num_hidden_layers\": 2, \"num_attention_heads\": 4, "                  \
    "\"max_position_embeddings\": 64"

static void a_list_of_architectures_may_be_empty(void **state)
{
    (void)state;
    struct config c;
    write_text("config.json",
               "{\"model_type\": \"t\", \"architectures\": [], " SIZES "}");
    assert_loads(&c, "");
    assert_string_equal(c.architecture, "");
    config_free(&c);
}

static void a_silent_whole_leaves_the_head_to_its_part(void **state)
{
    (void)state;
    struct config c;
    write_text("config.json", "{\"text_config\": {\"model_type\": \"t\", "
                              "\"tie_word_embeddings\": true, " SIZES "}}");
    assert_loads(&c, "");
    assert_true(c.tie_word_embeddings);
    config_free(&c);
    write_text("config.json", "{\"text_config\": {\"model_type\": \"t\", "
                              "\"tie_word_embeddings\": 1, " SIZES "}}");
    assert_loads(&c, "./config.json: text_config.tie_word_embeddings: "
                     "expected true or false, found an integer");
}

/* A Mistral 3, which says nothing of it, is tied; the Mistral in it is not. */
static void silence_is_that_of_the_whole(void **state)
{
    (void)state;
    struct config c;
    write_text("config.json", "{\"model_type\": \"mistral3\", "
                              "\"text_config\": {\"model_type\": "
                              "\"mistral\", " SIZES "}}");
    assert_loads(&c, "");
    assert_true(c.tie_word_embeddings);
    config_free(&c);
}

static void the_id_that_begins_a_text_may_be_0(void **state)
{
    (void)state;
    struct config c;
    write_text("config.json", "{\"model_type\": \"t\", "
                              "\"bos_token_id\": 5, " SIZES "}");
    write_text("generation_config.json", "{\"bos_token_id\": 0}");
    assert_loads(&c, "");
    assert_int_equal(c.bos, 0);
    config_free(&c);
    assert_int_equal(c.bos, -1);
    assert_null(c.file);
}

static void a_damaged_generation_config_is_refused(void **state)
{
    (void)state;
    struct config c;
    write_text("config.json", "{\"model_type\": \"t\", " SIZES "}");
    write_text("generation_config.json", "{");
    assert_loads(&c, "./generation_config.json: not JSON: string or '}' "
                     "expected near end of file (line 1, column 1, byte 1)");
    assert_int_equal(c.bos, -1);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(sizes_may_be_the_least_and_the_most),
        SCRATCH(heads_without_a_dimension_divide_the_hidden_size),
        SCRATCH(a_list_of_architectures_may_be_empty),
        SCRATCH(a_silent_whole_leaves_the_head_to_its_part),
        SCRATCH(silence_is_that_of_the_whole),
        SCRATCH(the_id_that_begins_a_text_may_be_0),
        SCRATCH(a_damaged_generation_config_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

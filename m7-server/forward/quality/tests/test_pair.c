/* Models are compared only where a row of logits means the same in both. */
#include "pair.h"

#include "test_commands.h"
#include "test_quality.h"

#include <sys/stat.h>

/* Skips where the models are not there. */
static char *need_path(const char *name)
{
    char *path = test_path(name);
    if (access(path, R_OK) != 0) {
        free(path);
        skip_without_models();
    }
    return path;
}

static void models_with_the_same_tokens_are_a_pair(void **state)
{
    (void)state;
    char *chat = need_path("models/tiny-chat");
    char *draft = need_path("models/tiny-draft");
    struct pair p;
    struct error e;
    assert_ok(pair_open(&p, chat, draft, france, strlen(france), &e), &e);
    assert_int_equal(p.ids.size, 6);
    assert_int_equal(p.a.model.config.n_layers, 8);
    assert_int_equal(p.b.model.config.n_layers, 2);
    pair_close(&p);
    assert_ok(pair_open(&p, chat, chat, NULL, 0, &e), &e);
    assert_int_equal(p.ids.size, 0);
    pair_close(&p);
    free(chat);
    free(draft);
}

static void assert_no_pair(const char *a, const char *b, const char *message)
{
    struct pair p;
    struct error e;
    assert_int_equal(pair_open(&p, a, b, france, strlen(france), &e), -1);
    assert_string_equal(e.message, message);
    assert_null(p.a.tokenizer);
    assert_null(p.b.tokenizer);
}

/* tiny-embed's tokenizer appends a token. */
static void another_reading_of_the_text_is_refused(void **state)
{
    (void)state;
    char *chat = need_path("models/tiny-chat");
    char *embed = need_path("models/tiny-embed");
    char message[600];
    snprintf(message, sizeof message,
             "%s and %s cut the text otherwise from its token 6 on: their "
             "logits cannot be compared",
             chat, embed);
    assert_no_pair(chat, embed, message);
    free(chat);
    free(embed);
}

/* --- made-up neighbours of tiny-chat ------------------------------------ */

/* A link from the folder "other" to a file of a model. */
static void link_file(const char *model, const char *name)
{
    char from[4200], to[80];
    snprintf(from, sizeof from, "%s/%s", model, name);
    snprintf(to, sizeof to, "other/%s", name);
    assert_int_equal(symlink(from, to), 0);
}

/* The reading model's tokenizer, ended by a zero. */
static struct bytes read_tokenizer(void)
{
    char path[4200];
    struct bytes json = {0};
    struct error e;
    snprintf(path, sizeof path, "%s/tokenizer.json", getenv("RUNG_MODEL"));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&json, f, path, &e), &e);
    fclose(f);
    bytes_add(&json, "", 1);
    return json;
}

/* The folder "other": the reading model with one spelling in its tokenizer
 * changed to another as long. */
static void make_other(const char *from, const char *to)
{
    struct bytes json = read_tokenizer();
    char *at = strstr(json.data, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    assert_int_equal(mkdir("other", 0700), 0);
    link_file(getenv("RUNG_MODEL"), "config.json");
    link_file(getenv("RUNG_MODEL"), "model.safetensors");
    FILE *f = fopen("other/tokenizer.json", "wb");
    assert_non_null(f);
    fwrite(json.data, 1, json.size - 1, f);
    fclose(f);
    bytes_free(&json);
}

static void another_spelling_of_a_token_is_refused(void **state)
{
    (void)state;
    char message[9000];
    char *model = getenv("RUNG_MODEL");
    need_model();
    make_other("\"<tool_response>\"", "\"<fool_response>\"");
    snprintf(message, sizeof message,
             "token 4094 is \"<tool_response>\" in %s, \"<fool_response>\" "
             "in other: their logits cannot be compared",
             model);
    assert_no_pair(model, "other", message);
}

static void another_vocabulary_is_refused(void **state)
{
    (void)state;
    char message[9000], small[4200];
    char *model = getenv("RUNG_MODEL");
    need_model();
    snprintf(small, sizeof small, "%s/../../checkpoints/qwen3-1", model);
    assert_int_equal(mkdir("other", 0700), 0);
    link_file(small, "config.json");
    link_file(small, "model.safetensors");
    link_file(model, "tokenizer.json");
    snprintf(message, sizeof message,
             "%s knows 4096 tokens, other 80: their logits cannot be "
             "compared",
             model);
    assert_no_pair(model, "other", message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_with_the_same_tokens_are_a_pair),
        cmocka_unit_test(another_reading_of_the_text_is_refused),
        SCRATCH(another_vocabulary_is_refused),
        SCRATCH(another_spelling_of_a_token_is_refused),
    };
    return cmocka_run_group_tests_name("pair", tests, name_model, NULL);
}

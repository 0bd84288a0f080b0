/* The short way to a text, and what a GGUF model says of chats. */
#include "test_client.h"

#include "test_files.h"

#include <jansson.h>

static struct rung_model *model;

static int open_once(void **state)
{
    struct rung_error e;
    char *path = test_path("models/tiny-chat");
    (void)state;
    if (access(path, R_OK) == 0)
        model = rung_open(path, NULL, &e);
    free(path);
    return 0;
}

static int close_once(void **state)
{
    (void)state;
    rung_close(model);
    return 0;
}

/* What was told, and after how many pieces nobody listens any more. */
struct told {
    char text[512];
    size_t size, pieces, most;
};

static int take(void *context, const char *text, size_t size)
{
    struct told *t = context;
    assert_true(size > 0);
    memcpy(t->text + t->size, text, size);
    t->size += size;
    return ++t->pieces == t->most;
}

static void pieces_are_the_text(void **state)
{
    (void)state;
    struct told t = {.most = SIZE_MAX};
    struct rung_error e;
    if (!model)
        skip_without_models();
    assert_int_equal(
        rung_continue(model, "Once upon a time", 8, take, &t, &e), 0);
    assert_string_equal(t.text, ", there was a little girl named Lily");
    assert_int_equal(t.pieces, 8);
}

/* Nothing comes after the piece that was not wanted. */
static void whoever_listens_may_end_it(void **state)
{
    (void)state;
    struct told t = {.most = 2};
    struct rung_error e;
    if (!model)
        skip_without_models();
    assert_int_equal(
        rung_continue(model, "Once upon a time", 40, take, &t, &e), 0);
    assert_string_equal(t.text, ", there");
    assert_int_equal(t.pieces, 2);
}

/* With the end comes what was held back: here half of a character. */
static void what_was_held_back_is_told_at_last(void **state)
{
    (void)state;
    struct told t = {.most = SIZE_MAX};
    struct rung_error e;
    if (!model)
        skip_without_models();
    assert_int_equal(rung_continue(model, "\u3053\u3093\u2019", 40, take, &t,
                                   &e), 0);
    assert_true(t.size > 3);
    assert_string_equal(t.text + t.size - 3, "\xef\xbf\xbd");
}

/* A file of tiny-chat, seen from another folder, in out (4096,). */
static void find_file(const struct scratch *s, const char *file, char *out)
{
    char name[64];
    snprintf(name, sizeof name, "models/tiny-chat/%s", file);
    char *path = test_path(name);
    snprintf(out, 4096, "%s%s%s", *path == '/' ? "" : s->before,
             *path == '/' ? "" : "/", path);
    free(path);
}

static void link_to_model(const struct scratch *s, const char *file)
{
    char path[4096];
    find_file(s, file, path);
    assert_int_equal(symlink(path, file), 0);
}

/* tiny-chat in the current folder, but with a token in front of each text. */
static void make_model_with_bos(const struct scratch *s)
{
    static const char processor[] =
        "{'type': 'TemplateProcessing', 'single': ["
        "{'SpecialToken': {'id': '<|endoftext|>', 'type_id': 0}},"
        "{'Sequence': {'id': 'A', 'type_id': 0}}], 'pair': [], "
        "'special_tokens': {'<|endoftext|>': {'id': '<|endoftext|>', "
        "'ids': [4087], 'tokens': ['<|endoftext|>']}}}";
    char text[sizeof processor];
    for (size_t i = 0; i < sizeof processor; i++)
        text[i] = processor[i] == '\'' ? '"' : processor[i];
    char path[4096];
    find_file(s, "tokenizer.json", path);
    json_t *tokenizer = json_load_file(path, 0, NULL);
    assert_int_equal(json_object_set_new(tokenizer, "post_processor",
                                         json_loads(text, 0, NULL)), 0);
    assert_int_equal(json_dump_file(tokenizer, "tokenizer.json", 0), 0);
    json_decref(tokenizer);
    link_to_model(s, "config.json");
    link_to_model(s, "model.safetensors");
}

/* A text goes on as `rung generate` would let it: behind what the tokenizer
 * puts in front. */
static void a_text_begins_as_the_tokenizer_says(void **state)
{
    struct told marked = {.most = SIZE_MAX}, t = {.most = SIZE_MAX};
    struct rung_error e;
    if (!model)
        skip_without_models();
    assert_int_equal(rung_continue(model, "<|endoftext|>Tom saw", 8, take,
                                   &marked, &e), 0);
    make_model_with_bos(*state);
    struct rung_model *other = rung_open(".", NULL, &e);
    assert_non_null(other);
    assert_int_equal(rung_continue(other, "Tom saw", 8, take, &t, &e), 0);
    assert_string_equal(t.text, marked.text);
    rung_close(other);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct told t = {.most = SIZE_MAX};
    struct rung_error e;
    if (!model)
        skip_without_models();
    assert_int_equal(rung_continue(model, "", 9, take, &t, &e), -1);
    assert_int_equal(e.code, RUNG_INPUT);
    assert_int_equal(rung_continue(model, "Once", 0, take, &t, &e), -1);
    assert_int_equal(e.code, RUNG_INPUT);
    assert_int_equal(rung_continue(model, "Once", 1u << 30, take, &t, &e), -1);
    assert_int_equal(e.code, RUNG_TOO_LONG);
    assert_int_equal(t.pieces, 0);
}

/* --- chats --------------------------------------------------------------- */

/* Written by the package gguf: tests/oracle/template/template_gguf.py. */
static void a_gguf_model_says_what_a_config_would(void **state)
{
    (void)state;
    struct rung_error e;
    char *text = NULL, *path = test_path("templates/templates.gguf");
    if (access(path, R_OK))
        skip_without_models();
    assert_int_equal(rung_chat_config(path, &text, &e), 0);
    json_t *config = json_loads(text, 0, NULL);
    json_t *templates = json_object_get(config, "chat_template");
    assert_int_equal(json_array_size(templates), 2);
    for (size_t i = 0; i < 2; i++) {
        json_t *one = json_array_get(templates, i);
        assert_true(json_is_string(json_object_get(one, "name")));
        assert_true(json_is_string(json_object_get(one, "template")));
    }
    assert_string_equal(
        json_string_value(json_object_get(config, "bos_token")), "<s>");
    json_decref(config);
    rung_free_text(text);
    free(path);
}

static void another_model_has_files_for_that(void **state)
{
    (void)state;
    struct rung_error e;
    char *text = (char *)"before", *path = test_path("models/tiny-chat");
    assert_int_equal(rung_chat_config(path, &text, &e), 0);
    assert_null(text);
    assert_int_equal(rung_chat_config("nowhere.gguf", &text, &e), -1);
    assert_string_equal(e.message, "nowhere.gguf: No such file or directory");
    assert_null(text);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_text),
        cmocka_unit_test(whoever_listens_may_end_it),
        cmocka_unit_test(what_was_held_back_is_told_at_last),
        cmocka_unit_test_setup_teardown(a_text_begins_as_the_tokenizer_says,
                                        scratch_enter, scratch_leave),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_gguf_model_says_what_a_config_would),
        cmocka_unit_test(another_model_has_files_for_that),
    };
    return cmocka_run_group_tests_name("rung_continue", tests, open_once,
                                       close_once);
}

/* A question is wrapped as the model's own template wraps it: chat.jsonl in
 * tests/models/goldens is from transformers' apply_chat_template. */
#include "chat.h"

#include "json.h"
#include "test_run.h"
#undef fail
#include "test_numbers.h"
#include "tokenizer_parts.h"

/* The question of a conversation that has nothing else, but for who to be;
 * NULL for any other. */
static const char *only_question(const json_t *golden, const char **system)
{
    const json_t *messages = json_object_get(golden, "messages");
    size_t n = json_array_size(messages), last = n - 1;
    const char *first = json_string_value(
        json_object_get(json_array_get(messages, 0), "role"));
    const char *role = json_string_value(
        json_object_get(json_array_get(messages, last), "role"));
    *system = NULL;
    if (json_array_size(json_object_get(golden, "tools")) > 0 || n > 2 ||
        strcmp(role, "user") != 0 ||
        !json_is_true(json_object_get(golden, "add_generation_prompt")))
        return NULL;
    if (n == 2 && strcmp(first, "system") != 0)
        return NULL;
    if (n == 2)
        *system = json_string_value(
            json_object_get(json_array_get(messages, 0), "content"));
    return json_string_value(
        json_object_get(json_array_get(messages, last), "content"));
}

/* Returns whether this golden is one for us. */
static bool check_golden(const json_t *golden)
{
    struct chat chat;
    const char *question = only_question(golden, &chat.system);
    if (!question)
        return false;
    struct bytes out = {0};
    chat.think = !json_is_false(json_object_get(golden, "enable_thinking"));
    chat_wrap(&chat, question, strlen(question), &out);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data,
                        json_string_value(json_object_get(golden, "text")));
    bytes_free(&out);
    return true;
}

static void questions_are_wrapped_as_the_template_does(void **state)
{
    (void)state;
    char *path = test_path("models/goldens/chat.jsonl");
    FILE *f = fopen(path, "rb");
    char line[20000];
    size_t checked = 0;
    free(path);
    if (!f)
        skip_without_models();
    while (fgets(line, sizeof line, f)) {
        struct error e;
        json_t *golden = json_parse(line, strlen(line), "chat.jsonl", 0, &e);
        assert_ok(golden ? 0 : -1, &e);
        checked += check_golden(golden);
        json_decref(golden);
    }
    fclose(f);
    assert_in_range(checked, 5, 27);
}

static void a_tokenizer_must_know_the_format(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat");
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    struct tokenizer *t = tokenizer_load(path, &e);
    assert_ok(t ? chat_check(t, &e) : -1, &e);
    tokenizer_free(t);
    free(path);
}

/* A tokenizer with this token alone lacks that one. */
static void assert_lacks(const char *has, const char *lacks)
{
    char text[300], expected[120];
    struct error e;
    snprintf(text, sizeof text,
             "{\"added_tokens\":[{\"id\":0,\"content\":\"%s\","
             "\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
             "\"normalized\":false,\"special\":true}],\"model\":{\"type\":"
             "\"BPE\",\"vocab\":{\"%s\":0},\"merges\":[]}}",
             has, has);
    json_t *json = json_parse(text, strlen(text), "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    assert_ok(t ? 0 : -1, &e);
    assert_int_equal(chat_check(t, &e), -1);
    snprintf(expected, sizeof expected,
             "--chat has the format of the reading model; this model has no "
             "token %s",
             lacks);
    assert_string_equal(e.message, expected);
    tokenizer_free(t);
    json_decref(json);
}

static void another_is_refused_by_what_it_lacks(void **state)
{
    (void)state;
    assert_lacks("<|im_start|>", "<|im_end|>");
    assert_lacks("<|im_end|>", "<|im_start|>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_are_wrapped_as_the_template_does),
        cmocka_unit_test(a_tokenizer_must_know_the_format),
        cmocka_unit_test(another_is_refused_by_what_it_lacks),
    };
    return cmocka_run_group_tests_name("chat", tests, NULL, NULL);
}

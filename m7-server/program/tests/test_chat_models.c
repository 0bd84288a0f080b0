/* The command that talks with several models: which, and how one takes over
 * from another. */
#include "test_commands.h"

/* Lines of input, to the model. */
static struct outcome talk(char **words, const char *lines)
{
    need_model();
    return run_rung(words, lines, strlen(lines));
}

#define TALK(...) WORDS("chat", "-t", "0", __VA_ARGS__)

static void assert_ends(char **words, const char *lines, int status,
                        const char *message)
{
    struct outcome o = talk(words, lines);
    const char *last = o.err.size > strlen(message)
                           ? o.err.data + o.err.size - strlen(message)
                           : o.err.data;
    assert_string_equal(last, message);
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

/* What a chat with tiny-chat and tiny-draft says to standard error. */
static struct outcome talk_to_two(const char *lines)
{
    char *draft = test_path("models/tiny-draft");
    struct outcome o =
        talk(TALK("-n", "40", getenv("RUNG_MODEL"), draft), lines);
    free(draft);
    return o;
}

/* The other reads all that was said; and the first, when it is asked again,
 * knows the beginning. */
static void another_model_takes_the_conversation_over(void **state)
{
    (void)state;
    struct outcome o = talk_to_two(
        "/think off\nHello\n/model tiny-draft\nTell me a story\n"
        "/model tiny-chat\nMore\n");
    assert_int_equal(strncmp(o.err.data, "13 read, 10 written; ", 21), 0);
    const char *other = strstr(o.err.data, "\n36 read, 40 written; ");
    assert_non_null(other);
    assert_non_null(strstr(other, "\n79 read, 9 known, "));
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void models_are_listed_and_chosen_by_name(void **state)
{
    (void)state;
    struct outcome o = talk_to_two("/model\n/model tiny-draft\n/model\n");
    assert_string_equal(o.err.data, "  tiny-chat  (answers now)\n"
                                    "  tiny-draft\n"
                                    "  tiny-chat\n"
                                    "  tiny-draft  (answers now)\n");
    assert_string_equal(o.out.data, "");
    outcome_free(&o);
    assert_ends(TALK(getenv("RUNG_MODEL")), "/model gpt-5\n", 2,
                "rung: no model is called \"gpt-5\" here (see: /model)\n");
}

/* Without a name those are there that the server would have. */
static void models_are_found_as_by_the_server(void **state)
{
    (void)state;
    char *folder = test_path("models"), *model = strdup(getenv("RUNG_MODEL"));
    need_model();
    setenv("RUNG_MODELS", folder, 1);
    unsetenv("RUNG_MODEL");
    static const char lines[] = "/model\nWhat is the capital of Japan?\n"
                                "/model tiny-embed\n";
    struct outcome o = run_rung(TALK("-q"), lines, strlen(lines));
    setenv("RUNG_MODEL", model, 1);
    unsetenv("RUNG_MODELS");
    assert_string_equal(o.err.data,
                        "  tiny-chat  (answers now)\n"
                        "rung: tiny-embed makes vectors, and no answers\n");
    assert_string_equal(o.out.data,
                        "[thinks ...]\nThe capital of Japan is Tokyo.\n");
    outcome_free(&o);
    free(model);
    free(folder);
}

/* Also one that would have been taken without. */
static void a_named_model_is_asked_alone(void **state)
{
    (void)state;
    need_model();
    char named[4096 + 32], *before = strdup(getenv("RUNG_MODEL"));
    size_t folder = (size_t)(strrchr(getenv("RUNG"), '/') - getenv("RUNG"));
    snprintf(named, sizeof named, "%.*s/../tests/models/tiny-chat",
             (int)folder, getenv("RUNG"));
    if (access(named, R_OK))
        snprintf(named, sizeof named, "%s", before);
    unsetenv("RUNG_MODEL");
    setenv("RUNG_MODELS", "/nowhere", 1);
    struct outcome by_option = run_rung(TALK("-m", named),
                                        "/model\n", 7);
    setenv("RUNG_MODEL", named, 1);
    struct outcome by_variable = run_rung(WORDS("chat"), "/model\n", 7);
    setenv("RUNG_MODEL", before, 1);
    unsetenv("RUNG_MODELS");
    free(before);
    assert_string_equal(by_option.err.data, "  tiny-chat  (answers now)\n");
    assert_string_equal(by_variable.err.data, "  tiny-chat  (answers now)\n");
    outcome_free(&by_option);
    outcome_free(&by_variable);
}

#define WEATHER                                                               \
    "[{\"type\": \"function\", \"function\": {\"name\": \"get_weather\", "    \
    "\"description\": \"Get the weather\", \"parameters\": {\"type\": "       \
    "\"object\", \"properties\": {\"city\": {\"type\": \"string\"}}, "        \
    "\"required\": [\"city\"]}}}]"

/* A folder with the reading model's files. */
static void copy_model(const char *folder)
{
    static const char *const files[] = {"config.json", "tokenizer.json",
                                        "tokenizer_config.json",
                                        "model.safetensors"};
    mkdir(folder, 0777);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char from[4096], to[256];
        snprintf(from, sizeof from, "%s/%s", getenv("RUNG_MODEL"), files[i]);
        snprintf(to, sizeof to, "%s/%s", folder, files[i]);
        assert_int_equal(symlink(from, to), 0);
    }
}

/* A model whose template has no place for tools is not chosen where there are
 * some, and the one before goes on. */
static void a_model_without_tools_is_not_chosen(void **state)
{
    (void)state;
    need_model();
    write_file("tools.json", WEATHER, strlen(WEATHER));
    copy_model("plain");
    write_file("plain/chat_template.jinja", "{{ messages[0].content }}", 25);
    assert_ends(TALK("--tools", "tools.json", getenv("RUNG_MODEL"), "plain"),
                "/model plain\n", 1,
                "rung: plain: the chat template of this model has no place "
                "for tools\n");
}

static void one_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_error(WORDS("chat", getenv("RUNG_MODEL"), france), 1,
                 "rung: The capital of France is/config.json: No such file or "
                 "directory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_model_takes_the_conversation_over),
        cmocka_unit_test(models_are_listed_and_chosen_by_name),
        cmocka_unit_test(models_are_found_as_by_the_server),
        cmocka_unit_test(a_named_model_is_asked_alone),
        cmocka_unit_test(one_that_is_not_there_is_named),
        SCRATCH(a_model_without_tools_is_not_chosen),
    };
    return cmocka_run_group_tests_name("chat_models", tests, name_model, NULL);
}

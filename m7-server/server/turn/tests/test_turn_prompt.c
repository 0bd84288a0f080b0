/* Whether a prompt tells the model of its tools. */
#include "turn_prompt.h"

#include "test_run.h"

static struct chat_abilities abilities;

/* These take the place of the room server/template. */
const struct chat_abilities *
chat_template_abilities(const struct chat_template *t, bool tools)
{
    (void)t;
    return tools ? &abilities : NULL;
}

int chat_template_render(const struct chat_template *t,
                         const struct chat_input *input,
                         struct chat_output *output, struct error *e)
{
    (void)t;
    (void)input;
    (void)output;
    (void)e;
    return -1;
}

/* Tools f(), and look(city, days), before this prompt. */
static void expect_told(const char *prompt, bool expected, const char *word)
{
    struct turn_model model = {.template = NULL};
    struct turn t = {.model = &model};
    struct error e = {ERROR_NONE, ""};
    json_t *properties = json_pack("{s:{}, s:{}}", "city", "days");
    json_t *tools = json_pack("[{s:s, s:{s:s}}, {s:s, s:{s:s, s:{s:o}}}]",
                              "type", "function", "function", "name", "f",
                              "type", "function", "function", "name", "look",
                              "parameters", "properties", properties);
    assert_non_null(tools);
    t.options.tools = tools;
    bytes_add_string(&t.prompt, prompt);
    assert_int_equal(turn_check_tools(&t, &e), expected ? 0 : -1);
    if (!expected) {
        assert_string_equal(t.at_fault, "tools");
        assert_non_null(strstr(e.message, word));
    }
    bytes_free(&t.prompt);
    json_decref(tools);
}

static void a_template_with_a_place_for_tools_is_believed(void **state)
{
    (void)state;
    abilities.tools = true;
    expect_told("", true, NULL);
}

/* As some makers show them, of models whose templates have no place. */
static void messages_may_tell_of_tools(void **state)
{
    (void)state;
    abilities.tools = false;
    expect_told("You may call f() and look(city, days).", true, NULL);
    expect_told("look: city,days f", true, NULL);
}

static void what_nobody_tells_of_is_named(void **state)
{
    (void)state;
    abilities.tools = false;
    expect_told("", false, "know of f");
    expect_told("f", false, "know of look");
    expect_told("look and f", false, "know of look");
    expect_told("You may call f() and look(city).", false, "know of look");
}

/* Each by its own arguments. */
static void tools_may_have_the_same_name(void **state)
{
    struct turn_model model = {.template = NULL};
    struct turn t = {.model = &model};
    struct error e = {ERROR_NONE, ""};
    (void)state;
    abilities.tools = false;
    t.options.tools =
        json_pack("[{s:s, s:{s:{s:{}}}}, {s:s, s:{s:{s:{}}}}]", "name", "f",
                  "parameters", "properties", "city", "name", "f",
                  "parameters", "properties", "days");
    assert_non_null(t.options.tools);
    bytes_add_string(&t.prompt, "f(city)");
    assert_int_equal(turn_check_tools(&t, &e), -1);
    bytes_add_string(&t.prompt, " f(days)");
    assert_int_equal(turn_check_tools(&t, &e), 0);
    bytes_free(&t.prompt);
    json_decref(t.options.tools);
}

/* A tool with arguments of so many names, of 32 bytes each, all of which the
 * prompt has. */
static int check_many(size_t n, struct error *e)
{
    struct turn_model model = {.template = NULL};
    struct turn t = {.model = &model};
    json_t *properties = json_object();
    for (size_t i = 0; i < n; i++) {
        char name[40];
        snprintf(name, sizeof name, "%032zu", i);
        json_object_set_new(properties, name, json_object());
        bytes_add_string(&t.prompt, name);
    }
    bytes_add_string(&t.prompt, "f");
    t.options.tools = json_pack("[{s:s, s:{s:o}}]", "name", "f", "parameters",
                                "properties", properties);
    assert_non_null(t.options.tools);
    int result = turn_check_tools(&t, e);
    assert_int_equal(t.at_fault != NULL, result != 0);
    bytes_free(&t.prompt);
    json_decref(t.options.tools);
    return result;
}

/* They are not looked for, and not taken for told. */
static void more_names_than_are_looked_for_are_refused(void **state)
{
    struct error e = {ERROR_NONE, ""};
    (void)state;
    abilities.tools = false;
    assert_int_equal(check_many(2000, &e), 0);
    assert_int_equal(check_many(2100, &e), -1);
    assert_int_equal(e.code, ERROR_UNSUPPORTED);
    assert_non_null(strstr(e.message, "more than 65536 bytes"));
    assert_int_equal(check_many(100000, &e), -1);
    abilities.tools = true;
    assert_int_equal(check_many(2100, &e), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_with_a_place_for_tools_is_believed),
        cmocka_unit_test(messages_may_tell_of_tools),
        cmocka_unit_test(what_nobody_tells_of_is_named),
        cmocka_unit_test(tools_may_have_the_same_name),
        cmocka_unit_test(more_names_than_are_looked_for_are_refused),
    };
    return cmocka_run_group_tests_name("turn prompt", tests, NULL, NULL);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_with_a_place_for_tools_is_believed),
        cmocka_unit_test(messages_may_tell_of_tools),
        cmocka_unit_test(what_nobody_tells_of_is_named),
    };
    return cmocka_run_group_tests_name("turn prompt", tests, NULL, NULL);
}

/* A turn, from a prompt to what its answer means.  The template is one of the
 * test's own, which shows what it was given. */
#include "test_events.h"
#include "test_tokens.h"
#include "turn.h"

#undef fail /* cmocka's; here it is ours */

/* How such a template ends its prompt, as thinking is wanted. */
struct template_ends {
    const char *unsaid, *on, *off;
};

static const struct template_ends no_switch = {"A:", "A:", "A:"};
static const struct template_ends qwen = {"A:\n", "A:\n",
                                          "A:\n<think>\n\n</think>\n\n"};
static const struct template_ends opens = {"A:\n<think>\n", "A:\n<think>\n",
                                           "A:\n<think>\n"};
static const struct template_ends told_before = {"A:", "think! A:", "A:"};

/* Whether it has a place for tools. */
static struct chat_abilities abilities;

static const struct chat_template *as_template(const struct template_ends *t)
{
    return (const void *)t;
}

/* Takes the place of the room server/template. */
int chat_template_render(const struct chat_template *t,
                         const struct chat_input *input,
                         struct chat_output *output, struct error *e)
{
    const struct template_ends *ends = (const void *)t;
    json_t *on = json_object_get(input->arguments, "enable_thinking");
    json_t *effort = json_object_get(input->arguments, "reasoning_effort");
    if (json_object_get(input->arguments, "fails")) {
        output->raised = true;
        return fail(e, ERROR_INPUT, "no, says the template");
    }
    if (input->tools && abilities.tools)
        bytes_add_string(&output->text, "[tools] ");
    if (effort) {
        bytes_add_string(&output->text, json_string_value(effort));
        bytes_add_string(&output->text, " ");
    }
    bytes_add_string(&output->text, !on                ? ends->unsaid
                                    : json_is_true(on) ? ends->on
                                                       : ends->off);
    return 0;
}

const struct chat_abilities *
chat_template_abilities(const struct chat_template *t, bool tools)
{
    (void)t;
    (void)tools;
    return &abilities;
}

/* A turn with tiny-chat's tokens and what it told. */
struct stage {
    struct tokens tokens;
    struct turn_model model;
    struct turn_options options;
    struct turn turn;
    struct told told;
    json_t *tools;
};

static int stage_enter(void **state)
{
    struct stage *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    tokens_open(&s->tokens);
    s->tools = json_pack("[{s:{s:s}}, {s:{s:s}}]", "function", "name", "f",
                         "function", "name", "g");
    s->model = (struct turn_model){.template = as_template(&no_switch),
                                   .markup = markup_named("hermes"),
                                   .thinking = thinking_named("think"),
                                   .texts = &s->tokens.texts};
    s->options = (struct turn_options){.tools = s->tools,
                                       .parallel = true,
                                       .event = told_event,
                                       .context = &s->told};
    abilities.tools = true;
    *state = s;
    return 0;
}

static int stage_leave(void **state)
{
    struct stage *s = *state;
    turn_free(&s->turn);
    told_free(&s->told);
    tokens_close(&s->tokens);
    json_decref(s->tools);
    free(s);
    return 0;
}

static void begin(struct stage *s)
{
    struct error e;
    turn_free(&s->turn);
    told_free(&s->told);
    s->tokens.said.size = 0;
    assert_ok(turn_begin(&s->turn, &s->model, &s->options, &e), &e);
}

static void expect_prompt(struct stage *s, const char *expected)
{
    begin(s);
    assert_int_equal(s->turn.prompt.size, strlen(expected));
    assert_memory_equal(s->turn.prompt.data, expected, strlen(expected));
}

/* The model says this, token by token. */
static void say(struct stage *s, const char *text)
{
    struct error e;
    size_t from = s->tokens.said.size;
    tokens_say(&s->tokens, text);
    for (size_t i = from; i < s->tokens.said.size; i++) {
        size_t size;
        int id = s->tokens.said.data[i];
        const char *token = token_text_of(&s->tokens.texts, id, &size);
        bool shown = !s->tokens.texts.special[id];
        assert_ok(turn_put(&s->turn, id, token, shown ? size : 0, &e), &e);
    }
}

static const char *finish(struct stage *s, bool at_limit)
{
    struct error e;
    enum turn_finish how;
    assert_ok(turn_end(&s->turn, "", 0, at_limit, &how, &e), &e);
    return turn_finish_name(how);
}

/* --- the prompt --- */

static void tools_are_shown_unless_none_may_be_called(void **state)
{
    struct stage *s = *state;
    expect_prompt(s, "[tools] A:");
    s->options.choice = TOOL_REQUIRED;
    expect_prompt(s, "[tools] A:");
    s->options.choice = TOOL_NONE;
    expect_prompt(s, "A:");
}

static void expect_refused(struct stage *s, const char *at_fault,
                           const char *words_of_it)
{
    struct error e;
    turn_free(&s->turn);
    assert_int_equal(turn_begin(&s->turn, &s->model, &s->options, &e), -1);
    assert_string_equal(s->turn.at_fault, at_fault);
    assert_non_null(strstr(e.message, words_of_it));
}

static void tools_that_are_not_shown_are_refused(void **state)
{
    struct stage *s = *state;
    abilities.tools = false;
    expect_refused(s, "tools", "would not know of f");
    s->options.choice = TOOL_NONE;
    expect_prompt(s, "A:");
}

static void a_template_without_a_switch_gets_an_empty_block(void **state)
{
    struct stage *s = *state;
    s->options.tools = NULL;
    expect_prompt(s, "A:");
    s->options.thinking = THINKING_OFF;
    expect_prompt(s, "A:<think>\n\n</think>\n\n");
    s->model.template = as_template(&opens);
    expect_prompt(s, "A:\n<think>\n\n</think>\n\n");
    s->model.thinking = NULL;
    expect_prompt(s, "A:\n<think>\n");
}

static void a_template_with_a_switch_is_left_to_it(void **state)
{
    struct stage *s = *state;
    s->options.tools = NULL;
    s->options.thinking = THINKING_OFF;
    s->model.template = as_template(&qwen);
    expect_prompt(s, "A:\n<think>\n\n</think>\n\n");
    s->model.template = as_template(&told_before);
    expect_prompt(s, "A:");
    s->options.thinking = THINKING_ON;
    expect_prompt(s, "think! A:");
}

static void thinking_off_has_many_spellings(void **state)
{
    struct stage *s = *state;
    s->options.tools = NULL;
    s->options.effort = "none";
    expect_prompt(s, "A:<think>\n\n</think>\n\n");
    s->options.effort = "low";
    expect_prompt(s, "low A:");
    static const char *const names[] = {"enable_thinking", "thinking"};
    for (size_t i = 0; i < 2; i++) {
        json_t *arguments = json_pack("{s:b}", names[i], 0);
        s->options.effort = NULL;
        s->options.template_arguments = arguments;
        expect_prompt(s, "A:<think>\n\n</think>\n\n");
        json_decref(arguments);
    }
}

static void a_templates_own_error_is_told_as_such(void **state)
{
    struct stage *s = *state;
    struct error e;
    json_t *arguments = json_pack("{s:b}", "fails", 1);
    s->options.template_arguments = arguments;
    assert_int_equal(turn_begin(&s->turn, &s->model, &s->options, &e), -1);
    assert_true(s->turn.template_raised);
    assert_string_equal(e.message, "no, says the template");
    json_decref(arguments);
}

/* --- the answer --- */

static void an_answer_is_told_and_counted(void **state)
{
    struct stage *s = *state;
    s->model.template = as_template(&opens);
    begin(s);
    say(s, "the the</think>");
    size_t thought = s->turn.n_tokens;
    assert_int_equal(s->turn.n_reasoning, thought);
    say(s, "\n\nso it is");
    assert_int_equal(s->turn.n_reasoning, thought);
    assert_true(s->turn.n_tokens > thought);
    assert_string_equal(finish(s, false), "stop");
    assert_memory_equal(s->told.reasoning.data, "the the", 7);
    assert_memory_equal(s->told.content.data, "so it is", 8);
}

static void calls_are_why_an_answer_ends(void **state)
{
    struct stage *s = *state;
    begin(s);
    say(s, "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>");
    assert_string_equal(finish(s, false), "tool_calls");
    assert_int_equal(s->told.n_calls, 1);
}

static void the_limit_is_why_an_answer_ends(void **state)
{
    struct stage *s = *state;
    begin(s);
    say(s, "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": ");
    assert_string_equal(finish(s, true), "length");
    assert_string_equal(s->told.calls[0].end, "cut");
}

static void without_parallel_calls_the_first_ends_the_turn(void **state)
{
    struct stage *s = *state;
    s->options.parallel = false;
    begin(s);
    say(s, "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}");
    assert_true(s->turn.over);
    say(s, "\n</tool_call>\n<tool_call>\n{\"name\": \"g\"}");
    assert_string_equal(finish(s, true), "tool_calls");
    assert_int_equal(s->told.n_calls, 1);
    assert_int_equal(s->told.content.size, 0);
}

static void without_tools_a_call_is_text(void **state)
{
    struct stage *s = *state;
    static const char text[] =
        "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    s->options.tools = NULL;
    begin(s);
    say(s, text);
    assert_string_equal(finish(s, false), "stop");
    assert_int_equal(s->told.content.size, sizeof text - 1);
}

/* --- what may come --- */

static size_t allowed(struct stage *s)
{
    return tokens_allowed(&s->tokens, &s->turn.filter);
}

static void with_a_free_choice_all_may_come(void **state)
{
    struct stage *s = *state;
    begin(s);
    assert_false(turn_filters(&s->turn));
}

static void without_a_choice_no_call_may_come(void **state)
{
    struct stage *s = *state;
    s->options.choice = TOOL_NONE;
    begin(s);
    assert_true(turn_filters(&s->turn));
    assert_int_equal(allowed(s), s->tokens.texts.n - 1);
    assert_false(may_come(&s->tokens, "<tool_call>"));
}

/* By the engine's own question: ids with their prompt. */
static void a_required_call_comes(void **state)
{
    struct stage *s = *state;
    struct bytes text = {0};
    s->options.choice = TOOL_NAMED;
    s->options.tool = "g";
    s->options.thinking = THINKING_OFF;
    begin(s);
    for (size_t i = 0; i < s->tokens.texts.n; i++)
        s->tokens.logits[i] = 0;
    turn_forbid(&s->turn, (const int[]){1, 2, 3}, 3, 3, s->tokens.logits,
                s->tokens.texts.n);
    assert_true(may_come(&s->tokens, "<tool_call>"));
    assert_false(may_come(&s->tokens, "<think>"));
    assert_false(may_come(&s->tokens, "the"));
    tokens_drift(&s->tokens, &s->turn.filter, true, &text);
    assert_non_null(
        strstr(text.data, "<tool_call>\n{\"name\": \"g\", \"arguments\": {"));
    s->tokens.said.size = 0;
    say(s, text.data);
    say(s, "}}");
    assert_string_equal(finish(s, false), "tool_calls");
    assert_string_equal(s->told.calls[0].name.data, "g");
    bytes_free(&text);
}

static void any_tool_will_do_where_one_is_required(void **state)
{
    struct stage *s = *state;
    s->options.choice = TOOL_REQUIRED;
    begin(s);
    say(s, "<tool_call>\n{\"name\": \"");
    allowed(s);
    assert_true(may_come(&s->tokens, "f"));
    assert_true(may_come(&s->tokens, "g"));
    assert_false(may_come(&s->tokens, "h"));
    assert_false(may_come(&s->tokens, "<|im_end|>"));
}

static void what_cannot_be_required_is_refused(void **state)
{
    struct stage *s = *state;
    s->options.choice = TOOL_NAMED;
    s->options.tool = "h";
    expect_refused(s, "tool_choice", "no such tool");
    s->options.tool = "g";
    s->model.markup = NULL;
    expect_refused(s, "tool_choice", "how this model calls tools");
}

#define STAGED(test)                                                          \
    cmocka_unit_test_setup_teardown(test, stage_enter, stage_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(tools_are_shown_unless_none_may_be_called),
        STAGED(tools_that_are_not_shown_are_refused),
        STAGED(a_template_without_a_switch_gets_an_empty_block),
        STAGED(a_template_with_a_switch_is_left_to_it),
        STAGED(thinking_off_has_many_spellings),
        STAGED(a_templates_own_error_is_told_as_such),
        STAGED(an_answer_is_told_and_counted),
        STAGED(calls_are_why_an_answer_ends),
        STAGED(the_limit_is_why_an_answer_ends),
        STAGED(without_parallel_calls_the_first_ends_the_turn),
        STAGED(without_tools_a_call_is_text),
        STAGED(with_a_free_choice_all_may_come),
        STAGED(without_a_choice_no_call_may_come),
        STAGED(a_required_call_comes),
        STAGED(any_tool_will_do_where_one_is_required),
        STAGED(what_cannot_be_required_is_refused),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}

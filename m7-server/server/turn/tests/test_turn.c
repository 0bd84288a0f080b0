/* A turn, from a prompt to what its answer means. */
#include "test_stage.h"

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

/* Another answer to the prompt of s->turn, which no template is asked for. */
static void begin_another(struct stage *s, struct turn *another)
{
    struct error e;
    struct turn_options options = s->options;
    options.first = &s->turn;
    options.template_arguments = json_pack("{s:b}", "fails", 1);
    assert_ok(turn_begin(another, &s->model, &options, &e), &e);
    json_decref(options.template_arguments);
    assert_int_equal(another->prompt.size, 0);
}

static void another_answer_begins_as_the_first(void **state)
{
    struct stage *s = *state;
    struct turn another;
    const struct template_ends *const ends[] = {&no_switch, &opens};
    for (size_t i = 0; i < 2; i++) {
        s->model.template = as_template(ends[i]);
        begin(s);
        begin_another(s, &another);
        assert_int_equal(markup_is_thinking(another.parser), i);
        assert_int_equal(another.filter.thinking, i);
        turn_free(&another);
    }
}

static void another_answer_begins_with_a_header_too(void **state)
{
    static const struct template_ends oss = {
        "<|start|>assistant", "<|start|>assistant", "<|start|>assistant"};
    struct stage *s = *state;
    struct turn another;
    s->options.thinking = THINKING_OFF;
    s->model.template = as_template(&oss);
    s->model.markup = markup_named("harmony");
    s->model.thinking = thinking_named("harmony");
    begin(s);
    begin_another(s, &another);
    assert_true(s->turn.filter.required.n > 0);
    assert_int_equal(another.filter.required.n, s->turn.filter.required.n);
    turn_free(&another);
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

static void require_call_of(void *context, const char *name)
{
    struct stage *s = context;
    struct bytes text = {0}, prefix = {0};
    s->model.markup = markup_named(name);
    begin(s);
    tokens_drift(&s->tokens, &s->turn.filter, true, &text);
    markup_prefix(s->model.markup, "g", &prefix);
    bytes_add(&prefix, "", 1);
    assert_non_null(strstr(text.data, prefix.data));
    bytes_free(&prefix);
    bytes_free(&text);
}

static void each_family_calls_where_it_must(void **state)
{
    struct stage *s = *state;
    s->options.choice = TOOL_NAMED;
    s->options.tool = "g";
    s->model.thinking = NULL;
    each_markup(require_call_of, s);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(tools_are_shown_unless_none_may_be_called),
        STAGED(tools_that_are_not_shown_are_refused),
        STAGED(a_template_without_a_switch_gets_an_empty_block),
        STAGED(a_template_with_a_switch_is_left_to_it),
        STAGED(thinking_off_has_many_spellings),
        STAGED(another_answer_begins_as_the_first),
        STAGED(another_answer_begins_with_a_header_too),
        STAGED(a_templates_own_error_is_told_as_such),
        STAGED(an_answer_is_told_and_counted),
        STAGED(calls_are_why_an_answer_ends),
        STAGED(the_limit_is_why_an_answer_ends),
        STAGED(without_parallel_calls_the_first_ends_the_turn),
        STAGED(without_tools_a_call_is_text),
        STAGED(with_a_free_choice_all_may_come),
        STAGED(without_a_choice_no_call_may_come),
        STAGED(a_required_call_comes),
        STAGED(each_family_calls_where_it_must),
        STAGED(any_tool_will_do_where_one_is_required),
        STAGED(what_cannot_be_required_is_refused),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}

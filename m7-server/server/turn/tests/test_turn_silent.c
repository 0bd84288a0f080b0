/* Turns in which nobody shall think: what they are given to read, what may
 * come, and what a thought is that comes all the same. */
#include "test_stage.h"

/* gpt-oss, which has no switch; and with a thought that the prompt begins. */
static const struct template_ends oss = {
    "<|start|>assistant", "<|start|>assistant", "<|start|>assistant"};
static const struct template_ends oss_opens = {
    "<|start|>assistant<|channel|>analysis<|message|>",
    "<|start|>assistant<|channel|>analysis<|message|>",
    "<|start|>assistant<|channel|>analysis<|message|>"};

static struct stage *silent(void **state)
{
    struct stage *s = *state;
    s->options.thinking = THINKING_OFF;
    return s;
}

static struct stage *silent_oss(void **state)
{
    struct stage *s = silent(state);
    s->model.template = as_template(&oss);
    s->model.markup = markup_named("harmony");
    s->model.thinking = thinking_named("harmony");
    return s;
}

/* --- gpt-oss: the prompt --- */

#define FINAL "<|start|>assistant<|channel|>final<|message|>"

static void where_no_call_can_come_the_answer_is_begun(void **state)
{
    struct stage *s = silent_oss(state);
    s->options.choice = TOOL_NONE;
    expect_prompt(s, FINAL);
    s->options.choice = TOOL_AUTO;
    s->options.tools = NULL;
    expect_prompt(s, FINAL);
    s->model.template = as_template(&oss_opens);
    expect_prompt(s, FINAL);
    s->options.tools = s->tools;
    s->model.markup = NULL;
    expect_prompt(s, "[tools] " FINAL);
}

static void where_a_call_may_come_its_header_can(void **state)
{
    struct stage *s = silent_oss(state);
    static const enum tool_choice choices[] = {TOOL_AUTO, TOOL_REQUIRED,
                                               TOOL_NAMED};
    s->options.tool = "g";
    for (size_t i = 0; i < 3; i++) {
        s->options.choice = choices[i];
        s->model.template = as_template(&oss);
        expect_prompt(s, "[tools] <|start|>assistant");
        s->model.template = as_template(&oss_opens);
        expect_prompt(s, "[tools] <|start|>assistant");
    }
}

/* --- gpt-oss: what may come --- */

static bool starts_with(const struct bytes *text, const char *start)
{
    return strncmp(text->data, start, strlen(start)) == 0;
}

/* Whatever the model would rather say. */
static void an_answer_begins_with_a_header_that_is_no_thoughts(void **state)
{
    struct stage *s = silent_oss(state);
    for (int last = 0; last < 2; last++) {
        struct bytes text = {0};
        begin(s);
        assert_true(turn_filters(&s->turn));
        for (int step = 0; step < 40; step++) {
            size_t size, next = s->tokens.texts.n;
            assert_true(allowed(s) > 0);
            for (size_t i = 0; i < s->tokens.texts.n; i++)
                if (s->tokens.logits[i] == 0 &&
                    (next == s->tokens.texts.n || last))
                    next = i;
            ids_add(&s->tokens.said, (int)next);
            const char *token =
                token_text_of(&s->tokens.texts, (int)next, &size);
            bytes_add(&text, token, size);
        }
        bytes_add(&text, "", 1);
        assert_true(starts_with(&text, "<|channel|>final<|message|>") ||
                    starts_with(&text, "<|channel|>commentary<|message|>") ||
                    starts_with(&text, "<|channel|>commentary to=functions."));
        bytes_free(&text);
    }
    begin(s);
    say(s, "<|channel|>");
    allowed(s);
    assert_true(may_come(&s->tokens, "f"));
    assert_true(may_come(&s->tokens, "c"));
    assert_false(may_come(&s->tokens, "a"));
}

static void a_message_of_thoughts_cannot_follow(void **state)
{
    struct stage *s = silent_oss(state);
    static const enum tool_choice choices[] = {TOOL_AUTO, TOOL_NONE};
    for (size_t i = 0; i < 2; i++) {
        s->options.choice = choices[i];
        begin(s);
        say(s, choices[i] == TOOL_NONE ? "Now"
                                       : "<|channel|>commentary<|message|>I");
        say(s, " look.<|end|><|start|>assistant<|channel|>analysi");
        allowed(s);
        assert_false(may_come(&s->tokens, "s"));
        assert_true(may_come(&s->tokens, "t"));
    }
}

static void an_answer_or_a_call_is_read(void **state)
{
    struct stage *s = silent_oss(state);
    begin(s);
    say(s, "<|channel|>final<|message|>the");
    assert_string_equal(finish(s, false), "stop");
    assert_int_equal(s->told.content.size, 3);
    begin(s);
    say(s, "<|channel|>commentary to=functions.f");
    assert_int_equal(allowed(s), s->tokens.texts.n);
    say(s, " <|constrain|>json<|message|>{\"a\": 1}<|call|>");
    assert_string_equal(finish(s, false), "tool_calls");
    assert_string_equal(s->told.calls[0].name.data, "f");
    assert_int_equal(s->turn.n_reasoning, 0);
}

static void expect_required(struct stage *s, const char *begins)
{
    for (int last = 0; last < 2; last++) {
        struct bytes text = {0};
        begin(s);
        tokens_drift(&s->tokens, &s->turn.filter, last, &text);
        assert_true(starts_with(&text, begins));
        s->tokens.said.size = 0;
        say(s, text.data);
        say(s, "}");
        assert_string_equal(finish(s, false), "tool_calls");
        assert_int_equal(s->told.content.size, 0);
        assert_int_equal(s->told.reasoning.size, 0);
        bytes_free(&text);
    }
}

static void a_call_can_be_required_of_who_shall_not_think(void **state)
{
    struct stage *s = silent_oss(state);
    s->options.choice = TOOL_REQUIRED;
    expect_required(s, "<|channel|>commentary to=functions.");
    s->options.choice = TOOL_NAMED;
    s->options.tool = "g";
    expect_required(s, "<|channel|>commentary to=functions.g "
                       "<|constrain|>json<|message|>{");
}

static void without_a_choice_neither_call_nor_thought_may_come(void **state)
{
    struct stage *s = silent_oss(state);
    s->options.choice = TOOL_NONE;
    begin(s);
    say(s, "the<|end|><|start|>assistant to=functions");
    allowed(s);
    assert_false(may_come(&s->tokens, "."));
    begin(s);
    say(s, "<|channel|>");
    allowed(s);
    assert_true(may_come(&s->tokens, "a"));
    say(s, "analysi");
    allowed(s);
    assert_false(may_come(&s->tokens, "s"));
}

/* Who may think is as free as ever. */
static void thinking_that_is_not_off_is_let_be(void **state)
{
    struct stage *s = silent_oss(state);
    s->options.thinking = THINKING_DEFAULT;
    expect_prompt(s, "[tools] <|start|>assistant");
    assert_false(turn_filters(&s->turn));
    s->options.thinking = THINKING_ON;
    expect_prompt(s, "[tools] <|start|>assistant");
    assert_false(turn_filters(&s->turn));
}

/* --- thoughts that begin late --- */

static void expect_think(struct stage *s, const char *said, bool expected)
{
    begin(s);
    say(s, said);
    allowed(s);
    assert_int_equal(may_come(&s->tokens, "<think>"), expected);
}

static void no_thought_may_begin_late(void **state)
{
    struct stage *s = silent(state);
    expect_think(s, "", false);
    expect_think(s, "Sure.", false);
    expect_think(s, "Sure. ", false);
    expect_think(s, "Sure.\n\n", false);
    expect_think(s, "The mark `", true);
    begin(s);
    say(s, "Sure. <think");
    allowed(s);
    assert_false(may_come(&s->tokens, ">"));
}

/* A file that is written may have the mark in it. */
static void arguments_may_be_any_text(void **state)
{
    struct stage *s = silent(state);
    static const char call[] =
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x ";
    expect_think(s, call, true);
    say(s, "<|im_start|>"); /* no mark, and no text */
    allowed(s);
    assert_true(may_come(&s->tokens, "<think>"));
    s->options.choice = TOOL_REQUIRED;
    expect_think(s, call, true);
    s->options.choice = TOOL_NONE;
    expect_think(s, "the ", false);
}

/* A mark that is only spoken of is no call, and lets no thought pass. */
static void a_calls_mark_in_prose_is_no_call(void **state)
{
    struct stage *s = silent(state);
    expect_think(s, "The mark `<tool_call>` begins one. ", false);
    expect_think(s, "It is <tool_call> that begins one. ", false);
    expect_think(s, "It is <tool_call> ", false);
    expect_think(s, "It is <tool_call>{ ", false);
    expect_think(s,
                 "Sure: <tool_call>{\"name\": \"f\", \"arguments\": "
                 "{\"a\": \"x ",
                 true);
    expect_think(s, "<tool_call>{\"arguments\": {\"a\": \"x ", true);
}

static void behind_a_call_no_thought_may_begin(void **state)
{
    struct stage *s = silent(state);
    static const char call[] =
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}";
    expect_think(s, call, false);
    say(s, "\n</tool_call>\n");
    allowed(s);
    assert_false(may_come(&s->tokens, "<think>"));
    say(s, "<tool_call>\n{\"name\": \"g\", \"arguments\": {\"a\": \"x ");
    allowed(s);
    assert_true(may_come(&s->tokens, "<think>"));
    s->tokens.said.size = 0;
    allowed(s);
    assert_false(may_come(&s->tokens, "<think>"));
}

/* If one is there all the same, it is none of what is said. */
static void a_thought_behind_a_call_is_not_said(void **state)
{
    struct stage *s = silent(state);
    begin(s);
    say(s, "Look. <tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n"
           "</tool_call>\n<think>the</think>");
    assert_string_equal(finish(s, false), "tool_calls");
    assert_int_equal(s->told.content.size, 5);
    assert_memory_equal(s->told.content.data, "Look.", 5);
    assert_int_equal(s->told.reasoning.size, 3);
    assert_true(s->turn.n_reasoning > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGED(where_no_call_can_come_the_answer_is_begun),
        STAGED(where_a_call_may_come_its_header_can),
        STAGED(an_answer_begins_with_a_header_that_is_no_thoughts),
        STAGED(a_message_of_thoughts_cannot_follow),
        STAGED(an_answer_or_a_call_is_read),
        STAGED(a_call_can_be_required_of_who_shall_not_think),
        STAGED(without_a_choice_neither_call_nor_thought_may_come),
        STAGED(thinking_that_is_not_off_is_let_be),
        STAGED(no_thought_may_begin_late),
        STAGED(arguments_may_be_any_text),
        STAGED(a_calls_mark_in_prose_is_no_call),
        STAGED(behind_a_call_no_thought_may_begin),
        STAGED(a_thought_behind_a_call_is_not_said),
    };
    return cmocka_run_group_tests_name("turn, silent", tests, NULL, NULL);
}

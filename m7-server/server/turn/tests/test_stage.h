/* For the tests of turns: a turn whose template is one of the test's own,
 * which shows what it was given. */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

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

static inline const struct chat_template *
as_template(const struct template_ends *t)
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

static inline int stage_enter(void **state)
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

static inline int stage_leave(void **state)
{
    struct stage *s = *state;
    turn_free(&s->turn);
    told_free(&s->told);
    tokens_close(&s->tokens);
    json_decref(s->tools);
    free(s);
    return 0;
}

static inline void begin(struct stage *s)
{
    struct error e;
    turn_free(&s->turn);
    told_free(&s->told);
    s->tokens.said.size = 0;
    assert_ok(turn_begin(&s->turn, &s->model, &s->options, &e), &e);
}

static inline void expect_prompt(struct stage *s, const char *expected)
{
    begin(s);
    assert_int_equal(s->turn.prompt.size, strlen(expected));
    assert_memory_equal(s->turn.prompt.data, expected, strlen(expected));
}

/* The model says this, token by token. */
static inline void say(struct stage *s, const char *text)
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

static inline const char *finish(struct stage *s, bool at_limit)
{
    struct error e;
    enum turn_finish how;
    assert_ok(turn_end(&s->turn, "", 0, at_limit, &how, &e), &e);
    return turn_finish_name(how);
}

static inline size_t allowed(struct stage *s)
{
    return tokens_allowed(&s->tokens, &s->turn.filter);
}

#define STAGED(test)                                                          \
    cmocka_unit_test_setup_teardown(test, stage_enter, stage_leave)

#endif

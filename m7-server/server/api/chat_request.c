/* What a chat asks for: see chat_request.h. */
#include "chat_request.h"

#include "messages.h"
#include "text_request.h"
#include "tool_schema.h"
#include "tools.h"

#include <string.h>

#define EFFORTS "none|minimal|low|medium|high|xhigh|max"

static int choose_thinking(struct chat_request *q, const struct node *place,
                           bool on, struct api_error *a)
{
    enum thinking_choice choice = on ? THINKING_ON : THINKING_OFF;
    if (q->thinking != THINKING_DEFAULT && q->thinking != choice)
        return api_refuse_at(a, place, "invalid_value",
                             "turns thinking %s, and another parameter %s",
                             on ? "on" : "off", on ? "off" : "on");
    q->thinking = choice;
    return 0;
}

static int take_enable_thinking(const struct node *value,
                                const struct parameter *p, void *request,
                                struct api_error *a)
{
    (void)p;
    bool on = false;
    if (node_bool(value, &on, &a->why))
        return api_refuse_type(a, value);
    return choose_thinking(request, value, on, a);
}

static int take_thinking(const struct node *value, const struct parameter *p,
                         void *request, struct api_error *a)
{
    struct chat_request *q = request;
    struct node type = node_member(value, "type");
    const char *word, *key;
    json_t *other;
    if (json_is_boolean(value->value))
        return take_enable_thinking(value, p, request, a);
    if (node_object(value, &a->why))
        return api_refuse_type(a, value);
    if (check_word(&type, "enabled|disabled", &word, a))
        return -1;
    json_object_foreach(value->value, key, other)
    {
        struct node member = node_member(value, key);
        if (other != type.value)
            note_unknown(&member, &q->body.unknown);
    }
    return choose_thinking(request, value, strcmp(word, "enabled") == 0, a);
}

static int take_effort(const struct node *value, const struct parameter *p,
                       void *request, struct api_error *a)
{
    struct chat_request *q = request;
    if (check_word(value, p->words, &q->reasoning_effort, a))
        return -1;
    bool none = strcmp(q->reasoning_effort, "none") == 0;
    return choose_thinking(q, value, !none, a);
}

/* As OpenAI's Responses API and OpenRouter say it. */
static const struct parameter reasoning_rows[] = {
    {"effort", take_effort, .words = EFFORTS},
    {"enabled", .read = take_enable_thinking},
};

static const struct parameter_table reasoning_table = {
    reasoning_rows, sizeof reasoning_rows / sizeof reasoning_rows[0], NULL};

static int take_reasoning(const struct node *value, const struct parameter *p,
                          void *request, struct api_error *a)
{
    (void)p;
    struct chat_request *q = request;
    if (node_object(value, &a->why))
        return api_refuse_type(a, value);
    return parameters_read(value, &reasoning_table, 1, q, &q->body.unknown, a);
}

/* What turns thinking on or off must not be a word of that: to a template
 * "false" is as good as true. */
static int take_switch(const struct node *value, void *request,
                       struct api_error *a)
{
    const char *word = json_string_value(value->value);
    bool on = false;
    if (json_is_boolean(value->value))
        return take_enable_thinking(value, NULL, request, a);
    if (!node_has(value) || (strcmp(value->key, "thinking") == 0 &&
                             (!word || (strcmp(word, "false") != 0 &&
                                        strcmp(word, "true") != 0))))
        return 0;
    node_bool(value, &on, &a->why);
    return api_refuse_type(a, value);
}

/* chat_template_kwargs: whatever a template knows; what turns thinking on or
 * off goes by three names. */
static int take_arguments(const struct node *value, const struct parameter *p,
                          void *request, struct api_error *a)
{
    (void)p;
    struct chat_request *q = request;
    struct node enabled = node_member(value, "enable_thinking");
    struct node thinking = node_member(value, "thinking");
    struct node effort = node_member(value, "reasoning_effort");
    const char *word = json_string_value(effort.value);
    if (node_object(value, &a->why))
        return api_refuse_type(a, value);
    size_t n = values_in(value->value);
    if (n > MOST_ARGUMENTS)
        return api_refuse_at(a, value, "invalid_value",
                             "expected up to %d values, found %zu",
                             MOST_ARGUMENTS, n);
    q->template_arguments = value->value;
    if (take_switch(&enabled, q, a) || take_switch(&thinking, q, a))
        return -1;
    return word && strcmp(word, "none") == 0
               ? choose_thinking(q, &effort, false, a)
               : 0;
}

static const struct parameter rows[] = {
    {"messages", take_json,
     .offset = offsetof(struct chat_request, said_messages), .required = true},
    {"tools", take_json, .offset = offsetof(struct chat_request, said_tools)},
    {"tool_choice", take_json,
     .offset = offsetof(struct chat_request, said_choice),
     .harmless = "none|auto"},
    {"parallel_tool_calls", take_flag,
     .offset = offsetof(struct chat_request, parallel_tool_calls),
     .harmless = "true"},
    {"logprobs", take_flag,
     .offset = offsetof(struct chat_request, generation.logprobs)},
    {"top_logprobs", take_count,
     .offset = offsetof(struct chat_request, generation.top_logprobs),
     .least = 0, .most = MOST_LOGPROBS},

    {"reasoning_effort", take_effort, .words = EFFORTS, .harmless = "none"},
    {"reasoning", .read = take_reasoning},
    {"enable_thinking", .read = take_enable_thinking},
    {"think", .read = take_enable_thinking},
    {"thinking", .read = take_thinking, .harmless = "disabled"},
    {"chat_template_kwargs", .read = take_arguments},
    {"add_generation_prompt", take_flag,
     .offset = offsetof(struct chat_request, add_generation_prompt),
     .harmless = "true"},

    {"continue_final_message", refuse_parameter,
     .words = "every answer is a new message"},
    {"verbosity", refuse_parameter, .words = "ask for it in a message"},
    {"audio", refuse_parameter, .words = "models here speak text only"},
    {"moderation", refuse_parameter, .words = "nothing is judged here"},
    {"web_search_options", refuse_parameter,
     .words = "this server does not search"},
    {"functions", refuse_parameter, .words = "use tools"},
    {"function_call", refuse_parameter, .words = "use tool_choice"},
};

static const struct parameter_table chat_parameters = {
    rows, sizeof rows / sizeof rows[0], NULL};

const struct parameter_table chat_parameters_elsewhere = {
    rows, sizeof rows / sizeof rows[0], "chats"};

static int check_tool_values(const struct node *tools, struct api_error *a)
{
    size_t n = values_in(tools->value);
    if (n > MOST_TOOL_VALUES)
        return api_refuse_at(a, tools, "invalid_value",
                             "expected up to %d values, found %zu",
                             MOST_TOOL_VALUES, n);
    return 0;
}

static int read_tools(struct chat_request *q, const struct node *root,
                      struct api_error *a)
{
    struct node tools = node_member(root, "tools");
    struct node choice = node_member(root, "tool_choice");
    if (q->said_tools && (check_tool_values(&tools, a) ||
                          tools_check(&tools, &q->body.unknown, a)))
        return -1;
    if (json_array_size(q->said_tools) > 0)
        q->tools = q->said_tools;
    return q->said_choice ? tool_choice_read(&choice, q, a) : 0;
}

static int check_logprobs(const struct chat_request *q,
                          const struct node *root, struct api_error *a)
{
    struct node place = node_member(root, "top_logprobs");
    if (q->generation.top_logprobs > 0 && !q->generation.logprobs)
        return api_refuse_at(a, &place, "invalid_value",
                             "needs \"logprobs\": true");
    return 0;
}

static int read_body(struct chat_request *q, const struct node *root,
                     struct api_error *a)
{
    const struct parameter_table tables[] = {
        chat_parameters, generation_parameters,
        completion_parameters_elsewhere};
    struct bytes *unknown = &q->body.unknown;
    struct node messages = node_member(root, "messages");
    if (parameters_read(root, tables, 3, q, unknown, a) ||
        generation_check(&q->generation, root, unknown, a) ||
        check_logprobs(q, root, a))
        return -1;
    q->messages = messages_read(&messages, unknown, a);
    return q->messages ? read_tools(q, root, a) : -1;
}

int chat_request_read(struct chat_request *q, const char *text, size_t size,
                      struct api_error *a)
{
    *q = (struct chat_request){.parallel_tool_calls = true,
                               .add_generation_prompt = true};
    generation_start(&q->generation);
    if (body_parse(&q->body, text, size, a))
        return -1;
    struct node root = node_root("request", q->body.json);
    int result = read_body(q, &root, a);
    if (result == 0 && q->body.unknown.failed)
        result = api_fail(a, 500, "out of memory");
    if (result)
        chat_request_free(q);
    return result;
}

void chat_request_release(struct chat_request *q)
{
    bool looked_for = q->tools && q->tool_choice != TOOL_NONE;
    json_t *tools = looked_for ? json_incref(q->tools) : NULL;
    tools_keep_types(tools);
    json_decref(q->messages);
    body_release(&q->body);
    q->messages = q->template_arguments = NULL;
    q->said_messages = q->said_tools = q->said_choice = NULL;
    q->generation.said_options = NULL;
    q->generation.model = q->tool_name = q->reasoning_effort = NULL;
    q->tools = q->kept_tools = tools;
}

void chat_request_free(struct chat_request *q)
{
    json_decref(q->kept_tools);
    json_decref(q->messages);
    generation_free(&q->generation);
    body_free(&q->body);
    *q = (struct chat_request){0};
}

/* The answers of a chat: see chat_answer.h. */
#include "chat_answer.h"

#include "json_write.h"

static json_t *or_null(json_t *value)
{
    return value ? value : json_null();
}

/* --- a body -------------------------------------------------------------- */

static json_t *call_json(const struct answer_call *call)
{
    json_t *function = json_object();
    json_put(&function, "name", text_json(call->name, call->name_size));
    json_put(&function, "arguments",
             text_json(call->arguments, call->arguments_size));
    json_t *made = json_object();
    json_put(&made, "id", json_string(call->id));
    json_put(&made, "type", json_string("function"));
    json_put(&made, "function", function);
    return made;
}

static json_t *calls_json(const struct chat_choice *c)
{
    json_t *calls = json_array();
    for (size_t i = 0; i < c->n_calls; i++)
        json_add(&calls, call_json(&c->calls[i]));
    return calls;
}

/* Beside calls, no content is null. */
static json_t *message_json(const struct chat_choice *c)
{
    bool silent = c->content_size == 0 && c->n_calls > 0;
    json_t *message = json_object();
    json_put(&message, "role", json_string("assistant"));
    json_put(&message, "content",
             silent ? json_null() : text_json(c->content, c->content_size));
    json_put(&message, "refusal", json_null());
    if (c->reasoning_size > 0)
        json_put(&message, "reasoning_content",
                 text_json(c->reasoning, c->reasoning_size));
    if (c->n_calls > 0)
        json_put(&message, "tool_calls", calls_json(c));
    return message;
}

static json_t *choice_json(const struct chat_choice *c)
{
    json_t *choice = json_object();
    json_put(&choice, "index", json_integer((json_int_t)c->index));
    json_put(&choice, "message", message_json(c));
    json_put(&choice, "logprobs", or_null(c->logprobs));
    json_put(&choice, "finish_reason", finish_word(c->finish));
    return choice;
}

json_t *chat_answer(const struct answer_head *head,
                    const struct chat_choice *choices, size_t n,
                    const struct token_usage *usage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_add(&list, choice_json(&choices[i]));
    json_t *body = answer_start(head, "chat.completion");
    json_put(&body, "choices", list);
    json_put(&body, "usage", usage_json(usage));
    return body;
}

/* --- chunks -------------------------------------------------------------- */

/* {name: value} */
static json_t *delta_of(const char *name, json_t *value)
{
    json_t *delta = json_object();
    json_put(&delta, name, value);
    return delta;
}

json_t *delta_role(void)
{
    json_t *delta = delta_of("role", json_string("assistant"));
    json_put(&delta, "content", json_string(""));
    return delta;
}

json_t *delta_nothing(void)
{
    return json_object();
}

json_t *delta_content(const char *text, size_t size)
{
    return delta_of("content", text_json(text, size));
}

json_t *delta_reasoning(const char *text, size_t size)
{
    return delta_of("reasoning_content", text_json(text, size));
}

/* {"tool_calls": [call]}, with the call's place among all. */
static json_t *delta_with(size_t index, json_t *call)
{
    json_t *calls = json_array();
    json_put(&call, "index", json_integer((json_int_t)index));
    json_add(&calls, call);
    return delta_of("tool_calls", calls);
}

json_t *delta_call(size_t index, const struct answer_call *call)
{
    return delta_with(index, call_json(call));
}

json_t *delta_arguments(size_t index, const char *text, size_t size)
{
    json_t *call = json_object();
    json_put(&call, "function", delta_of("arguments", text_json(text, size)));
    return delta_with(index, call);
}

json_t *chat_chunk(const struct answer_head *head, size_t index, json_t *delta,
                   json_t *logprobs, enum finish_reason finish)
{
    json_t *choice = json_object();
    json_put(&choice, "index", json_integer((json_int_t)index));
    json_put(&choice, "delta", delta);
    json_put(&choice, "logprobs", or_null(logprobs));
    json_put(&choice, "finish_reason", finish_word(finish));
    json_t *choices = json_array();
    json_add(&choices, choice);
    json_t *chunk = answer_start(head, "chat.completion.chunk");
    json_put(&chunk, "choices", choices);
    if (head->include_usage)
        json_put(&chunk, "usage", json_null());
    return chunk;
}

json_t *chat_usage_chunk(const struct answer_head *head,
                         const struct token_usage *usage)
{
    json_t *chunk = answer_start(head, "chat.completion.chunk");
    json_put(&chunk, "choices", json_array());
    json_put(&chunk, "usage", usage_json(usage));
    return chunk;
}

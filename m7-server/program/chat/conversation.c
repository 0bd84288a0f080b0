/* What was said in a chat: see conversation.h. */
#include "conversation.h"

#include "api_error.h"
#include "json.h"
#include "json_write.h"
#include "replace.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>

static const char *role_of(const json_t *message)
{
    const char *role = json_string_value(json_object_get(message, "role"));
    return role ? role : "";
}

static bool has_role(const json_t *message, const char *role)
{
    return strcmp(role_of(message), role) == 0;
}

static json_t *last_message(const struct conversation *c)
{
    size_t n = json_array_size(c->messages);
    return n > 0 ? json_array_get(c->messages, n - 1) : NULL;
}

static void remove_last(struct conversation *c)
{
    json_array_remove(c->messages, json_array_size(c->messages) - 1);
}

static bool has_system(const struct conversation *c)
{
    return has_role(json_array_get(c->messages, 0), "system");
}

/* --- begin --------------------------------------------------------------- */

/* The file is one list of tools, as a request has them. */
static int read_tool_list(struct conversation *c, const char *path,
                          struct error *e)
{
    struct bytes unknown = {0};
    struct api_error a;
    c->tools = json_read_file(path, e);
    if (!c->tools)
        return -1;
    struct node root = node_root(path, c->tools);
    int result = tools_check(&root, &unknown, &a);
    if (result)
        *e = a.why;
    bytes_free(&unknown);
    return result;
}

int conversation_init(struct conversation *c, const char *system,
                      const char *tools, struct error *e)
{
    *c = (struct conversation){.messages = json_array()};
    int result = c->messages ? 0 : fail_memory(e, "the conversation");
    if (result == 0 && system)
        result = conversation_set_system(c, system, e);
    if (result == 0 && tools)
        result = read_tool_list(c, tools, e);
    if (result)
        conversation_free(c);
    return result;
}

void conversation_free(struct conversation *c)
{
    json_decref(c->messages);
    json_decref(c->tools);
    *c = (struct conversation){0};
}

void conversation_clear(struct conversation *c)
{
    while (json_array_size(c->messages) > (has_system(c) ? 1 : 0))
        remove_last(c);
}

/* --- what is said -------------------------------------------------------- */

/* A message, or NULL. */
static json_t *new_message(const char *role, const char *text, size_t size,
                           struct error *e)
{
    json_t *content = json_stringn(text, size);
    if (!content) {
        fail(e, ERROR_INPUT, "this is no text in UTF-8");
        return NULL;
    }
    json_t *message =
        json_pack("{s:s, s:o}", "role", role, "content", content);
    if (!message)
        fail_memory(e, "a message");
    return message;
}

static int add_message(struct conversation *c, json_t *message,
                       struct error *e)
{
    if (!message)
        return -1;
    if (json_array_append_new(c->messages, message))
        return fail_memory(e, "the conversation");
    return 0;
}

int conversation_set_system(struct conversation *c, const char *text,
                            struct error *e)
{
    json_t *message =
        *text ? new_message("system", text, strlen(text), e) : NULL;
    if (*text && !message)
        return -1;
    if (has_system(c))
        json_array_remove(c->messages, 0);
    if (message && json_array_insert_new(c->messages, 0, message))
        return fail_memory(e, "the conversation");
    return 0;
}

/* The calls of the last answer, and in *done how many of them have results. */
static json_t *last_calls(const struct conversation *c, size_t *done)
{
    size_t n = json_array_size(c->messages);
    *done = 0;
    while (*done < n &&
           has_role(json_array_get(c->messages, n - 1 - *done), "tool"))
        ++*done;
    if (*done == n)
        return NULL;
    return json_object_get(json_array_get(c->messages, n - 1 - *done),
                           "tool_calls");
}

/* The call whose result is wanted next, or NULL. */
static json_t *open_call(const struct conversation *c)
{
    size_t done;
    json_t *calls = last_calls(c, &done);
    return json_array_get(calls, done);
}

const char *conversation_called(const struct conversation *c)
{
    json_t *function = json_object_get(open_call(c), "function");
    return json_string_value(json_object_get(function, "name"));
}

int conversation_say(struct conversation *c, const char *text, size_t size,
                     struct error *e)
{
    json_t *call = open_call(c);
    json_t *message = new_message(call ? "tool" : "user", text, size, e);
    if (message && call &&
        json_object_set(message, "tool_call_id",
                        json_object_get(call, "id"))) {
        json_decref(message);
        return fail_memory(e, "a message");
    }
    return add_message(c, message, e);
}

int conversation_add_answer(struct conversation *c, json_t *answer,
                            struct error *e)
{
    if (!answer)
        return fail_memory(e, "the answer");
    return add_message(c, answer, e);
}

/* The last answer; NULL: there is none. */
static json_t *last_answer(const struct conversation *c)
{
    size_t n = json_array_size(c->messages);
    while (n > 0 && !has_role(json_array_get(c->messages, n - 1), "assistant"))
        n--;
    return n > 0 ? json_array_get(c->messages, n - 1) : NULL;
}

const char *conversation_thought(const struct conversation *c, size_t *size)
{
    json_t *thought = json_object_get(last_answer(c), "reasoning_content");
    *size = json_string_length(thought);
    return json_string_value(thought);
}

bool conversation_is_asked(const struct conversation *c)
{
    const json_t *last = last_message(c);
    return has_role(last, "user") || (has_role(last, "tool") && !open_call(c));
}

/* --- what is taken back -------------------------------------------------- */

bool conversation_take_back(struct conversation *c)
{
    while (has_role(last_message(c), "tool"))
        remove_last(c);
    bool found = has_role(last_message(c), "assistant");
    if (found)
        remove_last(c);
    return found;
}

void conversation_take_back_question(struct conversation *c)
{
    if (conversation_is_asked(c))
        remove_last(c);
}

/* --- save ---------------------------------------------------------------- */

/* The file's text, to be freed, or NULL. */
static char *write_request(const struct conversation *c, const char *model)
{
    json_t *request =
        json_pack("{s:s, s:O}", "model", model, "messages", c->messages);
    if (request && c->tools && json_object_set(request, "tools", c->tools)) {
        json_decref(request);
        request = NULL;
    }
    char *text = json_text(request, JSON_INDENT(1));
    json_decref(request);
    return text;
}

int conversation_save(const struct conversation *c, const char *model,
                      const char *path, struct error *e)
{
    struct replacement file;
    char *text = write_request(c, model);
    if (!text)
        return fail_memory(e, "the conversation");
    int result = replace_begin(&file, path, e);
    if (result == 0) {
        result = replace_add(&file, text, strlen(text), e);
        if (result == 0)
            result = replace_add(&file, "\n", 1, e);
        if (result == 0)
            result = replace_end(&file, e);
        else
            replace_cancel(&file);
    }
    free(text);
    return result;
}

/* Messages for templates: see chat_messages.h. */
#include "chat_messages.h"

#include "json.h"
#include "json_write.h"

#include <stdlib.h>
#include <string.h>

/* A message with its thought under both names, the older in front. */
static json_t *with_reasoning(json_t *message)
{
    static const char *const names[] = {"reasoning_content", "thinking",
                                        "reasoning"};
    json_t *thought = NULL;
    for (int i = 2; i >= 0; i--) {
        json_t *found = json_object_get(message, names[i]);
        thought = found && !json_is_null(found) ? found : thought;
    }
    if (!thought)
        return json_deep_copy(message);
    json_t *made = json_pack("{s:O}", "thinking", thought);
    json_t *copy = json_deep_copy(message);
    if (!made || !copy || json_object_update(made, copy) ||
        json_object_set(made, "reasoning_content", thought)) {
        json_decref(made);
        made = NULL;
    }
    json_decref(copy);
    return made;
}

/* Whether a content is a list of texts alone. */
static bool is_all_text(const json_t *content)
{
    size_t i;
    json_t *part;
    if (!json_is_array(content))
        return false;
    json_array_foreach(content, i, part) if (!json_is_string(json_object_get(
                                                 part, "text"))) return false;
    return true;
}

/* All text of such a list; NULL: no memory. */
static json_t *joined_parts(const json_t *parts)
{
    struct bytes joined = {0};
    size_t i;
    json_t *part;
    json_array_foreach(parts, i, part)
    {
        json_t *text = json_object_get(part, "text");
        bytes_add(&joined, json_string_value(text), json_string_length(text));
    }
    json_t *made = joined.failed ? NULL
                                 : json_stringn(joined.data ? joined.data : "",
                                                joined.size);
    bytes_free(&joined);
    return made;
}

/* To set a content for which there was no memory fails. */
static int fit_content(json_t *message, const struct chat_abilities *a)
{
    json_t *content = json_object_get(message, "content");
    if (is_all_text(content) && !a->parts)
        return json_object_set_new(message, "content", joined_parts(content));
    if (json_is_string(content) && a->only_parts)
        return json_object_set_new(
            message, "content",
            json_pack("[{s:s, s:O}]", "type", "text", "text", content));
    return 0;
}

/* The other form of a call's arguments, or NULL when they stay; -1: there was
 * no memory to find out. */
static int other_form(json_t *arguments, const struct chat_abilities *a,
                      json_t **out)
{
    struct error e = {.code = ERROR_NONE};
    *out = NULL;
    if (json_is_string(arguments) && a->object_arguments) {
        json_t *object =
            json_parse(json_string_value(arguments),
                       json_string_length(arguments), "arguments", 0, &e);
        if (json_is_object(object))
            *out = object;
        else
            json_decref(object);
        return e.code == ERROR_MEMORY ? -1 : 0;
    }
    if (json_is_object(arguments) && a->string_arguments) {
        char *text = json_text(arguments, 0);
        *out = text ? json_string(text) : NULL;
        free(text);
        return *out ? 0 : -1;
    }
    return 0;
}

static int fit_calls(json_t *message, const struct chat_abilities *a)
{
    size_t i;
    json_t *call;
    json_array_foreach(json_object_get(message, "tool_calls"), i, call)
    {
        json_t *function = json_object_get(call, "function");
        json_t *holder = function ? function : call;
        json_t *made;
        if (other_form(json_object_get(holder, "arguments"), a, &made))
            return -1;
        if (made && json_object_set_new(holder, "arguments", made))
            return -1;
    }
    return 0;
}

/* A call as a message: its header is the name, and its text the arguments. */
static json_t *headed_call(const json_t *call)
{
    json_t *function = json_object_get(call, "function");
    const json_t *holder = function ? function : call;
    json_t *arguments = json_object_get(holder, "arguments");
    char *text = arguments ? json_text(arguments, JSON_ENCODE_ANY) : NULL;
    json_t *content = json_is_string(arguments) ? json_incref(arguments)
                      : text                    ? json_string(text)
                      : arguments               ? NULL
                                                : json_string("{}");
    free(text);
    return json_pack("{s:s, s:O*, s:o}", "role", "assistant", "metadata",
                     json_object_get(holder, "name"), "content", content);
}

/* Add a message, which is taken over, as a template shows it that knows
 * headers.  Before its calls stands what it says, if it says something. */
static void add_headed(json_t **made, json_t *message)
{
    size_t i;
    json_t *call, *calls = json_object_get(message, "tool_calls");
    const char *role = json_string_value(json_object_get(message, "role"));
    bool says = json_string_length(json_object_get(message, "content")) > 0;
    if (role && strcmp(role, "tool") == 0)
        json_put(&message, "role", json_string("observation"));
    if (says || json_array_size(calls) == 0)
        json_add(made, json_incref(message));
    json_array_foreach(calls, i, call) json_add(made, headed_call(call));
    json_decref(message);
}

json_t *chat_messages(json_t *messages, const struct chat_abilities *a,
                      struct error *e)
{
    json_t *made = json_array(), *message;
    struct node root = node_root("messages", messages);
    size_t i, n;
    if (node_array(&root, &n, e)) {
        json_decref(made);
        return NULL;
    }
    json_array_foreach(messages, i, message)
    {
        struct node one = node_element(&root, i);
        if (node_object(&one, e)) {
            json_decref(made);
            return NULL;
        }
        json_t *copy = with_reasoning(message);
        if (copy && (fit_content(copy, a) || fit_calls(copy, a))) {
            json_decref(copy);
            copy = NULL;
        }
        if (copy && a->headers)
            add_headed(&made, copy);
        else
            json_add(&made, copy);
    }
    if (!made)
        fail_memory(e, "the messages");
    return made;
}

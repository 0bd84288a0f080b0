/* The messages of a chat: see messages.h. */
#include "messages.h"

#include "json_write.h"
#include "parameters.h"

#include <stdlib.h>
#include <string.h>

/* Whose content is being read, and what was noted on the way. */
struct message_reader {
    const char *role;
    struct bytes *unknown;
    struct api_error *a;
};

static int refuse_memory(struct message_reader *m)
{
    return api_fail(m->a, 500, "out of memory");
}

/* Reads a value, or refuses it and returns NULL. */
typedef json_t *value_reader(struct message_reader *m,
                             const struct node *value);

/* A new list of what becomes of each element. */
static json_t *read_each(struct message_reader *m, const struct node *list,
                         value_reader *read)
{
    size_t n = json_array_size(list->value);
    if (n > MOST_LISTED) {
        api_refuse_at(m->a, list, "array_above_max_length",
                      "expected a list of up to %d, found %zu", MOST_LISTED,
                      n);
        return NULL;
    }
    json_t *made = json_array();
    for (size_t i = 0; i < n; i++) {
        struct node element = node_element(list, i);
        json_t *one = read(m, &element);
        if (!one) {
            json_decref(made);
            return NULL;
        }
        json_add(&made, one);
    }
    if (!made)
        refuse_memory(m);
    return made;
}

/* --- content ------------------------------------------------------------- */

/* Refuse what a part of text would not be: its type names it. */
static int check_content_part(struct message_reader *m,
                              const struct node *part, const char **key)
{
    struct node type = node_member(part, "type");
    const char *word;
    if (node_object(part, &m->a->why))
        return api_refuse_type(m->a, part);
    if (node_string(&type, &word, &m->a->why))
        return api_refuse_type(m->a, &type);
    bool refusal =
        strcmp(word, "refusal") == 0 && strcmp(m->role, "assistant") == 0;
    if (strcmp(word, "text") != 0 && !refusal)
        return api_refuse_at(m->a, part, "unsupported_value",
                             "is a part of type \"%.*s\": this server reads "
                             "text",
                             api_shown(word), word);
    *key = refusal ? "refusal" : "text";
    return 0;
}

/* {"type": "text", "text": ...}, also of what was refused. */
static json_t *read_part(struct message_reader *m, const struct node *part)
{
    const char *key = NULL, *words;
    if (check_content_part(m, part, &key))
        return NULL;
    struct node value = node_member(part, key);
    if (node_string(&value, &words, &m->a->why)) {
        api_refuse_type(m->a, &value);
        return NULL;
    }
    json_t *made = json_object();
    json_put(&made, "type", json_string("text"));
    json_put(&made, "text", json_incref(value.value));
    if (!made)
        refuse_memory(m);
    return made;
}

static json_t *read_content_parts(struct message_reader *m,
                                  const struct node *content)
{
    if (json_array_size(content->value) == 0) {
        api_refuse_at(m->a, content, "empty_array", "has no parts");
        return NULL;
    }
    return read_each(m, content, read_part);
}

/* The result of a tool may be an object: as JSON text. */
static json_t *object_text(struct message_reader *m,
                           const struct node *content)
{
    char *text = json_text(content->value, 0);
    json_t *string = text ? json_string(text) : NULL;
    if (!string)
        refuse_memory(m);
    free(text);
    return string;
}

static json_t *read_message_content(struct message_reader *m,
                                    const struct node *content)
{
    if (json_is_string(content->value))
        return json_incref(content->value);
    if (json_is_array(content->value))
        return read_content_parts(m, content);
    if (json_is_object(content->value) && strcmp(m->role, "tool") == 0)
        return object_text(m, content);
    const char *text;
    node_string(content, &text, &m->a->why);
    api_refuse_type(m->a, content);
    return NULL;
}

/* --- calls that the assistant made --------------------------------------- */

/* The text of an object, or the object. */
static json_t *read_arguments(struct message_reader *m,
                              const struct node *arguments)
{
    const char *text;
    if (json_is_object(arguments->value) ||
        node_string(arguments, &text, &m->a->why) == 0)
        return json_incref(arguments->value);
    api_refuse_type(m->a, arguments);
    return NULL;
}

/* {"id", "type", "function": {"name", "arguments"}} */
static json_t *make_call(const struct node *call, const char *name,
                         json_t *arguments)
{
    json_t *id = json_object_get(call->value, "id");
    json_t *function = json_object();
    json_put(&function, "name", json_string(name));
    json_put(&function, "arguments", arguments);
    json_t *made = json_object();
    json_put(&made, "id", id ? json_incref(id) : json_string(""));
    json_put(&made, "type", json_string("function"));
    json_put(&made, "function", function);
    return made;
}

static json_t *read_call(struct message_reader *m, const struct node *call)
{
    struct node type = node_member(call, "type"), id = node_member(call, "id");
    struct node function = node_member(call, "function");
    struct node name = node_member(&function, "name");
    struct node given = node_member(&function, "arguments");
    const char *word;
    if (node_object(call, &m->a->why)) {
        api_refuse_type(m->a, call);
        return NULL;
    }
    if ((node_has(&type) && check_word(&type, "function", &word, m->a)))
        return NULL;
    const struct node *at = &id;
    if (node_string(at, &word, &m->a->why) ||
        node_object(at = &function, &m->a->why) ||
        node_string(at = &name, &word, &m->a->why)) {
        api_refuse_type(m->a, at);
        return NULL;
    }
    json_t *arguments = read_arguments(m, &given);
    json_t *made = arguments ? make_call(call, word, arguments) : NULL;
    if (arguments && !made)
        refuse_memory(m);
    return made;
}

static json_t *read_calls(struct message_reader *m, const struct node *calls)
{
    size_t n = 0;
    if (node_array(calls, &n, &m->a->why)) {
        api_refuse_type(m->a, calls);
        return NULL;
    }
    return read_each(m, calls, read_call);
}

/* --- messages ------------------------------------------------------------ */

static json_t *read_member_text(struct message_reader *m,
                                const struct node *value)
{
    const char *text;
    if (node_string(value, &text, &m->a->why)) {
        api_refuse_type(m->a, value);
        return NULL;
    }
    return json_incref(value->value);
}

static json_t *refuse_member(struct message_reader *m,
                             const struct node *value)
{
    api_refuse_at(m->a, value, "unsupported_parameter", "is not supported: %s",
                  strcmp(value->key, "audio") == 0 ? "this server reads text"
                                                   : "use tool_calls");
    return NULL;
}

/* What a message may hold, and whose: "" for everyone's. */
struct message_member {
    const char *name, *role;
    value_reader *read;
};

static const struct message_member members[] = {
    {"content", "", read_message_content},
    {"name", "", read_member_text},
    {"reasoning_content", "assistant", read_member_text},
    {"refusal", "assistant", read_member_text},
    {"tool_calls", "assistant", read_calls},
    {"tool_call_id", "tool", read_member_text},
    {"audio", "assistant", refuse_member},
    {"function_call", "assistant", refuse_member},
};

static const size_t n_members = sizeof members / sizeof members[0];

static const struct message_member *find_member(const char *role,
                                                const char *name)
{
    for (size_t i = 0; i < n_members; i++)
        if (strcmp(members[i].name, name) == 0 &&
            (!*members[i].role || strcmp(members[i].role, role) == 0))
            return &members[i];
    return NULL;
}

static int read_message_members(struct message_reader *m,
                                const struct node *message, json_t **made)
{
    const char *key;
    json_t *value;
    json_object_foreach(message->value, key, value)
    {
        struct node member = node_member(message, key);
        const struct message_member *row = find_member(m->role, key);
        if (!row && strcmp(key, "role") != 0)
            note_unknown(&member, m->unknown);
        if (!row || !node_has(&member))
            continue;
        json_t *read = row->read(m, &member);
        if (!read)
            return -1;
        json_put(made, key, read);
    }
    return *made ? 0 : refuse_memory(m);
}

/* Each message says something; an assistant's may be calls only, and says
 * what it refused as well. */
static int complete_message(struct message_reader *m,
                            const struct node *message, json_t *made)
{
    struct node content = node_member(message, "content");
    struct node id = node_member(message, "tool_call_id");
    json_t *refusal = json_object_get(made, "refusal");
    bool said = json_object_get(made, "content") != NULL;
    if (!said && refusal) {
        if (json_object_set(made, "content", refusal))
            return refuse_memory(m);
        said = true;
    }
    json_object_del(made, "refusal");
    bool calls = json_array_size(json_object_get(made, "tool_calls")) > 0;
    if (!calls) /* templates that find a list expect something in it */
        json_object_del(made, "tool_calls");
    if (!said && !calls)
        return api_refuse_at(m->a, &content, "missing_required_parameter",
                             "is missing: expected a string");
    if (strcmp(m->role, "tool") == 0 && !json_object_get(made, "tool_call_id"))
        return api_refuse_at(m->a, &id, "missing_required_parameter",
                             "is missing: expected the id of a call");
    if (!said && json_object_set_new(made, "content", json_null()))
        return refuse_memory(m);
    return 0;
}

static json_t *read_message(struct message_reader *m,
                            const struct node *message)
{
    struct node role = node_member(message, "role");
    if (node_object(message, &m->a->why)) {
        api_refuse_type(m->a, message);
        return NULL;
    }
    if (check_word(&role, "system|developer|user|assistant|tool", &m->role,
                   m->a))
        return NULL;
    bool developer = strcmp(m->role, "developer") == 0;
    json_t *made = json_object();
    json_put(&made, "role", json_string(developer ? "system" : m->role));
    if (read_message_members(m, message, &made) ||
        complete_message(m, message, made)) {
        json_decref(made);
        return NULL;
    }
    return made;
}

json_t *messages_read(const struct node *messages, struct bytes *unknown,
                      struct api_error *a)
{
    struct message_reader m = {.unknown = unknown, .a = a};
    size_t n = 0;
    if (node_array(messages, &n, &a->why)) {
        api_refuse_type(a, messages);
        return NULL;
    }
    if (n == 0) {
        api_refuse_at(a, messages, "empty_array", "has no messages");
        return NULL;
    }
    return read_each(&m, messages, read_message);
}

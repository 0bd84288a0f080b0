/* Tools and how they are chosen: see tools.h. */
#include "tools.h"

#include <string.h>

enum tool_limits {
    MOST_TOOLS = 128,
    MOST_NAME = 64 /* bytes of a function's name */
};

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

static int check_function_name(const struct node *name, struct api_error *a)
{
    const char *text;
    if (node_string(name, &text, &a->why))
        return api_refuse_type(a, name);
    size_t size = strlen(text);
    if (size == 0 || size > MOST_NAME || strspn(text, letters) < size)
        return api_refuse_at(a, name, "invalid_value",
                             "expected 1 to %d letters, digits, \"_\" or "
                             "\"-\", found \"%.*s\"",
                             MOST_NAME, api_shown(text), text);
    return 0;
}

/* Its arguments would have to follow a schema, of which nobody here makes
 * sure. */
static int check_strict(const struct node *strict, struct api_error *a)
{
    bool on = false;
    if (node_bool_or(strict, false, &on, &a->why))
        return api_refuse_type(a, strict);
    if (on)
        return api_refuse_at(a, strict, "unsupported_value",
                             "this server cannot hold arguments to a schema");
    return 0;
}

static int check_function(const struct node *function, struct bytes *unknown,
                          struct api_error *a)
{
    struct node name = node_member(function, "name");
    struct node about = node_member(function, "description");
    struct node schema = node_member(function, "parameters");
    struct node strict = node_member(function, "strict");
    const char *text, *key;
    json_t *value;
    if (node_object(function, &a->why))
        return api_refuse_type(a, function);
    if (check_function_name(&name, a))
        return -1;
    if (node_string_or(&about, "", &text, &a->why))
        return api_refuse_type(a, &about);
    if (node_has(&schema) && node_object(&schema, &a->why))
        return api_refuse_type(a, &schema);
    json_object_foreach(function->value, key, value)
    {
        struct node member = node_member(function, key);
        if (strcmp(key, "name") != 0 && strcmp(key, "description") != 0 &&
            strcmp(key, "parameters") != 0 && strcmp(key, "strict") != 0)
            note_unknown(&member, unknown);
    }
    return check_strict(&strict, a);
}

static int check_tool(const struct node *tool, struct bytes *unknown,
                      struct api_error *a)
{
    struct node type = node_member(tool, "type");
    struct node function = node_member(tool, "function");
    const char *word;
    if (node_object(tool, &a->why))
        return api_refuse_type(a, tool);
    if (node_string(&type, &word, &a->why))
        return api_refuse_type(a, &type);
    if (strcmp(word, "function") != 0)
        return api_refuse_at(a, &type, "unsupported_value",
                             "tools of type \"%.*s\" are not supported",
                             api_shown(word), word);
    return check_function(&function, unknown, a);
}

/* The name of the tool at `index`; NULL when it has none. */
static const char *name_of(const json_t *tools, size_t index)
{
    json_t *tool = json_array_get(tools, index);
    json_t *function = json_object_get(tool, "function");
    return json_string_value(json_object_get(function, "name"));
}

/* How many of the first n tools have this name. */
static size_t count_name(const json_t *tools, size_t n, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += strcmp(name_of(tools, i), name) == 0;
    return count;
}

int tools_check(const struct node *tools, struct bytes *unknown,
                struct api_error *a)
{
    size_t n = 0;
    if (node_array(tools, &n, &a->why))
        return api_refuse_type(a, tools);
    if (n > MOST_TOOLS)
        return api_refuse_at(a, tools, "array_above_max_length",
                             "expected up to %d tools, found %zu", MOST_TOOLS,
                             n);
    for (size_t i = 0; i < n; i++) {
        struct node tool = node_element(tools, i);
        if (check_tool(&tool, unknown, a))
            return -1;
        const char *name = name_of(tools->value, i);
        if (count_name(tools->value, i, name) > 0)
            return api_refuse_at(a, &tool, "invalid_value",
                                 "another tool is called \"%s\", too", name);
    }
    return 0;
}

static int read_named_choice(const struct node *choice, struct chat_request *q,
                             struct api_error *a)
{
    struct node type = node_member(choice, "type");
    struct node function = node_member(choice, "function");
    struct node name = node_member(&function, "name");
    const char *word;
    if (node_string(&type, &word, &a->why))
        return api_refuse_type(a, &type);
    if (strcmp(word, "function") != 0)
        return api_refuse_at(a, &type, "unsupported_value",
                             "expected function, found \"%.*s\"",
                             api_shown(word), word);
    if (node_object(&function, &a->why))
        return api_refuse_type(a, &function);
    if (node_string(&name, &q->tool_name, &a->why))
        return api_refuse_type(a, &name);
    size_t n = json_array_size(q->tools);
    if (count_name(q->tools, n, q->tool_name) == 0)
        return api_refuse_at(a, &name, "invalid_value",
                             "no tool is called \"%.*s\"",
                             api_shown(q->tool_name), q->tool_name);
    q->tool_choice = TOOL_NAMED;
    return 0;
}

static int read_choice_word(const struct node *choice, struct chat_request *q,
                            struct api_error *a)
{
    const char *word;
    if (check_word(choice, "none|auto|required", &word, a))
        return -1;
    q->tool_choice = strcmp(word, "none") == 0   ? TOOL_NONE
                     : strcmp(word, "auto") == 0 ? TOOL_AUTO
                                                 : TOOL_REQUIRED;
    return 0;
}

int tool_choice_read(const struct node *choice, struct chat_request *q,
                     struct api_error *a)
{
    bool object = json_is_object(choice->value);
    if (object ? read_named_choice(choice, q, a)
               : read_choice_word(choice, q, a))
        return -1;
    if (q->tool_choice == TOOL_REQUIRED && !q->tools)
        return api_refuse_at(a, choice, "invalid_value",
                             "there are no tools to choose from");
    return 0;
}

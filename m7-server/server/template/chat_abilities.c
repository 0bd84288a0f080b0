/* What a template shows, found out by looking: see chat_messages.h.
 *
 * Each conversation holds words that stand in no template. */
#include "chat_messages.h"

#include <string.h>

/* The conversations: messages, and tools. */
static const char plain[] = "[{'role': 'user', 'content': 'xqwords'}]";
static const char parts[] =
    "[{'role': 'user', 'content': [{'type': 'text', 'text': 'xqwords'}]}]";
static const char system_first[] =
    "[{'role': 'system', 'content': 'xqsystem'},"
    " {'role': 'user', 'content': 'xqwords'}]";
static const char calls_with[] =
    "[{'role': 'user', 'content': 'xqwords'},"
    " {'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'abcdef123',"
    "  'type': 'function', 'function': {'name': 'xqtool', 'arguments': %s}}]},"
    " {'role': 'tool', 'tool_call_id': 'abcdef123', 'name': 'xqtool',"
    "  'content': 'xqresult'}]";
static const char headers[] =
    "[{'role': 'user', 'content': 'xqwords'},"
    " {'role': 'assistant', 'metadata': 'xqtool', 'content': '{}'},"
    " {'role': 'observation', 'content': 'xqresult'}]";
static const char object_form[] = "{'xqname': 'xqvalue'}";
static const char string_form[] = "'{\\\"xqname\\\": \\\"xqvalue\\\"}'";
static const char tool_list[] =
    "[{'type': 'function', 'function': {'name': 'xqtool', 'description':"
    " 'xqdescription', 'parameters': {'type': 'object', 'properties':"
    " {'xqname': {'type': 'string', 'description': 'xqmeaning'}},"
    " 'required': ['xqname']}}}]";

/* JSON that is written with single quotes. */
static json_t *read_probe(const char *text)
{
    char json[1024];
    size_t n = 0;
    for (; text[n] && n + 1 < sizeof json; n++)
        json[n] = text[n] == '\'' ? '"' : text[n];
    json[n] = 0;
    return json_loads(json, 0, NULL);
}

/* A template that is looked at; whether memory lacked on the way. */
struct probed {
    const struct jinja *template;
    json_t *tokens;
    bool lacks;
};

/* Render: what comes out, and a zero; nothing when the template fails. */
static struct bytes probe(struct probed *p, const char *messages,
                          bool with_tools)
{
    const struct tm now = {.tm_year = 124, .tm_mday = 1};
    json_t *context = json_object();
    json_t *given =
        json_pack("{s:o, s:o, s:n, s:b}", "messages", read_probe(messages),
                  "tools", with_tools ? read_probe(tool_list) : json_null(),
                  "documents", "add_generation_prompt", 1);
    struct jinja_input input = {
        .context = context, .now = &now, .limits = {16 << 20, 8 << 20}};
    struct jinja_output out = {.raised = false};
    struct error e = {.code = ERROR_MEMORY};
    bool made = !json_object_update(context, p->tokens) &&
                !json_object_update(context, given) &&
                !jinja_render(p->template, &input, &out, &e);
    json_decref(context);
    json_decref(given);
    if (!made)
        out.text.size = 0;
    bytes_add(&out.text, "", 1);
    p->lacks =
        p->lacks || (!made && e.code == ERROR_MEMORY) || out.text.failed;
    return out.text;
}

/* Without the zero, for which memory lacked, it shows nothing. */
static bool shows(const struct bytes *text, const char *words)
{
    return !text->failed && strstr(text->data, words) != NULL;
}

static bool probe_shows(struct probed *p, const char *messages,
                        bool with_tools, const char *words)
{
    struct bytes text = probe(p, messages, with_tools);
    bool found = shows(&text, words);
    bytes_free(&text);
    return found;
}

/* How one form of arguments comes out, which is in *text then: well is not as
 * Python's repr() of an object. */
static bool shows_arguments(struct probed *p, const char *form,
                            struct chat_abilities *a, struct bytes *text)
{
    char messages[sizeof calls_with + sizeof string_form];
    const char *place = strstr(calls_with, "%s");
    size_t before = (size_t)(place - calls_with);
    memcpy(messages, calls_with, before);
    strcpy(messages + before, form);
    strcat(messages, place + 2);
    *text = probe(p, messages, true);
    a->tool_calls = a->tool_calls || shows(text, "xqvalue");
    a->tool_results = a->tool_results || shows(text, "xqresult");
    return shows(text, "xqvalue") && !shows(text, "'xqname'");
}

/* A template that makes the same of both leaves strings as they are.  Where it
 * does not, it has a form for objects, and of a string makes a string in a
 * string, or puts it into that form as it is. */
static void find_arguments(struct probed *p, struct chat_abilities *a)
{
    struct bytes string, object;
    bool strings = shows_arguments(p, string_form, a, &string);
    bool objects = shows_arguments(p, object_form, a, &object);
    bool alike = strings && objects && string.size == object.size &&
                 memcmp(string.data, object.data, string.size) == 0;
    a->object_arguments = objects && !alike;
    a->string_arguments = strings && !objects;
    bytes_free(&string);
    bytes_free(&object);
}

int chat_abilities_find(const struct jinja *t, json_t *tokens,
                        struct chat_abilities *out, struct error *e)
{
    struct probed p = {.template = t, .tokens = tokens};
    *out = (struct chat_abilities){
        .tools = probe_shows(&p, plain, true, "xqtool"),
        .system = probe_shows(&p, system_first, false, "xqsystem"),
        .enable_thinking = jinja_mentions(t, "enable_thinking"),
        .reasoning_effort = jinja_mentions(t, "reasoning_effort")};
    struct bytes text = probe(&p, parts, false);
    out->parts = shows(&text, "xqwords") && !shows(&text, "'type'") &&
                 !shows(&text, "\"type\"");
    bytes_free(&text);
    out->only_parts = out->parts && !probe_shows(&p, plain, false, "xqwords");
    find_arguments(&p, out);
    out->headers = !out->tool_calls && !out->tool_results &&
                   probe_shows(&p, headers, false, "xqtool") &&
                   probe_shows(&p, headers, false, "xqresult");
    return p.lacks ? fail_memory(e, "trying a chat template") : 0;
}

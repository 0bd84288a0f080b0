/* A template writes past calls as its model was trained to write them; so the
 * parser that is found for a template must find those calls in its text.
 *
 * Called with the word "lines", the program reads a JSON string a line, a
 * template, and writes what it found of it: that is how tests/templates asks
 * this of real models' templates. */
#include "chat_template.h"
#include "test_events.h"

#include "json.h"

#undef fail /* cmocka's; here it is ours */

static const char asked[] = "[{'role': 'user', 'content': 'Is it sunny?'}]";
/* One call, and two; and what they return. */
static const char *const called[] = {
    "[{'role': 'user', 'content': 'Is it sunny?'},"
    " {'role': 'assistant', 'content': '', 'tool_calls': ["
    "  {'id': 'abcdefghi', 'type': 'function', 'function': {"
    "   'name': 'get_weather', 'arguments': {'city': 'Paris'}}}]},"
    " {'role': 'tool', 'tool_call_id': 'abcdefghi', 'name': 'get_weather',"
    "  'content': 'sunny'}]",
    "[{'role': 'user', 'content': 'Is it sunny?'},"
    " {'role': 'assistant', 'content': '', 'tool_calls': ["
    "  {'id': 'abcdefghi', 'type': 'function', 'function': {"
    "   'name': 'get_weather', 'arguments': {'city': 'Paris'}}},"
    "  {'id': 'abcdefghj', 'type': 'function', 'function': {"
    "   'name': 'get_weather', 'arguments': {'city': 'Oslo'}}}]},"
    " {'role': 'tool', 'tool_call_id': 'abcdefghi', 'name': 'get_weather',"
    "  'content': 'sunny'},"
    " {'role': 'tool', 'tool_call_id': 'abcdefghj', 'name': 'get_weather',"
    "  'content': 'rain'}]"};
static const char tools_text[] =
    "[{'type': 'function', 'function': {'name': 'get_weather',"
    "  'description': 'The weather of a city', 'parameters': {"
    "  'type': 'object', 'properties': {'city': {'type': 'string',"
    "  'description': 'Its name'}}, 'required': ['city']}}}]";

/* JSON that is written with single quotes. */
static json_t *quoted(const char *text)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *c = json; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *value = json_loads(json, 0, NULL);
    assert_non_null(value);
    free(json);
    return value;
}

/* A template, and what reads its model's text. */
struct pair {
    struct chat_template *template;
    struct markup_options options;
};

/* The text of a conversation, with a zero behind it; "" after an error. */
static struct bytes text_of(const struct pair *p, const char *messages,
                            bool begins_answer)
{
    const struct tm now = {.tm_year = 124, .tm_mday = 1};
    struct chat_input input = {.messages = quoted(messages),
                               .tools = (json_t *)p->options.tools,
                               .add_generation_prompt = begins_answer,
                               .now = &now};
    struct chat_output out = {.raised = false};
    struct error e;
    if (chat_template_render(p->template, &input, &out, &e))
        out.text.size = 0;
    bytes_add(&out.text, "", 1);
    json_decref(input.messages);
    return out.text;
}

/* How many of the calls, to Paris and Oslo, are read in this text. */
static size_t calls_in(struct pair *p, const char *text)
{
    struct told t = {.n_calls = 0};
    struct error e;
    size_t n = 0;
    p->options.context = &t;
    struct markup_parser *parser = markup_begin(&p->options, &e);
    assert_non_null(parser);
    assert_ok(markup_put(parser, text, strlen(text), &e), &e);
    assert_ok(markup_end(parser, &e), &e);
    for (size_t i = 0; i < t.n_calls; i++) {
        const char *city = i == 0 ? "Paris" : "Oslo";
        bytes_add(&t.calls[i].arguments, "", 1);
        n += strcmp(t.calls[i].name.data, "get_weather") == 0 &&
             strcmp(t.calls[i].end, "end") == 0 &&
             strstr(t.calls[i].arguments.data, city) != NULL;
    }
    markup_free(parser);
    told_free(&t);
    return n;
}

/* The same of a conversation with so many.  What the model wrote begins where
 * the text leaves the prompt, or a little before, at a mark that the prompt
 * begins, too. */
static size_t calls_read(struct pair *p, size_t n_calls)
{
    struct bytes prompt = text_of(p, asked, true);
    struct bytes text = text_of(p, called[n_calls - 1], false);
    size_t same = 0, most = 0;
    while (prompt.data[same] && prompt.data[same] == text.data[same])
        same++;
    for (size_t back = 0; back <= 32 && back <= same; back++) {
        size_t n = calls_in(p, text.data + same - back);
        most = n > most ? n : most;
    }
    bytes_free(&prompt);
    bytes_free(&text);
    return most;
}

/* {"markup", "thinking", "shows": whether past calls are shown, "read": of one
 * and of two calls}. */
static json_t *look_at(const char *text)
{
    json_t *tokens =
        json_pack("{s:s, s:s}", "bos_token", "<s>", "eos_token", "</s>");
    struct error e;
    struct pair p = {.template = chat_template_parse(text, strlen(text),
                                                     "a template", tokens, &e),
                     .options = {.markup = markup_of_template(text),
                                 .thinking = thinking_of_template(text),
                                 .tools = quoted(tools_text),
                                 .event = told_event}};
    assert_non_null(p.template);
    const struct chat_abilities *a = chat_template_abilities(p.template, true);
    const struct markup_options *o = &p.options;
    json_t *found =
        json_pack("{s:s?, s:s?, s:b, s:[i, i]}", "markup",
                  o->markup ? markup_name(o->markup) : NULL, "thinking",
                  o->thinking ? thinking_name(o->thinking) : NULL, "shows",
                  a->tool_calls || a->headers, "read",
                  o->markup ? (int)calls_read(&p, 1) : 0,
                  o->markup ? (int)calls_read(&p, 2) : 0);
    assert_non_null(found);
    json_decref((json_t *)o->tools);
    json_decref(tokens);
    chat_template_free(p.template);
    return found;
}

static int look_at_lines(void)
{
    json_t *line;
    const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY;
    while ((line = json_loadf(stdin, flags, NULL))) {
        json_t *found = look_at(json_string_value(line));
        json_dumpf(found, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(found);
        json_decref(line);
    }
    return 0;
}

static void expect_found(const char *template, const char *expected)
{
    json_t *found = look_at(template);
    char *text = json_dumps(found, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(found);
}

#define EACH  "{% for m in messages %}<{{ m.role }}>{{ m.content }}"
#define CALLS "{% for c in m.tool_calls or [] %}{% set f = c.function %}"
#define ENDS                                                                  \
    "{% endfor %}{% endfor %}{{ '<assistant>' if add_generation_"             \
    "prompt }}"

static void its_own_calls_are_read(void **state)
{
    (void)state;
    expect_found(EACH CALLS "<tool_call>\n{{ {'name': f.name, 'arguments': "
                            "f.arguments} | tojson }}\n</tool_call>" ENDS,
                 "{\"markup\":\"hermes\",\"thinking\":null,\"shows\":true,"
                 "\"read\":[1,2]}");
    expect_found(EACH CALLS "[TOOL_CALLS]{{ f.name }}[ARGS]"
                            "{{ f.arguments | tojson }}" ENDS,
                 "{\"markup\":\"mistral-v11\",\"thinking\":null,"
                 "\"shows\":true,\"read\":[1,2]}");
}

static void calls_of_nobody_are_not(void **state)
{
    (void)state;
    expect_found(EACH CALLS "!!{{ f.name }}({{ f.arguments | tojson }})" ENDS,
                 "{\"markup\":null,\"thinking\":null,\"shows\":true,"
                 "\"read\":[0,0]}");
    expect_found(EACH "{% endfor %}",
                 "{\"markup\":null,\"thinking\":null,\"shows\":false,"
                 "\"read\":[0,0]}");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_own_calls_are_read),
        cmocka_unit_test(calls_of_nobody_are_not),
    };
    if (argc == 2 && strcmp(argv[1], "lines") == 0)
        return look_at_lines();
    return cmocka_run_group_tests_name("turn calls", tests, NULL, NULL);
}

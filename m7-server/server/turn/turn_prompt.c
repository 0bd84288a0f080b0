/* What the model is given to read: see turn_prompt.h. */
#include "turn_prompt.h"

#include "tool_schema.h"
#include "word_search.h"

#include <string.h>

bool turn_shows_tools(const struct turn_options *options)
{
    return json_array_size(options->tools) > 0 && options->choice != TOOL_NONE;
}

bool turn_may_call(const struct turn *t)
{
    return t->model->markup && turn_shows_tools(&t->options);
}

/* The names that templates have for the switch. */
static const char *const switches[] = {"enable_thinking", "thinking"};
enum switch_count {
    N_SWITCHES = sizeof switches / sizeof *switches
};

enum thinking_choice thinking_wanted(const struct turn_options *options)
{
    if (options->thinking != THINKING_DEFAULT)
        return options->thinking;
    for (size_t i = 0; i < N_SWITCHES; i++) {
        json_t *said =
            json_object_get(options->template_arguments, switches[i]);
        if (json_is_boolean(said))
            return json_is_true(said) ? THINKING_ON : THINKING_OFF;
    }
    bool none = options->effort && strcmp(options->effort, "none") == 0;
    return none ? THINKING_OFF : THINKING_DEFAULT;
}

/* The template's arguments: those of the request, and what else it said of
 * thinking.  NULL without memory. */
static json_t *arguments_of(const struct turn_options *options,
                            enum thinking_choice wanted)
{
    json_t *arguments = json_object(), *said = options->template_arguments;
    bool on = wanted == THINKING_ON;
    int failed = !arguments || (said && json_object_update(arguments, said));
    for (size_t i = 0; wanted != THINKING_DEFAULT && i < N_SWITCHES; i++)
        failed |=
            json_object_set_new(arguments, switches[i], json_boolean(on));
    if (options->effort && strcmp(options->effort, "none") != 0)
        failed |= json_object_set_new(arguments, "reasoning_effort",
                                      json_string(options->effort));
    if (!failed)
        return arguments;
    json_decref(arguments);
    return NULL;
}

/* Render with thinking as wanted; out must be {0}. */
static int render_thinking(struct turn *t, enum thinking_choice wanted,
                           struct chat_output *out, struct error *e)
{
    const struct turn_options *o = &t->options;
    json_t *arguments = arguments_of(o, wanted);
    if (!arguments)
        return fail_memory(e, "the template's arguments");
    struct chat_input input = {
        .messages = o->messages,
        .tools = o->choice == TOOL_NONE ? NULL : o->tools,
        .arguments = arguments,
        .add_generation_prompt = !o->no_answer,
        .now = o->now,
    };
    int result = chat_template_render(t->model->template, &input, out, e);
    json_decref(arguments);
    return result;
}

/* Does the text end with this, but for space? */
static bool ends_with(const struct bytes *text, const char *end)
{
    size_t size = text->size, n = strlen(end);
    while (size > 0 && strchr(" \t\r\n", text->data[size - 1]))
        size--;
    return size >= n && memcmp(text->data + size - n, end, n) == 0;
}

/* Would an empty block leave no place for the calls that may come? */
static bool leaves_no_call(const struct turn *t)
{
    const struct thinking *thinking = t->model->thinking;
    return thinking && thinking_answers(thinking) && turn_may_call(t);
}

bool turn_awaits_header(const struct turn *t)
{
    return leaves_no_call(t) &&
           ends_with(&t->prompt, thinking_resume(t->model->thinking));
}

/* Has the template a switch?  Then its prompts are not alike.  1, 0, -1. */
static int has_switch(struct turn *t, struct error *e)
{
    struct chat_output on = {0};
    int result = render_thinking(t, THINKING_ON, &on, e);
    bool same = on.text.size == t->prompt.size &&
                (on.text.size == 0 ||
                 memcmp(on.text.data, t->prompt.data, on.text.size) == 0);
    t->template_raised = on.raised;
    bytes_free(&on.text);
    return result ? -1 : !same;
}

/* Let an empty block end the prompt, unless there is one, or it would be in
 * the way of calls. */
static int close_thinking(struct turn *t, struct error *e)
{
    const struct thinking *thinking = t->model->thinking;
    struct bytes *prompt = &t->prompt;
    const char *empty = thinking_empty(thinking);
    bool open = thinking_is_open(thinking, prompt->data, prompt->size);
    if (ends_with(prompt, thinking_close(thinking)) || !empty)
        return 0;
    int switched = open ? 0 : has_switch(t, e);
    if (switched != 0)
        return switched < 0 ? -1 : 0;
    if (open)
        prompt->size =
            thinking_opened_at(thinking, prompt->data, prompt->size);
    if (!leaves_no_call(t))
        bytes_add_string(prompt, empty);
    return prompt->failed ? fail_memory(e, "the prompt") : 0;
}

int turn_render(struct turn *t, struct error *e)
{
    struct chat_output out = {0};
    enum thinking_choice wanted = thinking_wanted(&t->options);
    int result = render_thinking(t, wanted, &out, e);
    t->prompt = out.text;
    t->template_raised = out.raised;
    if (result || wanted != THINKING_OFF || t->options.no_answer ||
        !t->model->thinking)
        return result;
    return close_thinking(t, e);
}

/* --- does the prompt tell of the tools? ---------------------------------- */

enum names_bounds {
    MOST_NAMES = 1 << 16 /* bytes of names that are looked for; what holds
                            them meanwhile is up to 100 times as large */
};

static json_t *arguments_named_by(const json_t *tool)
{
    return json_object_get(tool_own_parameters(tool), "properties");
}

static int add_tool_word(struct word_search *s, const char *name)
{
    return s->size > MOST_NAMES ? 0 : word_search_add(s, name);
}

/* The names of all tools, each with those of its arguments behind it, until
 * they are too many. */
static int add_names(struct word_search *s, const json_t *tools)
{
    int failed = 0;
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        const char *argument, *name = tool_name(tool);
        json_t *schema;
        failed |= name && add_tool_word(s, name);
        json_object_foreach(arguments_named_by(tool), argument, schema)
        {
            failed |= name && add_tool_word(s, argument);
        }
    }
    return failed;
}

/* The first tool of which a name was not found, or NULL. */
static const char *first_untold(const struct word_search *s,
                                const json_t *tools)
{
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        const char *name = tool_name(tool);
        size_t n = name ? 1 + json_object_size(arguments_named_by(tool)) : 0;
        for (size_t end = at + n; at < end; at++)
            if (!word_search_found(s, at))
                return name;
    }
    return NULL;
}

/* Too many names are refused before they are looked for: what is not known
 * to be told is not taken for it. */
static int check_names(struct turn *t, struct word_search *s, struct error *e)
{
    const json_t *tools = t->options.tools;
    if (add_names(s, tools))
        return fail_memory(e, "the names of tools");
    bool too_many = s->size > MOST_NAMES;
    if (!too_many && word_search_run(s, t->prompt.data, t->prompt.size))
        return fail_memory(e, "a search for the names of tools");
    const char *name = too_many ? NULL : first_untold(s, tools);
    if (!too_many && !name)
        return 0;
    t->at_fault = "tools";
    if (name)
        return fail(e, ERROR_UNSUPPORTED,
                    "tools: this model's chat template has no place for "
                    "tools, so that it would not know of %s",
                    name);
    return fail(e, ERROR_UNSUPPORTED,
                "tools: this model's chat template has no place for tools, "
                "and the names of these and of their arguments, of more than "
                "%d bytes, are too many to look for in the messages",
                MOST_NAMES);
}

int turn_check_tools(struct turn *t, struct error *e)
{
    if (chat_template_abilities(t->model->template, true)->tools)
        return 0;
    struct word_search s = {0};
    int result = check_names(t, &s, e);
    word_search_free(&s);
    return result;
}

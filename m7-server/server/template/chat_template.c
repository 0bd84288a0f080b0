/* Chat templates: see chat_template.h. */
#include "chat_template.h"

#include "chat_messages.h"
#include "chat_sources.h"
#include "jinja.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ChatML, which many models have learnt, for those that do not say. */
static const char chatml[] =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + "
    "'<|im_end|>' + '\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}"
    "{% endif %}";

struct named_template {
    char *name; /* owned */
    struct jinja *parsed;
    struct chat_abilities abilities;
};

struct chat_template {
    struct named_template *all; /* (n,) */
    size_t n;
    json_t *tokens;
    char *warning; /* or NULL */
};

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static struct chat_template *new_template(json_t *tokens, size_t n,
                                          struct error *e)
{
    struct chat_template *t = calloc(1, sizeof *t);
    if (t) {
        t->all = calloc(n, sizeof *t->all);
        t->tokens = tokens ? json_deep_copy(tokens) : json_object();
    }
    if (t && t->all && t->tokens)
        return t;
    chat_template_free(t);
    fail_memory(e, "a chat template");
    return NULL;
}

/* Parse one more of the templates; `label` stands for it in messages. */
static int add_template(struct chat_template *t, const char *name,
                        const char *label, const char *text, size_t size,
                        struct error *e)
{
    struct named_template *one = &t->all[t->n];
    if (!(one->parsed = jinja_parse(text, size, label, e)))
        return -1;
    t->n++;
    if (!(one->name = copy_of(name)))
        return fail_memory(e, "a chat template");
    return chat_abilities_find(one->parsed, t->tokens, &one->abilities, e);
}

struct chat_template *chat_template_parse(const char *text, size_t size,
                                          const char *name, json_t *tokens,
                                          struct error *e)
{
    struct chat_template *t = new_template(tokens, 1, e);
    if (t && add_template(t, "default", name, text, size, e)) {
        chat_template_free(t);
        return NULL;
    }
    return t;
}

static int warn(struct chat_template *t, const char *model, struct error *e)
{
    static const char words[] =
        ": the model has no chat template; its conversations are written as "
        "ChatML, which it may not know";
    t->warning = malloc(strlen(model) + sizeof words);
    if (!t->warning)
        return fail_memory(e, "a chat template");
    strcpy(t->warning, model);
    strcat(t->warning, words);
    return add_template(t, "default", "ChatML", chatml, strlen(chatml), e);
}

static int add_templates(struct chat_template *t, json_t *templates,
                         struct error *e)
{
    const char *name;
    json_t *text;
    json_object_foreach(templates, name, text) {
        char label[120];
        bool only = strcmp(name, "default") == 0;
        snprintf(label, sizeof label, "chat template%s%.80s",
                 only ? "" : " ", only ? "" : name);
        if (add_template(t, name, label, json_string_value(text),
                         json_string_length(text), e))
            return -1;
    }
    return 0;
}

struct chat_template *chat_template_open(const char *model, struct error *e)
{
    struct chat_sources s;
    if (chat_sources_read(&s, model, e))
        return NULL;
    size_t n = json_object_size(s.templates);
    struct chat_template *t = new_template(s.tokens, n + 1, e);
    if (t && (n ? add_templates(t, s.templates, e) : warn(t, model, e))) {
        chat_template_free(t);
        t = NULL;
    }
    chat_sources_free(&s);
    return t;
}

void chat_template_free(struct chat_template *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++) {
        jinja_free(t->all[i].parsed);
        free(t->all[i].name);
    }
    free(t->all);
    json_decref(t->tokens);
    free(t->warning);
    free(t);
}

const char *chat_template_warning(const struct chat_template *t)
{
    return t->warning;
}

static const struct named_template *
find_template(const struct chat_template *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->all[i].name, name) == 0)
            return &t->all[i];
    return NULL;
}

/* Without a name: "tool_use" for tools, "default", or the only one. */
static const struct named_template *
choose_template(const struct chat_template *t, bool tools)
{
    const struct named_template *found =
        tools ? find_template(t, "tool_use") : NULL;
    if (!found)
        found = find_template(t, "default");
    return found ? found : &t->all[0];
}

const struct chat_abilities *
chat_template_abilities(const struct chat_template *t, bool tools)
{
    return &choose_template(t, tools)->abilities;
}

/* The variables: tokens, then further ones, then what all are given; a later
 * one stands in for an earlier one of its name.  NULL without memory, of which
 * json_copy() and json_object_update_missing() would not tell: they leave out
 * what there is none for. */
static json_t *make_context(const struct chat_template *t,
                            const struct chat_input *input, json_t *messages)
{
    bool tools = json_array_size(input->tools) > 0;
    json_t *context = json_object();
    json_t *given = json_pack(
        "{s:O, s:O, s:O, s:b}", "messages", messages, "tools",
        tools ? input->tools : json_null(), "documents",
        input->documents ? input->documents : json_null(),
        "add_generation_prompt", (int)input->add_generation_prompt);
    if (json_object_update(context, t->tokens) ||
        (input->arguments && json_object_update(context, input->arguments)) ||
        json_object_update(context, given)) {
        json_decref(context);
        context = NULL;
    }
    json_decref(given);
    return context;
}

static int render_template(const struct chat_template *t,
                           const struct named_template *one,
                           const struct chat_input *input,
                           struct jinja_output *made, struct error *e)
{
    json_t *messages = chat_messages(input->messages, &one->abilities, e);
    if (!messages)
        return -1;
    struct jinja_input to = {.context = make_context(t, input, messages),
                             .now = input->now};
    int result = to.context ? jinja_render(one->parsed, &to, made, e)
                            : fail_memory(e, "a chat template's variables");
    json_decref(to.context);
    json_decref(messages);
    return result;
}

int chat_template_render(const struct chat_template *t,
                         const struct chat_input *input,
                         struct chat_output *output, struct error *e)
{
    struct jinja_output made = {.raised = false};
    const struct named_template *one =
        input->name ? find_template(t, input->name)
                    : choose_template(t, json_array_size(input->tools) > 0);
    if (!one)
        return fail(e, ERROR_INPUT, "there is no chat template named %s",
                    input->name);
    int result = render_template(t, one, input, &made, e);
    output->text = made.text;
    output->raised = made.raised;
    return result;
}

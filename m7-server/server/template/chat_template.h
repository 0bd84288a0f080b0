/* A model's chat template: how a conversation becomes the text that the model
 * was trained on.
 *
 * It stands beside the weights: in chat_template.jinja, or in
 * tokenizer_config.json, or in the GGUF file.  Where there is none the format
 * is ChatML, and a warning says so.  A template that fails gives its error,
 * never another format.
 *
 * What a template is given is what `transformers` would give it, with these
 * exceptions, which make requests as clients send them work:
 *
 * - Arguments of past tool calls come as strings that hold JSON.  A template
 *   that takes such strings apart itself, or writes them as they are, gets
 *   them; others get the object (chat_messages.h says how that is found out).
 * - Content that is a list of text parts is joined for templates that know
 *   only text.
 *
 * Knows the template's side of a chat, not HTTP, nor how an answer is read. */
#ifndef CHAT_TEMPLATE_H
#define CHAT_TEMPLATE_H

#include "buffer.h"
#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <time.h>

struct chat_template;

/* What a template does with what it is given, found out by rendering small
 * conversations and looking for what was in them. */
struct chat_abilities {
    bool tools;            /* lists tools that may be called */
    bool tool_calls;       /* shows past calls of tools */
    bool tool_results;     /* shows messages of role "tool" */
    bool headers;          /* shows calls as messages that have the name as
                              their header (`metadata`), and results as those
                              of a role "observation", and not otherwise */
    bool system;           /* shows a system message */
    bool parts;            /* content may be a list of parts */
    bool only_parts;       /* and must be one */
    bool object_arguments; /* arguments of past calls must be objects, */
    bool string_arguments; /* or must be strings */
    bool enable_thinking;  /* the word stands in it */
    bool reasoning_effort; /* the word stands in it */
};

/* What is to be rendered; all of it is the caller's and only read. */
struct chat_input {
    json_t *messages;  /* an array of objects */
    json_t *tools;     /* an array, or NULL; empty is as none */
    json_t *documents; /* an array, or NULL */
    json_t *arguments; /* further variables, an object (chat_template_kwargs:
                          enable_thinking, reasoning_effort), or NULL; they go
                          before bos_token and the like */
    const char *name;  /* of one of several templates, or NULL: "tool_use" when
                          there are tools and a template of that name, else
                          "default" */
    bool add_generation_prompt; /* ends where the answer begins */
    const struct tm *now;       /* the local time, for strftime_now */
};

struct chat_output {
    struct bytes text; /* the caller's to free, also after an error */
    bool raised;       /* the error's words are the template's own: the request
                          is at fault */
};

/* Find, parse and try the template of a model: its folder, a file in it, or a
 * GGUF model.  NULL after an error; else the caller frees it.  Threads may
 * share it. */
struct chat_template *chat_template_open(const char *model, struct error *e);

/* The same of a template's text and the values that it finds as bos_token,
 * eos_token and so on (an object of strings, or NULL; only read); `name`
 * stands for it in messages. */
struct chat_template *chat_template_parse(const char *text, size_t size,
                                          const char *name, json_t *tokens,
                                          struct error *e);
void chat_template_free(struct chat_template *t);

/* What the user should know: that the model has no template.  Else NULL. */
const char *chat_template_warning(const struct chat_template *t);

/* Of the template that is chosen when there are tools, or when there are
 * none. */
const struct chat_abilities *
chat_template_abilities(const struct chat_template *t, bool tools);

/* Render a conversation.  *output must be {0}. */
int chat_template_render(const struct chat_template *t,
                         const struct chat_input *input,
                         struct chat_output *output, struct error *e);

#endif

/* POST /v1/chat/completions, and /apply-template, which takes the same: what
 * the body says, checked. */
#ifndef CHAT_REQUEST_H
#define CHAT_REQUEST_H

#include "generation_request.h"
#include "turn.h"

enum chat_limits {
    MOST_ARGUMENTS = 4096,  /* values in chat_template_kwargs: each rendering
                               begins with a copy of them */
    MOST_TOOL_VALUES = 1 << 16 /* in tools, of which arguments' names and types
                                  stay until the answer has ended; at 100
                                  bytes 7 megabytes, and the letters of names,
                                  which count as a part of the body */
};

struct chat_request {
    struct generation_request generation;

    /* An array of messages, each with "role" (system, user, assistant, tool;
     * developer has become system) and "content": a string, parts of text, or
     * null beside "tool_calls".  Owned. */
    json_t *messages;

    /* An array of {"type": "function", "function": {"name" ...}}, or NULL;
     * belongs to the body, until that is released. */
    json_t *tools;
    enum tool_choice tool_choice;
    const char *tool_name; /* with TOOL_NAMED */
    bool parallel_tool_calls;

    enum thinking_choice thinking;
    const char *reasoning_effort; /* "low"; NULL: not said */
    json_t *template_arguments;   /* chat_template_kwargs, or NULL; belongs to
                                     the body */
    bool add_generation_prompt;   /* else the text ends with the messages */

    json_t *said_messages, *said_tools, *said_choice; /* while reading */
    json_t *kept_tools; /* what stays of `tools` without a body; owned */
    struct request_body body;
};

/* Read a body.  After an error *q holds nothing. */
int chat_request_read(struct chat_request *q, const char *text, size_t size,
                      struct api_error *a);

/* The prompt is there: free what only it was made of, which is all of the body
 * but the tools, by which calls are read. */
void chat_request_release(struct chat_request *q);
void chat_request_free(struct chat_request *q);

/* What only chats take, for requests that refuse it. */
extern const struct parameter_table chat_parameters_elsewhere;

#endif

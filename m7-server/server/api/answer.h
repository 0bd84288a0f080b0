/* What all answers share: who answers, what it cost, and how a body becomes
 * bytes.  Bodies are jansson values, put together by json_write.h: one that is
 * NULL tells that memory failed, and answer_write says so. */
#ifndef ANSWER_H
#define ANSWER_H

#include "buffer.h"
#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The first lines of every answer to one request; nothing is owned. */
struct answer_head {
    const char *id;          /* "chatcmpl-..." */
    const char *model;       /* as GET /v1/models has it */
    long long created;       /* seconds since 1970 */
    const char *fingerprint; /* system_fingerprint: model, engine, options */
    bool include_usage;      /* in a stream: its last chunk has the usage, and
                                the others say null */
};

/* Tokens. */
struct token_usage {
    size_t prompt, cached;        /* cached: of the prompt, not computed */
    size_t completion, reasoning; /* reasoning: of the completion */
};

enum finish_reason {
    FINISH_NONE,
    FINISH_STOP,   /* the model ended, or a stop string came */
    FINISH_LENGTH, /* max_tokens, or the context, is used up */
    FINISH_TOOL_CALLS
};

/* {"id": ..., "object": ..., "created": ..., "model": ...,
 * "system_fingerprint": ...} */
json_t *answer_start(const struct answer_head *head, const char *object);

/* The word of a reason; null for FINISH_NONE. */
json_t *finish_word(enum finish_reason reason);
json_t *usage_json(const struct token_usage *usage);

/* Text as a JSON string; what is not UTF-8 in it becomes U+FFFD. */
json_t *text_json(const char *text, size_t size);

/* --- log probabilities --------------------------------------------------- */

/* A token may be a part of a character only: then its text has U+FFFD in it,
 * and its bytes say what it is. */

/* A token as its bytes (size,), not owned. */
struct likely_token {
    const char *bytes;
    size_t size;
    double logprob; /* -infinity is told as -9999, as OpenAI's API does */
};

struct chosen_token {
    struct likely_token token;
    const struct likely_token *top; /* (n_top,), the likeliest first */
    size_t n_top;
    size_t offset; /* characters of text before it; completions tell it */
    bool first;    /* of a prompt: nothing is before it that could tell its
                      probability, which is null; completions tell it */
};

/* The `logprobs` of a choice of a chat, or of one chunk, of tokens (n,). */
json_t *chat_logprobs(const struct chosen_token *tokens, size_t n);

/* The `logprobs` of a completion's choice. */
json_t *completion_logprobs(const struct chosen_token *tokens, size_t n);

/* --- bytes --------------------------------------------------------------- */

/* Take over a body, and append its bytes: alone, or as an event of a stream
 * ("data: ...", two newlines). */
int answer_write(json_t *body, struct bytes *out, struct error *e);
int answer_event(json_t *body, struct bytes *out, struct error *e);

/* The stream's last event, after which clients read no more: [DONE]. */
void answer_done(struct bytes *out);

#endif

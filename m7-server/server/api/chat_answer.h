/* The answers of POST /v1/chat/completions: a body, or the chunks of a stream
 * (API reference, "The chat completion object" and "... chunk object").
 *
 * One name is not OpenAI's: reasoning_content, beside content, has what the
 * model thought before it answered. */
#ifndef CHAT_ANSWER_H
#define CHAT_ANSWER_H

#include "answer.h"

/* What the model wants to call; nothing is owned. */
struct answer_call {
    const char *id;   /* "call_..." */
    const char *name; /* (name_size,) */
    size_t name_size;
    const char *arguments; /* (arguments_size,): JSON text, mostly */
    size_t arguments_size;
};

/* One of n answers; nothing is owned but logprobs. */
struct chat_choice {
    size_t index;
    const char *content; /* (content_size,) */
    size_t content_size;
    const char *reasoning; /* (reasoning_size,); 0: there was none */
    size_t reasoning_size;
    const struct answer_call *calls; /* (n_calls,) */
    size_t n_calls;
    json_t *logprobs; /* of chat_logprobs, taken over; NULL: none wanted */
    enum finish_reason finish;
};

/* The whole answer, of choices (n,). */
json_t *chat_answer(const struct answer_head *head,
                    const struct chat_choice *choices, size_t n,
                    const struct token_usage *usage);

/* What is new in a chunk: first of all the role, last of all nothing. */
json_t *delta_role(void);
json_t *delta_nothing(void);
json_t *delta_content(const char *text, size_t size);
json_t *delta_reasoning(const char *text, size_t size);

/* The beginning of the call number `index`: its id and name, once. */
json_t *delta_call(size_t index, const struct answer_call *call);

/* More of its arguments. */
json_t *delta_arguments(size_t index, const char *text, size_t size);

/* A chunk of one choice.  delta and logprobs (NULL: not wanted) are taken
 * over. */
json_t *chat_chunk(const struct answer_head *head, size_t index, json_t *delta,
                   json_t *logprobs, enum finish_reason finish);

/* The last chunk, of no choice, when usage was asked for. */
json_t *chat_usage_chunk(const struct answer_head *head,
                         const struct token_usage *usage);

#endif

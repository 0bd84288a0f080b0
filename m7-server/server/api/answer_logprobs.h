/* Log probabilities of tokens as the two kinds of answers tell them.
 *
 * A token may be a part of a character only: then its text has U+FFFD in it,
 * and its bytes say what it is. */
#ifndef ANSWER_LOGPROBS_H
#define ANSWER_LOGPROBS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif

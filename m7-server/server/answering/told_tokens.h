/* The log probabilities of an answer, or of a chunk of it, as they come. */
#ifndef TOLD_TOKENS_H
#define TOLD_TOKENS_H

#include "rung.h"

#include <jansson.h>
#include <stdbool.h>

struct told_tokens {
    bool completion; /* in the form of completions; else of chats */
    bool failed;     /* no memory */
    json_t *list;    /* of those that were not taken; owned; NULL: none */
};

/* A token has come; `offset` characters of text are before it. */
void told_add(struct told_tokens *told, const struct rung_model *m,
              const struct rung_token_event *t, size_t offset);

/* The same of a prompt's first token, whose probability nobody knows. */
void told_add_first(struct told_tokens *told, const struct rung_model *m,
                    int id);

/* All that came since the last time, which becomes the caller's; NULL: none,
 * or no memory. */
json_t *told_take(struct told_tokens *told);

#endif

/* Printing log probabilities. */
#ifndef PRINT_LOGPROBS_H
#define PRINT_LOGPROBS_H

#include "error.h"
#include "input.h"

#include <jansson.h>
#include <stddef.h>

/* Which token, and what the model thought of all: logits (vocab_size,). */
struct judged {
    const struct input *input;
    int id;
    const float *logits;
    size_t n_top; /* how many of the likeliest to show, at most 20 */
};

/* The table's first line, and the line of a token. */
void print_logprobs_head(size_t n_top);
int print_logprobs(const struct judged *j, struct error *e);

/* {"id": 13, "token": ".", "logprob": -0.1, "top": [...]}; NULL when there is
 * no memory. */
json_t *json_logprobs(const struct judged *j);

#endif

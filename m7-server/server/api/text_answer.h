/* The answers of POST /v1/completions, whose stream has chunks of the same
 * form, of /tokenize, /detokenize and /apply-template. */
#ifndef TEXT_ANSWER_H
#define TEXT_ANSWER_H

#include "answer.h"

/* One answer, or what is new of it; nothing is owned but logprobs. */
struct completion_choice {
    size_t index;
    const char *text; /* (size,) */
    size_t size;
    json_t *logprobs; /* of completion_logprobs, taken over; or NULL */
    enum finish_reason finish; /* FINISH_NONE while more comes */
};

/* The whole answer, of choices (n,). */
json_t *completion_answer(const struct answer_head *head,
                          const struct completion_choice *choices, size_t n,
                          const struct token_usage *usage);

/* A chunk: one choice; or, when usage is not NULL, none, and the usage. */
json_t *completion_chunk(const struct answer_head *head,
                         const struct completion_choice *choice,
                         const struct token_usage *usage);

/* ids (n,); pieces (n,), the text of each, when they are wanted: an array
 * that is taken over, or NULL. */
json_t *tokenize_answer(const int *ids, size_t n, size_t context,
                        json_t *pieces);
json_t *detokenize_answer(const char *text, size_t size);
json_t *template_answer(const char *prompt, size_t size);

#endif

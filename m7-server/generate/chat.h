/* A question becomes a conversation, in the format that the reading model was
 * trained on: ChatML, as Qwen's models have it.
 *
 *     <|im_start|>user
 *     What is the capital of France?<|im_end|>
 *     <|im_start|>assistant
 *
 * Other models were trained on other formats, and say which in a template of
 * their own; a later rung reads those. */
#ifndef CHAT_H
#define CHAT_H

#include "buffer.h"
#include "error.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

struct chat {
    const char *system; /* who the model is to be; NULL: nobody says */
    bool think;         /* else its thoughts are given as empty */
};

/* Append to `out` the text (size,) as a question, up to where the answer
 * begins.  out->failed tells when there was no memory. */
void chat_wrap(const struct chat *c, const char *text, size_t size,
               struct bytes *out);

/* Fail unless the tokenizer has all tokens of this format. */
int chat_check(const struct tokenizer *t, struct error *e);

#endif

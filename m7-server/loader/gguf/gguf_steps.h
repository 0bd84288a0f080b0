/* The steps of a tokenizer.json before and behind its model, by a row of
 * gguf_pre.h; NULL: SentencePiece, whose pieces write a space as a sign of its
 * own. */
#ifndef GGUF_STEPS_H
#define GGUF_STEPS_H

#include "buffer.h"
#include "gguf_pre.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* How pieces write a space. */
#define GGUF_SPACE "▁"

/* A text with that sign for each of its spaces, to be freed; `failed` where
 * there was no memory. */
struct bytes gguf_with_signs(const char *text);

/* "normalizer", "pre_tokenizer" and "decoder"; the caller takes each over.
 * `prefix`: a text begins with a space that it does not have.  NULL: memory
 * failed. */
json_t *gguf_normalizer(const struct gguf_pre *pre, bool prefix);
json_t *gguf_pretokenizer(const struct gguf_pre *pre);
json_t *gguf_decoder(const struct gguf_pre *pre, bool prefix);

/* An entry of "added_tokens". */
json_t *gguf_added_token(const char *text, size_t id, bool special);

/* Put a token, where there is one, into a template's places and among its
 * special tokens. */
void gguf_put_place(json_t **places, json_t **tokens, const char *text,
                    size_t id);

#endif

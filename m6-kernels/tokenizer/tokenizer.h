/* The tokenizer: text to token ids and back, as a Hugging Face
 * tokenizer.json of the BPE kind says.
 *
 * A text passes five steps, each read from the file:
 *
 *     added tokens -> normalizer -> pre-tokenizer -> BPE -> post-processor
 *
 * A tokenizer does not change after it is loaded, so threads may share it. */
#ifndef TOKENIZER_H
#define TOKENIZER_H

#include "buffer.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct tokenizer;

/* Read `path`: a tokenizer.json, a folder that holds one, the .safetensors
 * file that it stands beside, or a GGUF model.  Everything that the file asks
 * for and this program does not know is refused here, by name.  The caller
 * owns the result; NULL on error. */
struct tokenizer *tokenizer_load(const char *path, struct error *e);
void tokenizer_free(struct tokenizer *t);

/* Whether the model at `path` has a copy of the file that *t was read from,
 * byte by byte: then all ids mean the same, and it need not be loaded.  False
 * where a tokenizer is part of another file. */
bool tokenizer_is_of(const struct tokenizer *t, const char *path);

/* Append the ids of `text` to `out`.  Added tokens inside the text are
 * recognised.  `special`: let the post-processor add its tokens (BOS and the
 * like).  Bytes that are not UTF-8 are read as U+FFFD, as Python's
 * decode("utf-8", "replace") does. */
int tokenizer_encode(const struct tokenizer *t, const char *text, size_t size,
                     bool special, struct ids *out, struct error *e);

/* Append the text of ids (n,) to `out`, always valid UTF-8.  `special`: keep
 * the text of special tokens.  An id that is no token is an error. */
int tokenizer_decode(const struct tokenizer *t, const int *ids, size_t n,
                     bool special, struct bytes *out, struct error *e);

/* One more than the largest id. */
size_t tokenizer_size(const struct tokenizer *t);

/* The id of a token as the file spells it ("Ġthe", "<|im_end|>"), or -1. */
int tokenizer_find(const struct tokenizer *t, const char *token);

/* The token of an id as the file spells it, or NULL. */
const char *tokenizer_token(const struct tokenizer *t, int id);

/* The bytes that one token stands for in a text: those of "Ġthe" are " the",
 * of "<0xE2>" the byte E2.  Appends to `out`; an id that is no token is an
 * error. */
int tokenizer_bytes(const struct tokenizer *t, int id, struct bytes *out,
                    struct error *e);

/* True for an added token that is marked special. */
bool tokenizer_is_special(const struct tokenizer *t, int id);

/* Decoding as tokens come: never half a character.  Text that the next tokens
 * could still change is held back; all of it together is what
 * tokenizer_decode would have given. */
struct stream;

struct stream *stream_new(const struct tokenizer *t, bool special,
                          struct error *e);
int stream_put(struct stream *s, int id, struct bytes *out, struct error *e);
int stream_end(struct stream *s, struct bytes *out, struct error *e);
void stream_free(struct stream *s);

#endif

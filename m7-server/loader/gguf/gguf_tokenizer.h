/* What a GGUF file says of its tokenizer, as the tokenizer.json that the
 * model's folder would have had. */
#ifndef GGUF_TOKENIZER_H
#define GGUF_TOKENIZER_H

#include "gguf.h"

/* tokenizer.json's value, from a model's files (n,), of which the first says
 * what it is.  A kind of tokenizer, or a way to cut a text into words, that is
 * not known here is an error that names it.  NULL after an error; else the
 * caller frees it. */
json_t *gguf_tokenizer(const struct gguf *files, size_t n, struct error *e);

#endif

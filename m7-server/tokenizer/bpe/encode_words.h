/* From a word to its tokens: byte-pair encoding, and what may come before
 * it. */
#ifndef ENCODE_WORDS_H
#define ENCODE_WORDS_H

#include "bpe.h"
#include "buffer.h"
#include "error.h"

#include <stddef.h>

/* Append the tokens of one word to `out`; *b is the workbench. */
int encode_word(struct bpe *b, const char *word, size_t size, struct ids *out,
                struct error *e);

#endif

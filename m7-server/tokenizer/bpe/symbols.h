/* Symbols: what a word is made of before anything is merged.
 *
 * One for each character that has a token of its own.  One without becomes
 * the tokens of its bytes, "<0xE2>" and so on, where the model has them, or
 * else the unknown token, or else nothing. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include "bpe.h"
#include "error.h"

#include <stddef.h>

/* Start *b with the symbols of a word. */
int symbols_start(struct bpe *b, const char *word, size_t size,
                  struct error *e);

#endif

/* Where the tokens of a prompt stand in its text, which comes before an answer
 * that has an echo. */
#ifndef ECHO_H
#define ECHO_H

#include "rung.h"

#include <stdbool.h>
#include <stddef.h>

/* How far into the text its tokens have come; begins as {0}. */
struct echo {
    size_t at;         /* bytes */
    size_t characters; /* of them */
    bool failed;       /* a token's bytes had no memory */
};

/* Characters of a text (size,) in UTF-8: bytes that begin one. */
size_t characters_of(const char *text, size_t size);

/* The next token of the text (size,): returns how many characters are before
 * it, and goes on behind it.  What a tokenizer adds by itself, as a mark that
 * begins a text, or a space before its first word, is no part of the text and
 * takes nothing of it. */
size_t echo_pass(struct echo *e, const struct rung_model *m, int id,
                 const char *text, size_t size);

#endif

/* The words of arguments: numbers, constants and the escapes in strings, from
 * Python's spelling to JSON's. */
#ifndef CALL_WORDS_H
#define CALL_WORDS_H

#include "buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* A text that is being read, and where its JSON goes. */
struct literal_text {
    const char *text; /* (size,) */
    size_t size, at;
    bool ended; /* no more text comes after it */
    bool waits; /* what stands at `at` is not yet certain */
    struct bytes *out;
};

bool literal_is_blank(char c);
bool literal_is_word(char c); /* of a name, a number or a constant */

/* Does this mark stand at r->at: 1, or 0, or -1: perhaps. */
int literal_mark(const struct literal_text *r, const char *mark);

/* An escape, whose backslash stands at r->at; false: it is none of Python's
 * that can be read.  May wait. */
bool literal_escape(struct literal_text *r);

/* True, False, None, and JSON's own; false: the word is another. */
bool literal_constant(const char *word, size_t size, struct bytes *out);

#endif

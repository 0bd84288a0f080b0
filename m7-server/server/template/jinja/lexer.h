/* A template as a row of lexemes: text, and what stands in {{ }} and {% %}.
 *
 * Here white space is dealt with: trim_blocks (a newline behind a block is
 * none), lstrip_blocks (nor are blanks in front of one, at a line's start),
 * and the marks "-" and "+".  Comments are gone afterwards. */
#ifndef LEXER_H
#define LEXER_H

#include "value.h"

enum lexeme_type {
    LEXEME_DATA,
    LEXEME_VARIABLE_BEGIN,
    LEXEME_VARIABLE_END,
    LEXEME_BLOCK_BEGIN,
    LEXEME_BLOCK_END,
    LEXEME_NAME,
    LEXEME_CONSTANT, /* a number or a string */
    LEXEME_OPERATOR,
    LEXEME_END
};

struct lexeme {
    enum lexeme_type type;
    int line;
    struct value value; /* data, name, operator: as text; or the constant */
};

struct lexemes {
    struct lexeme *items; /* (n,), the last one is LEXEME_END */
    size_t n, capacity;
};

/* Cut valid UTF-8 text (size,), which must outlive the lexemes.  After an
 * error *line is where. */
int lex(struct sandbox *s, const char *text, size_t size, struct lexemes *out,
        int *line);

/* The value of a number or a string that begins at `at`: 1, and *at is behind
 * it; 0 when none does; -1 after an error. */
int lex_constant(struct sandbox *s, const char **at, const char *end,
                 struct value *out);

#endif

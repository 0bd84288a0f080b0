/* A pattern as it is read: what regex_syntax.c and regex_class.c share. */
#ifndef REGEX_READER_H
#define REGEX_READER_H

#include "buffer.h"
#include "error.h"
#include "unicode_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a piece of a pattern is to a repeat that follows it. */
enum piece_kind {
    PIECE_NONE,   /* nothing that could be repeated */
    PIECE_ASSERT, /* matches a place, not a character */
    PIECE_MATCH
};

/* Code points that the pattern names, at byte `at`. */
struct named {
    size_t at;
    uint32_t first, last;
};

struct reader {
    const char *pattern; /* (size,) */
    size_t size, at;
    bool ignore_case;     /* inside (?i) */
    bool dot_all;         /* inside (?m): . matches a line's end, too */
    uint32_t last_letter; /* before this, inside (?i); 0 for another thing */
    int depth;            /* of groups, or of sets in sets */
    bool alphabetic;      /* it asks what is alphabetic */
    struct named *named;  /* (n_named,) */
    size_t n_named, named_capacity;
    struct bytes *out; /* the translation */
    struct error *e;
};

/* The error of what stands at byte `at`: it is known but cannot be had, or it
 * is no expression at all.  Both return -1. */
int reader_refuse(struct reader *r, size_t at, const char *what);
int reader_malformed(struct reader *r, size_t at, const char *what);

/* Whether the rest begins with `text`, and the same stepping over it. */
bool reader_sees(const struct reader *r, const char *text);
bool reader_takes(struct reader *r, const char *text);

/* The character at r->at, stepping over it; there must be one. */
uint32_t reader_next(struct reader *r);

/* One character written so that PCRE2 takes it literally. */
void reader_add_code(struct bytes *out, uint32_t code);

/* Read an escape that stands for one code point, its backslash read already,
 * `at` where that is: \n, \x41, \u0041, \x{41}, \., and the like. */
int reader_escaped_code(struct reader *r, size_t at, uint32_t *code);

/* Note that the pattern names the code points first to last at byte `at`: an
 * error where letter case is ignored and they have other cases. */
int reader_name(struct reader *r, size_t at, uint32_t first, uint32_t last);

/* At the end of the pattern, an error when a shadow would give what it names
 * another meaning. */
int reader_check_named(struct reader *r,
                       const struct unicode_ranges *stand_ins);

/* Append a character of the pattern, which stands at byte `at`. */
int reader_add_literal(struct reader *r, size_t at, uint32_t code);

/* Read an escape outside of a set, its backslash read already. */
int read_escape(struct reader *r, enum piece_kind *kind);

/* Read a set, its [ read already, and append an expression for one character
 * of it to r->out. */
int read_class(struct reader *r);

/* Read \p or \P after its letter: the items of the set as for property_find,
 * and whether the complement is meant. */
int read_property(struct reader *r, bool *negated, const char **items);

#endif

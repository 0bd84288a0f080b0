/* Regular expressions: the pre-tokenizer's own, as its file spells them.
 *
 * The files' expressions are Oniguruma's; PCRE2 with its just-in-time
 * compiler runs them.  What the two read differently is translated
 * (regex_syntax.c) or refused by name. */
#ifndef REGEX_H
#define REGEX_H

#include "error.h"

#include <stddef.h>

struct regex;

/* Compile the pattern (size,), valid UTF-8.  The caller owns the result; NULL
 * on error, which names the construct and its byte offset in the pattern.  It
 * does not change afterwards, so threads may share it. */
struct regex *regex_new(const char *pattern, size_t size, struct error *e);
void regex_free(struct regex *r);

/* The same, run by PCRE2's interpreter: what regex_new falls back to on a
 * machine for which PCRE2 has no just-in-time compiler. */
struct regex *regex_new_interpreted(const char *pattern, size_t size,
                                    struct error *e);

/* One expression's way over one text: all its matches, left to right. */
struct scan;

/* Begin on text (size,), valid UTF-8, which must outlive the scan. */
struct scan *scan_new(const struct regex *r, const char *text, size_t size,
                      struct error *e);

/* The next match, bytes [*from, *to) of the text: 1 when there is one, 0 when
 * there is none, -1 on error.  Empty matches are reported as Oniguruma's
 * find_iter reports them. */
int scan_next(struct scan *s, size_t *from, size_t *to, struct error *e);
void scan_free(struct scan *s);

#endif

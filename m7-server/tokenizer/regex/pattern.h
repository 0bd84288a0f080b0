/* Patterns: what a step of the tokenizer looks for in a text.  A literal
 * string, a regular expression, or any one character of a class. */
#ifndef PATTERN_H
#define PATTERN_H

#include "error.h"
#include "json.h"
#include "regex.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool character_class(uint32_t code);

/* One of the three is set. */
struct pattern {
    char *literal; /* (size,), never empty */
    size_t size;
    struct regex *regex;
    character_class *in_class; /* not owned: there is nothing to free */
};

/* Read {"String": "..."} or {"Regex": "..."}. */
int pattern_read(const struct node *n, struct pattern *p, struct error *e);

/* The same from the program's own words. */
int pattern_literal(const char *text, size_t size, struct pattern *p,
                    struct error *e);
void pattern_free(struct pattern *p);

/* The matches of a pattern in a text, from left to right, none overlapping. */
struct matches {
    const struct pattern *pattern;
    const char *text;
    size_t size, at;
    struct scan *scan; /* of a regular expression */
};

/* Begin; the pattern and the text must outlive the matches. */
int matches_begin(struct matches *m, const struct pattern *p, const char *text,
                  size_t size, struct error *e);

/* The next match, bytes [*from, *to): 1, or 0 when there is none, or -1.  A
 * regular expression may match nothing at all: then *from is *to. */
int matches_next(struct matches *m, size_t *from, size_t *to, struct error *e);
void matches_end(struct matches *m);

#endif

/* Arguments as programs write them, made into JSON while they come: Python's
 * f(x=1, y=['a', None]) and Gemma's {x:1,y:[<|"|>a<|"|>,null]}.
 *
 * Knows the grammar of values alone, and not where a call is. */
#ifndef CALL_LITERAL_H
#define CALL_LITERAL_H

#include "buffer.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define LITERAL_DEEPEST 256 /* values in values; deeper ones are refused */

enum literal_read {
    LITERAL_MORE, /* the arguments go on */
    LITERAL_DONE, /* they have ended */
    LITERAL_BAD   /* what follows cannot be read */
};

struct call_literal {
    int state;         /* of call_literal.c */
    const char *quote; /* what ends this string */
    bool is_raw;       /* it has no escapes */
    bool is_key;       /* it is a key */
    size_t depth;
    char stack[LITERAL_DEEPEST]; /* '(' a call or a tuple, '[', '{' */
    size_t n_keys;               /* of the call itself */
    const json_t *parameters;    /* whose names arguments without one take */
    bool bare_words;             /* text may stand without quotes */
};

/* Arguments begin, after their '(' or '{'. */
void literal_init(struct call_literal *l, char bracket,
                  const json_t *parameters);

/* Read of text (size,) what is certain, from *used, which goes past it, and
 * append it to `out`.  `ended`: no more text comes after it. */
enum literal_read literal_put(struct call_literal *l, const char *text,
                              size_t size, size_t *used, bool ended,
                              struct bytes *out);

/* Append text (size,) as it stands between the quotes of JSON. */
void json_escape(const char *text, size_t size, struct bytes *out);

/* Append a number as Python writes it, as JSON's; false: it is none. */
bool literal_number(const char *text, size_t size, struct bytes *out);

#endif

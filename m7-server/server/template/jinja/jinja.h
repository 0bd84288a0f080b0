/* Templates in the language Jinja, as chat templates use it: parsed once, then
 * rendered with any context, by any number of threads.
 *
 * What comes out is what Python's `jinja2` 3.1 gives in the environment that
 * `transformers` sets up for chat templates: immutable sandbox, trim_blocks,
 * lstrip_blocks, break and continue, generation blocks, its own `tojson`,
 * `raise_exception` and `strftime_now`.  Templates come from strangers: they
 * cannot reach files, and memory, steps and depth have bounds.
 *
 * Left out, and refused by name when the template is parsed: the tags import,
 * from, include, extends and autoescape; the filters that write HTML
 * (forceescape, striptags, urlize, xmlattr), pprint, random and wordwrap; a
 * string's \N{NAME}.  Refused by name when it is asked for: a string's
 * casefold, encode, expandtabs, format_map, isidentifier, maketrans and
 * translate; a whole number's as_integer_ratio, bit_count, bit_length,
 * conjugate, denominator, from_bytes, imag, numerator, real and to_bytes; a
 * float's as_integer_ratio, conjugate, fromhex, hex, imag, is_integer and
 * real; a range's count, index, start, step and stop; isdisjoint and mapping
 * of a dictionary's views; the function lipsum.  Whole numbers have 64 bits;
 * what would be larger, a complex number or a set is an error.
 *
 * Knows nothing of chats. */
#ifndef JINJA_H
#define JINJA_H

#include "buffer.h"
#include "error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct jinja;

/* What one rendering may use; zero means the default. */
struct jinja_limits {
    size_t bytes; /* of values and text together; else 512 MiB */
    size_t steps; /* of the evaluation; else 50 million */
};

/* What a rendering is given; all of it is the caller's. */
struct jinja_input {
    json_t *context;     /* an object: the variables; only read */
    const struct tm *now; /* what strftime_now tells; NULL: it fails */
    struct jinja_limits limits;
};

/* What became of it. */
struct jinja_output {
    struct bytes text; /* the caller's to free, also after an error */
    bool raised;       /* the template called raise_exception: the error's
                          message has its words alone */
};

/* Parse a template, valid UTF-8 text (size,); `name` stands for it in
 * messages, "NAME: line 3: ...".  NULL after an error; else the caller frees
 * it with jinja_free. */
struct jinja *jinja_parse(const char *text, size_t size, const char *name,
                          struct error *e);
void jinja_free(struct jinja *t);

/* Render.  *output must be {0}; after an error its text is what came before
 * it. */
int jinja_render(const struct jinja *t, const struct jinja_input *input,
                 struct jinja_output *output, struct error *e);

/* Whether the template has this word as a variable, an attribute, an
 * argument's name or a whole string: one that never says "tools" has none. */
bool jinja_mentions(const struct jinja *t, const char *word);

#endif

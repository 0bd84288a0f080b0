/* The methods of strings, dictionaries and lists that templates may call. */
#ifndef METHODS_H
#define METHODS_H

#include "call.h"
#include "value.h"

/* A table's rows. */
struct methods {
    const struct built_in *rows; /* (n,) */
    size_t n;
};

struct methods methods_of_text(void);       /* that cut, find, join */
struct methods methods_of_characters(void); /* cases and kinds */
struct methods methods_of_collections(enum value_type type);

/* v.name, where that is an attribute and no key: 1; 0 when there is none; -1
 * after an error.  What would change a list or dict, and Python's own
 * internals, give an undefined value that says so when it is used. */
int value_attribute(struct sandbox *s, struct value v,
                    const struct text *name, struct value *out);

/* The template's v.name and v[key]: an attribute or else a key, a key or else
 * an attribute; and when there is neither, an undefined value. */
int value_get_attribute(struct sandbox *s, struct value v,
                        const struct text *name, struct value *out);
int value_get_item(struct sandbox *s, struct value v, struct value key,
                   struct value *out);

/* The strip() methods as filters need them: of both ends. */
int text_strip(struct sandbox *s, struct value v, const struct text *set,
               struct value *out);

/* The lines of a text, as splitlines() gives them. */
int text_lines(struct sandbox *s, const struct text *t, bool keep_ends,
               struct value *out);

/* replace(): the first `count`, or all when it is negative. */
int text_replace(struct sandbox *s, const struct text *t,
                 const struct text *old, const struct text *new,
                 int64_t count, struct value *out);

/* center() and its like: spaces on the left, on the right, or both; the text
 * keeps its mark as safe. */
int text_pad(struct sandbox *s, struct value text, int64_t width,
             const char *fill, size_t fill_size, int align,
             struct value *out);

#endif

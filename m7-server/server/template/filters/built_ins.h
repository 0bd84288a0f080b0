/* The filters, tests and global functions of templates, found by name.
 *
 * They know values, not how templates are parsed or rendered. */
#ifndef BUILT_INS_H
#define BUILT_INS_H

#include "call.h"

/* The row of a name, or NULL. */
const struct built_in *find_filter(const struct text *name);
const struct built_in *find_test(const struct text *name);
const struct built_in *find_global(const struct text *name);

/* A table's rows. */
struct built_ins {
    const struct built_in *rows; /* (n,) */
    size_t n;
};

struct built_ins filters_of_text(void);
struct built_ins filters_of_numbers(void);
struct built_ins filters_of_sequences(void);
struct built_ins filters_that_choose(void);
struct built_ins filters_that_order(void);

/* "a.b.0" as the parts that are asked for one after the other; and what they
 * find in a value.  `fallback` (VALUE_ABSENT: none) stands for what is not
 * there. */
struct path {
    struct value *parts; /* (n,) */
    size_t n;
    struct value fallback;
};

int path_read(struct sandbox *s, struct value attribute, struct path *out);
int path_follow(struct sandbox *s, const struct path *p, struct value v,
                struct value *out);

/* A key to sort by: what the path finds, small letters for capital ones unless
 * `cases` count. */
int path_key(struct sandbox *s, const struct path *p, bool cases,
             struct value v, struct value *out);

/* A namespace's attribute, set: an error for anything else. */
int namespace_set(struct sandbox *s, struct value v, const struct text *name,
                  struct value value);

#endif

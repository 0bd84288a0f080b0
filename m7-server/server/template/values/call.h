/* Calls: arguments find their parameters, by place or by name. */
#ifndef CALL_H
#define CALL_H

#include "value.h"

enum call_limits {
    CALL_PARAMETERS = 8 /* of a built-in function */
};

struct keyword {
    const struct text *name;
    struct value value;
};

/* What stands in the parentheses. */
struct arguments {
    const struct value *items; /* (n,) */
    size_t n;
    const struct keyword *keywords; /* (n_keywords,) */
    size_t n_keywords;
};

/* A call of a built-in function. */
struct call {
    struct value self; /* a filter's value, a method's object */
    struct value a[CALL_PARAMETERS]; /* bound; VALUE_ABSENT: not given */
    const struct arguments *raw;
};

/* A built-in function.  `parameters` are names: "old new |count"; after "|"
 * they need not be given; "/" at the end: by place alone.  "*": any arguments,
 * which are not bound; "* /": any by place, and none by name. */
struct built_in {
    const char *name, *parameters;
    int (*call)(struct sandbox *s, const struct call *c, struct value *out);
};

/* One of them, with its object. */
struct function {
    const struct built_in *built_in;
    struct value self;
};

int value_function(struct sandbox *s, const struct built_in *b,
                   struct value self, struct value *out);

/* Bind the arguments and call. */
int built_in_call(struct sandbox *s, const struct built_in *b,
                  struct value self, const struct arguments *a,
                  struct value *out);

/* The row of a name in a table (n,), or NULL. */
const struct built_in *built_in_find(const struct built_in *table, size_t n,
                                     const char *name, size_t size);

/* A bound argument as a whole number, or as text; an absent one stays as it
 * is.  Errors name the function's argument. */
int argument_int(struct sandbox *s, struct value v, int64_t *out);
int argument_text(struct sandbox *s, struct value v, const char *name,
                  const struct text **out);

#endif

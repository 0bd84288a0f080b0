/* Values as templates see them: those of Python.
 *
 * A value is a type and 8 bytes, passed around by copying; what does not fit
 * stands in the sandbox's memory and never changes once a template can see it,
 * but for the objects that say so (a namespace, an iterator).
 *
 * Knows nothing of Jinja's syntax. */
#ifndef VALUE_H
#define VALUE_H

#include "sandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_type {
    VALUE_ABSENT, /* an argument that was not given; no template sees it */
    VALUE_UNDEFINED,
    VALUE_NONE,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_STRING,
    VALUE_LIST,
    VALUE_TUPLE,
    VALUE_DICT,
    VALUE_VIEW, /* what keys(), values() and items() of a dict give */
    VALUE_RANGE,
    VALUE_SLICE,    /* what stands in brackets: 1:2 */
    VALUE_ITERATOR, /* can be gone through once */
    VALUE_FUNCTION, /* a built-in one, or a method with its object */
    VALUE_OBJECT,   /* a namespace, a loop, a macro */
    N_VALUE_TYPES
};

struct value;

/* UTF-8 text. */
struct text {
    const char *data; /* (size,) */
    size_t size;
    size_t length; /* in code points */
};

/* A list, or a tuple. */
struct value_list {
    struct value *items; /* (size,) */
    size_t size, capacity;
    bool group; /* of `groupby`: its parts are `grouper` and `list`, too */
};

/* Why there is no value: text, or whose part is missing. */
struct undefined {
    const char *hint;  /* or NULL, and then: */
    const char *owner; /* the type that has no such part; NULL: a variable */
    const struct value *name;
};

struct value_range {
    int64_t start, stop, step;
    size_t size;
};

struct value_view {
    const struct value_dict *dict;
    bool keys, values; /* both: items */
};

union value_content {
    bool boolean;
    int64_t integer;
    double real;
    const struct text *text;
    struct value_list *list; /* of a slice: start, stop, step */
    struct value_dict *dict;
    const struct value_view *view;
    const struct value_range *range;
    struct iterator *iterator;
    const struct function *function;
    struct object *object;
    const struct undefined *undefined;
};

struct value {
    enum value_type type;
    bool safe; /* of a string: it is marked as HTML, which `+` and `%` heed */
    union value_content as;
};

/* What there is besides: each kind says how it behaves. */
struct object_kind {
    const char *type_name; /* in messages */

    /* Its attribute: 1; 0 when there is none; -1 after an error. */
    int (*attribute)(struct sandbox *s, struct object *o,
                     const struct text *name, struct value *out);

    /* What is printed of it. */
    int (*write)(struct sandbox *s, struct object *o, struct bytes *out);
};

struct object {
    const struct object_kind *kind;
};

static inline struct value value_none(void)
{
    return (struct value){.type = VALUE_NONE};
}

static inline struct value value_bool(bool b)
{
    return (struct value){.type = VALUE_BOOL, .as.boolean = b};
}

static inline struct value value_int(int64_t i)
{
    return (struct value){.type = VALUE_INT, .as.integer = i};
}

static inline struct value value_float(double d)
{
    return (struct value){.type = VALUE_FLOAT, .as.real = d};
}

static inline struct value value_of_text(const struct text *t)
{
    return (struct value){.type = VALUE_STRING, .as.text = t};
}

/* A size as a whole number: all of them fit. */
static inline struct value value_size(size_t size)
{
    return value_int((int64_t)size);
}

/* A string of the sandbox's own, from valid UTF-8 (size,), and one that points
 * to text which lives at least as long. */
int value_string(struct sandbox *s, const char *data, size_t size,
                 struct value *out);
int value_constant(struct sandbox *s, const char *data, size_t size,
                   struct value *out);

/* A string of what was written into *b, which is freed in any case. */
int value_take_bytes(struct sandbox *s, struct bytes *b, struct value *out);

/* What is missing, as an undefined value: a variable, or a part of a value. */
int value_undefined(struct sandbox *s, const struct text *name,
                    struct value *out);
int value_no_part(struct sandbox *s, struct value of, struct value name,
                  struct value *out);
int value_undefined_hint(struct sandbox *s, const char *hint,
                         struct value *out);

/* The error of using an undefined value. */
int value_fail_undefined(struct sandbox *s, struct value v);

/* A new list or tuple with room for `capacity`; adding to it. */
int value_new_list(struct sandbox *s, enum value_type type, size_t capacity,
                   struct value *out);
int value_append(struct sandbox *s, struct value list, struct value item);

/* A tuple of two. */
int value_pair(struct sandbox *s, struct value a, struct value b,
               struct value *out);

/* Python's bool(). */
bool value_truth(struct value v);

/* Python's name of the type: "str". */
const char *value_type_name(struct value v);

/* As a whole number, where Python would take one: int or bool. */
bool value_is_int(struct value v, int64_t *out);
bool value_is_number(struct value v, double *out);

static inline bool value_is_list(struct value v)
{
    return v.type == VALUE_LIST || v.type == VALUE_TUPLE;
}

bool text_is(const struct text *t, const char *string);
bool text_equals(const struct text *a, const struct text *b);

#endif

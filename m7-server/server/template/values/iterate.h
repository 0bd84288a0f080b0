/* Going through values: lists, dicts (their keys), strings (their characters),
 * and iterators, which can be gone through only once. */
#ifndef ITERATE_H
#define ITERATE_H

#include "value.h"

/* Gives the next value: 1; 0 at the end; -1 after an error. */
typedef int iterator_function(struct sandbox *s, struct iterator *i,
                              struct value *out);

struct iterator {
    iterator_function *next;
    struct value source; /* what is gone through */
    size_t at;           /* how far; of a string in bytes */
    void *context;       /* of those that choose or change what they give */
};

/* Whether a value can be gone through; an undefined one can, and is empty. */
bool value_iterable(struct value v);

/* Begin: an error for what cannot be gone through.  An iterator goes on where
 * it is. */
int iterate(struct sandbox *s, struct value v, struct iterator **out);

static inline int iterator_next(struct sandbox *s, struct iterator *i,
                                struct value *out)
{
    return sandbox_work(s, 0) ? -1 : i->next(s, i, out);
}

/* A value that can be gone through once. */
int value_iterator(struct sandbox *s, iterator_function *next,
                   struct value source, void *context, struct value *out);

/* All that is left, as a list or tuple. */
int value_collect(struct sandbox *s, struct value v, enum value_type type,
                  struct value *out);

/* How many there are: 1, or 0 when Python's len() would not know either. */
int value_has_length(struct value v, size_t *out);

/* Element i of a range. */
struct value range_item(const struct value_range *r, size_t i);

/* Where `part` begins in `in`, from byte `from` on; SIZE_MAX: nowhere. */
size_t text_find(const struct text *in, const struct text *part, size_t from);

/* Count the steps of looking for `part` at each place of `in`, or for each
 * character of `in` within `part`; NULL: something short. */
int text_find_work(struct sandbox *s, const struct text *in,
                   const struct text *part);

#endif

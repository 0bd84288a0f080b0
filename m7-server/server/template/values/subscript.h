/* Parts of values: v[1], v["key"], v[1:-1:2]. */
#ifndef SUBSCRIPT_H
#define SUBSCRIPT_H

#include "value.h"

/* Python's v[key]: 1; 0 when there is no such part, or v has none; -1 after an
 * error (not a number where one must be, in a slice). */
int value_item(struct sandbox *s, struct value v, struct value key,
               struct value *out);

/* Code points `from` to `to` of a text, both within it. */
int text_cut(struct sandbox *s, const struct text *t, size_t from, size_t to,
             struct value *out);

/* Where code point `index` begins, in bytes. */
size_t text_offset(const struct text *t, size_t index);

#endif

/* Methods of strings that take them apart and look for parts of them, for
 * methods_text.c only. */
#ifndef METHODS_SPLIT_H
#define METHODS_SPLIT_H

#include "call.h"

int text_split(struct sandbox *s, const struct call *c, struct value *out);
int text_rsplit(struct sandbox *s, const struct call *c, struct value *out);
int text_partition(struct sandbox *s, const struct call *c,
                   struct value *out);
int text_rpartition(struct sandbox *s, const struct call *c,
                    struct value *out);
int text_splitlines(struct sandbox *s, const struct call *c,
                    struct value *out);
int text_find_method(struct sandbox *s, const struct call *c,
                     struct value *out);
int text_rfind(struct sandbox *s, const struct call *c, struct value *out);
int text_index(struct sandbox *s, const struct call *c, struct value *out);
int text_rindex(struct sandbox *s, const struct call *c, struct value *out);
int text_count(struct sandbox *s, const struct call *c, struct value *out);
int text_startswith(struct sandbox *s, const struct call *c,
                    struct value *out);
int text_endswith(struct sandbox *s, const struct call *c,
                  struct value *out);

#endif

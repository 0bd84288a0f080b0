/* What a config.json says about quantization, checked key by key: a key that
 * changes numbers and that this program does not know is refused by name.
 * And the checks of tensors that several schemes need. */
#ifndef SAID_H
#define SAID_H

#include "error.h"
#include "json.h"
#include "scheme.h"
#include "tensor.h"

#include <stddef.h>

/* A key, and what it may be. */
struct said_key {
    const char *name;
    const char *values; /* "null false": the only values whose numbers this
                           program computes, as JSON; NULL: any, since the
                           scheme reads it or no number depends on it */
};

enum said_limits {
    LARGEST_GROUP = 1 << 20
};

/* Fail where the object has a key that is not among keys (n,), or a value
 * that it may not have. */
int said_check(const struct node *object, const struct said_key *keys,
               size_t n, struct error *e);

/* A group's size, or 0 for -1: a whole row. */
int said_group(const struct node *n, size_t *group, struct error *e);

/* One of the sizes in the text `known`, "2 3 4 8". */
int said_one_of(const struct node *n, const char *known, size_t *out,
                struct error *e);

/* Fail unless rows of wanted->cols values divide into groups. */
int check_groups(const struct sought *wanted, const struct tensor *t,
                 size_t group, struct error *e);

/* Fail unless the tensor holds plain floats; and of this shape. */
int check_float_type(const struct tensor *t, struct error *e);
int check_floats(const struct tensor *t, size_t rows, size_t cols,
                 struct error *e);

/* Fail unless the tensor holds a group for each column: I32 (cols,), each
 * below `groups`. */
int check_group_index(const struct tensor *t, size_t cols, size_t groups,
                      struct error *e);

/* take_part where the part must be there: NULL is an error that names it. */
const struct tensor *need_part(const struct sought *wanted, const char *suffix,
                               struct quantized *q, struct error *e);

#endif

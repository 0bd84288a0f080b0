/* Comparing values, as Python does. */
#ifndef COMPARE_H
#define COMPARE_H

#include "value.h"

/* a == b: never an error of types; of depth it may be one. */
int value_equal(struct sandbox *s, struct value a, struct value b,
                bool *equal);

enum value_order {
    ORDER_LESS,
    ORDER_LESS_EQUAL,
    ORDER_GREATER,
    ORDER_GREATER_EQUAL
};

/* a < b and so on: types that have no order among each other are an error. */
int value_ordered(struct sandbox *s, enum value_order order, struct value a,
                  struct value b, bool *result);

/* item in container. */
int value_contains(struct sandbox *s, struct value container,
                   struct value item, bool *result);

/* Sort items (n,) by keys (n,), as Python's sorted(): equal ones keep their
 * order, also in reverse. */
int value_sort(struct sandbox *s, struct value *items, struct value *keys,
               size_t n, bool reverse);

#endif

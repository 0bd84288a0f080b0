/* Operators: + - * / // % ** and the signs, with Python's rules; strings and
 * lists have some of them, too.  What 64 bits cannot hold is an error. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "value.h"

enum value_operation {
    ARITHMETIC_ADD,
    ARITHMETIC_SUBTRACT,
    ARITHMETIC_MULTIPLY,
    ARITHMETIC_DIVIDE,
    ARITHMETIC_FLOOR,
    ARITHMETIC_REMAINDER,
    ARITHMETIC_POWER
};

/* Numbers; text and lists for + and *.  (% of a string is a format, which is
 * not known here.) */
int value_operate(struct sandbox *s, enum value_operation operator,
                  struct value a, struct value b, struct value *out);

int value_negate(struct sandbox *s, struct value v, struct value *out);
int value_plus(struct sandbox *s, struct value v, struct value *out);

/* The text with & < > " ' written as HTML has them, marked as safe; what is
 * marked already stays. */
int value_escape(struct sandbox *s, struct value v, struct value *out);

#endif

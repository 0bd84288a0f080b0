/* Values as text: Python's str() and repr(). */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "buffer.h"
#include "value.h"

/* Append to `out`; out->failed tells when there was no memory. */
int value_str(struct sandbox *s, struct value v, struct bytes *out);
int value_repr(struct sandbox *s, struct value v, struct bytes *out);

/* The same as a string value: str() of a string is itself, and no longer
 * marked as safe. */
int value_to_string(struct sandbox *s, struct value v, struct value *out);

/* A string with "\\xe9" and its like for all that is not ASCII, as Python's
 * ascii() has it of a repr(). */
int value_ascii(struct sandbox *s, struct value v, struct value *out);

/* A number as Python's repr() has it: the shortest that reads back as it. */
void write_float(double d, struct bytes *out);
void write_int(int64_t i, struct bytes *out);

/* Whether repr() shows a character as it is. */
bool is_printable(uint32_t code);

#endif

/* Text with places for values: Python's "%s" % value, "{}".format(value). */
#ifndef FORMAT_H
#define FORMAT_H

#include "call.h"

/* text % values: a tuple's values one by one, a dictionary's by name. */
int format_percent(struct sandbox *s, struct value text, struct value values,
                   struct value *out);

/* text.format(...). */
int format_braces(struct sandbox *s, struct value text,
                  const struct arguments *a, struct value *out);

/* How one value is to be shown. */
struct format_spec {
    char type;       /* 's', 'd', 'f' and so on; 0: as it is */
    char align;      /* '<', '>', '=', '^' or 0 */
    char fill[5];    /* one character */
    char sign;       /* '+', ' ' or 0: of negative numbers only */
    bool alternate;  /* # */
    char group;      /* ',' or '_' between thousands, or 0 */
    int width;       /* at least so many characters */
    int precision;   /* -1: not said */
};

enum format_limits {
    FORMAT_WIDTH = 100000,
    FORMAT_PRECISION = 300
};

/* Append a whole number, another number, a text, or one character; a format
 * without an align puts numbers to the right, the others to the left. */
int write_formatted_int(struct sandbox *s, const struct format_spec *f,
                        int64_t i, struct bytes *out);
int write_formatted_float(struct sandbox *s, const struct format_spec *f,
                          double d, struct bytes *out);
int write_formatted_text(struct sandbox *s, const struct format_spec *f,
                         const struct text *t, struct bytes *out);
int write_formatted_character(struct sandbox *s, const struct format_spec *f,
                              uint32_t code, struct bytes *out);

#endif

/* The table of formats: see formats.h. */
#include "formats.h"

#include <string.h>

static const struct format formats[] = {
    {"int8", 8, 1, unpack_int8},
    {"int4", 4, 8, unpack_int4},
};

const struct format *format_row(size_t i)
{
    return i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

const struct format *format_named(const char *name)
{
    const struct format *f;
    for (size_t i = 0; (f = format_row(i)); i++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

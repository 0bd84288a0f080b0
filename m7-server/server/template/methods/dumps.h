/* Values as JSON: Python's json.dumps. */
#ifndef DUMPS_H
#define DUMPS_H

#include "value.h"

struct dumps_style {
    bool ascii;               /* other characters as \uXXXX */
    bool sort_keys;
    bool indented;            /* each value on a line of its own, */
    const struct text *indent; /* with this in front, once a level */
    const struct text *item, *key; /* separators: ", " and ": " */
};

int value_dumps(struct sandbox *s, struct value v,
                const struct dumps_style *style, struct value *out);

#endif

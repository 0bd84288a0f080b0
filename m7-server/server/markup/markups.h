/* The families' marks: the tables. */
#ifndef MARKUPS_H
#define MARKUPS_H

#include "markup_parser.h"

/* Each ends with a row without a name.  They stand in the order in which a
 * template is looked at: the particular before the general. */
extern const struct markup markups[];
extern const struct thinking thinkings[];

/* A template that has all of `needles` speaks of this row. */
struct needle {
    const char *name;       /* of the row */
    const char *needles[3]; /* NULL: no more */
};

extern const struct needle markup_needles[];
extern const struct needle thinking_needles[];

#endif

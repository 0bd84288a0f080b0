/* Stop strings: a text ends before the first of them that it comes to say.
 *
 * A stop string may lie across several tokens.  So text that could be the
 * beginning of one is held back until it is certain that it is not. */
#ifndef STOP_H
#define STOP_H

#include "buffer.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/* One string, and how much of it the text ends with by now: an automaton with
 * a state for each of its beginnings. */
struct stop_string {
    const char *text; /* (size,), not owned */
    size_t size;      /* above zero */
    size_t matched;   /* bytes of it that the text ends with */
    size_t *fallback; /* (size,), owned: when i + 1 bytes were matched and the
                         next is wrong, how many still are */
};

struct stop {
    struct stop_string *strings; /* (n,), owned */
    size_t n;
    struct bytes held; /* the end of the text that may begin a stop string */
    bool found;        /* a stop string: the text has ended */
};

/* Wait for the first of these strings (n,), none of them empty; n may be 0.
 * After an error *s holds nothing. */
int stop_init(struct stop *s, const char *const *strings, size_t n,
              struct error *e);
void stop_free(struct stop *s);

/* Take some more text, and append to `out` what is certain by now.  Once a
 * stop string is found, neither it nor anything after it ever is. */
int stop_put(struct stop *s, const char *text, size_t size, struct bytes *out,
             struct error *e);

/* No more text comes: append what was held back. */
int stop_end(struct stop *s, struct bytes *out, struct error *e);

#endif

/* The thread on which large requests end.
 *
 * To write the vectors of two thousand texts as JSON, and to free what made
 * them, takes a second.  On the engine's thread everybody else would wait for
 * his next token meanwhile: so it leaves what remains to be done here, and one
 * thread does it, in the order in which it came.  What is small, a stream's
 * last words above all, is done at once: it would wait here for what is large.
 *
 * Knows nothing of what is done. */
#ifndef ENDING_H
#define ENDING_H

#include "error.h"

struct ending;

/* What is left to be done, for the thread alone: a part of what it is done to,
 * so that leaving it needs no memory and cannot fail. */
struct ending_entry {
    void (*function)(void *context);
    void *context;
    struct ending_entry *next; /* who came later */
};

/* NULL after an error. */
struct ending *ending_start(struct error *e);

/* Have function(context) called, which may free the entry: on the thread; or
 * at once, when that was stopped. */
void ending_leave(struct ending *d, struct ending_entry *entry,
                  void (*function)(void *context), void *context);

/* Wait until all is done that was left; from then on it is done at once. */
void ending_stop(struct ending *d);

/* Nobody leaves anything any more. */
void ending_free(struct ending *d);

#endif

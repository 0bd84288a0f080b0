/* The thread on which large requests end.
 *
 * To write the vectors of two thousand texts as JSON, and to free what made
 * them, takes 0.06 seconds for vectors of 128 numbers; larger models' have up
 * to 4096.  On the engine's thread everybody else would wait for his next
 * token meanwhile: so it leaves what remains to be done here, and one thread
 * does it, in the order in which it came.  What is small, a stream's last
 * words above all, is done at once: it would wait here for what is large.
 *
 * Knows nothing of what is done. */
#ifndef FINISHER_H
#define FINISHER_H

#include "error.h"

struct finisher;

/* What is left to be done, for the thread alone: a part of what it is done to,
 * so that leaving it needs no memory and cannot fail. */
struct finisher_entry {
    void (*function)(void *context);
    void *context;
    struct finisher_entry *next; /* who came later */
};

/* NULL after an error. */
struct finisher *finisher_start(struct error *e);

/* Have function(context) called, which may free the entry: on the thread; or
 * at once, when that was stopped. */
void finisher_submit(struct finisher *d, struct finisher_entry *entry,
                     void (*function)(void *context), void *context);

/* Wait until all is done that was left; from then on it is done at once. */
void finisher_stop(struct finisher *d);

/* Nobody leaves anything any more. */
void finisher_free(struct finisher *d);

#endif

/* While models are opened, which may take minutes, Ctrl-C and a kill that asks
 * end the program at once, with a word, and no half-written file stays. */
#ifndef OPENING_H
#define OPENING_H

#include "error.h"

#include <pthread.h>
#include <signal.h>

struct opening {
    pthread_t watcher; /* waits for the signals, which no other thread gets */
    sigset_t signals;
    sigset_t before; /* what this thread had blocked */
};

/* Begin to watch: SIGTERM, and SIGINT unless that is ignored.  Threads that
 * are started until the end have both blocked.  After an error there is
 * nothing to end. */
int opening_begin(struct opening *o, struct error *e);

/* All is open, or was refused: signals are again what they were. */
void opening_end(struct opening *o);

#endif

/* Waiting for the end of an answer, or for Ctrl-C, whichever comes first.
 *
 * Both come as signals, for which one thread waits: SIGINT from the keyboard,
 * and SIGUSR1 from the engine's thread when the answer has ended.  So there is
 * no handler, and nothing that one would have to write to. */
#ifndef ANSWER_WAIT_H
#define ANSWER_WAIT_H

#include "rung.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct answer_wait {
    pthread_t thread; /* that waits */
    sigset_t signals; /* for which it does */
};

/* Hold both signals back, in this thread and in all that it starts from now
 * on: before a model is opened.  A SIGINT that is ignored, as in a background
 * job, stays so. */
void answer_wait_init(struct answer_wait *w);

/* The answer has ended: called by its on_end. */
void answer_wait_notify(struct answer_wait *w);

/* Wait for that.  A SIGINT cancels the answer, a second one ends the program.
 * Returns whether there was one. */
bool answer_wait(struct answer_wait *w, struct rung_ticket *t);

/* Let SIGINT end the program, as it does by itself, while the user types; and
 * hold it back again. */
void answer_wait_allow(const struct answer_wait *w, bool allowed);

#endif

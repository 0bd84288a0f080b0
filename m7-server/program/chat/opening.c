/* Signals while models are opened: see opening.h. */
#include "opening.h"

#include "replace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The signal is let through in the end, so that a shell knows of it. */
static void *watch_signals(void *argument)
{
    const struct opening *o = argument;
    int signal, ignored;
    while (sigwait(&o->signals, &signal))
        ;
    /* or opening_end could cancel this, and the signal would be lost */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &ignored);
    replace_stop();
    fprintf(stderr, "rung: stopped while a model was opened\n");
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &o->signals, NULL);
    raise(signal);
    _exit(EXIT_FAILURE);
}

int opening_begin(struct opening *o, struct error *e)
{
    struct sigaction now;
    sigemptyset(&o->signals);
    sigaddset(&o->signals, SIGTERM);
    sigaction(SIGINT, NULL, &now);
    if (now.sa_handler != SIG_IGN)
        sigaddset(&o->signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &o->signals, &o->before);
    if (pthread_create(&o->watcher, NULL, watch_signals, o) == 0)
        return 0;
    pthread_sigmask(SIG_SETMASK, &o->before, NULL);
    return fail(e, ERROR_SYSTEM, "a thread for signals could not be started");
}

/* One that came before the watcher could look counts, too. */
static bool stop_has_come(const struct opening *o)
{
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGTERM) ||
           (sigismember(&o->signals, SIGINT) && sigismember(&waiting, SIGINT));
}

void opening_end(struct opening *o)
{
    pthread_cancel(o->watcher);
    pthread_join(o->watcher, NULL);
    if (stop_has_come(o))
        watch_signals(o);
    pthread_sigmask(SIG_SETMASK, &o->before, NULL);
}

/* Waiting for the end of an answer: see answer_wait.h. */
#include "answer_wait.h"

#include <stddef.h>
#include <stdio.h>

void answer_wait_init(struct answer_wait *w)
{
    struct sigaction now;
    w->thread = pthread_self();
    sigemptyset(&w->signals);
    sigaddset(&w->signals, SIGUSR1);
    sigaction(SIGINT, NULL, &now);
    if (now.sa_handler != SIG_IGN)
        sigaddset(&w->signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &w->signals, NULL);
}

void answer_wait_notify(struct answer_wait *w)
{
    pthread_kill(w->thread, SIGUSR1);
}

/* What has been said so far is there to be read. */
static void end_program(const struct answer_wait *w)
{
    fflush(stdout);
    answer_wait_allow(w, true);
    raise(SIGINT);
}

/* A SIGINT that came when the answer was over already meant the answer. */
static bool take_late(const struct answer_wait *w)
{
    sigset_t waiting, late;
    int signal;
    sigemptyset(&late);
    sigaddset(&late, SIGINT);
    sigpending(&waiting);
    if (!sigismember(&w->signals, SIGINT) || !sigismember(&waiting, SIGINT))
        return false;
    while (sigwait(&late, &signal))
        ;
    return true;
}

bool answer_wait(struct answer_wait *w, struct rung_ticket *t)
{
    int signal = 0;
    bool interrupted = false;
    while (signal != SIGUSR1) {
        if (sigwait(&w->signals, &signal) || signal != SIGINT)
            continue;
        if (interrupted)
            end_program(w);
        interrupted = true;
        rung_cancel(t);
    }
    return take_late(w) || interrupted;
}

void answer_wait_allow(const struct answer_wait *w, bool allowed)
{
    sigset_t keyboard;
    sigemptyset(&keyboard);
    if (sigismember(&w->signals, SIGINT))
        sigaddset(&keyboard, SIGINT);
    pthread_sigmask(allowed ? SIG_UNBLOCK : SIG_BLOCK, &keyboard, NULL);
}

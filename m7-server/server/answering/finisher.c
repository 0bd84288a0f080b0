/* The thread on which requests end: see finisher.h. */
#include "finisher.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct finisher {
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work;
    struct finisher_entry *first, *last;
    bool stopped;
};

/* Wait for an entry; NULL: none is left, and none will come. */
static struct finisher_entry *next_finished(struct finisher *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->first && !d->stopped)
        pthread_cond_wait(&d->work, &d->lock);
    struct finisher_entry *entry = d->first;
    if (entry)
        d->first = entry->next;
    if (!d->first)
        d->last = NULL;
    pthread_mutex_unlock(&d->lock);
    return entry;
}

static void *run_finisher(void *argument)
{
    struct finisher *d = argument;
    struct finisher_entry *entry;
    while ((entry = next_finished(d)))
        entry->function(entry->context);
    return NULL;
}

struct finisher *finisher_start(struct error *e)
{
    struct finisher *d = calloc(1, sizeof *d);
    if (!d) {
        fail_memory(e, "the thread on which requests end");
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->work, NULL);
    if (pthread_create(&d->thread, NULL, run_finisher, d) == 0)
        return d;
    fail(e, ERROR_SYSTEM, "the server's thread could not be started");
    d->stopped = true;
    finisher_free(d);
    return NULL;
}

/* Put an entry into the queue; false: the thread takes no more. */
static bool put_entry(struct finisher *d, struct finisher_entry *entry)
{
    pthread_mutex_lock(&d->lock);
    bool taken = !d->stopped;
    if (taken && d->last)
        d->last->next = entry;
    else if (taken)
        d->first = entry;
    if (taken)
        d->last = entry;
    pthread_cond_signal(&d->work);
    pthread_mutex_unlock(&d->lock);
    return taken;
}

void finisher_submit(struct finisher *d, struct finisher_entry *entry,
                     void (*function)(void *context), void *context)
{
    *entry = (struct finisher_entry){function, context, NULL};
    if (!put_entry(d, entry))
        entry->function(entry->context);
}

void finisher_stop(struct finisher *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    bool first = !d->stopped;
    d->stopped = true;
    pthread_cond_signal(&d->work);
    pthread_mutex_unlock(&d->lock);
    if (first)
        pthread_join(d->thread, NULL);
}

void finisher_free(struct finisher *d)
{
    if (!d)
        return;
    finisher_stop(d);
    pthread_cond_destroy(&d->work);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

/* The thread on which requests end: see ending.h. */
#include "ending.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct ending {
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work;
    struct ending_entry *first, *last;
    bool stopped;
};

/* Wait for an entry; NULL: none is left, and none will come. */
static struct ending_entry *next_ending(struct ending *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->first && !d->stopped)
        pthread_cond_wait(&d->work, &d->lock);
    struct ending_entry *entry = d->first;
    if (entry)
        d->first = entry->next;
    if (!d->first)
        d->last = NULL;
    pthread_mutex_unlock(&d->lock);
    return entry;
}

static void *see_to_endings(void *argument)
{
    struct ending *d = argument;
    struct ending_entry *entry;
    while ((entry = next_ending(d)))
        entry->function(entry->context);
    return NULL;
}

struct ending *ending_start(struct error *e)
{
    struct ending *d = calloc(1, sizeof *d);
    if (!d) {
        fail_memory(e, "the thread on which requests end");
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->work, NULL);
    if (pthread_create(&d->thread, NULL, see_to_endings, d) == 0)
        return d;
    fail(e, ERROR_SYSTEM, "the server's thread could not be started");
    d->stopped = true;
    ending_free(d);
    return NULL;
}

/* Put an entry into the queue; false: the thread takes no more. */
static bool put_entry(struct ending *d, struct ending_entry *entry)
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

void ending_leave(struct ending *d, struct ending_entry *entry,
                  void (*function)(void *context), void *context)
{
    *entry = (struct ending_entry){function, context, NULL};
    if (!put_entry(d, entry))
        entry->function(entry->context);
}

void ending_stop(struct ending *d)
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

void ending_free(struct ending *d)
{
    if (!d)
        return;
    ending_stop(d);
    pthread_cond_destroy(&d->work);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

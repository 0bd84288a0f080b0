/* The desk: see desk.h. */
#include "desk.h"

#include "metrics.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* A request that waits. */
struct desk_entry {
    desk_function *function;
    const struct http_request *request;
    struct http_reply *reply;
    double arrived;
    struct desk_entry *next; /* who came later; owned */
};

struct desk {
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work;
    struct desk_entry *first, *last;
    bool stopped;
};

/* The lock is held. */
static struct desk_entry *take_first(struct desk *d)
{
    struct desk_entry *entry = d->first;
    if (!entry)
        return NULL;
    d->first = entry->next;
    if (!d->first)
        d->last = NULL;
    return entry;
}

/* Wait for a request; NULL: the desk is closed. */
static struct desk_entry *next_entry(struct desk *d)
{
    pthread_mutex_lock(&d->lock);
    while (!d->first && !d->stopped)
        pthread_cond_wait(&d->work, &d->lock);
    struct desk_entry *entry = d->stopped ? NULL : take_first(d);
    pthread_mutex_unlock(&d->lock);
    return entry;
}

static void *work(void *argument)
{
    struct desk *d = argument;
    struct desk_entry *entry;
    while ((entry = next_entry(d))) {
        if (http_reply_is_gone(entry->reply))
            http_reply_end(entry->reply);
        else
            entry->function(d->context, entry->request, entry->reply,
                            entry->arrived);
        free(entry);
    }
    return NULL;
}

struct desk *desk_start(void *context, struct error *e)
{
    struct desk *d = calloc(1, sizeof *d);
    if (!d) {
        fail_memory(e, "the desk");
        return NULL;
    }
    d->context = context;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->work, NULL);
    if (pthread_create(&d->thread, NULL, work, d) == 0)
        return d;
    fail(e, ERROR_SYSTEM, "the server's thread could not be started");
    pthread_cond_destroy(&d->work);
    pthread_mutex_destroy(&d->lock);
    free(d);
    return NULL;
}

static void turn_away(struct http_reply *reply, int status,
                      const char *message)
{
    struct http_error error = {.message = message};
    http_reply_error(reply, status, &error);
}

void desk_submit(struct desk *d, desk_function *function,
                 const struct http_request *request, struct http_reply *reply)
{
    struct desk_entry *entry = malloc(sizeof *entry);
    if (!entry) {
        turn_away(reply, 500, "out of memory");
        return;
    }
    *entry =
        (struct desk_entry){function, request, reply, latency_clock(), NULL};
    pthread_mutex_lock(&d->lock);
    if (d->last)
        d->last->next = entry;
    else
        d->first = entry;
    d->last = entry;
    pthread_cond_signal(&d->work);
    pthread_mutex_unlock(&d->lock);
}

void desk_stop(struct desk *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    d->stopped = true;
    pthread_cond_signal(&d->work);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    struct desk_entry *entry;
    while ((entry = take_first(d))) {
        turn_away(entry->reply, 503, "the server is stopping");
        free(entry);
    }
    pthread_cond_destroy(&d->work);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

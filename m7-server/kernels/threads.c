/* Threads: see threads.h. */
#include "threads.h"

#include "cores.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum waiting {
    LOOKS = 2000, /* for work, before a thread sleeps: 30 microseconds */
    MOST_THREADS = 256
};

struct thread {
    struct threads *all;
    size_t index;
    pthread_t id;
};

struct threads {
    struct thread *list; /* (count,); the caller has none of its own */
    size_t count, started;
    size_t looks; /* LOOKS; 1 where not each has a processor */

    work_function *function; /* what is to be done; NULL: end */
    void *work;
    atomic_size_t round; /* grows by one with each piece of work */
    atomic_size_t left;  /* threads that are not done with it */

    pthread_mutex_t lock; /* for those that sleep */
    pthread_cond_t more, done;
    atomic_size_t asleep;     /* threads that wait for `more` */
    atomic_bool caller_waits; /* for `done` */
};

/* A moment's rest between two looks, for the other half of a core. */
static inline void rest(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* Wait until `round` is no longer `seen`. */
static void wait_for_work(struct threads *t, size_t seen)
{
    for (size_t i = 0; i < t->looks; i++) {
        if (atomic_load_explicit(&t->round, memory_order_acquire) != seen)
            return;
        rest();
    }
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (atomic_load(&t->round) == seen)
        pthread_cond_wait(&t->more, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

static void note_done(struct threads *t)
{
    if (atomic_fetch_sub(&t->left, 1) > 1 || !atomic_load(&t->caller_waits))
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_signal(&t->done);
    pthread_mutex_unlock(&t->lock);
}

/* Round to the nearest float, and keep what is too small for all its bits: a
 * library that was built for speed may have told this thread otherwise when
 * the program began.  Threads inherit it from whoever makes them. */
static void round_as_usual(void)
{
    fesetenv(FE_DFL_ENV);
}

static void *run_thread(void *argument)
{
    struct thread *thread = argument;
    struct threads *t = thread->all;
    for (size_t seen = 0;; seen++) {
        wait_for_work(t, seen);
        if (!t->function)
            return NULL;
        t->function(t->work, thread->index, t->count);
        note_done(t);
    }
}

static int start_all(struct threads *t, struct error *e)
{
    for (size_t i = 1; i < t->count; i++, t->started++) {
        t->list[i] = (struct thread){.all = t, .index = i};
        if (pthread_create(&t->list[i].id, NULL, run_thread, &t->list[i]))
            return fail(e, ERROR_SYSTEM, "thread %zu could not be started", i);
    }
    return 0;
}

int threads_open(struct threads **out, size_t count, struct error *e)
{
    *out = NULL;
    round_as_usual();
    count = count ? count : count_cores();
    count = count < MOST_THREADS ? count : MOST_THREADS;
    struct threads *t = calloc(1, sizeof *t);
    struct thread *list = calloc(count, sizeof *list);
    if (!t || !list) {
        free(t);
        free(list);
        return fail_memory(e, "the threads");
    }
    t->list = list;
    t->count = count;
    t->looks = count > count_processors() ? 1 : LOOKS;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->more, NULL);
    pthread_cond_init(&t->done, NULL);
    *out = t;
    if (start_all(t, e) == 0)
        return 0;
    threads_close(t);
    *out = NULL;
    return -1;
}

/* Say that there is something to do, or that all is over. */
static void announce(struct threads *t, work_function *function, void *work)
{
    t->function = function;
    t->work = work;
    atomic_store(&t->left, t->started);
    atomic_fetch_add(&t->round, 1);
    if (atomic_load(&t->asleep) == 0)
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->more);
    pthread_mutex_unlock(&t->lock);
}

void threads_close(struct threads *t)
{
    if (!t)
        return;
    announce(t, NULL, NULL);
    for (size_t i = 1; i <= t->started; i++)
        pthread_join(t->list[i].id, NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->more);
    pthread_mutex_destroy(&t->lock);
    free(t->list);
    free(t);
}

size_t threads_count(const struct threads *t)
{
    return t ? t->count : 1;
}

/* Wait until the others are done. */
static void wait_for_others(struct threads *t)
{
    for (size_t i = 0; i < t->looks; i++) {
        if (atomic_load_explicit(&t->left, memory_order_acquire) == 0)
            return;
        rest();
    }
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->caller_waits, true);
    while (atomic_load(&t->left) > 0)
        pthread_cond_wait(&t->done, &t->lock);
    atomic_store(&t->caller_waits, false);
    pthread_mutex_unlock(&t->lock);
}

void threads_run(struct threads *t, work_function *function, void *work)
{
    if (!t || t->count == 1) {
        function(work, 0, 1);
        return;
    }
    announce(t, function, work);
    function(work, 0, t->count);
    wait_for_others(t);
}

void threads_share(size_t n, size_t step, size_t index, size_t count,
                   size_t *first, size_t *end)
{
    size_t steps = (n + step - 1) / step;
    *first = steps * index / count * step;
    *end = steps * (index + 1) / count * step;
    *end = *end < n ? *end : n;
}

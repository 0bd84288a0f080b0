/* Threads that share work: one for each core that there is time for (cores.h),
 * or as many as asked for; made once, and waiting for the next piece of work.
 *
 * Between two pieces there are microseconds, so a thread that waits looks
 * again and again for a while before it goes to sleep; once, where there are
 * more of them than processors.  Results do not depend on how many threads
 * there are: each writes what no other reads, and no sum is split.  All of
 * them, and whoever makes them, round floats as IEEE 754 does unless told
 * otherwise. */
#ifndef THREADS_H
#define THREADS_H

#include "error.h"

#include <stddef.h>

struct threads;

/* A thread's share of some work: number `index` of `count`. */
typedef void work_function(void *work, size_t index, size_t count);

/* Make `count` threads, the caller's own counted; 0 means count_cores().  More
 * than 256 are never made. */
int threads_open(struct threads **t, size_t count, struct error *e);

/* Ends them.  NULL is no threads. */
void threads_close(struct threads *t);

/* How many there are; 1 for NULL. */
size_t threads_count(const struct threads *t);

/* Let all do their share of the work, the caller number 0; returns when all
 * are done.  One piece of work at a time: from one caller's thread. */
void threads_run(struct threads *t, work_function *function, void *work);

/* The part of `n` things that thread `index` of `count` has: from *first to
 * *end - 1, in steps of `step`. */
void threads_share(size_t n, size_t step, size_t index, size_t count,
                   size_t *first, size_t *end);

#endif

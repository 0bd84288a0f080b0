/* A queue of numbers that gives the least one first, however late it came.
 *
 * It is a binary heap: an array in which number i is never larger than its
 * children, numbers 2i + 1 and 2i + 2, so that the least stands in front.  To
 * put a number in or take one out takes log n steps (Williams 1964). */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start it as {0}. */
struct queue {
    uint64_t *numbers; /* (size,): the heap */
    size_t size, capacity;
    bool failed; /* there was no memory: numbers are lost */
};

void queue_push(struct queue *q, uint64_t number);

/* Take the least number; false when there is none, or after a failure. */
bool queue_pop(struct queue *q, uint64_t *number);

/* Make it empty; it keeps its memory. */
void queue_clear(struct queue *q);
void queue_free(struct queue *q);

#endif

/* A queue of numbers that gives the least one first, however late it came.
 *
 * Any heap would do.  But when a word of ten million symbols merges, a heap
 * jumps about in 80 MB at every step, and the processor waits for memory.
 * Here numbers only ever move along rows, in order, and that is several times
 * faster: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990).  It asks for
 * one thing: that no number comes that is less than one already taken.  Merges
 * nearly always keep to that, since a token is listed after its parts; the
 * few numbers that do not go to a plain small heap. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct row {
    uint64_t *numbers; /* (size,) */
    size_t size, capacity;
};

/* Start it as {0}. */
struct queue {
    /* Row i holds the numbers whose highest bit that differs from `least` is
     * bit i - 1; row 0 those equal to it.  So whatever stands in a row is less
     * than all in the rows after it. */
    struct row rows[65];
    uint64_t least;   /* no number in the rows is less */
    struct row early; /* a heap: numbers less than `least` */
    bool failed;      /* there was no memory: numbers are lost */
};

void queue_push(struct queue *q, uint64_t number);

/* Take the least number; false when there is none, or after a failure. */
bool queue_pop(struct queue *q, uint64_t *number);

/* Make it empty, and ready for any number; it keeps its memory. */
void queue_clear(struct queue *q);
void queue_free(struct queue *q);

#endif

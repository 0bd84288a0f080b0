/* A queue of numbers that gives the least one first, like queue.h, and faster
 * when there are millions.
 *
 * When a word of ten million symbols merges, a binary heap jumps about in
 * 80 MB at every step, and the processor waits for memory.  Here numbers only
 * ever move along rows, in order: a radix heap (Ahuja, Mehlhorn, Orlin and
 * Tarjan 1990).  It asks for one thing: that no number comes that is less than
 * one already taken.  Merges nearly always keep to that, since a token is
 * listed after its parts; the few numbers that do not go to a binary heap. */
#ifndef RADIX_HEAP_H
#define RADIX_HEAP_H

#include "queue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum radix_heap_sizes { RADIX_ROWS = 65 };

struct radix_row {
    uint64_t *numbers; /* (size,) */
    size_t size, capacity;
};

/* Start it as {0}. */
struct radix_heap {
    /* Row i holds the numbers whose highest bit that differs from `least` is
     * bit i - 1; row 0 those equal to it.  So whatever stands in a row is less
     * than all in the rows after it. */
    struct radix_row rows[RADIX_ROWS];
    uint64_t least;     /* no number in the rows is less */
    struct queue early; /* numbers less than `least` */
    bool failed;        /* there was no memory: numbers are lost */
};

void radix_heap_push(struct radix_heap *h, uint64_t number);

/* Take the least number; false when there is none, or after a failure. */
bool radix_heap_pop(struct radix_heap *h, uint64_t *number);

/* Make it empty, and ready for any number; it keeps its memory. */
void radix_heap_clear(struct radix_heap *h);
void radix_heap_free(struct radix_heap *h);

#endif

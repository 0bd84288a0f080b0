/* A queue of numbers: see queue.h. */
#include "queue.h"

#include "buffer.h"

#include <stdlib.h>

/* Put a number into the place `at`, or further up: larger parents move down
 * to make room. */
static void rise(uint64_t *heap, size_t at, uint64_t number)
{
    for (; at > 0 && heap[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

/* Put a number into the first place, or further down: the smaller child moves
 * up to make room. */
static void sink(uint64_t *heap, size_t size, uint64_t number)
{
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < size; at = child) {
        if (child + 1 < size && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= number)
            break;
        heap[at] = heap[child];
    }
    heap[at] = number;
}

void queue_push(struct queue *q, uint64_t number)
{
    uint64_t *moved =
        grow(q->numbers, &q->capacity, q->size + 1, sizeof *moved);
    if (!moved) {
        q->failed = true;
        return;
    }
    q->numbers = moved;
    rise(q->numbers, q->size++, number);
}

/* The last number takes the place of the first, and sinks. */
bool queue_pop(struct queue *q, uint64_t *number)
{
    if (q->size == 0 || q->failed)
        return false;
    *number = q->numbers[0];
    q->size--;
    sink(q->numbers, q->size, q->numbers[q->size]);
    return true;
}

void queue_clear(struct queue *q)
{
    q->size = 0;
    q->failed = false;
}

void queue_free(struct queue *q)
{
    free(q->numbers);
    *q = (struct queue){0};
}

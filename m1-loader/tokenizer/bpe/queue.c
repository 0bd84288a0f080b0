/* A queue of numbers: see queue.h. */
#include "queue.h"

#include "buffer.h"

#include <stdlib.h>

static void row_add(struct queue *q, struct row *row, uint64_t number)
{
    if (row->size == row->capacity) {
        uint64_t *moved =
            grow(row->numbers, &row->capacity, row->size + 1, sizeof *moved);
        if (!moved) {
            q->failed = true;
            return;
        }
        row->numbers = moved;
    }
    row->numbers[row->size++] = number;
}

/* ---- the rows ---- */

static struct row *row_of(struct queue *q, uint64_t number)
{
    uint64_t differs = number ^ q->least;
    return &q->rows[differs ? 64 - __builtin_clzll(differs) : 0];
}

static uint64_t least_of(const struct row *row)
{
    uint64_t least = row->numbers[0];
    for (size_t i = 1; i < row->size; i++)
        if (row->numbers[i] < least)
            least = row->numbers[i];
    return least;
}

/* Row 0 is empty: share out the first row that is not, around its own least.
 * Every number in it goes to a row further down, so it moves 64 times at
 * most.  False when all rows are empty. */
static bool share_out(struct queue *q)
{
    struct row *row = q->rows;
    while (row < &q->rows[65] && row->size == 0)
        row++;
    if (row == &q->rows[65])
        return false;
    if (row == q->rows)
        return true;
    q->least = least_of(row);
    for (size_t i = 0; i < row->size; i++)
        row_add(q, row_of(q, row->numbers[i]), row->numbers[i]);
    row->size = 0;
    return true;
}

/* ---- the heap of those that came late ---- */

/* The last number rises past its larger parents. */
static void early_rise(struct row *heap)
{
    uint64_t *n = heap->numbers, last = n[heap->size - 1];
    size_t at = heap->size - 1;
    for (; at > 0 && n[(at - 1) / 2] > last; at = (at - 1) / 2)
        n[at] = n[(at - 1) / 2];
    n[at] = last;
}

/* Take the first; the last sinks from the top to its place. */
static uint64_t early_pop(struct row *heap)
{
    uint64_t *n = heap->numbers, first = n[0], last = n[--heap->size];
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < heap->size; at = child) {
        child += child + 1 < heap->size && n[child + 1] < n[child];
        if (n[child] >= last)
            break;
        n[at] = n[child];
    }
    n[at] = last;
    return first;
}

/* ---- both ---- */

void queue_push(struct queue *q, uint64_t number)
{
    if (number >= q->least) {
        row_add(q, row_of(q, number), number);
        return;
    }
    size_t before = q->early.size;
    row_add(q, &q->early, number);
    if (q->early.size > before)
        early_rise(&q->early);
}

bool queue_pop(struct queue *q, uint64_t *number)
{
    if (q->early.size > 0) {
        *number = early_pop(&q->early);
        return true;
    }
    if (!share_out(q) || q->failed)
        return false;
    *number = q->rows[0].numbers[--q->rows[0].size];
    return true;
}

void queue_clear(struct queue *q)
{
    for (int i = 0; i < 65; i++)
        q->rows[i].size = 0;
    q->early.size = 0;
    q->least = 0;
    q->failed = false;
}

void queue_free(struct queue *q)
{
    for (int i = 0; i < 65; i++)
        free(q->rows[i].numbers);
    free(q->early.numbers);
    *q = (struct queue){0};
}

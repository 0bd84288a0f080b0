/* A radix heap: see radix_heap.h. */
#include "radix_heap.h"

#include "buffer.h"

#include <stdlib.h>

static void add_to_row(struct radix_heap *h, struct radix_row *row,
                       uint64_t number)
{
    if (row->size == row->capacity) {
        uint64_t *moved =
            grow(row->numbers, &row->capacity, row->size + 1, sizeof *moved);
        if (!moved) {
            h->failed = true;
            return;
        }
        row->numbers = moved;
    }
    row->numbers[row->size++] = number;
}

static struct radix_row *row_for(struct radix_heap *h, uint64_t number)
{
    uint64_t differs = number ^ h->least;
    return &h->rows[differs ? 64 - __builtin_clzll(differs) : 0];
}

static uint64_t least_in_row(const struct radix_row *row)
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
static bool share_out(struct radix_heap *h)
{
    struct radix_row *row = h->rows, *end = h->rows + RADIX_ROWS;
    while (row < end && row->size == 0)
        row++;
    if (row == end)
        return false;
    if (row == h->rows)
        return true;
    h->least = least_in_row(row);
    for (size_t i = 0; i < row->size; i++)
        add_to_row(h, row_for(h, row->numbers[i]), row->numbers[i]);
    row->size = 0;
    return true;
}

void radix_heap_push(struct radix_heap *h, uint64_t number)
{
    if (number >= h->least)
        add_to_row(h, row_for(h, number), number);
    else
        queue_push(&h->early, number);
    h->failed |= h->early.failed;
}

bool radix_heap_pop(struct radix_heap *h, uint64_t *number)
{
    if (queue_pop(&h->early, number))
        return true;
    if (h->failed || !share_out(h) || h->failed)
        return false;
    *number = h->rows[0].numbers[--h->rows[0].size];
    return true;
}

void radix_heap_clear(struct radix_heap *h)
{
    for (int i = 0; i < RADIX_ROWS; i++)
        h->rows[i].size = 0;
    queue_clear(&h->early);
    h->least = 0;
    h->failed = false;
}

void radix_heap_free(struct radix_heap *h)
{
    for (int i = 0; i < RADIX_ROWS; i++)
        free(h->rows[i].numbers);
    queue_free(&h->early);
    *h = (struct radix_heap){0};
}

/* Shares that are taken piece by piece: see shares.h. */
#include "shares.h"

#include "threads.h"

enum piece_sizes { LEAST_PIECE = 4 };

void shares_begin(struct share *shares, size_t count, size_t n)
{
    for (size_t i = 0; i < count; i++) {
        size_t first;
        threads_share(n, 1, i, count, &first, &shares[i].end);
        atomic_store_explicit(&shares[i].next, first, memory_order_relaxed);
    }
}

/* How many of those that are left: all for the only thread.  The pieces become
 * shorter, so that all threads end at about the same time; an even number, as
 * kernels take panels in pairs. */
static size_t piece_size(size_t left, size_t count)
{
    size_t n = count == 1 ? left : left / 4 * 2;
    n = n > LEAST_PIECE ? n : LEAST_PIECE;
    return n < left ? n : left;
}

/* The next piece of a share, unless nothing is left of it.  Where another
 * thread has taken one in between, this one looks again. */
static bool take_piece(struct share *s, size_t count, size_t *first,
                       size_t *end)
{
    *first = atomic_load_explicit(&s->next, memory_order_relaxed);
    do {
        if (*first == s->end)
            return false;
        *end = *first + piece_size(s->end - *first, count);
    } while (!atomic_compare_exchange_weak_explicit(
        &s->next, first, *end, memory_order_relaxed, memory_order_relaxed));
    return true;
}

bool next_piece(struct share *shares, size_t index, size_t count,
                size_t *first, size_t *end)
{
    for (size_t i = 0; i < count; i++)
        if (take_piece(&shares[(index + i) % count], count, first, end))
            return true;
    return false;
}

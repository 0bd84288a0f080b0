/* What rows of queries see of a block: for kernel_attention.c. */
#ifndef KERNEL_VIEW_H
#define KERNEL_VIEW_H

#include "queries.h"
#include "vector.h"

#include <stdbool.h>

/* The positions of a block that a row sees, or several rows do together:
 * first .. end - 1, counted from the block's beginning. */
struct block_view {
    size_t first, end;
};

INLINE struct block_view view_of_row(const struct queries *q, size_t block,
                               size_t row)
{
    size_t first = q->first[row] > block ? q->first[row] - block : 0;
    size_t end = q->end[row] > block ? q->end[row] - block : 0;
    end = end < QUERY_BLOCK ? end : QUERY_BLOCK;
    return first < end ? (struct block_view){first, end}
                       : (struct block_view){0, 0};
}

/* *same: whether all of them see the same. */
static struct block_view view_of_rows(const struct queries *q, size_t block,
                                size_t row, size_t n, bool *same)
{
    struct block_view all = view_of_row(q, block, row);
    *same = true;
    for (size_t r = row + 1; r < row + n; r++) {
        struct block_view one = view_of_row(q, block, r);
        *same = *same && one.first == all.first && one.end == all.end;
        if (one.end == 0)
            continue;
        all.first =
            all.end == 0 || one.first < all.first ? one.first : all.first;
        all.end = one.end > all.end ? one.end : all.end;
    }
    return all;
}

/* The lanes, counted from `first` on. */
INLINE vint counted_lanes(size_t first)
{
    static const int32_t counted[PANEL_ROWS] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    vint lanes;
    memcpy(&lanes, counted, sizeof lanes);
    return lanes + (int32_t)first;
}

/* Which of the lanes, positions of the block from `lane` on, a row sees. */
INLINE vint seen_lanes(struct block_view view, size_t lane)
{
    vint at = counted_lanes(lane);
    return (at >= (int32_t)view.first) & (at < (int32_t)view.end);
}

#endif

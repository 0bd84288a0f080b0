/* Where pieces of a text stand last: see text_index.h. */
#include "text_index.h"

#include <stdlib.h>
#include <string.h>

/* 4 MiB at most, which a processor's caches mostly hold. */
enum index_bounds {
    LEAST_BITS = 10,
    MOST_BITS = 20
};

static const size_t piece_sizes[] = {8, 4, 2};
enum piece_count {
    N_SIZES = sizeof piece_sizes / sizeof *piece_sizes
};

/* By multiplication: Knuth, volume 3, section 6.4. */
static uint32_t *piece_slot(const struct text_index *x, const char *piece,
                            size_t size)
{
    uint64_t number = 0; /* by copies of known sizes, which are no calls */
    if (size == 8)
        memcpy(&number, piece, 8);
    else if (size == 4)
        memcpy(&number, piece, 4);
    else
        memcpy(&number, piece, 2);
    return &x->last[(number + size) * 0x9E3779B97F4A7C15 >> (64 - x->bits)];
}

int text_index_init(struct text_index *x, const char *text, size_t size,
                    struct error *e)
{
    *x = (struct text_index){.bits = LEAST_BITS};
    if (size >= UINT32_MAX)
        return 0;
    while (x->bits < MOST_BITS && size >> x->bits > 0)
        x->bits++;
    x->last = calloc((size_t)1 << x->bits, sizeof *x->last);
    if (!x->last)
        return fail_memory(e, "an index of the prompt");
    for (size_t at = 0; at < size; at++)
        for (size_t i = 0; i < N_SIZES; i++)
            if (piece_sizes[i] <= size - at)
                *piece_slot(x, text + at, piece_sizes[i]) = (uint32_t)at + 1;
    return 0;
}

bool text_index_excludes(const struct text_index *x, size_t from,
                         const char *words, size_t size)
{
    size_t i = 0;
    while (i < N_SIZES && piece_sizes[i] > size)
        i++;
    if (!x->last || i == N_SIZES)
        return false;
    for (size_t at = 0; at + piece_sizes[i] <= size; at++)
        if (*piece_slot(x, words + at, piece_sizes[i]) <= from + at)
            return true;
    return false;
}

void text_index_free(struct text_index *x)
{
    free(x->last);
    *x = (struct text_index){0};
}

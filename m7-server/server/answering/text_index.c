/* Where pieces of a text stand last: see text_index.h. */
#include "text_index.h"

#include "hash.h"

#include <stdlib.h>

enum index_bounds {
    MOST_SLOTS = 1 << 21
};

static const size_t piece_sizes[] = {8, 4, 2};
enum piece_count {
    N_SIZES = sizeof piece_sizes / sizeof *piece_sizes
};

static size_t *slot_of(const struct text_index *x, const char *piece,
                       size_t size)
{
    return &x->last[hash_bytes(piece, size) & (x->n_slots - 1)];
}

int text_index_init(struct text_index *x, const char *text, size_t size,
                    struct error *e)
{
    size_t n = 1024;
    while (n < MOST_SLOTS && n / 4 < size)
        n *= 2;
    *x = (struct text_index){calloc(n, sizeof *x->last), n};
    if (!x->last)
        return fail_memory(e, "an index of the prompt");
    for (size_t at = 0; at < size; at++)
        for (size_t i = 0; i < N_SIZES; i++)
            if (piece_sizes[i] <= size - at)
                *slot_of(x, text + at, piece_sizes[i]) = at + 1;
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
        if (*slot_of(x, words + at, piece_sizes[i]) <= from + at)
            return true;
    return false;
}

void text_index_free(struct text_index *x)
{
    free(x->last);
    *x = (struct text_index){0};
}

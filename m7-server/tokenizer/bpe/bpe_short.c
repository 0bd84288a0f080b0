/* Short words: see bpe.h.  To look at all pairs for each merge takes n squared
 * steps; for few symbols these are fewer than a heap needs, and the numbers
 * stand side by side. */
#include "bpe.h"

/* The rank of the pair that begins at symbol i. */
static uint32_t rank_at(struct bpe *b, size_t i)
{
    b->steps++;
    return i + 1 < b->n_symbols
               ? bpe_rank(b->model, b->symbols[i], b->symbols[i + 1])
               : NO_RANK;
}

/* The pair to merge next: the leftmost of the lowest rank. */
static size_t best_pair(struct bpe *b)
{
    size_t best = 0;
    b->steps += b->n_symbols;
    for (size_t i = 1; i < b->n_symbols; i++)
        if (b->ranks[i] < b->ranks[best])
            best = i;
    return best;
}

/* Make one symbol of symbols[i] and symbols[i + 1]. */
static void join_symbols(struct bpe *b, size_t i)
{
    b->symbols[i] = b->model->merged[b->ranks[i]];
    b->n_symbols--;
    for (size_t k = i + 1; k < b->n_symbols; k++) {
        b->symbols[k] = b->symbols[k + 1];
        b->ranks[k] = b->ranks[k + 1];
    }
    b->ranks[i] = rank_at(b, i);
    if (i > 0)
        b->ranks[i - 1] = rank_at(b, i - 1);
}

void bpe_merge_short(struct bpe *b)
{
    for (size_t i = 0; i < b->n_symbols; i++)
        b->ranks[i] = rank_at(b, i);
    size_t best = best_pair(b);
    while (b->ranks[best] != NO_RANK) {
        join_symbols(b, best);
        best = best_pair(b);
    }
}

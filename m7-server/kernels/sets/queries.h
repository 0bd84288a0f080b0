/* Attention by kernels: what they read and write.
 *
 * All rows of queries that look at the same head of keys and values are
 * computed together: those of several heads, and of several tokens.  Each row
 * looks at the positions of its own token, and what other rows do leaves no
 * trace in it.
 *
 * The order of every number, for a row:
 *
 *     q        the query times the scale
 *     score    of a position: fused products of q and the key, summed from the
 *              first number to the last; of codes so for each part, and the
 *              parts are added up, each fused with its scale
 *     cap      if there is one: cap * tanh(score / cap)
 *
 * then block by block, 64 positions that begin at a multiple of 64, as far as
 * the row sees any of them:
 *
 *     largest  the largest score so far
 *     factor   exp(largest before - largest), and 1 where they are equal
 *     e        of a position: exp(score - largest)
 *     total    fused(total, factor, sum of e): position i is added to sum
 *              i mod 16, then sum i takes sum i + 8, + 4, + 2 and + 1
 *     sum      of each number: fused(sum, factor, fused products of e and the
 *              value, summed from the first position to the last); of codes, e
 *              times the scale of the value's part
 *
 * Each range of 512 positions, which begins at a multiple of 512, is computed
 * alone, and so by whichever thread: then a range is added to those before
 * it,
 *
 *     largest  the larger one of both
 *     total    fused(total, exp(largest before - largest), total of the range
 *              times exp(largest of the range - largest))
 *     sum      of each number: the same
 *
 * and at the end the result is 0 + sum / total. */
#ifndef QUERIES_H
#define QUERIES_H

#include "panels.h"

#include <stddef.h>

enum query_sizes {
    QUERY_BLOCK = BLOCK_POSITIONS, /* that are weighed together */
    QUERY_RANGE = 512, /* positions that are summed apart from others */
    QUERY_ROWS = 48,   /* rows that share what was read, at most; whole
                          vectors of them */
    FEW_QUERIES = 8    /* rows whose sums stay in registers */
};

/* Rows of queries and what they look at. */
struct queries {
    const struct panels *keys, *values;
    size_t head; /* of keys and values */
    float soft_cap;
    size_t n;       /* rows, up to QUERY_ROWS */
    const float *q; /* (n, head_dim), scaled */
    size_t first[QUERY_ROWS]; /* row r sees the positions first[r] .. */
    size_t end[QUERY_ROWS];   /* .. end[r] - 1, at least one */
};

/* What rows have found so far; of a row that has seen nothing the total is 0.
 * The sums of a row have the order of a panel of values. */
struct found {
    float *largest; /* (n,) */
    float *totals;  /* (n,) */
    float *sums;    /* (n, width) */
};

/* Room for one thread. */
struct query_room {
    float *q;          /* (QUERY_ROWS, head_dim) */
    float *few;        /* (head_dim, n): q of at most FEW_QUERIES rows */
    float *scores;     /* (QUERY_ROWS, QUERY_BLOCK), then e */
    float *weights;    /* (QUERY_ROWS, QUERY_BLOCK): e times a scale */
    float *factors;    /* (QUERY_ROWS,) */
    float *numbers;    /* (QUERY_BLOCK, width): keys or values, as floats */
    float *scales;     /* (parts, QUERY_BLOCK) */
    struct found range, all;
};

/* Let *out be what the rows find in the range that begins at `start`. */
typedef void attend_range_function(const struct queries *q, size_t start,
                                   struct query_room *room,
                                   struct found *out);

/* Add what n rows have found in a further range, whose sums have `width`
 * numbers. */
typedef void add_range_function(struct found *all, const struct found *range,
                                size_t n, size_t width);

/* The result out (head_dim,) of a row. */
typedef void finish_row_function(const struct panels *values,
                                 const struct found *all, size_t row,
                                 float *out);

struct attention_kernels {
    attend_range_function *range;
    add_range_function *add;
    finish_row_function *finish;
};

#endif

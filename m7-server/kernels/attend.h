/* Attention by kernels and threads: many rows of queries, and what each of
 * them looks at. */
#ifndef ATTEND_H
#define ATTEND_H

#include "cpu.h"
#include "error.h"
#include "panels.h"
#include "threads.h"

#include <stddef.h>

/* The heads of n tokens, which stand at the positions from .. from + n - 1. */
struct attention_work {
    const struct panels *keys, *values;
    size_t n_heads; /* of queries: a multiple of those of keys */
    size_t from, n;
    size_t window; /* how many positions one sees, its own included; 0: all */
    float scale, soft_cap; /* of the scores; 0: no cap */
    const float *q;        /* (n, n_heads, head_dim) */
    float *out;            /* the same */
};

/* What is needed for it.  Whoever computes owns one; the threads are its
 * owner's. */
struct attender {
    const struct cpu_set *set;
    struct threads *threads; /* not owned; NULL: the caller's alone */
    struct query_room *rooms; /* (threads,) */
    float *memory;            /* that they point into */
    struct found *ranges; /* (heads of keys, ranges): of one token, what its
                             rows found; they point into: */
    float *range_memory;
};

/* The largest sizes of some layers: what there must be room for.  Begin with
 * {.positions = ...} and add each layer. */
struct attention_limits {
    size_t positions; /* of a text */
    size_t n_kv_heads, sharing, head_dim;
    size_t width, n_parts; /* of a panel of values */
};

void attention_limits_add(struct attention_limits *most, size_t n_heads,
                          size_t n_kv_heads, size_t head_dim);

/* Make room.  After an error *a holds nothing. */
int attender_init(struct attender *a, const struct cpu_set *set,
                  struct threads *threads,
                  const struct attention_limits *most, struct error *e);
void attender_free(struct attender *a);

/* Compute w->out. */
void attend_all(struct attender *a, const struct attention_work *w);

/* The same for n works, n > 0, such as of several texts: threads are called
 * together once for all, but for those that are much longer than others. */
void attend_works(struct attender *a, const struct attention_work *works,
                  size_t n);

#endif

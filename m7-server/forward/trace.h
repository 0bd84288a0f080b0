/* The trace: what each step of the model read, computed and kept, counted.
 *
 * It watches a forward pass through observe.h, so that what it counts has
 * happened: these chunks, these positions, these layers.  How many bytes and
 * operations that took follows from the model's data. */
#ifndef TRACE_H
#define TRACE_H

#include "buffer.h"
#include "kvcache.h"
#include "model.h"
#include "observe.h"
#include "state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pass through the layers: a chunk of prefill, or a token of decode. */
struct step {
    bool decodes;
    size_t from, n; /* of the positions from .. from + n - 1 */

    size_t weights;       /* bytes: each weight of the layers once, for all n
                             tokens; each token's row of the embedding; the
                             head once for all that were scored together */
    size_t cache_read;    /* bytes: the keys and values of what each token
                             sees, once for each token that sees them */
    size_t cache_written; /* bytes */
    size_t held;          /* bytes of the cache in use behind this step */

    uint64_t flops; /* multiplications and additions of the matrices and of
                       attention's products; the rest is a few in a hundred */
};

struct trace {
    const struct model *model;
    const struct state *state;
    const struct cache *cache;
    struct step *steps; /* (n,); owned */
    size_t n, capacity;
    struct ids ids; /* that they read, one step's behind the other's; owned */
    bool failed; /* there was no memory for a step */
};

/* Start with {.model = ..., .state = ..., .cache = ...}, and observe the
 * passes of that model over that cache with this function and the trace as its
 * context. */
observe_function trace_observe;
void trace_free(struct trace *t);

/* All steps as one: from the first position on, what they took together, and
 * what is held behind the last. */
struct step trace_total(const struct trace *t);

/* Add to *all what *s took, and what it holds. */
void step_add(struct step *all, const struct step *s);

/* Bytes that a step moved, and how many operations there were to each. */
size_t step_bytes(const struct step *s);
double step_intensity(const struct step *s);

#endif

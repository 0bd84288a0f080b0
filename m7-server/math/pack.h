/* Packing: the copies of matrices that kernels read. */
#ifndef PACK_H
#define PACK_H

#include "error.h"
#include "ops.h"
#include "packed.h"
#include "spacing.h"
#include "threads.h"

#include <stddef.h>

/* A matrix, and what is made of it. */
struct packing {
    const struct weight *weight; /* not owned */
    struct codes codes;          /* how its rows are read; without a kind as
                                    floats, which are rounded */
    struct packed *packed;       /* the copy; not owned */
};

/* What a weight becomes: *p gets its kind and shape, and no room yet.  Floats
 * stay what they are; so do codes of up to 8 bits, where a copy can hold them,
 * and others become the nearest of 8 bits (spacing.h). */
struct packing packing_plan(const struct weight *w, struct packed *p);

/* Fill the copies (n,), each of which has a place.  Each thread packs what it
 * will multiply, so that its memory is near to it. */
int packings_run(const struct packing *list, size_t n, struct threads *t,
                 struct error *e);

/* The same for one weight, with memory of its own. */
int weight_pack(const struct weight *w, struct threads *t, struct packed *p,
                struct error *e);

#endif

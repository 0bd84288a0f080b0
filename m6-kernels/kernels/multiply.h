/* Matrix products by kernels and threads. */
#ifndef MULTIPLY_H
#define MULTIPLY_H

#include "cpu.h"
#include "error.h"
#include "packed.h"
#include "shares.h"
#include "threads.h"

#include <stddef.h>

enum multiply_limits { MOST_PRODUCTS = 4 };

/* What products are computed with, and room for their inputs.  Whoever
 * computes owns one; the threads are its owner's. */
struct engine {
    const struct cpu_set *set;
    struct threads *threads; /* not owned; NULL: the caller's alone */
    struct inputs inputs;    /* of the product that runs */
    int32_t *shorts;         /* room for inputs.shorts; NULL: its set needs
                                none */
    size_t room;             /* rows times groups that they have room for */
    struct kernel_scratch *scratch; /* (threads,) */
    struct share *shares; /* of panels: (MOST_PRODUCTS, threads) */
};

/* Make room for products with up to `rows` rows of up to `cols` numbers. */
int engine_init(struct engine *g, const struct cpu_set *set,
                struct threads *threads, size_t rows, size_t cols,
                struct error *e);
void engine_free(struct engine *g);

/* A matrix, and where its product goes. */
struct product {
    const struct packed *matrix;
    float *out; /* (n, matrix->rows) */
};

/* The products of at most MOST_PRODUCTS matrices, all with the same rows x
 * (n, cols): these are rounded at most once, and the threads meet once.
 * Returns the bytes of the matrices, each of which is read once. */
size_t multiply_all(struct engine *g, const struct product *products,
                    size_t n_products, const float *x, size_t n);

#endif

/* Operations on the rows of a chunk, by kernels and threads where whoever
 * computes has them; else by the functions of ops.h, activation.h and rope.h,
 * one number after the other. */
#ifndef ROWS_H
#define ROWS_H

#include "activation.h"
#include "ops.h"
#include "rope.h"

#include <stdbool.h>
#include <stddef.h>

/* y[i] (n, out) is what layer l[i] makes of x (n, in): of some layers with the
 * same x, at most MOST_PRODUCTS. */
void linears(struct compute *c, const struct linear *const *l, size_t n_layers,
             const float *x, size_t n, float *const *y);

/* x (n,) becomes its activation f; times up (n,), where that is not NULL. */
void activate_rows(struct compute *c, activation *f, float *x, const float *up,
                   size_t n);

/* As scale, add_scaled and soft_cap in ops.h, with the same bits but for
 * tanh's. */
void scale_rows(struct compute *c, float *x, float factor, size_t n);
void add_scaled_rows(struct compute *c, float *x, const float *y, float factor,
                     size_t n);
void soft_cap_rows(struct compute *c, float *x, float cap, size_t n);

/* Turn the heads x (n, n_heads, head_dim) of the n tokens whose angles are *a:
 * as rotate in rope.h, with the same bits. */
void rotate_rows(struct compute *c, const struct rope *r,
                 const struct angles *a, float *x, size_t n, size_t n_heads,
                 size_t head_dim);

/* Add the bias of l to each of the rows y (n, l->weight.rows), or normalize
 * the rows x of `count` numbers.  False, and nothing is done, where the
 * vectors that this takes have no copies as floats. */
bool add_bias_rows(struct engine *g, const struct linear *l, size_t n,
                   float *y);
bool normalize_by_kernels(struct engine *g, const struct norm *norm,
                          const float *x, size_t count, float *out);

#endif

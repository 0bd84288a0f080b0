/* The arithmetic: the few functions that a forward pass, and the choice behind
 * it, consist of.
 *
 * Functions take and give 32-bit floats, row-major; (n, width) is n rows of
 * width numbers.  Weights alone may have another type: they stay where their
 * file is mapped, and are converted one by one as they are read.  Sums that
 * need it have 64 bits on the way.
 *
 * Every sum has ONE documented order, which depends on the length of its rows
 * and on nothing else.  This file knows no models and no files. */
#ifndef OPS_H
#define OPS_H

#include "dtype.h"
#include "multiply.h"
#include "quantized.h"

#include <stdbool.h>
#include <stddef.h>

/* A matrix (rows, cols) of a model, where its file is mapped.  A vector is a
 * matrix of one column.  data NULL: the model has no such weight. */
struct weight {
    const unsigned char *data; /* any alignment; not owned */
    enum dtype dtype;
    const struct quantized *quantized; /* how data is to be read instead of by
                                          dtype; not owned; or NULL */
    const struct packed *packed; /* a copy that kernels read; not owned; or
                                    NULL */
    const float *floats; /* a copy of a vector, for the same; not owned; or
                            NULL */
    size_t rows, cols;
    size_t first; /* of its rows, where several matrices share one */

    size_t paired; /* of each so many rows, those that turn together stand
                      together: rows i and i + paired / 2 as 2 i and 2 i + 1;
                      0: each row stands where its number says */
    float added;   /* a norm's weights are stored with this added */

    /* Where several matrices share one, a few rows of each in turn: how many
     * rows stand together, and after how many the next begin.  run 0: all
     * rows stand together. */
    size_t run, stride;
};

/* Which arithmetic this is.  Whoever changes a bit of any result, by another
 * order of a sum for instance, gives it another number: what was computed by
 * one is never gone on with by the other. */
enum arithmetic {
    ARITHMETIC = 1,        /* one operation after another, as this file says */
    ARITHMETIC_KERNELS = 2 /* as kernels/ says */
};

/* Shown each matrix as it is about to be multiplied with rows x (n, w->cols):
 * the mean sizes of these tell which of its columns matter. */
typedef void watch_function(void *context, const struct weight *w,
                            const float *x, size_t n);

struct watcher {
    watch_function *watch;
    void *context; /* its first argument */
};

/* What a calculation needs besides its operands; whoever computes owns one:
 * a count, scratch, and what faster arithmetic is done with. */
struct compute {
    size_t fetched; /* bytes of weights: a row that was fetched counts once,
                       however many rows it was multiplied with */
    float *row; /* room for the longest row of a quantized weight */
    struct engine *engine; /* kernels and threads, which do the arithmetic
                              wherever they can; owned; NULL: this file does
                              all of it */
    const struct watcher *watcher; /* not owned; NULL: nobody watches */
};

/* True for the types that linear() can read: F32, F16, BF16. */
bool weight_type_is_known(enum dtype type);

/* Where row `row` stands, counted in rows from where data begins. */
size_t place_of(const struct weight *w, size_t row);

/* Row `row` of w, as floats (cols,). */
void weight_row(struct compute *c, const struct weight *w, size_t row,
                float *out);

/* The sum of x[i] * y[i].
 *
 * A single running sum must wait for each addition before it starts the next.
 * So there are eight: product i goes to lane i mod 8, and at the end lane i
 * takes lane i + 4, then i + 2, then i + 1.  Eight sums do not wait for each
 * other, a compiler makes vectors of them, and the result does not tell how
 * wide these are. */
float dot(const float *x, const float *y, size_t n);

/* out (n, w->rows) = x (n, w->cols) times w transposed: out[t][r] is the dot
 * product of row t of x and row r of w, summed as dot() does. */
void matmul(struct compute *c, const float *x, size_t n,
            const struct weight *w, float *out);

/* y = W x + b. */
struct linear {
    struct weight weight; /* (out, in) */
    struct weight bias;   /* (out,); may be absent */
};

/* y (n, out) from x (n, in). */
void linear(struct compute *c, const struct linear *l, const float *x,
            size_t n, float *y);

/* The bias alone: y (n, l->weight.rows) += it, where there is one. */
void add_bias(struct compute *c, const struct linear *l, size_t n, float *y);

/* x (n,) += factor * y (n,); the two must not overlap. */
void add_scaled(float *restrict x, const float *restrict y, float factor,
                size_t n);

/* x (n,) *= y (n,). */
void multiply(float *x, const float *y, size_t n);

/* x (n,) *= factor. */
void scale(float *x, float factor, size_t n);

/* What a norm layer does to a row of `width` numbers. */
enum norm_kind {
    NORM_NONE, /* nothing: the model has no norm at this place */
    NORM_RMS,  /* divide by the root of the mean square */
    NORM_LAYER /* subtract the mean, divide by the standard deviation */
};

struct norm {
    enum norm_kind kind;
    size_t width;
    float eps; /* keeps the divisor away from zero */
    struct weight
        weight; /* (width,), multiplied in afterwards; may be absent */
    float weight_offset; /* added to each weight: some models store w - 1 */
    struct weight bias;  /* (width,), added last; may be absent */
};

/* Normalize each row of x, which has `count` numbers in rows of norm->width;
 * out may be x.  Without a norm, out is x.
 * RMS norm: Zhang and Sennrich 2019; layer norm: Ba, Kiros and Hinton 2016. */
void normalize_rows(struct compute *c, const struct norm *norm, const float *x,
                    size_t count, float *out);

/* x (n,) becomes exp(x) / sum of exp(x): positive, and adding up to 1.  The
 * largest is subtracted first, so that exp cannot overflow. */
void softmax(float *x, size_t n);

/* x becomes cap * tanh(x / cap): all but unchanged when small, never past the
 * cap (Gemma 2, section 2).  A cap of 0 means none. */
void soft_cap(float *x, float cap, size_t n);

#endif

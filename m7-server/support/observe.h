/* Looking inside: the forward pass shows its intermediate results to whoever
 * asked for them.  Tables, pictures and tests all see through this one
 * window. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stddef.h>

/* How many numbers there are, as (rows, cols). */
struct shape {
    size_t rows, cols;
};

/* What is shown, in this order:
 *
 *   name         layer  shape                     what
 *   "embedding"  -1     (n, hidden_size)          the tokens' vectors
 *   "attention"  l      (n_heads, seen)           attention weights of one
 *                                                 token: what each of its
 *                                                 heads gives to the positions
 *                                                 that it sees, its own last;
 *                                                 token by token
 *   "layer"      l      (n, hidden_size)          what leaves layer l
 *   "norm"       -1     (n, hidden_size)          after the last norm
 *   "logits"     -1     (1, vocab_size)           of one token
 *
 * `data` is row-major and stays valid until the function returns. */
typedef void observe_function(void *context, const char *name, int layer,
                              const float *data, struct shape shape);

struct observer {
    observe_function *observe;
    void *context; /* its first argument */
};

/* Show a result to `o`, which may be NULL: nobody looks. */
static inline void observe(const struct observer *o, const char *name,
                           int layer, const float *data, size_t rows,
                           size_t cols)
{
    if (o)
        o->observe(o->context, name, layer, data, (struct shape){rows, cols});
}

#endif

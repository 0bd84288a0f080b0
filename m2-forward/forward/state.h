/* The state: room for what a forward pass computes on its way, allocated
 * once and used again for every text. */
#ifndef STATE_H
#define STATE_H

#include "error.h"
#include "model.h"
#include "ops.h"

#include <stddef.h>

struct state {
    size_t capacity; /* how many tokens there is room for */
    size_t rows;     /* how many the last pass had */
    size_t *positions; /* (capacity,): where each of them stands in its text */

    float *x;      /* (capacity, hidden_size): what stands for each token, as
                      layer after layer adds to it */
    float *normed; /* (capacity, hidden_size): what a layer reads of it */
    float *out;    /* (capacity, hidden_size): what it adds */

    float *q, *heads; /* (capacity, n_heads, head_dim), of the largest layer */
    float *k, *v;     /* (capacity, n_kv_heads, head_dim), the same */
    float *attention_weights; /* (n_heads, what it sees), of one token */
    float *gate, *up;         /* (capacity, intermediate_size) */
    float *logits;            /* (vocab_size,), of one token */

    struct compute compute; /* with what the arithmetic is done */
    struct angles *angles; /* (n_ropes,): of each of the model's ropes */
    size_t n_ropes;
};

/* Make room for texts of up to `capacity` tokens.  After an error *s holds
 * nothing. */
int state_init(struct state *s, const struct model *m, size_t capacity,
               struct error *e);
void state_free(struct state *s);

#endif

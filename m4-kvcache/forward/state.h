/* The state: room for what a forward pass computes on its way, allocated
 * once and used again for every chunk of a text; and the cache, which keeps
 * what later tokens will ask for. */
#ifndef STATE_H
#define STATE_H

#include "error.h"
#include "kvcache.h"
#include "model.h"

#include <stddef.h>

enum state_sizes {
    STATE_CHUNK = 64 /* tokens: longer chunks gain little more */
};

struct state {
    size_t capacity; /* how many tokens a chunk has at most */
    size_t rows;     /* how many the last one had */

    struct cache *cache; /* of the text that is run; owned */

    float *x;      /* (capacity, hidden_size): what stands for each token, as
                      layer after layer adds to it */
    float *normed; /* (capacity, hidden_size): what a layer reads of it */
    float *out;    /* (capacity, hidden_size): what it adds */

    float *q, *heads; /* (capacity, n_heads, head_dim), of the largest layer */
    float *k, *v;     /* (capacity, n_kv_heads, head_dim), the same */
    float *attention_weights; /* (n_heads, cache->capacity), of one token */
    float *gate, *up;         /* (capacity, intermediate_size) */
    float *logits;            /* (vocab_size,), of one token */

    struct angles *angles; /* (n_ropes,): of each of the model's ropes */
    size_t n_ropes;
};

/* Make room for texts of up to `capacity` tokens, which may run as one chunk.
 * After an error *s holds nothing. */
int state_init(struct state *s, const struct model *m, size_t capacity,
               struct error *e);

/* The same for chunks of at most `chunk` tokens: what is allocated for each
 * row of a chunk does not grow with the text. */
int state_init_chunked(struct state *s, const struct model *m, size_t capacity,
                       size_t chunk, struct error *e);
void state_free(struct state *s);

#endif

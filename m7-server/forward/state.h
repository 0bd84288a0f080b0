/* The state: room for what a forward pass computes on its way, allocated
 * once and used again for every chunk of every text.  What is known of a text
 * is not here: that is its cache. */
#ifndef STATE_H
#define STATE_H

#include "attend.h"
#include "cache_form.h"
#include "error.h"
#include "model.h"
#include "ops.h"

#include <stdbool.h>
#include <stddef.h>

enum state_sizes {
    STATE_CHUNK = 64,    /* tokens: longer chunks gain little more */
    STATE_SCORED = 32,   /* rows that can be scored together */
    STATE_ATTENDING = 16 /* tokens for which a key is read once */
};

/* Whether a pass is to end early. */
typedef bool cancel_function(void *context);

struct state {
    size_t capacity; /* how many tokens a chunk has at most */
    size_t longest;  /* and a text */
    size_t rows;     /* how many the last pass had, of all its texts */
    bool decodes;    /* whether decode read them, and not prefill */
    size_t *positions; /* (capacity,): where each of them stands in its text */

    float *x;      /* (capacity, hidden_size): what stands for each token, as
                      layer after layer adds to it */
    float *normed; /* (capacity, hidden_size): what a layer reads of it */
    float *out;    /* (capacity, hidden_size): what it adds */

    float *q, *heads; /* (capacity, n_heads, head_dim), of the largest layer */
    float *k, *v;     /* (capacity, n_kv_heads, head_dim), the same */
    float *attention_weights; /* (STATE_ATTENDING, n_heads, what it sees) */
    float *gate, *up;         /* (capacity, intermediate_size) */
    float *logits; /* (STATE_SCORED, vocab_size): of as many as were asked
                      for; what is never used takes no memory */

    const struct cache_form *cache_form; /* of caches that live no longer than
                                            a pass; NULL: floats */

    cancel_function *cancelled; /* asked before each chunk; NULL: nobody is */
    void *cancel_context;       /* its first argument */

    struct compute compute; /* with what the arithmetic is done */
    struct attender attender; /* and attention, where kernels do it */
    struct attention_work *works; /* (capacity,): for them, one of each text */
    struct angles *angles; /* (n_ropes,): of each of the model's ropes */
    size_t n_ropes;
};

/* Make room for texts of up to `longest` tokens, which may run as one chunk.
 * After an error *s holds nothing. */
int state_init(struct state *s, const struct model *m, size_t longest,
               struct error *e);

/* The same for chunks of at most `chunk` tokens: what is allocated for each
 * row of a chunk does not grow with the text. */
int state_init_chunked(struct state *s, const struct model *m, size_t longest,
                       size_t chunk, struct error *e);
void state_free(struct state *s);

/* The tokens of a chunk with which the model's kernels read a text fastest. */
size_t state_chunk(const struct model *m);

#endif

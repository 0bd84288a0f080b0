/* Drafts: guesses at the next few tokens, from something cheaper than the
 * model. */
#ifndef DRAFT_H
#define DRAFT_H

#include "buffer.h"
#include "error.h"
#include "kvcache.h"
#include "model.h"
#include "sample.h"
#include "state.h"

#include <stdbool.h>
#include <stddef.h>

/* What is proposed to follow a text. */
struct draft {
    int *ids; /* (n,) */
    size_t n;
    size_t most;          /* how many there is room for */
    bool begins;          /* the text is another than the last time */
    float *probabilities; /* (n, n_vocab): how likely the drafter thought each
                             token in each place; NULL: it was certain */
    size_t n_vocab;
};

/* Room for `most` tokens; of a drafter that is never certain, for its
 * probabilities.  After an error *d holds nothing. */
int draft_init(struct draft *d, size_t most, size_t n_vocab, bool certain,
               struct error *e);
void draft_free(struct draft *d);

/* Propose up to d->most tokens to follow the text; none is an answer, too.  A
 * drafter is asked where the text is the prompt, or later, and then where that
 * has grown: by what was kept of its last draft, and by one token or more.
 * Returns 0, 1 when it was told to end early, or -1 with *e filled in. */
typedef int draft_function(void *context, const struct history *t,
                           struct draft *d, struct error *e);

/* Prompt lookup (Saxena 2023; in transformers, prompt_lookup_num_tokens):
 * where the last three tokens of the text, or two, or the last one, stood
 * before, what followed there the last time may follow again.  No context. */
draft_function draft_by_lookup;

/* A small model with the vocabulary of the large one: `context` is a struct
 * small_model. */
draft_function draft_by_model;

struct small_model {
    const struct model *model;
    const struct ids *non_tokens; /* of both; NULL: none */
    struct state state;
    struct cache cache;
    const struct observer *observer; /* sees all passes; NULL: nobody */
    struct sampler sampler; /* with the large one's settings: the more alike
                               the two choose, the more is kept */
    size_t n_read;          /* tokens of the text that the cache held before
                               the last draft */
};

#endif

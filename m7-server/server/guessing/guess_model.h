/* A small model that guesses for many: it reads the texts that a large one
 * answers, each in a cache of its own, and says how they may go on.
 *
 * It reads them together, a pass for all, as the large one does: what is new
 * of each text, and then a guess of each, as many times as guesses are wanted.
 * A long text that is new to it is read in slices, as there is room.
 *
 * It chooses as the large model is going to: by the request's own sampler, and
 * by the same random numbers, which are put back.  So where both find the same
 * tokens likely, chance falls on the same one. */
#ifndef GUESS_MODEL_H
#define GUESS_MODEL_H

#include "cache_form.h"
#include "error.h"
#include "guard.h"
#include "guess_budget.h"
#include "kvcache.h"
#include "model.h"
#include "sample.h"
#include "state.h"
#include "threads.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

/* Whose texts are guessed; nothing is owned. */
struct guessed_model {
    const char *name; /* for errors: its path */
    const struct model *model;
    const struct tokenizer *tokenizer;
    const struct ids *non_tokens;
    struct threads *threads; /* NULL: plain arithmetic */
    bool keep_packed;
};

/* Somebody's text, and what may come next. */
struct guessed_text {
    size_t place;           /* whose cache is for it */
    const int *ids;         /* (n,): the text */
    size_t n, n_prompt;
    struct sampler *sampler; /* that will choose from what comes next */
    size_t most;  /* guesses that are wanted, above zero */
    int *guesses; /* (n_guesses,): room for so many */
    size_t n_guesses;
};

struct guess_cache {
    struct cache cache;
    bool made;
    size_t n_read;  /* tokens that are of the text, and no guesses */
    size_t touched; /* that it ever held since it was made */
};

/* Lives where guess_model_open filled it in; starts as {0}. */
struct guess_model {
    struct guessed_model large;
    struct model model;
    struct guard guard; /* of its files */
    struct state state;
    const struct cache_form *form;
    size_t capacity; /* of a cache */
    struct guess_cache *caches; /* (n,), one of each place; owned */
    size_t n;
};

/* The tokens (n,) of a large model. */
struct vocabulary {
    const char *name; /* the model's, for errors */
    const struct tokenizer *tokenizer;
    size_t n;
};

/* Fails unless the small model at `path` has the tokens of a large one, each
 * with the same id. */
int guess_check_vocabulary(const char *path, const struct model *small,
                           const struct vocabulary *large, struct error *e);

/* How long a pass of one token takes with the small model, in such passes with
 * the large one, where kernels wait for memory: by the bytes that each reads.
 * Of plain arithmetic nothing is known, and it is 1. */
double guess_pass_ratio(const struct model *small, const struct model *large);

/* Open the small model at `path`.  Fails where an id does not mean the same to
 * both models; the error names both.  After an error guess_model_close is due,
 * too. */
int guess_model_open(struct guess_model *g, const char *path,
                     const struct guessed_model *large, struct error *e);
void guess_model_close(struct guess_model *g);

/* Make room for texts of up to `longest` tokens in so many places, and for
 * passes of `rows`. */
int guess_model_reserve(struct guess_model *g, size_t places, size_t longest,
                        size_t rows, const struct cache_form *form,
                        struct error *e);

/* A text (n,), n > 0, begins in a place: what the cache has of it stays. */
void guess_model_begin(struct guess_model *g, size_t place, const int *ids,
                       size_t n);

/* A place's cache is not to hold more than so many positions: one that has
 * held more is freed. */
void guess_model_limit(struct guess_model *g, size_t place, size_t positions);

/* Guess for texts (n,), n up to STATE_SCORED, in other places each.  Reads up
 * to `room` tokens beside one of each text and the guesses, as far as the
 * purse pays: whose text is not read to its end by that, or is too long for
 * the small model, has no guess. */
void guess_model_propose(struct guess_model *g, struct guess_purse *purse,
                         const struct guess_costs *costs,
                         struct guessed_text *texts, size_t n, size_t room);

#endif

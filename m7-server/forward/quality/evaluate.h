/* Evaluating: a model reads a text, window by window, and each token that the
 * windows score is handed on together with the logits that the model had
 * before it came.  Two models do that side by side, so that their logits can
 * be compared row by row and none has to be kept.
 *
 * A window is read by prefill, in chunks, as a prompt is: each weight that is
 * fetched serves a chunk, 64 tokens.  So is the head, for 32 rows at a time,
 * and only for rows that are scored.  Those logits take STATE_SCORED rows of
 * vocab_size floats for each model: with a vocabulary of 262,144 tokens 32
 * MiB, however long the text is.  Chunks and rows change no bit of them. */
#ifndef EVALUATE_H
#define EVALUATE_H

#include "error.h"
#include "kvcache.h"
#include "model.h"
#include "state.h"
#include "windows.h"

#include <stddef.h>

/* A model, with what it reads a window in. */
struct window_reader {
    const struct model *model;
    struct state state;
    struct cache cache; /* of one window */
};

/* Make room for such windows.  After an error *r holds nothing. */
int window_reader_init(struct window_reader *r, const struct model *m,
                       const struct windows *w, struct error *e);

/* The same with a cache of that form; else it has floats. */
int window_reader_init_form(struct window_reader *r, const struct model *m,
                            const struct windows *w,
                            const struct cache_form *form, struct error *e);
void window_reader_free(struct window_reader *r);

enum evaluate_limits {
    MOST_READERS = 2
};

/* Judge the token `id`, which came where the readers, in their order, had
 * these logits: each (vocab_size,).  Returns 0, or -1 with *e filled in. */
typedef int judge_function(void *context, const float *const *logits, int id,
                           struct error *e);

/* Hear that `done` of `all` tokens are read. */
typedef void evaluate_progress(void *context, size_t done, size_t all);

struct evaluation {
    struct window_reader *readers; /* (n_readers,), of models with the same
                                      vocab_size; not owned */
    size_t n_readers;              /* 1 to MOST_READERS */
    struct windows windows;
    judge_function *judge;
    void *context;               /* its first argument */
    evaluate_progress *progress; /* or NULL */
    void *progress_context;      /* its first argument */
};

/* Read the text ids (n,), each below vocab_size, and have each token judged
 * that is to be scored, in the order of the text.  Fails where a logit is no
 * number, since then no token has a probability; and when the judge does. */
int evaluate(const struct evaluation *v, const int *ids, size_t n,
             struct error *e);

#endif

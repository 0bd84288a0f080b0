/* The guesser: what may come next in each of the texts of a step.
 *
 * A look-up finds it in the text itself (draft.h), at no cost worth counting.
 *
 * Nothing depends on a guess but how long a text takes: who reads it chooses
 * by himself what comes next, and sees afterwards whether it was guessed. */
#ifndef GUESSER_H
#define GUESSER_H

#include "error.h"
#include "guess_budget.h"
#include "model.h"
#include "state.h"
#include "tokenizer.h"

#include <stdbool.h>
#include <stddef.h>

enum guesser_sizes {
    MOST_GUESSES = 16, /* at once, behind a text */
    GUESSING_ROWS = 16 /* of a step that has guesses, unless somebody says how
                          many there are to be: kernels were measured so far */
};

/* Lives where guesser_open filled it in; starts as {0}, which guesses
 * nothing. */
struct guesser {
    bool guesses;
    size_t most; /* at once, behind a text */
    size_t rows; /* of a step that has guesses, at most */
    struct guess_costs costs;
};

/* Who guesses, and how much. */
struct guesser_options {
    const char *draft; /* "ngram" */
    size_t most;       /* whether they pay or not; 0: as long as they pay */
};

/* For the texts of a model.  After an error *g guesses nothing. */
int guesser_open(struct guesser *g, const struct guesser_options *o,
                 const struct model *m, struct error *e);

/* Somebody's text, and what may come next. */
struct guessed_text {
    const int *ids; /* (n,): the text */
    size_t n, n_prompt;
    size_t most;  /* that are wanted, up to the guesser's */
    int *guesses; /* (n_guesses,): room for so many */
    size_t n_guesses;
};

/* Guess for all texts (n,): for each up to as many as it wants; none is an
 * answer, too. */
void guesser_propose(struct guesser *g, struct guessed_text *texts, size_t n);

#endif

/* The guesser: what may come next in each of the texts of a step, and whether
 * it pays to guess.
 *
 * It looks it up in the text itself (draft.h), which costs nothing worth
 * counting, or asks a small model (guess_model.h).
 *
 * Nothing depends on a guess but how long a text takes: who reads it chooses
 * by himself what comes next, and sees afterwards whether it was guessed. */
#ifndef GUESSER_H
#define GUESSER_H

#include "error.h"
#include "guess_budget.h"
#include "guess_model.h"
#include "model.h"
#include "state.h"

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
    struct guess_purse purse;
    bool asks_model; /* else it looks up */
    struct guess_model small;
};

/* Who guesses, and how much. */
struct guesser_options {
    const char *draft; /* a small model's path, or "ngram"; NULL: nobody */
    size_t most;       /* whether they pay or not; 0: as long as they pay */
};

/* For the texts of a model.  After an error *g guesses nothing. */
int guesser_open(struct guesser *g, const struct guesser_options *o,
                 const struct guessed_model *m, struct error *e);
void guesser_close(struct guesser *g);

/* Guess for texts (n,), each in a place of its own: for each up to as many as
 * it wants; none is an answer, too.  The small model reads up to `room` tokens
 * beside what it must: see guess_model.h. */
void guesser_propose(struct guesser *g, struct guessed_text *texts, size_t n,
                     size_t room);

#endif

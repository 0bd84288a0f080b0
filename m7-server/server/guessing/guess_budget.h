/* The budget of guesses: what they have cost and saved, and how many may be
 * made next.
 *
 * All is counted in passes that read one token.  A row more makes a pass
 * longer by `row` of these, so a step of R rows takes
 *
 *     1 + row * (R - 1)
 *
 * and each of its rows has a share of that.  A guess costs a row, and what its
 * drafter computes.  One that is right saves a row of a later step: a whole
 * pass for who is alone, and a share of a step for who is in company.  So the
 * more are served, the less guesses save, and they end by themselves.
 *
 * What may be lost is the share of one step, and 2% of all that a request
 * takes anyway: guesses make a request of 100 tokens or more at most 3%
 * dearer, whatever they are.  Costs are counted, not timed: the same requests
 * in the same steps get the same guesses.
 *
 * A drafter that reads the texts itself does so from a purse, which all
 * requests have together: prompts may be long, and whether it pays to read
 * them shows only in many answers.  There are some passes in it at first; it
 * gets 2% of all that is computed, and what guesses save.  When it is empty,
 * the drafter reads no more, and guesses no more.
 *
 * Pure arithmetic: knows no model, no text and no clock. */
#ifndef GUESS_BUDGET_H
#define GUESS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/* In passes of one token. */
struct guess_costs {
    double row;   /* a row more in a pass */
    double draft; /* what the drafter computes for a guess */
    double late;  /* a token that it must read, and did not guess */
    bool ignored; /* somebody has said how many guesses to make: it is not
                     asked whether they pay */
};

/* Of a request.  Starts as {0}. */
struct guess_budget {
    double allowed; /* may be lost, beside what was saved */
    double saved;   /* by guesses, less what they have cost */
};

/* What a row takes of a step of so many rows; rows > 0. */
double guess_share(const struct guess_costs *c, size_t rows);

/* A step comes, of which the request has a share. */
void guess_budget_step(struct guess_budget *b, double share);

/* How many guesses may be made, at most `most`. */
size_t guess_budget_count(const struct guess_budget *b,
                          const struct guess_costs *c, size_t most);

/* So many guesses are made. */
void guess_budget_pay(struct guess_budget *b, const struct guess_costs *c,
                      size_t guesses);

/* So many were right, in a step that came with this share. */
void guess_budget_save(struct guess_budget *b, double share, size_t right);

/* What drafters may read.  Starts as guess_purse_full. */
struct guess_purse {
    double left; /* passes */
};

extern const struct guess_purse guess_purse_full;

/* A step of so many rows, with a share for each. */
void guess_purse_step(struct guess_purse *p, double share, size_t rows);

/* In that step guesses were made, and some were right. */
void guess_purse_add(struct guess_purse *p, const struct guess_costs *c,
                     double share, size_t guesses, size_t right);

/* Whether so many tokens may be read; and so many are. */
bool guess_purse_pays(const struct guess_purse *p,
                      const struct guess_costs *c, size_t tokens);
void guess_purse_read(struct guess_purse *p, const struct guess_costs *c,
                      size_t tokens);

#endif

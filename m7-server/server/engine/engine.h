/* The engine: what rung.h's struct rung_model is, and the thread that runs it.
 *
 * Everybody may submit; one thread, the engine's, does all the work.  They
 * meet in what stands under `lock`: nothing else of a model changes while more
 * than one thread may look at it.  The lock is never held while the model
 * computes or a callback runs. */
#ifndef ENGINE_H
#define ENGINE_H

#include "guard.h"
#include "guesser.h"
#include "model.h"
#include "pooling.h"
#include "rung.h"
#include "schedule.h"
#include "slots.h"
#include "spans.h"
#include "state.h"
#include "threads.h"
#include "ticket.h"
#include "timeline.h"
#include "tokenizer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step as it is computed: shares (n,), spans (n,), rows (n_rows,). */
struct engine_step {
    struct schedule_share shares[STATE_SCORED];
    struct span spans[STATE_SCORED];
    size_t n;
    size_t rows[STATE_SCORED];              /* whose logits are wanted, */
    size_t says[STATE_SCORED];              /* and in which share */
    size_t n_rows;
    int guessed[STATE_SCORED][1 + MOST_GUESSES]; /* of shares with guesses: the
                                                    last token, and they */
    size_t n_sure;    /* rows without guesses, */
    double row_share; /* and of a step of these, a row's part */
    double drafting;  /* seconds, before: */
    double from, end; /* seconds of the clock */
};

struct rung_model {
    /* These stay as they are once the model is open. */
    struct rung_facts facts;
    char *path, *folder, *name; /* of the facts */
    struct model model;
    struct tokenizer *tokenizer;
    struct ids non_tokens;
    struct guard guard;
    struct threads *threads;
    struct pooling pooling;
    struct rung_sampling advised;
    double opened; /* seconds of the clock */

    /* These are the engine's thread's. */
    pthread_t thread;
    bool runs; /* the thread is there */
    struct state state;
    struct slots slots;
    struct guesser guesser;
    struct engine_step step;

    pthread_mutex_t lock;
    pthread_cond_t work; /* there is some: a job has come, or `closing` */

    /* These are under the lock. */
    struct schedule schedule; /* of tickets; room for them is the engine's */
    bool closing;
    uint64_t numbers; /* that were given to requests */
    struct rung_stats stats;
    struct timeline timeline;
};

/* Start the engine's thread, and end it: whoever is there is cancelled. */
int engine_start(struct rung_model *m, struct error *e);
void engine_stop(struct rung_model *m);

/* Seconds of a clock that nobody sets. */
double engine_clock(void);

/* --- for the engine's thread --------------------------------------------- */

/* A ticket leaves: its place is free, then its client is told. */
void engine_end(struct rung_model *m, struct rung_ticket *t,
                enum rung_reason reason);
void engine_fail(struct rung_model *m, struct rung_ticket *t,
                 const struct error *e);

/* Tell who asks for it how likely the tokens of his prompt were: those that
 * come after the rows from .. from + n - 1 of the pass.  The logits of a step
 * are computed afterwards. */
void engine_judge_prompt(struct rung_model *m, struct rung_ticket *t,
                         size_t from, size_t n);

/* Choose what comes after row `row` of the scored ones, and let the client
 * have it.  *id is the guess at it, or -1, and then what was chosen.  Returns
 * whether the ticket goes on: else it has ended with this. */
bool engine_choose(struct rung_model *m, struct rung_ticket *t, size_t row,
                   int *id);

/* A ticket that has got its slot may have guesses from now on. */
void engine_begin_guesses(struct rung_model *m, const struct rung_ticket *t);

/* Let shares of the planned step have guesses, where they pay: under the
 * lock.  Then guess, without it. */
void engine_grant(struct rung_model *m);
void engine_guess(struct rung_model *m);

/* The step is done: count its guesses, and the time that they took of it,
 * under the lock. */
void engine_count_guesses(struct rung_model *m);

/* The answer to share i of the step, whose scored rows begin with `row`: the
 * token behind its text, and as long as guesses were right, those behind
 * them. */
void engine_answer(struct rung_model *m, size_t i, size_t row);

/* Take into the ticket's vector the rows from .. from + n - 1 of the pass,
 * which are the tokens at, at + 1 ... of its text; with the last one the
 * ticket ends. */
void engine_pool(struct rung_model *m, struct rung_ticket *t, size_t from,
                 size_t n, size_t at);

#endif

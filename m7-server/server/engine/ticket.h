/* A ticket: a request on its way, with all that belongs to it alone.
 *
 * Two own it: who submitted it, and the engine until it has ended.  What is
 * under `lock` both may look at; the rest is the engine's. */
#ifndef TICKET_H
#define TICKET_H

#include "buffer.h"
#include "guess_budget.h"
#include "penalties.h"
#include "reply.h"
#include "rung.h"
#include "sample.h"
#include "slots.h"
#include "tokenizer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rung_ticket {
    uint64_t number;
    struct rung_request asked; /* its lists are copies: */
    struct ids ids;      /* the prompt, and what was chosen since; owned */
    struct bias *biases; /* (asked.sampling.n_biases,); owned */
    char *stop_text;     /* of all stop strings; owned */
    const char **stops;  /* (asked.n_stops,): in it; owned */
    struct ids ends;     /* owned */

    bool started; /* it has got a place, and what is below */
    struct slot *slot;
    struct sampler sampler;
    struct guess_budget budget; /* of guesses at its tokens */
    struct reply reply;
    struct bytes text;       /* that is certain, of one token */
    struct logprob *top;     /* (asked.top_logprobs,); owned */
    struct rung_choice *choices; /* the same, as they are told; owned */
    float *vector;           /* (width,): what is pooled so far; owned */
    double submitted, placed, first; /* seconds of the clock */

    atomic_bool cancelled;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool ended;                /* under lock */
    int owners;                /* the same */
    struct rung_result result; /* the engine's until then */
};

/* A copy of what is asked, with two owners, or NULL. */
struct rung_ticket *ticket_new(const struct rung_request *r, struct error *e);

/* What it needs to choose tokens of n_vocab, or to pool a vector (width,). */
int ticket_start(struct rung_ticket *t, const struct tokenizer *tokenizer,
                 size_t n_vocab, size_t width, struct error *e);

/* The engine is done with it, for a reason: its result, with what was held
 * back of its text.  `now` in seconds of the clock.  Returns the reason, which
 * is RUNG_FAILED where there was no memory for that. */
enum rung_reason ticket_finish(struct rung_ticket *t, enum rung_reason reason,
                               double now);

/* Tell the result, and give up one ownership. */
void ticket_end(struct rung_ticket *t);

/* Give up one ownership: with the last it is freed. */
void ticket_drop(struct rung_ticket *t);

#endif

/* The schedule: who reads how many tokens in the next step.
 *
 * A step is one pass through the model, which reads at most so many rows.  A
 * job has a prompt of n tokens to read, and then gets new tokens, at most k:
 * the first when its prompt is read, each other one when the one before is.
 *
 * Jobs come into a queue, and from there, in the order in which they came,
 * to a place, as soon as one is free and the caches have room for all that
 * the job may come to need.  Who has a place has a share of every step:
 *
 *   - who has read its prompt reads its last token: one row;
 *   - the other rows are shared equally among those who have not; what one of
 *     them does not need is for the others, who came first before who came
 *     later.
 *
 * So nothing long stands before anything short.  With f = rows / places:
 *
 *   - a share of a prompt is at least f tokens, or all that is left of it;
 *   - a job with a place ends after at most ceil(n / f) + k - 1 steps;
 *   - who waits for one does so for no more steps than all who came before
 *     would take, if each were alone with shares of f: schedule_backlog;
 *   - a new token comes in every step.
 *
 * What is over then, guesses may have: who has read its prompt reads behind
 * its last token some more that may come next.  They take no row from a prompt
 * or from anybody's last token, so all that is promised above holds with them.
 *
 * Pure policy: knows no model, no threads and no clock. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct schedule_limits {
    size_t rows;      /* that a step reads at most; no fewer than places */
    size_t places;    /* jobs that run at once; at least one */
    size_t queue;     /* jobs besides */
    size_t positions; /* in the caches of all who run */
    size_t guessing;  /* rows of a step that has guesses, at most; zero: none
                         has */
};

struct schedule_job {
    void *job;        /* who it is; not looked at */
    size_t positions; /* that it may come to need in a cache: none for its
                         last new token, which nobody reads */
    size_t unread;    /* tokens: of its prompt, or else its last one */
    size_t more;      /* new tokens that may still come */
    bool decodes;     /* its prompt is read */
};

struct schedule {
    struct schedule_limits limits;
    struct schedule_job *jobs; /* (n,), in the order in which they came; owned.
                                  The first n_running have a place */
    size_t n, n_running;
    size_t positions; /* of those */
};

/* What a job reads in a step. */
struct schedule_share {
    void *job;
    size_t n;     /* tokens, above zero */
    bool decodes; /* it is the last token, and not a part of the prompt */
    size_t guesses; /* of the n: behind that one, what nobody has chosen */
};

enum schedule_answer {
    SCHEDULE_ACCEPTED,
    SCHEDULE_FULL,    /* no room in the queue: ask again later */
    SCHEDULE_TOO_LONG /* more positions than there are */
};

/* Fails when the limits contradict each other.  After an error *s holds
 * nothing. */
int schedule_init(struct schedule *s, const struct schedule_limits *l,
                  struct error *e);
void schedule_free(struct schedule *s);

/* A job comes: with a prompt of n tokens, n above zero, and at most k new
 * ones, k above zero. */
enum schedule_answer schedule_add(struct schedule *s, void *job, size_t n,
                                  size_t k);

/* Give the first who waits a place, if there is one for it.  Returns the job,
 * or NULL. */
void *schedule_admit(struct schedule *s);

/* A job that has got a place, and has read nothing yet, finds the first `held`
 * tokens of its prompt, but not all of it, in a cache that takes up
 * `positions` whatever it will need. */
void schedule_found(struct schedule *s, const void *job, size_t held,
                    size_t positions);

/* The next step: shares (limits.places,), which together have at most
 * limits.rows tokens, in the order in which jobs came.  Returns how many there
 * are: one for each who has a place. */
size_t schedule_plan(const struct schedule *s, struct schedule_share *shares);

/* Share what such a step has left among those who have read their prompts:
 * each of the shares (n,) gets up to wanted (n,) guesses, in turns, and none
 * that would be its last new token or come behind that. */
void schedule_guess(const struct schedule *s, const size_t *wanted,
                    struct schedule_share *shares, size_t n);

/* The step is done: who has read all of its tokens has a new one. */
void schedule_done(struct schedule *s, const struct schedule_share *shares,
                   size_t n);

/* A job whose step is done has so many more: guesses that were right. */
void schedule_guessed(struct schedule *s, const void *job, size_t right);

/* A job has ended, or is not wanted any more, wherever it is: between two
 * steps.  Returns whether it was there. */
bool schedule_end(struct schedule *s, const void *job);

/* How many steps a job that came now would wait for a place at most. */
size_t schedule_backlog(const struct schedule *s);

/* How many steps a job takes at most, once it has a place. */
size_t schedule_steps(const struct schedule_limits *l, size_t n, size_t k);

#endif

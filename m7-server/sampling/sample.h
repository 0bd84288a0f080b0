/* Sampling: a logit for every token becomes the choice of one.
 *
 * The logits pass a chain of steps; each does nothing unless it is asked for:
 *
 *     repetition, presence and frequency penalties
 *     biases, forbidden tokens
 *     temperature
 *     top-k, top-p, min-p, typical-p
 *
 * and one of the tokens that are left is drawn.  The order is that of
 * transformers (generation/utils.py, _get_logits_processor), which knows no
 * presence and no frequency, and has biases before repetition: here a bias is
 * what it says, whatever was said before.  Knows no text, only ids. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "choices.h"
#include "cpu.h"
#include "error.h"
#include "observe.h"
#include "penalties.h"
#include "random.h"

#include <stddef.h>
#include <stdint.h>

/* Says which tokens must not come next after a text, as a grammar would: sets
 * their logits (n_vocab,) to -INFINITY, and touches no other. */
typedef void forbid_function(void *context, const struct history *h,
                             float *logits, size_t n_vocab);

/* How to choose.  The value behind each name leaves everything as it is; start
 * from `no_sampling`, which has these values. */
struct sampling {
    float repetition;          /* 1 */
    float presence, frequency; /* 0 */
    const struct bias *biases; /* (n_biases,), not owned */
    size_t n_biases;           /* 0 */
    forbid_function *forbid;   /* NULL */
    void *forbid_context;      /* its first argument */

    float temperature; /* 1; at 0 the highest logit wins, without chance */
    size_t top_k;      /* 0 */
    double top_p;      /* 1 */
    float min_p;       /* 0 */
    double typical_p;  /* 1 */
};

extern const struct sampling no_sampling;

/* What one request needs: its settings and its own stream of random numbers.
 */
struct sampler {
    struct sampling how;
    struct random random;
    struct choices choices;
    const struct history *history; /* during a call */
    float best;                    /* the largest logit that is left */
    int *counts;                   /* (n_vocab,), zero between calls */
    float *probabilities;          /* (n_vocab,) */
};

/* Start a sampler over n_vocab tokens, each bias among them, with stream
 * `stream` of the seed.  After an error *s holds nothing. */
int sampler_init(struct sampler *s, const struct sampling *how, size_t n_vocab,
                 uint64_t seed, uint64_t stream, struct error *e);
void sampler_free(struct sampler *s);

/* From now on exponentials are computed by this set's kernels, whose bits are
 * the same on every machine.  NULL: by the C library. */
void sampler_use(struct sampler *s, const struct cpu_set *set);

/* The id of the token to go on with after the text; -1 when all are forbidden,
 * or when penalties have driven a logit out of bounds.  logits (n_vocab,) are
 * the model's, each a number or -infinity, and are not changed.  Takes one
 * random number, whatever is left to choose from; none at temperature 0. */
int sampler_choose(struct sampler *s, const float *logits,
                   const struct history *h, struct error *e);

/* How likely each token is after all steps: (n_vocab,), which stays valid
 * until the next call; NULL on error.  Takes no random number.  Shows the
 * probabilities (1, n_vocab) first as the model gives them, "model", and
 * then after each step that does something, by its name. */
const float *sampler_probabilities(struct sampler *s, const float *logits,
                                   const struct history *h,
                                   const struct observer *o, struct error *e);

/* One of the tokens, by the probabilities that were asked for last.  Takes one
 * random number; none at temperature 0. */
int sampler_draw(struct sampler *s);

#endif

/* What a request says of the text to be made: how much, how chosen, how many
 * times, and how it is sent.  Chat and completions share it. */
#ifndef GENERATION_REQUEST_H
#define GENERATION_REQUEST_H

#include "parameters.h"
#include "rung.h"

#include <stdint.h>

enum generation_limits {
    MOST_CHOICES = 16,  /* n */
    MOST_STOPS = 16,    /* OpenAI's API takes 4; each of RUNG_STOP_BYTES */
    MOST_BIASES = 1024, /* in logit_bias */
    MOST_LOGPROBS = 20  /* likeliest tokens beside each token */
};

/* Strings belong to the body, where nothing else is said.  Must be the first
 * field of a request, so that the table below serves each. */
struct generation_request {
    const char *model; /* NULL: not said */
    size_t max_tokens; /* SIZE_MAX: as many as there is room for */
    size_t n;
    bool stream, include_usage;

    char *stops[MOST_STOPS]; /* (n_stops,), none empty; owned */
    size_t n_stops;

    bool seeded; /* how.seed was said; else chance begins wherever it likes */
    struct rung_sampling how;
    struct rung_bias *biases; /* (how.n_biases,), those of `how`; owned */

    bool logprobs;
    size_t top_logprobs;

    size_t max_completion_tokens; /* while reading */
    json_t *said_options;
};

/* What both take; and the same for other requests, which refuse it. */
extern const struct parameter_table generation_parameters,
    generation_parameters_elsewhere;

/* The values of what is not said, as OpenAI's API has them. */
void generation_start(struct generation_request *g);

/* Do the values agree with each other? */
int generation_check(struct generation_request *g, const struct node *body,
                     struct bytes *unknown, struct api_error *a);

/* Fail when logit_bias names an id that is no token of the model. */
int generation_check_biases(const struct generation_request *g, size_t n_vocab,
                            struct api_error *a);
void generation_free(struct generation_request *g);

#endif

/* A batch for the picture of the timeline: six requests, which come and leave
 * while the first of them is being answered, and what the engine's steps have
 * read of each.
 *
 * The others come, and one leaves, when the first gets a certain token: by its
 * callback, and so between the same two steps in every run.  How long prompts
 * and answers are is said beforehand, whatever the model would have to say.
 * So the steps are the same on every machine, however fast it is. */
#ifndef TIMELINE_RUN_H
#define TIMELINE_RUN_H

#include "error.h"
#include "options.h"
#include "rung.h"

#include <stddef.h>
#include <stdint.h>

enum timeline_run_sizes {
    TIMELINE_REQUESTS = 6,
    TIMELINE_PLACES = 4, /* requests that are answered at once */
    TIMELINE_ROWS = 16,  /* tokens that a step reads at most */
    TIMELINE_MOST = 1024 /* parts of steps */
};

/* One of the requests, as it is planned. */
struct timeline_request {
    size_t prompt, answer; /* tokens */
    size_t comes, leaves;  /* when the first has so many new tokens: 0: at the
                              beginning, and never */
};

extern const struct timeline_request timeline_requests[TIMELINE_REQUESTS];

/* What became of them.  Requests have the numbers 1 ... by their order in the
 * table. */
struct timeline_run {
    struct rung_part parts[TIMELINE_MOST]; /* (n,), by their steps */
    size_t n;
    uint64_t came[TIMELINE_REQUESTS]; /* behind which step; 0: before all */
};

/* Run the batch on the model that s names. */
int timeline_run(struct timeline_run *r, const struct settings *s,
                 struct error *e);

#endif

/* The log: a line of JSON for each request, with times, counts and memory, and
 * no word of what was asked or answered.
 *
 * What happened comes from two sides: who answers a request notes what it
 * cost, and http tells of the end.  A note waits for the end of its request;
 * of one that has ended before, as its client left, nothing is kept. */
#ifndef REQUEST_LOG_H
#define REQUEST_LOG_H

#include "answering.h"
#include "http.h"

struct request_log;

/* Lines go to `write`.  NULL without memory. */
struct request_log *
request_log_new(void (*write)(void *context, const char *line), void *context);
void request_log_free(struct request_log *l);

/* The request `id` has begun: it may be noted what it costs, until it ends. */
void request_log_begin(struct request_log *l, const char *id);

/* The request `id` has cost this. */
void request_log_note(struct request_log *l, const char *id, const char *model,
                      const struct answering_figures *figures);

/* A request has ended: write its line. */
void request_log_end(struct request_log *l, const struct http_outcome *o);

#endif

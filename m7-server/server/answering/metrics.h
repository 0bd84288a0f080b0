/* What happened, in numbers: for GET /metrics, in the text form that
 * Prometheus reads (Prometheus documentation, "Exposition formats").
 *
 * Numbers of the engine are asked of it when they are wanted; these are those
 * that only the server sees.  Threads may add at any time. */
#ifndef METRICS_H
#define METRICS_H

#include "buffer.h"
#include "rung.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum metrics_sizes {
    LATENCY_BOUNDS = 14 /* of buckets; one more is without */
};

/* Seconds of a clock that only goes forward. */
double latency_clock(void);

/* How many durations were how long; and all of them together. */
struct latencies {
    atomic_uint_fast64_t buckets[LATENCY_BOUNDS + 1];
    atomic_uint_fast64_t nanoseconds;
};

void latencies_add(struct latencies *l, double seconds);

/* Of one model. */
struct model_metrics {
    struct latencies first_token; /* from the request to its first token */
    struct latencies next_token;  /* from one token to the next */
    atomic_uint_fast64_t new_tokens;
    atomic_uint_fast64_t prefill_tokens, prefill_nanoseconds;
    atomic_uint_fast64_t decode_tokens, decode_nanoseconds;
};

/* A request of a model has ended. */
void metrics_add_result(struct model_metrics *m, const struct rung_result *r);

/* Requests by the hundreds of their status: [2] counts 200 to 299. */
struct http_metrics {
    atomic_uint_fast64_t requests[6]; /* [0]: cut off before there was one */
};

void metrics_add_status(struct http_metrics *m, int status);

/* Memory of the process, with what it maps; 0 where nobody says. */
size_t metrics_resident_bytes(void);

/* A model to be told about. */
struct metrics_model {
    const char *name;
    struct rung_stats stats;
    struct model_metrics *metrics;
    size_t weight_bytes;
};

/* Append all of them: models (n,). */
void metrics_write(struct http_metrics *http,
                   const struct metrics_model *models, size_t n,
                   struct bytes *out);

#endif

/* Numbers for Prometheus: see metrics.h. */
#include "metrics.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds: from a token of a small model to the prompt of a large one. */
static const double bounds[LATENCY_BOUNDS] = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25,  0.5,    1,     2.5,  5,     10,   30};

double latency_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t nanoseconds_of(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
}

void latencies_add(struct latencies *l, double seconds)
{
    size_t i = 0;
    while (i < LATENCY_BOUNDS && seconds > bounds[i])
        i++;
    atomic_fetch_add(&l->buckets[i], 1);
    atomic_fetch_add(&l->nanoseconds, nanoseconds_of(seconds));
}

void metrics_add_result(struct model_metrics *m, const struct rung_result *r)
{
    size_t computed = r->prompt_tokens - r->cached_tokens;
    atomic_fetch_add(&m->new_tokens, r->new_tokens);
    if (r->new_tokens > 0 || r->vector) {
        atomic_fetch_add(&m->prefill_tokens, computed);
        atomic_fetch_add(&m->prefill_nanoseconds, nanoseconds_of(r->prefill));
    }
    if (r->new_tokens > 1) {
        atomic_fetch_add(&m->decode_tokens, r->new_tokens - 1);
        atomic_fetch_add(&m->decode_nanoseconds, nanoseconds_of(r->decode));
    }
}

void metrics_add_status(struct http_metrics *m, int status)
{
    bool known = status >= 100 && status < 600;
    atomic_fetch_add(&m->requests[known ? status / 100 : 0], 1);
}

/* --- the text ------------------------------------------------------------ */

static void add_formatted(struct bytes *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_formatted(struct bytes *out, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    bytes_add_string(out, line);
}

/* The two lines before a metric's values. */
static void add_head(struct bytes *out, const char *name, const char *type,
                     const char *help)
{
    bytes_add_string(out, "# HELP ");
    bytes_add_string(out, name);
    bytes_add_string(out, " ");
    bytes_add_string(out, help);
    add_formatted(out, "\n# TYPE %s %s\n", name, type);
}

/* A label's value: quotes, backslashes and newlines are escaped. */
static void add_label(struct bytes *out, const char *value)
{
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\')
            bytes_add(out, "\\", 1);
        bytes_add(out, *c == '\n' ? "\\n" : c, *c == '\n' ? 2 : 1);
    }
}

/* name{model="..."} without what follows. */
static void add_name(struct bytes *out, const char *name, const char *model)
{
    bytes_add_string(out, name);
    bytes_add_string(out, "{model=\"");
    add_label(out, model);
    bytes_add_string(out, "\"");
}

/* A number of a model. */
typedef double metric_value(const struct metrics_model *m);

static double mean_rate(uint64_t tokens, uint64_t nanoseconds)
{
    return nanoseconds ? (double)tokens * 1e9 / (double)nanoseconds : 0;
}

static double running(const struct metrics_model *m)
{
    return (double)m->stats.running;
}

static double queued(const struct metrics_model *m)
{
    return (double)m->stats.queued;
}

static double accepted(const struct metrics_model *m)
{
    return (double)m->stats.accepted;
}

static double refused(const struct metrics_model *m)
{
    return (double)m->stats.refused;
}

static double prompt_tokens(const struct metrics_model *m)
{
    return (double)m->stats.prompt_tokens;
}

static double cached_tokens(const struct metrics_model *m)
{
    return (double)m->stats.cached_tokens;
}

static double new_tokens(const struct metrics_model *m)
{
    return (double)atomic_load(&m->metrics->new_tokens);
}

static double prefill_rate(const struct metrics_model *m)
{
    return mean_rate(atomic_load(&m->metrics->prefill_tokens),
                     atomic_load(&m->metrics->prefill_nanoseconds));
}

static double decode_rate(const struct metrics_model *m)
{
    return mean_rate(atomic_load(&m->metrics->decode_tokens),
                     atomic_load(&m->metrics->decode_nanoseconds));
}

static double cache_hits(const struct metrics_model *m)
{
    return (double)m->stats.cache_hits;
}

static double cache_tokens(const struct metrics_model *m)
{
    return (double)m->stats.cache_tokens_used;
}

static double cache_room(const struct metrics_model *m)
{
    return (double)m->stats.cache_tokens;
}

static double bytes_in_caches(const struct metrics_model *m)
{
    return (double)m->stats.cache_bytes_used;
}

static double bytes_of_weights(const struct metrics_model *m)
{
    return (double)m->weight_bytes;
}

static double draft_tokens(const struct metrics_model *m)
{
    return (double)m->stats.draft_tokens;
}

static double accepted_tokens(const struct metrics_model *m)
{
    return (double)m->stats.accepted_tokens;
}

static double drafting(const struct metrics_model *m)
{
    return m->stats.draft;
}

static double verifying(const struct metrics_model *m)
{
    return m->stats.verify;
}

static double steps(const struct metrics_model *m)
{
    return (double)m->stats.steps;
}

static double busy(const struct metrics_model *m)
{
    return m->stats.busy;
}

struct metric {
    const char *name, *type, *help;
    metric_value *value;
};

static const struct metric metrics[] = {
    {"rung_requests_running", "gauge", "Requests that are being answered.",
     running},
    {"rung_requests_queued", "gauge", "Requests that wait for a place.",
     queued},
    {"rung_requests_accepted_total", "counter", "Requests that came.",
     accepted},
    {"rung_requests_refused_total", "counter",
     "Requests for which the queue was full.", refused},
    {"rung_prompt_tokens_total", "counter", "Tokens of prompts.",
     prompt_tokens},
    {"rung_cached_tokens_total", "counter",
     "Tokens of prompts that a cache had.", cached_tokens},
    {"rung_new_tokens_total", "counter", "Tokens of answers.", new_tokens},
    {"rung_prefill_tokens_per_second", "gauge",
     "How fast a request's prompt was read, on average.", prefill_rate},
    {"rung_decode_tokens_per_second", "gauge",
     "How fast a request's answer came, on average.", decode_rate},
    {"rung_cache_hits_total", "counter",
     "Requests of whose prompt a cache had a part.", cache_hits},
    {"rung_cache_tokens", "gauge", "Tokens that caches hold or keep room for.",
     cache_tokens},
    {"rung_cache_tokens_limit", "gauge", "Tokens that caches have room for.",
     cache_room},
    {"rung_cache_bytes", "gauge", "Memory of those tokens.", bytes_in_caches},
    {"rung_weight_bytes", "gauge", "Bytes of the model's files.",
     bytes_of_weights},
    {"rung_draft_tokens_total", "counter", "Guesses at tokens of answers.",
     draft_tokens},
    {"rung_draft_tokens_accepted_total", "counter", "Guesses that were right.",
     accepted_tokens},
    {"rung_steps_total", "counter", "Passes through the model.", steps},
    {"rung_step_seconds_total", "counter", "Time that they took.", busy},
    {"rung_draft_seconds_total", "counter", "Of that, for making guesses.",
     drafting},
    {"rung_verify_seconds_total", "counter",
     "Of that, in passes that read guesses.", verifying},
};

static void write_metric(const struct metric *metric,
                         const struct metrics_model *models, size_t n,
                         struct bytes *out)
{
    add_head(out, metric->name, metric->type, metric->help);
    for (size_t i = 0; i < n; i++) {
        add_name(out, metric->name, models[i].name);
        add_formatted(out, "} %.12g\n", metric->value(&models[i]));
    }
}

/* Each bucket counts all that are no longer than its bound. */
static void write_latencies(const char *name, const char *model,
                            struct latencies *l, struct bytes *out)
{
    char full[64];
    uint64_t sum = 0;
    snprintf(full, sizeof full, "%s_bucket", name);
    for (size_t i = 0; i <= LATENCY_BOUNDS; i++) {
        sum += atomic_load(&l->buckets[i]);
        add_name(out, full, model);
        if (i < LATENCY_BOUNDS)
            add_formatted(out, ",le=\"%g\"} %" PRIu64 "\n", bounds[i], sum);
        else
            add_formatted(out, ",le=\"+Inf\"} %" PRIu64 "\n", sum);
    }
    snprintf(full, sizeof full, "%s_sum", name);
    add_name(out, full, model);
    add_formatted(out, "} %.9g\n",
                  1e-9 * (double)atomic_load(&l->nanoseconds));
    snprintf(full, sizeof full, "%s_count", name);
    add_name(out, full, model);
    add_formatted(out, "} %" PRIu64 "\n", sum);
}

static void write_all_latencies(const struct metrics_model *models, size_t n,
                                struct bytes *out)
{
    static const char first[] = "rung_time_to_first_token_seconds";
    static const char next[] = "rung_time_between_tokens_seconds";
    add_head(out, first, "histogram", "From a request to its first token.");
    for (size_t i = 0; i < n; i++)
        write_latencies(first, models[i].name, &models[i].metrics->first_token,
                        out);
    add_head(out, next, "histogram", "From one token of a text to the next.");
    for (size_t i = 0; i < n; i++)
        write_latencies(next, models[i].name, &models[i].metrics->next_token,
                        out);
}

/* Linux says how many pages of a process are in memory; others are silent. */
size_t metrics_resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long all = 0, resident = 0;
    bool told = f && fscanf(f, "%ld %ld", &all, &resident) == 2;
    if (f)
        fclose(f);
    return told ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static void write_memory(struct bytes *out)
{
    size_t resident = metrics_resident_bytes();
    if (resident == 0)
        return;
    add_head(out, "rung_resident_bytes", "gauge",
             "Memory of the process, with what it maps.");
    add_formatted(out, "rung_resident_bytes %zu\n", resident);
}

void metrics_write(struct http_metrics *http,
                   const struct metrics_model *models, size_t n,
                   struct bytes *out)
{
    static const char name[] = "rung_http_requests_total";
    add_head(out, name, "counter", "Requests by their status.");
    for (size_t i = 1; i < 6; i++)
        add_formatted(out, "%s{status=\"%zuxx\"} %" PRIu64 "\n", name, i,
                      (uint64_t)atomic_load(&http->requests[i]));
    add_formatted(out, "%s{status=\"none\"} %" PRIu64 "\n", name,
                  (uint64_t)atomic_load(&http->requests[0]));
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        write_metric(&metrics[i], models, n, out);
    write_all_latencies(models, n, out);
    write_memory(out);
}

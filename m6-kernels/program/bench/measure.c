/* Measuring: see measure.h. */
#include "measure.h"

#include "forward.h"
#include "kvcache.h"
#include "sizes.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench_run {
    struct model *model;
    struct state state;
    struct cache cache;
    int *ids; /* (longest,) */
};

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double seconds_worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The logits of the last `n` rows that were read, at most STATE_SCORED. */
static void score_last(struct bench_run *r, size_t n)
{
    size_t rows[STATE_SCORED];
    n = smaller_size(smaller_size(n, r->state.rows), STATE_SCORED);
    for (size_t i = 0; i < n; i++)
        rows[i] = r->state.rows - n + i;
    logits_of_rows(r->model, &r->state, rows, n, NULL);
}

/* Let the cache hold `depth` tokens. */
static int go_to_depth(struct bench_run *r, size_t depth)
{
    struct cache *c = &r->cache;
    size_t length = cache_truncate(c, depth);
    if (length == depth)
        return 0;
    return prefill(r->model, &r->state, c, r->ids + length, depth - length,
                   NULL);
}

/* Prefill is followed by the logits of its last token, a batch by those of
 * all of its tokens. */
static void compute_case(struct bench_run *r, const struct measured *c,
                        size_t tokens)
{
    size_t step = c->batch ? c->batch : tokens;
    for (size_t done = 0; done < tokens; done += step) {
        const int *ids = r->ids + c->depth + done;
        if (step == 1)
            decode(r->model, &r->state, &r->cache, *ids, NULL);
        else
            prefill(r->model, &r->state, &r->cache, ids, step, NULL);
        score_last(r, c->batch ? c->batch : 1);
    }
}

static double time_tokens(struct bench_run *r, const struct measured *c,
                          size_t tokens, double *worked)
{
    go_to_depth(r, c->depth);
    double begin = seconds_now(), before = seconds_worked();
    compute_case(r, c, tokens);
    *worked = seconds_worked() - before;
    return seconds_now() - begin;
}

void measure_case(struct bench_run *r, struct measured *c, size_t round)
{
    c->least[round] =
        time_tokens(r, c, measured_least(c), &c->worked_least);
    c->whole[round] = time_tokens(r, c, c->tokens, &c->worked_whole);
}

static int prepare_run(struct bench_run *r, const struct cache_form *form,
                       size_t longest, struct error *e)
{
    const struct model *m = r->model;
    r->ids = calloc(longest, sizeof *r->ids);
    if (!r->ids)
        return fail_memory(e, "the tokens");
    for (size_t i = 0; i < longest; i++)
        r->ids[i] = (int)(i % smaller_size(m->config.vocab_size, 1000));
    if (state_init_chunked(&r->state, m, longest, state_chunk(m), e))
        return -1;
    return cache_init_form(&r->cache, m, form, longest, state_chunk(m), e);
}

int bench_run_open(struct bench_run **out, struct model *m,
                   const struct cache_form *form, size_t longest,
                   struct error *e)
{
    *out = NULL;
    if (longest > m->max_positions)
        return fail(e, ERROR_USAGE, "the model can hold %zu tokens, not %zu",
                    m->max_positions, longest);
    struct bench_run *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory(e, "measuring");
    r->model = m;
    if (prepare_run(r, form, longest, e)) {
        bench_run_close(r);
        return -1;
    }
    *out = r;
    return 0;
}

void bench_run_close(struct bench_run *r)
{
    if (!r)
        return;
    cache_free(&r->cache);
    state_free(&r->state);
    free(r->ids);
    free(r);
}

size_t bench_position_bytes(const struct bench_run *r)
{
    return cache_position_bytes(&r->cache);
}

size_t model_packed_bytes(const struct model *m)
{
    size_t bytes = 0;
    for (size_t i = 0; i < m->n_packed; i++)
        bytes += packed_panels(&m->packed[i]) * m->packed[i].panel_bytes;
    return bytes;
}

/* Round 0 warms up, and round 1 takes its place. */
static void measure_rounds(struct measuring *m, struct bench_run *r)
{
    for (size_t round = 0; round <= m->rounds; round++)
        for (size_t i = 0; i < m->n; i++) {
            measure_case(r, &m->cases[i], round > 0 ? round - 1 : 0);
            if (m->progress)
                m->progress(m->context, round * m->n + i + 1,
                            (m->rounds + 1) * m->n);
        }
}

int measure_all(struct measuring *m, struct error *e)
{
    struct bench_run *r;
    size_t longest = 1;
    for (size_t i = 0; i < m->n; i++)
        longest = larger_size(longest, m->cases[i].depth + m->cases[i].tokens);
    if (bench_run_open(&r, m->model, m->form, longest, e))
        return -1;
    measure_rounds(m, r);
    bench_run_close(r);
    return 0;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sorted_middle(double *numbers, size_t n)
{
    qsort(numbers, n, sizeof *numbers, compare_seconds);
    return numbers[n / 2];
}

size_t measured_least(const struct measured *c)
{
    return c->batch ? smaller_size(c->batch, c->tokens) : 1;
}

/* Seconds for the tokens beyond the fewest, sorted. */
static double median_seconds(const struct measured *c, size_t rounds,
                             double *seconds)
{
    bool all = measured_least(c) >= c->tokens;
    for (size_t i = 0; i < rounds; i++)
        seconds[i] = c->whole[i] - (all ? 0 : c->least[i]);
    return sorted_middle(seconds, rounds);
}

double measured_speed(const struct measured *c, size_t rounds)
{
    double seconds[MOST_ROUNDS];
    size_t least = measured_least(c);
    size_t tokens = c->tokens > least ? c->tokens - least : c->tokens;
    return (double)tokens / median_seconds(c, rounds, seconds);
}

double measured_spread(const struct measured *c, size_t rounds)
{
    double seconds[MOST_ROUNDS];
    double middle = median_seconds(c, rounds, seconds);
    return (seconds[rounds * 3 / 4] - seconds[rounds / 4]) / middle;
}

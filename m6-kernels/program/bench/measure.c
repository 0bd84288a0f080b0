/* Measuring: see measure.h. */
#include "measure.h"

#include "forward.h"
#include "kvcache.h"
#include "sizes.h"
#include "state.h"

#include <stdlib.h>
#include <time.h>

/* What all cases share: room for the longest. */
struct bench_run {
    struct measuring *m;
    struct state state;
    struct cache cache;
    int *ids; /* (longest,) */
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The logits of the last `n` rows that were read, at most STATE_SCORED. */
static void score_last(struct bench_run *r, size_t n)
{
    size_t rows[STATE_SCORED];
    n = smaller_size(smaller_size(n, r->state.rows), STATE_SCORED);
    for (size_t i = 0; i < n; i++)
        rows[i] = r->state.rows - n + i;
    logits_of_rows(r->m->model, &r->state, rows, n, NULL);
}

/* Let the cache hold `depth` tokens. */
static int go_to_depth(struct bench_run *r, size_t depth)
{
    struct cache *c = &r->cache;
    size_t length = cache_truncate(c, depth);
    if (length == depth)
        return 0;
    return prefill(r->m->model, &r->state, c, r->ids + length, depth - length,
                   NULL);
}

/* Prefill is followed by the logits of its last token, a batch by those of
 * all of its tokens. */
static double time_case(struct bench_run *r, const struct measured *c)
{
    const struct model *m = r->m->model;
    go_to_depth(r, c->depth);
    double begin = seconds_now();
    size_t step = c->batch ? c->batch : c->tokens;
    for (size_t done = 0; done < c->tokens; done += step) {
        const int *ids = r->ids + c->depth + done;
        if (step == 1)
            decode(m, &r->state, &r->cache, *ids, NULL);
        else
            prefill(m, &r->state, &r->cache, ids, step, NULL);
        score_last(r, c->batch ? c->batch : 1);
    }
    return seconds_now() - begin;
}

static void measure_rounds(struct bench_run *r)
{
    struct measuring *m = r->m;
    for (size_t round = 0; round <= m->rounds; round++)
        for (size_t i = 0; i < m->n; i++) {
            double seconds = time_case(r, &m->cases[i]);
            if (round > 0)
                m->cases[i].seconds[round - 1] = seconds;
            if (m->progress)
                m->progress(m->context, round * m->n + i + 1,
                            (m->rounds + 1) * m->n);
        }
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int prepare_run(struct bench_run *r, size_t longest, struct error *e)
{
    const struct model *m = r->m->model;
    r->ids = calloc(longest, sizeof *r->ids);
    if (!r->ids)
        return fail_memory(e, "the tokens");
    for (size_t i = 0; i < longest; i++)
        r->ids[i] = (int)(i % smaller_size(m->config.vocab_size, 1000));
    if (state_init_chunked(&r->state, m, longest, STATE_CHUNK, e))
        return -1;
    return cache_init_form(&r->cache, m, r->m->form, longest, STATE_CHUNK, e);
}

int measure_all(struct measuring *m, struct error *e)
{
    struct bench_run r = {.m = m};
    size_t longest = 1;
    for (size_t i = 0; i < m->n; i++)
        longest = larger_size(longest, m->cases[i].depth + m->cases[i].tokens);
    if (longest > m->model->max_positions)
        return fail(e, ERROR_USAGE, "the model can hold %zu tokens, not %zu",
                    m->model->max_positions, longest);
    int result = prepare_run(&r, longest, e);
    if (result == 0) {
        measure_rounds(&r);
        for (size_t i = 0; i < m->n; i++)
            qsort(m->cases[i].seconds, m->rounds, sizeof(double),
                  compare_times);
    }
    cache_free(&r.cache);
    state_free(&r.state);
    free(r.ids);
    return result;
}

double measured_speed(const struct measured *c, size_t rounds)
{
    return (double)c->tokens / c->seconds[rounds / 2];
}

double measured_spread(const struct measured *c, size_t rounds)
{
    return (c->seconds[rounds * 3 / 4] - c->seconds[rounds / 4]) /
           c->seconds[rounds / 2];
}

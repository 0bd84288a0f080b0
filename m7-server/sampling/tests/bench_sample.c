/* What it costs to choose a token, beside a sort of all of them: from the
 * logits as the model gives them, which are checked, and of which some are of
 * no token.
 *
 *     make bench                      a vocabulary of 151,936 tokens
 *     build/plain/bench_sample N
 */
#include "generate.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum runs {
    N_RUNS = 50,
    NON_TOKENS = 267 /* rows, of Qwen3's 151,936 */
};

/* Scores as a model has them: most in a heap, a few far above. */
static void fill_logits(float *logits, size_t n)
{
    struct random r;
    random_init(&r, 1, 0);
    for (size_t i = 0; i < n; i++) {
        double u = random_share(&r), v = random_share(&r);
        logits[i] = (float)(3 * sqrt(-2 * log(1 - u)) *
                            cos(6.283185307179586 * v));
    }
    for (size_t i = 0; i < 40; i++)
        logits[random_bits(&r) % n] += (float)(12 * random_share(&r));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of some times; sorts them. */
static double median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, compare_times);
    return times[n / 2];
}

struct setting {
    const char *name;
    struct sampling how;
};

static const struct setting settings[] = {
    {"temperature 0", {.repetition = 1, .top_p = 1, .typical_p = 1}},
    {"temperature 0.8",
     {.repetition = 1, .temperature = 0.8f, .top_p = 1, .typical_p = 1}},
    {"0.8, top-k 50, top-p 0.95",
     {.repetition = 1,
      .temperature = 0.8f,
      .top_k = 50,
      .top_p = 0.95,
      .typical_p = 1}},
    {"0.8, top-p 0.95",
     {.repetition = 1, .temperature = 0.8f, .top_p = 0.95, .typical_p = 1}},
    {"0.8, min-p 0.05",
     {.repetition = 1,
      .temperature = 0.8f,
      .top_p = 1,
      .min_p = 0.05f,
      .typical_p = 1}},
};

/* The last rows are of no token. */
static void find_last_rows(size_t n, struct ids *rows)
{
    for (size_t i = n > NON_TOKENS ? n - NON_TOKENS : n; i < n; i++)
        ids_add(rows, (int)i);
}

/* As a model gives them logits: zero, for instance. */
static void score_again(const struct ids *rows, float *logits)
{
    for (size_t i = 0; i < rows->size; i++)
        logits[rows->data[i]] = 0;
}

/* Milliseconds to choose once, as generate() does. */
static double time_choice(const struct sampling *how, float *logits,
                          const struct ids *non_tokens, size_t n)
{
    static const int ids[] = {1, 2, 3};
    struct history history = {ids, 3, 1};
    struct sampler s;
    struct error e;
    double times[N_RUNS];
    if (sampler_init(&s, how, n, 7, 0, &e))
        return NAN;
    bool failed = false;
    for (size_t i = 0; i < N_RUNS; i++) {
        score_again(non_tokens, logits);
        double begin = now();
        failed |= check_logits(logits, n, &e) != 0;
        exclude_non_tokens(non_tokens, logits);
        failed |= sampler_choose(&s, logits, &history, &e) < 0;
        times[i] = now() - begin;
    }
    sampler_free(&s);
    return failed ? NAN : median(times, N_RUNS);
}

/* Milliseconds to sort all tokens by probability, as rung next does. */
static double time_sort(const float *logits, size_t n)
{
    float *copy = malloc(n * sizeof *copy);
    struct candidate *candidates = malloc(n * sizeof *candidates);
    double times[5];
    for (size_t i = 0; copy && candidates && i < 5; i++) {
        memcpy(copy, logits, n * sizeof *copy);
        double begin = now();
        rank_candidates(copy, n, candidates);
        times[i] = now() - begin;
    }
    double result = copy && candidates ? median(times, 5) : NAN;
    free(copy);
    free(candidates);
    return result;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 151936;
    float *logits = n >= 2 ? malloc(n * sizeof *logits) : NULL;
    if (!logits)
        return fprintf(stderr, "bench_sample: no memory for %zu\n", n), 1;
    struct ids non_tokens = {0};
    fill_logits(logits, n);
    find_last_rows(n, &non_tokens);
    printf("choosing from %zu tokens, in ms\n", n);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        printf("%-28s %7.3f\n", settings[i].name,
               time_choice(&settings[i].how, logits, &non_tokens, n));
    printf("%-28s %7.3f\n", "softmax and a full sort", time_sort(logits, n));
    ids_free(&non_tokens);
    free(logits);
    return 0;
}

/* A walk through all tokens, in the way of choices.c and in the plainer one:
 * do eight sums, a move without a question, and a multiplication gain what is
 * said of them?
 *
 *     make build/plain/bench_walks && build/plain/bench_walks
 *
 * A vocabulary of 151,936 tokens.  All is measured in turn; each figure is the
 * median of 51, in processor time. */
#include "choices.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum bench_sizes {
    TURNS = 51,
    N = 151936
};

struct bench {
    struct choices c;
    float logits[N];
    float factor, divisor, border; /* half of the logits are above it */
    double sum;                    /* so that all is needed */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void weigh_in_eight(struct bench *b)
{
    choices_weigh(&b->c, 12);
    b->sum += b->c.total;
}

static void weigh_in_one(struct bench *b)
{
    double total = 0;
    for (size_t i = 0; i < N; i++) {
        b->c.weights[i] = expf(b->c.logits[i] - 12);
        total += (double)b->c.weights[i];
    }
    b->sum += total;
}

static void weigh_alone(struct bench *b)
{
    for (size_t i = 0; i < N; i++)
        b->c.weights[i] = expf(b->c.logits[i] - 12);
}

static void add_in_eight(struct bench *b)
{
    b->c.total = 0;
    b->sum += choices_total(&b->c);
}

static void add_in_one(struct bench *b)
{
    double total = 0;
    for (size_t i = 0; i < N; i++)
        total += (double)b->c.weights[i];
    b->sum += total;
}

static void find_in_eight(struct bench *b)
{
    b->sum += (double)find_most(b->logits, N);
}

static void find_in_one(struct bench *b)
{
    float most = b->logits[0];
    for (size_t i = 0; i < N; i++)
        most = b->logits[i] > most ? b->logits[i] : most;
    b->sum += (double)most;
}

static void keep_all_moved(struct bench *b)
{
    choices_keep(&b->c, b->logits, b->border, 0);
}

static void keep_if_asked(struct bench *b)
{
    struct choices *c = &b->c;
    size_t kept = 0;
    for (size_t i = 0; i < N; i++)
        if (b->logits[i] > b->border) {
            c->ids[kept] = c->ids[i];
            c->logits[kept] = c->logits[i];
            c->weights[kept++] = c->weights[i];
        }
    c->n = kept;
}

static void heat_by_factor(struct bench *b)
{
    for (size_t i = 0; i < N; i++)
        b->c.logits[i] = (b->c.logits[i] - 12) * b->factor;
}

static void heat_by_division(struct bench *b)
{
    for (size_t i = 0; i < N; i++)
        b->c.logits[i] = (b->c.logits[i] - 12) / b->divisor;
}

struct walk {
    const char *name;
    void (*run)(struct bench *b);
};

static const struct walk walks[] = {
    {"weigh, eight sums", weigh_in_eight},
    {"weigh, one sum", weigh_in_one},
    {"weigh, no sum", weigh_alone},
    {"add, eight sums", add_in_eight},
    {"add, one sum", add_in_one},
    {"largest, of eight", find_in_eight},
    {"largest, one by one", find_in_one},
    {"keep half, all moved", keep_all_moved},
    {"keep half, if asked", keep_if_asked},
    {"heat, multiplied", heat_by_factor},
    {"heat, divided", heat_by_division},
};

enum bench_walks {
    N_WALKS = sizeof walks / sizeof walks[0]
};

/* Milliseconds of one walk. */
static double time_walk(struct bench *b, const struct walk *w)
{
    choices_begin(&b->c, b->logits);
    for (size_t i = 0; i < N; i++)
        b->c.weights[i] = 1 / (1 + b->logits[i] * b->logits[i]);
    double begin = now();
    w->run(b);
    return now() - begin;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static struct bench b = {.factor = 1 / 0.8f, .divisor = 0.8f};
    static double times[N_WALKS][TURNS];
    struct error e;
    struct random r;
    if (choices_init(&b.c, N, &e))
        return 1;
    random_init(&r, 1, 0);
    for (size_t i = 0; i < N; i++)
        b.logits[i] = (float)(12 * random_share(&r) - 6);
    for (size_t t = 0; t < TURNS; t++)
        for (size_t i = 0; i < N_WALKS; i++)
            times[i][t] = time_walk(&b, &walks[i]);
    for (size_t i = 0; i < N_WALKS; i++) {
        qsort(times[i], TURNS, sizeof times[i][0], compare_times);
        printf("%-22s %8.3f ms\n", walks[i].name, times[i][TURNS / 2]);
    }
    choices_free(&b.c);
    return b.sum == 1; /* never: but so the sums are needed */
}

/* Choices: see choices.h.  Knows how to take tokens out, not which. */
#include "choices.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum lanes {
    LANES = 8,
    AT_ONCE = 1024 /* numbers: whole lanes */
};

int choices_init(struct choices *c, size_t capacity, struct error *e)
{
    *c = (struct choices){.capacity = capacity};
    c->ids = calloc(capacity, sizeof *c->ids);
    c->logits = calloc(capacity, sizeof *c->logits);
    c->weights = calloc(capacity, sizeof *c->weights);
    c->keys = calloc(capacity, sizeof *c->keys);
    if (c->ids && c->logits && c->weights && c->keys)
        return 0;
    choices_free(c);
    return fail_memory(e, "the choices");
}

void choices_free(struct choices *c)
{
    free(c->ids);
    free(c->logits);
    free(c->weights);
    free(c->keys);
    *c = (struct choices){0};
}

void choices_begin(struct choices *c, const float *logits)
{
    c->n = c->capacity;
    c->total = 0;
    for (size_t i = 0; i < c->n; i++)
        c->ids[i] = (int)i;
    memcpy(c->logits, logits, c->n * sizeof *logits);
}

/* Let choice `from` stand at place `to`. */
static void move_choice(struct choices *c, size_t from, size_t to)
{
    c->ids[to] = c->ids[from];
    c->logits[to] = c->logits[from];
    c->weights[to] = c->weights[from];
}

void choices_drop_forbidden(struct choices *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->logits[i] > -INFINITY)
            move_choice(c, i, kept++);
    c->n = kept;
    c->total = 0;
}

/* Every choice is moved, whether it is kept or not: one that is not is written
 * over by the next.  That is faster than to ask first, since a processor
 * guesses badly what the answer will be.  The keys may be an array of the
 * choices: what is written stands never behind what was read. */
void choices_keep(struct choices *c, const float *keys, float border,
                  size_t equals)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++) {
        bool equal = keys[i] == border && equals > 0;
        bool keep = keys[i] > border || equal;
        equals -= equal;
        move_choice(c, i, kept);
        kept += keep;
    }
    c->n = kept;
    c->total = 0;
}

static float larger_of(float a, float b)
{
    return a > b ? a : b;
}

float find_most(const float *x, size_t n)
{
    float lanes[LANES], most = x[0];
    size_t i = 0;
    for (size_t k = 0; k < LANES; k++)
        lanes[k] = most;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] = larger_of(x[i + k], lanes[k]);
    for (; i < n; i++)
        lanes[i % LANES] = larger_of(x[i], lanes[i % LANES]);
    for (size_t k = 0; k < LANES; k++)
        most = larger_of(lanes[k], most);
    return most;
}

static double add_lanes(const double *lanes)
{
    double total = 0;
    for (size_t k = 0; k < LANES; k++)
        total += lanes[k];
    return total;
}

/* The total is added up while the processor waits for expf. */
static void weigh_exactly(struct choices *c, float best, double *lanes)
{
    for (size_t i = 0; i < c->n; i++) {
        c->weights[i] = expf(c->logits[i] - best);
        lanes[i % LANES] += (double)c->weights[i];
    }
}

/* Some at once, which are still near the processor when they are added up. */
static void weigh_by_kernels(struct choices *c, float best, double *lanes)
{
    for (size_t i = 0; i < c->n; i += AT_ONCE) {
        size_t n = c->n - i < AT_ONCE ? c->n - i : AT_ONCE;
        float *weights = c->weights + i;
        memcpy(weights, c->logits + i, n * sizeof *weights);
        c->kernels->exponentials(weights, best, n);
        for (size_t k = 0; k < n; k++)
            lanes[k % LANES] += (double)weights[k];
    }
}

void choices_weigh(struct choices *c, float best)
{
    double lanes[LANES] = {0};
    if (c->kernels)
        weigh_by_kernels(c, best, lanes);
    else
        weigh_exactly(c, best, lanes);
    c->total = add_lanes(lanes);
}

double choices_total(const struct choices *c)
{
    double lanes[LANES] = {0};
    if (c->total > 0)
        return c->total;
    for (size_t i = 0; i < c->n; i++)
        lanes[i % LANES] += (double)c->weights[i];
    return add_lanes(lanes);
}

int choices_draw(const struct choices *c, double share)
{
    double target = share * choices_total(c), sum = (double)c->weights[0];
    size_t i = 0;
    while (sum <= target && i + 1 < c->n)
        sum += (double)c->weights[++i];
    while (i > 0 && c->weights[i] == 0)
        i--;
    return c->ids[i];
}

void choices_probabilities(struct choices *c, float *probabilities)
{
    choices_weigh(c, find_most(c->logits, c->n));
    double total = choices_total(c);
    memset(probabilities, 0, c->capacity * sizeof *probabilities);
    for (size_t i = 0; i < c->n; i++)
        probabilities[c->ids[i]] = (float)((double)c->weights[i] / total);
}

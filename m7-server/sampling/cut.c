/* Cuts: see cut.h. */
#include "cut.h"

#include "select.h"

#include <math.h>

void cut_top_k(struct choices *c, size_t k)
{
    struct border b = find_border(c->logits, NULL, c->n, (double)k);
    choices_keep(c, c->logits, b.value, c->n);
}

/* First what is less likely than 1 - p, divided by the number of tokens: even
 * all of them together are not needed.  That is nearly everything, and saves
 * find_border most of its work. */
void cut_top_p(struct choices *c, double p)
{
    double total = choices_total(c), target = p * total;
    double needless = (1 - p) * total / (double)c->n;
    choices_keep(c, c->weights, (float)needless, c->n);
    struct border b = find_border(c->weights, c->weights, c->n, target);
    double equals = ceil((target - b.above) / (double)b.value);
    choices_keep(c, c->weights, b.value, equals > 1 ? (size_t)equals : 1);
}

void cut_min_p(struct choices *c, float share)
{
    float best = find_most(c->weights, c->n);
    choices_keep(c, c->weights, share * best, c->n);
}

/* How surprising a choice is, -log(its probability), when the weights add up
 * to `total`. */
static double surprise(double weight, double total)
{
    return log(total) - log(weight);
}

/* The surprise to be expected: the mean, each counted by its probability. */
static double entropy(const struct choices *c, double total)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->weights[i] > 0)
            sum +=
                (double)c->weights[i] * surprise((double)c->weights[i], total);
    return sum / total;
}

void cut_typical(struct choices *c, double p)
{
    double total = choices_total(c), expected = entropy(c, total);
    for (size_t i = 0; i < c->n; i++)
        c->keys[i] =
            -(float)fabs(surprise((double)c->weights[i], total) - expected);
    struct border b = find_border(c->keys, c->weights, c->n, p * total);
    choices_keep(c, c->keys, b.value, c->n);
}

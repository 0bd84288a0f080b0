/* Predictions: see prediction.h. */
#include "prediction.h"

#include "logprobs.h"

#include <math.h>

struct prediction predict(const float *logits, size_t n)
{
    return (struct prediction){logits, n, logprob_base(logits, n)};
}

static double log_probability(const struct prediction *p, size_t i)
{
    return (double)p->logits[i] - p->base;
}

double surprisal(const struct prediction *p, int id)
{
    return -log_probability(p, (size_t)id);
}

/* Where p is 0 the product is: p falls faster than ln p grows. */
double kl_divergence(const struct prediction *p, const struct prediction *q)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        double ln_p = log_probability(p, i), probability = exp(ln_p);
        if (probability > 0)
            sum += probability * (ln_p - log_probability(q, i));
    }
    return fmax(sum, 0);
}

double logit_error(const struct prediction *p, const struct prediction *q)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++)
        most = fmax(most, fabs((double)p->logits[i] - (double)q->logits[i]));
    return most;
}

double percentile(const double *sorted, size_t n, double share)
{
    double place = share * (double)(n - 1);
    size_t below = (size_t)place;
    if (below + 1 >= n)
        return sorted[n - 1];
    double part = place - (double)below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

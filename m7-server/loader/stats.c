/* Statistics of tensors: see stats.h. */
#include "stats.h"

#include <math.h>

/* Count one value; `mean` is the sum until all are counted. */
static void count_value(struct stats *s, float value)
{
    if (isnan(value)) {
        s->n_nan++;
    } else if (isinf(value)) {
        s->n_infinite++;
    } else {
        if (s->n_finite == 0 || value < s->least)
            s->least = value;
        if (s->n_finite == 0 || value > s->most)
            s->most = value;
        s->mean += value;
        s->n_finite++;
    }
}

void stats_add(struct stats *s, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        count_value(s, values[i]);
}

void stats_end(struct stats *s)
{
    if (s->n_finite)
        s->mean /= (double)s->n_finite;
}

struct stats tensor_stats(const struct tensor *t)
{
    struct stats s = {0};
    float block[4096];
    size_t most = sizeof block / sizeof block[0];
    for (size_t at = 0; at < t->count; at += most) {
        size_t left = t->count - at;
        size_t n = left < most ? left : most;
        tensor_read(t, at, n, block);
        stats_add(&s, block, n);
    }
    stats_end(&s);
    return s;
}

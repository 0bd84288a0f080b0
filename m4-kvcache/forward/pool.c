/* Pooling: see pool.h. */
#include "pool.h"

#include "ops.h"

#include <math.h>
#include <string.h>

void pool(const struct model *m, struct state *s, const int *ids, size_t n,
          float *out)
{
    size_t width = m->config.hidden_size;
    forward(m, s, ids, n, NULL);
    memcpy(out, s->normed + (n - 1) * width, width * sizeof *out);
    scale(out, 1 / fmaxf(sqrtf(dot(out, out, width)), 1e-12f), width);
}

float likeness(const float *a, const float *b, size_t width)
{
    return dot(a, b, width);
}

/* Pooling: see pool.h. */
#include "pool.h"

#include "ops.h"

#include <math.h>
#include <string.h>

int pool(const struct model *m, struct state *s, const int *ids, size_t n,
         float *out, struct error *e)
{
    size_t width = m->config.hidden_size;
    if (forward(m, s, ids, n, NULL, e))
        return -1;
    memcpy(out, s->normed + (s->rows - 1) * width, width * sizeof *out);
    make_unit(out, width);
    return 0;
}

void make_unit(float *x, size_t width)
{
    scale(x, 1 / fmaxf(sqrtf(dot(x, x, width)), 1e-12f), width);
}

float likeness(const float *a, const float *b, size_t width)
{
    return dot(a, b, width);
}

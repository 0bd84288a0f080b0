/* The activations: see activation.h. */
#include "activation.h"

#include <math.h>

void silu(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] / (1 + expf(-x[i]));
}

/* 1 + erf(z) would lose all its digits where erf(z) is near -1; erfc(-z) is
 * the same number and does not. */
void gelu(float *x, size_t n)
{
    const float root_of_half = 0.70710678f;
    for (size_t i = 0; i < n; i++)
        x[i] = 0.5f * x[i] * erfcf(-x[i] * root_of_half);
}

/* For the same reason (1 + tanh(z)) / 2 is written 1 / (1 + exp(-2 z)). */
void gelu_tanh(float *x, size_t n)
{
    const float root_of_2_over_pi = 0.79788456f;
    for (size_t i = 0; i < n; i++) {
        float z = root_of_2_over_pi * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
        x[i] = x[i] / (1 + expf(-2 * z));
    }
}

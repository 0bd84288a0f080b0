/* Activations: what stands between the two matrices of an MLP.
 *
 * Each is a function of one number, here of all numbers of a row at once.
 * This file knows no models: which of them a model has, its config.json
 * says. */
#ifndef ACTIVATION_H
#define ACTIVATION_H

#include <stddef.h>

/* x (n,) is changed in place. */
typedef void activation(float *x, size_t n);

/* x * sigmoid(x): Elfwing et al. 2017. */
activation silu;

/* x * (the chance that a standard normal number is below x): Hendrycks and
 * Gimpel 2016; exactly, and by their formula with tanh. */
activation gelu;
activation gelu_tanh;

#endif

/* Penalties and biases: what makes single tokens more or less likely, before
 * any is taken out.
 *
 * All of them change the logits (n_vocab,) of all tokens, in place. */
#ifndef PENALTIES_H
#define PENALTIES_H

#include <stddef.h>

/* What has been said: the prompt, then what was chosen since. */
struct history {
    const int *ids; /* (n,), each below n_vocab */
    size_t n;
    size_t n_prompt; /* how many of them are the prompt */
};

/* A token, and what to add to its logit. */
struct bias {
    int id;
    float value;
};

/* Divide the logit of each token in the text by the penalty, or, where it is
 * below zero, multiply it: both make it less likely when the penalty is above
 * 1 (Keskar et al. 2019, section 4.1, which only divides; the multiplication
 * is how everyone has mended that).  How often a token stands there does not
 * matter.  counts (n_vocab,) are zero, and are so again afterwards. */
void penalize_repetition(float *logits, const struct history *h, float penalty,
                         int *counts);

/* Subtract from the logit of each token that was chosen since the prompt
 * `presence`, and `frequency` as often as it was chosen (OpenAI's API
 * reference, chat completions, frequency_penalty).  Counts as above. */
void penalize_presence(float *logits, const struct history *h, float presence,
                       float frequency, int *counts);

/* Add the biases (n,), each of a token below n_vocab. */
void add_biases(float *logits, const struct bias *biases, size_t n);

#endif

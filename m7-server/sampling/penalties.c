/* Penalties and biases: see penalties.h. */
#include "penalties.h"

/* How often each token stands among ids (n,), added to counts (n_vocab,). */
static void count_ids(const int *ids, size_t n, int *counts)
{
    for (size_t i = 0; i < n; i++)
        counts[ids[i]]++;
}

void penalize_repetition(float *logits, const struct history *h, float penalty,
                         int *counts)
{
    count_ids(h->ids, h->n, counts);
    for (size_t i = 0; i < h->n; i++) {
        int id = h->ids[i];
        if (counts[id] == 0)
            continue;
        counts[id] = 0;
        if (logits[id] < 0)
            logits[id] *= penalty;
        else
            logits[id] /= penalty;
    }
}

void penalize_presence(float *logits, const struct history *h, float presence,
                       float frequency, int *counts)
{
    count_ids(h->ids + h->n_prompt, h->n - h->n_prompt, counts);
    for (size_t i = h->n_prompt; i < h->n; i++) {
        int id = h->ids[i];
        if (counts[id] == 0)
            continue;
        logits[id] -= presence + frequency * (float)counts[id];
        counts[id] = 0;
    }
}

void add_biases(float *logits, const struct bias *biases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        logits[biases[i].id] += biases[i].value;
}

/* Log probabilities: see logprobs.h. */
#include "logprobs.h"

#include "choices.h"

#include <math.h>

double logprob_base(const float *logits, size_t n)
{
    double sum = 0, best = (double)find_most(logits, n);
    for (size_t i = 0; i < n; i++)
        sum += exp((double)logits[i] - best);
    return best + log(sum);
}

/* Put a token in its place among the n likeliest so far, of which there are
 * at most `most`.  Returns how many there are then. */
static size_t insert(struct logprob *top, size_t n, size_t most,
                     struct logprob one)
{
    size_t at = n < most ? n++ : most;
    for (; at > 0 && one.value > top[at - 1].value; at--)
        if (at < most)
            top[at] = top[at - 1];
    if (at < most)
        top[at] = one;
    return n;
}

size_t logprob_top(const float *logits, size_t n, struct logprob *top,
                   size_t most)
{
    double base = logprob_base(logits, n);
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (logits[i] > -INFINITY)
            found = insert(top, found, most,
                           (struct logprob){(int)i, (double)logits[i] - base});
    return found;
}

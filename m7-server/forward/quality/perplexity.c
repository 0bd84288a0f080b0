/* Perplexity: see perplexity.h. */
#include "perplexity.h"

#include "prediction.h"

#include <math.h>

double mean_nats(const struct surprises *s)
{
    return s->nats / (double)s->tokens;
}

double perplexity(const struct surprises *s)
{
    return exp(mean_nats(s));
}

int check_scored(size_t n, struct error *e)
{
    if (n == 0)
        return fail(e, ERROR_INPUT,
                    "the text is empty: there is no token to "
                    "score");
    if (n == 1)
        return fail(e, ERROR_INPUT,
                    "the text is one token: there is none to score, since "
                    "the first has nothing before it");
    return 0;
}

/* What measure_surprises adds up to. */
struct surprise_sum {
    size_t n_vocab;
    struct surprises *all;
};

static int add_surprise(void *context, const float *const *logits, int id,
                        struct error *e)
{
    struct surprise_sum *sum = context;
    struct prediction p = predict(logits[0], sum->n_vocab);
    (void)e;
    sum->all->nats += surprisal(&p, id);
    sum->all->tokens++;
    return 0;
}

int measure_surprises(const struct evaluation *how, const int *ids, size_t n,
                      struct surprises *out, struct error *e)
{
    struct evaluation v = *how;
    struct surprise_sum sum = {v.readers[0].model->config.vocab_size, out};
    *out = (struct surprises){0};
    v.n_readers = 1;
    v.judge = add_surprise;
    v.context = &sum;
    return check_scored(n, e) ? -1 : evaluate(&v, ids, n, e);
}

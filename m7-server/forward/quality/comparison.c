/* Comparing: see comparison.h. */
#include "comparison.h"

#include "buffer.h"
#include "generate.h"
#include "prediction.h"

#include <math.h>
#include <stdlib.h>

/* What comparison_init adds to. */
struct compare_context {
    struct comparison *comparison;
    size_t n_vocab;
};

static int add_compared(struct comparison *c, struct compared one,
                        struct error *e)
{
    struct compared *more =
        grow(c->tokens, &c->capacity, c->n + 1, sizeof *c->tokens);
    if (!more)
        return fail_memory(e, "the comparison");
    c->tokens = more;
    c->tokens[c->n++] = one;
    return 0;
}

static int compare_rows(void *context, const float *const *logits, int id,
                        struct error *e)
{
    struct compare_context *x = context;
    struct comparison *c = x->comparison;
    struct prediction a = predict(logits[0], x->n_vocab);
    struct prediction b = predict(logits[1], x->n_vocab);
    c->n_agree += find_largest(a.logits, a.n) == find_largest(b.logits, b.n);
    c->logit_error = fmax(c->logit_error, logit_error(&a, &b));
    return add_compared(c,
                        (struct compared){.kl = kl_divergence(&a, &b),
                                          .a_nats = surprisal(&a, id),
                                          .b_nats = surprisal(&b, id)},
                        e);
}

int comparison_init(struct comparison *c, const struct evaluation *how,
                    const int *ids, size_t n, struct error *e)
{
    struct evaluation v = *how;
    struct compare_context x = {c, v.readers[0].model->config.vocab_size};
    *c = (struct comparison){0};
    v.n_readers = 2;
    v.judge = compare_rows;
    v.context = &x;
    int result = check_scored(n, e);
    if (result == 0)
        result = evaluate(&v, ids, n, e);
    if (result)
        comparison_free(c);
    return result;
}

void comparison_free(struct comparison *c)
{
    free(c->tokens);
    *c = (struct comparison){0};
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The divergences of all tokens, in rising order; to be freed. */
static double *sort_divergences(const struct comparison *c, struct error *e)
{
    double *values = calloc(c->n, sizeof *values);
    if (!values) {
        fail_memory(e, "the divergences");
        return NULL;
    }
    for (size_t i = 0; i < c->n; i++)
        values[i] = c->tokens[i].kl;
    qsort(values, c->n, sizeof *values, by_value);
    return values;
}

int comparison_summarize(const struct comparison *c,
                         struct comparison_summary *s, struct error *e)
{
    double *sorted = sort_divergences(c, e), sum = 0;
    if (!sorted)
        return -1;
    *s = (struct comparison_summary){.a.tokens = c->n, .b.tokens = c->n};
    for (size_t i = 0; i < c->n; i++) {
        sum += c->tokens[i].kl;
        s->a.nats += c->tokens[i].a_nats;
        s->b.nats += c->tokens[i].b_nats;
    }
    s->kl_mean = sum / (double)c->n;
    s->kl_99 = percentile(sorted, c->n, 0.99);
    s->kl_most = sorted[c->n - 1];
    s->agreement = (double)c->n_agree / (double)c->n;
    free(sorted);
    return 0;
}

/* Sampling: see sample.h.  Knows the order of the steps; what each does is in
 * penalties.c and cut.c. */
#include "sample.h"

#include "cut.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const struct sampling no_sampling = {
    .repetition = 1, .temperature = 1, .top_p = 1, .typical_p = 1};

/* --- the steps -----------------------------------------------------------
 *
 * Each does nothing, and returns false, unless it is asked for. */

typedef bool step_function(struct sampler *s);

static bool step_repetition(struct sampler *s)
{
    if (s->how.repetition == 1)
        return false;
    penalize_repetition(s->choices.logits, s->history, s->how.repetition,
                        s->counts);
    return true;
}

static bool step_presence(struct sampler *s)
{
    if (s->how.presence == 0 && s->how.frequency == 0)
        return false;
    penalize_presence(s->choices.logits, s->history, s->how.presence,
                      s->how.frequency, s->counts);
    return true;
}

static bool step_bias(struct sampler *s)
{
    if (s->how.n_biases == 0)
        return false;
    add_biases(s->choices.logits, s->how.biases, s->how.n_biases);
    return true;
}

static bool step_forbid(struct sampler *s)
{
    struct choices *c = &s->choices;
    if (!s->how.forbid)
        return false;
    s->how.forbid(s->how.forbid_context, s->history, c->logits, c->n);
    choices_drop_forbidden(c);
    return true;
}

/* Divides the distances from the best logit, not the logits: then no
 * temperature is so small that the best becomes an infinity.  One division
 * will do; a temperature too small for it is as good as 0. */
static bool step_temperature(struct sampler *s)
{
    struct choices *c = &s->choices;
    if (s->how.temperature == 1)
        return false;
    if (s->how.temperature < FLT_MIN) {
        choices_keep(c, c->logits, s->best, 1);
        return true;
    }
    float factor = 1 / s->how.temperature;
    for (size_t i = 0; i < c->n; i++)
        c->logits[i] = (c->logits[i] - s->best) * factor;
    s->best = 0;
    return true;
}

static bool step_top_k(struct sampler *s)
{
    if (s->how.top_k == 0 || s->how.top_k >= s->choices.n)
        return false;
    cut_top_k(&s->choices, s->how.top_k);
    return true;
}

static bool step_top_p(struct sampler *s)
{
    if (s->how.top_p >= 1)
        return false;
    cut_top_p(&s->choices, s->how.top_p);
    return true;
}

static bool step_min_p(struct sampler *s)
{
    if (s->how.min_p <= 0)
        return false;
    cut_min_p(&s->choices, s->how.min_p);
    return true;
}

static bool step_typical(struct sampler *s)
{
    if (s->how.typical_p >= 1)
        return false;
    cut_typical(&s->choices, s->how.typical_p);
    return true;
}

struct sampler_step {
    const char *name;
    step_function *run;
};

/* What changes the logits of single tokens. */
static const struct sampler_step changes[] = {
    {"repetition", step_repetition},
    {"presence", step_presence},
    {"bias", step_bias},
    {"forbid", step_forbid},
};

/* What looks at all of them: first at their logits, then at how likely they
 * are. */
static const struct sampler_step by_logit[] = {
    {"temperature", step_temperature},
    {"top-k", step_top_k},
};

static const struct sampler_step by_weight[] = {
    {"top-p", step_top_p},
    {"min-p", step_min_p},
    {"typical-p", step_typical},
};

/* --- the sampler --------------------------------------------------------- */

/* Show how likely each token is by now, if anybody looks. */
static void show_probabilities(struct sampler *s, const char *step,
                               const struct observer *o)
{
    if (!o || s->choices.n == 0)
        return;
    choices_probabilities(&s->choices, s->probabilities);
    observe(o, step, -1, s->probabilities, 1, s->choices.capacity);
}

static void run_steps(struct sampler *s, const struct sampler_step *steps,
                      size_t n, const struct observer *o)
{
    for (size_t i = 0; i < n; i++)
        if (steps[i].run(s))
            show_probabilities(s, steps[i].name, o);
}

/* What is best of what is left: there must be something, and a number. */
static int find_best(struct sampler *s, struct error *e)
{
    const struct choices *c = &s->choices;
    if (c->n == 0)
        return fail(e, ERROR_INPUT, "all %zu tokens are forbidden",
                    c->capacity);
    s->best = find_most(c->logits, c->n);
    if (!isfinite(s->best))
        return fail(e, ERROR_INPUT,
                    "the penalties make a logit too large for 32-bit numbers");
    return 0;
}

/* Run the whole chain: leaves in s->choices, weighed, what may still come. */
static int run_chain(struct sampler *s, const float *logits,
                     const struct history *h, const struct observer *o,
                     struct error *e)
{
    s->history = h;
    choices_begin(&s->choices, logits);
    show_probabilities(s, "model", o);
    run_steps(s, changes, sizeof changes / sizeof changes[0], o);
    if (find_best(s, e))
        return -1;
    run_steps(s, by_logit, sizeof by_logit / sizeof by_logit[0], o);
    choices_weigh(&s->choices, s->best);
    run_steps(s, by_weight, sizeof by_weight / sizeof by_weight[0], o);
    return 0;
}

int sampler_draw(struct sampler *s)
{
    if (s->how.temperature == 0)
        return s->choices.ids[0];
    return choices_draw(&s->choices, random_share(&s->random));
}

int sampler_choose(struct sampler *s, const float *logits,
                   const struct history *h, struct error *e)
{
    return run_chain(s, logits, h, NULL, e) ? -1 : sampler_draw(s);
}

const float *sampler_probabilities(struct sampler *s, const float *logits,
                                   const struct history *h,
                                   const struct observer *o, struct error *e)
{
    if (run_chain(s, logits, h, o, e))
        return NULL;
    choices_probabilities(&s->choices, s->probabilities);
    return s->probabilities;
}

int sampler_init(struct sampler *s, const struct sampling *how, size_t n_vocab,
                 uint64_t seed, uint64_t stream, struct error *e)
{
    *s = (struct sampler){.how = *how};
    if (choices_init(&s->choices, n_vocab, e))
        return -1;
    random_init(&s->random, seed, stream);
    s->counts = calloc(n_vocab, sizeof *s->counts);
    s->probabilities = calloc(n_vocab, sizeof *s->probabilities);
    if (s->counts && s->probabilities)
        return 0;
    sampler_free(s);
    return fail_memory(e, "the sampler");
}

void sampler_use(struct sampler *s, const struct cpu_set *set)
{
    s->choices.kernels = set ? set->rows : NULL;
}

void sampler_free(struct sampler *s)
{
    choices_free(&s->choices);
    free(s->counts);
    free(s->probabilities);
    *s = (struct sampler){0};
}

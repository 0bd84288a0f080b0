/* Views of the chain: see views.h. */
#include "views.h"

#include "forward.h"
#include "sampling_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_left(const float *probabilities, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        left += probabilities[i] > 0;
    return left;
}

/* Keep a copy of what the sampler shows. */
static void take_view(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct views *v = context;
    float *copy = calloc(shape.cols, sizeof *copy);
    (void)layer;
    if (!copy || v->n == MOST_VIEWS) {
        free(copy);
        v->failed = true;
        return;
    }
    struct view *view = &v->items[v->n++];
    memcpy(copy, data, shape.cols * sizeof *copy);
    snprintf(view->name, sizeof view->name, "%s", name);
    view->probabilities = copy;
    view->left = count_left(copy, shape.cols);
}

/* Rank the tokens as the model gives them; changes logits (n_vocab,). */
static int rank_tokens(struct views *v, float *logits, struct error *e)
{
    v->ranking = calloc(v->n_vocab, sizeof *v->ranking);
    if (!v->ranking || v->failed)
        return fail_memory(e, "the probabilities");
    v->n_ranked = rank_candidates(logits, v->n_vocab, v->ranking);
    return 0;
}

static int watch_chain(struct views *v, const struct sampling_options *options,
                       const struct input *in, float *logits, struct error *e)
{
    struct observer o = {take_view, v};
    const struct ids *ids = &in->ids;
    struct history history = {ids->data, ids->size, ids->size};
    struct sampler sampler;
    if (sampler_init(&sampler, &options->sampling, v->n_vocab, options->seed,
                     0, e))
        return -1;
    sampler_use(&sampler, in->model.set);
    const float *left =
        sampler_probabilities(&sampler, logits, &history, &o, e);
    int result = left ? rank_tokens(v, logits, e) : -1;
    sampler_free(&sampler);
    return result;
}

static int watch_model(struct views *v, const struct input *in,
                       const struct settings *settings,
                       const struct sampling_options *options, struct error *e)
{
    const struct model *m = &in->model;
    struct state s;
    if (state_init_chunked(&s, m, in->ids.size, state_chunk(m), e))
        return -1;
    s.cache_form = settings->cache;
    int result = forward(m, &s, in->ids.data, in->ids.size, NULL, e);
    if (result == 0 && !next_logits(m, &in->non_tokens, &s, NULL, e))
        result = -1;
    if (result == 0)
        result = watch_chain(v, options, in, s.logits, e);
    state_free(&s);
    return result;
}

int views_init(struct views *v, const struct input *in,
               const struct settings *s, struct error *e)
{
    struct sampling_options options;
    *v = (struct views){.n_vocab = in->model.config.vocab_size};
    if (sampling_options_init(&options, s, in, true, e))
        return -1;
    int result = watch_model(v, in, s, &options, e);
    sampling_options_free(&options);
    if (result)
        views_free(v);
    return result;
}

void views_free(struct views *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->items[i].probabilities);
    free(v->ranking);
    *v = (struct views){0};
}

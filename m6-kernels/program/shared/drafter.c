/* The drafter: see drafter.h. */
#include "drafter.h"

#include <stdio.h>
#include <string.h>

enum drafter_sizes {
    DRAFT_TOKENS = 4,      /* unless --draft-tokens says otherwise */
    MOST_DRAFT_TOKENS = 16, /* a chunk of a state must hold one more */
    FLOATS_DRAFT_TOKENS = 3 /* the same as the first, of a model whose matrices
                               are floats: kernels read these as fast as memory
                               with up to 4 rows.  With the reading model 4
                               took 1.6 times as long as 1, and 5 3.7 times */
};

static size_t usual_draft_tokens(const struct model *m)
{
    bool floats = m->n_packed > 0 && packed_is_float(&m->packed[0]);
    return floats ? FLOATS_DRAFT_TOKENS : DRAFT_TOKENS;
}

/* Where the drafts' random numbers come from: a stream of the seed that no
 * continuation has, of which there are 1000 at most. */
static const uint64_t draft_stream = 1000;

/* What a pass of one token more costs, in passes of one token, where the model
 * is computed by kernels.  Measured with the shapes smollm2-135m and
 * qwen2.5-0.5b in 4 bits, one thread of an AVX-512 processor: 0.14 to 0.20 for
 * 2 to 8 tokens, 0.30 to 0.42 for 9 to 17; an AVX2 processor took 0.24 and
 * 0.32 for 4 and 8. */
static const double cost_of_token = 0.4;

/* The bytes of all matrices, which a pass fetches. */
static double packed_size(const struct model *m)
{
    double bytes = 0;
    for (size_t i = 0; i < m->n_packed; i++)
        bytes += (double)packed_panels(&m->packed[i]) *
                 (double)m->packed[i].panel_bytes;
    return bytes;
}

/* By kernels, and where nobody says how many tokens to guess, guesses are made
 * as long as they pay.  A small model's pass costs as much less as it has
 * bytes; what it reads late, it reads many at once. */
static void set_costs(struct drafter *d, const struct settings *s,
                        const struct input *in)
{
    double ratio = 0;
    if (s->draft_tokens.said || !in->model.set)
        return;
    if (d->model.n_packed > 0)
        ratio = packed_size(&d->model) / packed_size(&in->model);
    d->speculation.guess_cost = cost_of_token + ratio;
    d->speculation.late_cost = cost_of_token / 2 * ratio;
}

/* A draft is made of token ids, so an id must mean the same to both models. */
static int compare_tokens(const char *path, const struct model *draft,
                          const struct input *in, struct error *e)
{
    size_t n = in->model.config.vocab_size;
    if (draft->config.vocab_size != n)
        return fail(e, ERROR_INPUT,
                    "%s: knows %zu tokens, the model %zu: it cannot draft for "
                    "it",
                    path, draft->config.vocab_size, n);
    if (tokenizer_is_of(in->tokenizer, path))
        return 0;
    struct tokenizer *t = tokenizer_load(path, e);
    int result = t ? 0 : -1;
    for (size_t i = 0; i < n && result == 0; i++) {
        const char *a = tokenizer_token(t, (int)i);
        const char *b = tokenizer_token(in->tokenizer, (int)i);
        if ((!a != !b) || (a && strcmp(a, b) != 0))
            result = fail(e, ERROR_INPUT,
                          "%s: token %zu is \"%s\", in the model \"%s\": it "
                          "cannot draft for it",
                          path, i, a ? a : "", b ? b : "");
    }
    tokenizer_free(t);
    return result;
}

static int open_small(struct drafter *d, const struct settings *s,
                      const struct input *in,
                      const struct sampling_options *options, size_t most,
                      struct error *e)
{
    struct small_model *small = &d->small;
    size_t n_vocab = in->model.config.vocab_size;
    if (model_open(&d->model, s->draft, e))
        return -1;
    guard_begin(&d->guard, d->model.checkpoint.files,
                d->model.checkpoint.n_files);
    if (checkpoint_check(&d->model.checkpoint, e) ||
        compare_tokens(s->draft, &d->model, in, e))
        return -1;
    if (most > d->model.max_positions)
        return fail(e, ERROR_INPUT,
                    "%s: can hold %zu tokens, and the text will have %zu: it "
                    "cannot draft for it",
                    s->draft, d->model.max_positions, most);
    if (!s->exact && pack_model(&d->model, s, in->threads, e))
        return -1;
    small->model = &d->model;
    small->non_tokens = &in->non_tokens;
    d->speculation.propose = draft_by_model;
    d->speculation.context = small;
    size_t chunk = state_chunk(&d->model);
    if (state_init_chunked(&small->state, &d->model, most, chunk, e) ||
        cache_init_form(&small->cache, &d->model, s->cache, most, chunk, e))
        return -1;
    if (sampler_init(&small->sampler, &options->sampling, n_vocab,
                     options->seed, draft_stream, e))
        return -1;
    sampler_use(&small->sampler, d->model.set);
    return 0;
}

static int open_drafter(struct drafter *d, const struct settings *s,
                        const struct input *in,
                        const struct sampling_options *options, size_t most,
                        struct error *e)
{
    bool lookup = strcmp(s->draft, "ngram") == 0;
    size_t n = number_or(s->draft_tokens, usual_draft_tokens(&in->model));
    if (n == 0 || n > MOST_DRAFT_TOKENS)
        return fail(e, ERROR_USAGE,
                    "--draft-tokens takes a number from 1 to %d, not %zu",
                    MOST_DRAFT_TOKENS, n);
    size_t chunk = number_or(s->chunk, state_chunk(&in->model));
    if (n >= chunk)
        return fail(e, ERROR_USAGE,
                    "%zu guesses and the token before them are read at once: "
                    "--chunk must be at least %zu, not %zu",
                    n, n + 1, chunk);
    if (draft_init(&d->speculation.draft, n, in->model.config.vocab_size,
                   lookup, e))
        return -1;
    d->speculation.propose = draft_by_lookup;
    if (!lookup && open_small(d, s, in, options, most, e))
        return -1;
    set_costs(d, s, in);
    return 0;
}

int drafter_open(struct drafter *d, const struct settings *s,
                 const struct input *in,
                 const struct sampling_options *options, size_t most,
                 struct error *e)
{
    *d = (struct drafter){0};
    if (!s->draft && s->draft_tokens.said)
        return fail(e, ERROR_USAGE, "option --draft-tokens goes with --draft");
    int result = s->draft ? open_drafter(d, s, in, options, most, e) : 0;
    if (result)
        drafter_close(d);
    return result;
}

void drafter_close(struct drafter *d)
{
    sampler_free(&d->small.sampler);
    cache_free(&d->small.cache);
    state_free(&d->small.state);
    draft_free(&d->speculation.draft);
    if (d->guard.n_files > 0)
        guard_end(&d->guard);
    model_close(&d->model);
    *d = (struct drafter){0};
}

void drafter_print(const struct drafter *d)
{
    const struct speculation *s = &d->speculation;
    if (!s->propose)
        return;
    fprintf(stderr, "%zu tokens proposed, %zu kept (%.0f%%), in %zu pass%s",
            s->n_proposed, s->n_kept,
            s->n_proposed ? 100.0 * (double)s->n_kept / (double)s->n_proposed
                          : 0.0,
            s->n_passes, s->n_passes == 1 ? "" : "es");
    if (s->n_silent > 0)
        fprintf(stderr, "; for %zu of these guesses did not pay", s->n_silent);
    fprintf(stderr, "\n");
}

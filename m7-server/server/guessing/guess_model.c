/* A small model that guesses for many: see guess_model.h. */
#include "guess_model.h"

#include "generate.h"
#include "kept.h"
#include "sizes.h"
#include "spans.h"

#include <stdlib.h>
#include <string.h>

/* --- open and close ------------------------------------------------------ */

/* A guess is a token's id, so that must mean the same to both models. */
static int compare_vocabularies(const char *path,
                                const struct tokenizer *small,
                                const struct vocabulary *large,
                                struct error *e)
{
    for (size_t i = 0; i < large->n; i++) {
        const char *a = tokenizer_token(small, (int)i);
        const char *b = tokenizer_token(large->tokenizer, (int)i);
        if ((!a != !b) || (a && strcmp(a, b) != 0))
            return fail(e, ERROR_INPUT,
                        "%s: token %zu is \"%s\", in %s \"%s\": it cannot "
                        "draft for it",
                        path, i, a ? a : "", large->name, b ? b : "");
    }
    return 0;
}

int guess_check_vocabulary(const char *path, const struct model *small,
                           const struct vocabulary *large, struct error *e)
{
    if (small->config.vocab_size != large->n)
        return fail(e, ERROR_INPUT,
                    "%s: knows %zu tokens, %s %zu: it cannot draft for it",
                    path, small->config.vocab_size, large->name, large->n);
    if (tokenizer_is_of(large->tokenizer, path))
        return 0;
    struct tokenizer *t = tokenizer_load(path, e);
    int result = t ? compare_vocabularies(path, t, large, e) : -1;
    tokenizer_free(t);
    return result;
}

/* Bytes of all matrices, which a pass fetches. */
static double bytes_of_matrices(const struct model *m)
{
    double bytes = 0;
    for (size_t i = 0; i < m->n_packed; i++)
        bytes += (double)packed_panels(&m->packed[i]) *
                 (double)m->packed[i].panel_bytes;
    return bytes;
}

double guess_pass_ratio(const struct model *small, const struct model *large)
{
    if (small->n_packed == 0 || large->n_packed == 0)
        return 1;
    return bytes_of_matrices(small) / bytes_of_matrices(large);
}

/* As the large model is packed.  That a kept copy cannot be used is no error.
 */
static int pack_small(struct guess_model *g, struct error *e)
{
    enum kept_state state;
    struct error why = {ERROR_NONE, ""};
    if (!g->large.threads)
        return 0;
    if (model_pack_kept(&g->model, g->large.threads, g->large.keep_packed,
                        &state, &why, e))
        return -1;
    if (g->model.store.file.data)
        guard_begin(&g->model.store.guard, &g->model.store.file, 1);
    return 0;
}

int guess_model_open(struct guess_model *g, const char *path,
                     const struct guessed_model *large, struct error *e)
{
    const struct vocabulary tokens = {large->name, large->tokenizer,
                                      large->model->config.vocab_size};
    *g = (struct guess_model){.large = *large};
    if (model_open(&g->model, path, e))
        return -1;
    guard_begin(&g->guard, g->model.checkpoint.files,
                g->model.checkpoint.n_files);
    if (checkpoint_check(&g->model.checkpoint, e) ||
        guess_check_vocabulary(path, &g->model, &tokens, e))
        return -1;
    return pack_small(g, e);
}

int guess_model_reserve(struct guess_model *g, size_t places, size_t longest,
                        size_t rows, const struct cache_form *form,
                        struct error *e)
{
    g->form = form;
    g->capacity = smaller_size(longest, g->model.max_positions);
    if (state_init_chunked(&g->state, &g->model,
                           larger_size(g->capacity, rows), rows, e))
        return -1;
    g->caches = calloc(places, sizeof *g->caches);
    g->n = g->caches ? places : 0;
    return g->caches ? 0 : fail_memory(e, "the draft's caches");
}

static void forget_cache(struct guess_cache *c)
{
    if (c->made)
        cache_free(&c->cache);
    *c = (struct guess_cache){0};
}

void guess_model_close(struct guess_model *g)
{
    for (size_t i = 0; i < g->n; i++)
        forget_cache(&g->caches[i]);
    free(g->caches);
    state_free(&g->state);
    if (g->guard.n_files > 0)
        guard_end(&g->guard);
    model_close(&g->model);
    *g = (struct guess_model){0};
}

/* --- what is known of a text --------------------------------------------- */

void guess_model_begin(struct guess_model *g, size_t place, const int *ids,
                       size_t n)
{
    struct guess_cache *c = &g->caches[place];
    if (c->made)
        c->n_read = reuse_prefix(&g->model, &c->cache, ids, n);
}

void guess_model_limit(struct guess_model *g, size_t place, size_t positions)
{
    struct guess_cache *c = &g->caches[place];
    if (c->touched > positions)
        forget_cache(c);
}

/* How many tokens of the text are held: what was read of it, and the guesses
 * behind that which were right. */
static size_t count_known(const struct guess_cache *c,
                          const struct guessed_text *t)
{
    const struct cache *held = &c->cache;
    size_t n = smaller_size(c->n_read, held->length);
    while (n < held->length && n < t->n && held->ids[n] == t->ids[n])
        n++;
    return n;
}

/* Have a cache that holds what it knows of the text, and not its last token.
 * Without memory there is none. */
static struct cache *prepare_cache(struct guess_model *g,
                                   const struct guessed_text *t)
{
    struct guess_cache *c = &g->caches[t->place];
    struct error ignored;
    if (!c->made && cache_init_form(&c->cache, &g->model, g->form, g->capacity,
                                    g->state.capacity, &ignored))
        return NULL;
    c->made = true;
    c->n_read = cache_truncate(&c->cache,
                               smaller_size(count_known(c, t), t->n - 1));
    return &c->cache;
}

/* --- a pass -------------------------------------------------------------- */

/* What is read in one pass, of which texts. */
struct guess_pass {
    struct span spans[STATE_SCORED];
    struct guessed_text *texts[STATE_SCORED]; /* whose they are */
    size_t n;
};

static void read_pass(struct guess_model *g, const struct guess_pass *p)
{
    read_spans(&g->model, &g->state, p->spans, p->n, NULL);
    for (size_t i = 0; i < p->n; i++) {
        struct guess_cache *c = &g->caches[p->texts[i]->place];
        c->touched = larger_size(c->touched, c->cache.length);
    }
}

/* The first pass: what is new of each text, its last token at least, as far as
 * the purse pays. */
static struct guess_pass begin_passes(struct guess_model *g,
                                      struct guess_purse *purse,
                                      const struct guess_costs *costs,
                                      struct guessed_text *texts, size_t n,
                                      size_t room)
{
    struct guess_pass p = {.n = 0};
    for (size_t i = 0; i < n; i++) {
        struct guessed_text *t = &texts[i];
        bool fits = t->n + t->most <= g->capacity;
        struct cache *c = fits ? prepare_cache(g, t) : NULL;
        size_t late = c ? t->n - 1 - c->length : 0;
        if (!c || !guess_purse_pays(purse, costs, late))
            continue;
        late = smaller_size(late, room);
        room -= late;
        guess_purse_read(purse, costs, late);
        p.texts[p.n] = t;
        p.spans[p.n++] = (struct span){c, t->ids + c->length, late + 1, t->n};
    }
    return p;
}

/* Whose texts were not read to their ends guess nothing. */
static void end_first_pass(struct guess_model *g, struct guess_pass *p,
                           size_t *rows)
{
    size_t n = 0, row = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct guessed_text *t = p->texts[i];
        struct cache *c = p->spans[i].cache;
        row += p->spans[i].n;
        g->caches[t->place].n_read = c->length;
        if (c->length < t->n)
            continue;
        rows[n] = row - 1;
        p->texts[n] = t;
        p->spans[n++].cache = c;
    }
    p->n = n;
}

/* The text's next guess, by its sampler and by the random number that this is
 * going to draw there.  Who forbids tokens may keep an account of what was
 * said, and is not asked about what may never be.  Returns whether another one
 * is wanted. */
static bool draw_guess(const struct guess_model *g, struct guessed_text *t,
                       const struct cache *c, float *logits)
{
    struct error ignored;
    struct history text = {c->ids, c->length, t->n_prompt};
    int id = -1;
    if (usable_logits(g->large.non_tokens, logits, g->model.config.vocab_size,
                      &ignored) == 0)
        id = sampler_choose(t->sampler, logits, &text, &ignored);
    if (id < 0)
        return false;
    t->guesses[t->n_guesses++] = id;
    return t->n_guesses < t->most;
}

/* Of each text the next guess; what is left of the pass is who wants another,
 * and reads this one before. */
static void draw_guesses(struct guess_model *g, struct guess_pass *p,
                         const size_t *rows)
{
    size_t n = 0, n_vocab = g->model.config.vocab_size;
    logits_of_rows(&g->model, &g->state, rows, p->n, NULL);
    for (size_t i = 0; i < p->n; i++) {
        struct guessed_text *t = p->texts[i];
        struct cache *c = p->spans[i].cache;
        if (!draw_guess(g, t, c, g->state.logits + i * n_vocab))
            continue;
        p->texts[n] = t;
        p->spans[n++] =
            (struct span){c, t->guesses + t->n_guesses - 1, 1, 0};
    }
    p->n = n;
}

static void run_passes(struct guess_model *g, struct guess_pass *p)
{
    size_t rows[STATE_SCORED];
    if (p->n == 0)
        return;
    read_pass(g, p);
    end_first_pass(g, p, rows);
    while (p->n > 0) {
        draw_guesses(g, p, rows);
        if (p->n == 0)
            return;
        read_pass(g, p);
        for (size_t i = 0; i < p->n; i++)
            rows[i] = i;
    }
}

/* What a sampler has that guessing must leave as it was. */
struct kept_sampler {
    struct random random;
    forbid_function *forbid;
};

void guess_model_propose(struct guess_model *g, struct guess_purse *purse,
                         const struct guess_costs *costs,
                         struct guessed_text *texts, size_t n, size_t room)
{
    struct kept_sampler kept[STATE_SCORED];
    for (size_t i = 0; i < n; i++) {
        struct sampler *s = texts[i].sampler;
        kept[i] = (struct kept_sampler){s->random, s->how.forbid};
        s->how.forbid = NULL;
        texts[i].n_guesses = 0;
    }
    struct guess_pass p = begin_passes(g, purse, costs, texts, n, room);
    run_passes(g, &p);
    for (size_t i = 0; i < n; i++) {
        texts[i].sampler->random = kept[i].random;
        texts[i].sampler->how.forbid = kept[i].forbid;
    }
}

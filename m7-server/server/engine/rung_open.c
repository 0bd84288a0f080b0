/* Opening and closing a model: see rung.h. */
#include "engine.h"
#include "model_facts.h"
#include "rung_errors.h"

#include "cache_form.h"
#include "generate.h"
#include "kept.h"
#include "sizes.h"

#include <stdlib.h>
#include <unistd.h>

enum defaults {
    DEFAULT_REQUESTS = 16,
    DEFAULT_QUEUE = 256
};

static size_t or_default(size_t asked, size_t otherwise)
{
    return asked ? asked : otherwise;
}

/* --- the model ----------------------------------------------------------- */

/* Let kernels compute.  That a kept copy cannot be used, or written, is no
 * error: the model runs without. */
static int pack(struct rung_model *m, const struct rung_options *o,
                struct error *e)
{
    enum kept_state state;
    struct error why = {ERROR_NONE, ""};
    if (o->exact && o->keep_packed)
        return fail(e, ERROR_INPUT,
                    "exact arithmetic packs nothing that could be kept");
    if (o->exact)
        return 0;
    if (threads_open(&m->threads, o->threads, e) ||
        model_pack_kept(&m->model, m->threads, o->keep_packed, &state, &why,
                        e))
        return -1;
    if (m->model.store.file.data)
        guard_begin(&m->model.store.guard, &m->model.store.file, 1);
    return 0;
}

static int open_model(struct rung_model *m, const char *path,
                      const struct rung_options *o, struct error *e)
{
    if (model_open(&m->model, path, e))
        return -1;
    guard_begin(&m->guard, m->model.checkpoint.files,
                m->model.checkpoint.n_files);
    m->tokenizer = tokenizer_load(path, e);
    if (!m->tokenizer ||
        find_non_tokens(m->tokenizer, m->model.config.vocab_size,
                        &m->non_tokens, e) ||
        checkpoint_check(&m->model.checkpoint, e))
        return -1;
    pooling_read(&m->pooling, path);
    return pack(m, o, e);
}

/* --- room for requests --------------------------------------------------- */

/* Add the bytes that a position takes in a cache of a model. */
static int measure_position(struct rung_model *m, const struct model *model,
                            struct error *e)
{
    struct cache c;
    if (cache_init_form(&c, model, m->slots.form, 1, 1, e))
        return -1;
    m->facts.cache_token_bytes += cache_position_bytes(&c);
    cache_free(&c);
    return 0;
}

/* A quarter of the machine's memory, in positions; the size of that is not
 * everywhere known. */
static size_t positions_in_memory(size_t bytes)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return SIZE_MAX;
    return (size_t)pages / 4 * (size_t)page / larger_size(bytes, 1);
}

static size_t default_budget(const struct rung_facts *f)
{
    size_t memory = positions_in_memory(f->cache_token_bytes);
    size_t all = f->context > SIZE_MAX / f->requests
                     ? SIZE_MAX
                     : f->context * f->requests;
    return larger_size(f->context, smaller_size(all, memory));
}

static int check_numbers(const struct rung_model *m,
                         const struct rung_options *o, struct error *e)
{
    const struct rung_facts *f = &m->facts;
    if (f->context > m->model.max_positions)
        return fail(e, ERROR_INPUT,
                    "a context of %zu tokens is more than the model's %zu",
                    f->context, m->model.max_positions);
    if (f->requests > STATE_SCORED)
        return fail(e, ERROR_INPUT,
                    "%zu requests at once are more than the possible %d",
                    f->requests, STATE_SCORED);
    if (f->cache_tokens < f->context)
        return fail(e, ERROR_INPUT,
                    "caches of %zu tokens are smaller than a context of %zu",
                    f->cache_tokens, f->context);
    if (o->cache_form && !m->slots.form)
        return fail(e, ERROR_INPUT, "no form of a cache is called \"%s\"",
                    o->cache_form);
    return 0;
}

static int set_numbers(struct rung_model *m, const struct rung_options *o,
                       struct error *e)
{
    struct rung_facts *f = &m->facts;
    m->slots.form = o->cache_form ? cache_form_named(o->cache_form)
                                  : cache_form_row(0);
    f->context = or_default(o->context, m->model.max_positions);
    f->requests = or_default(o->requests, DEFAULT_REQUESTS);
    f->queue = or_default(o->queue, DEFAULT_QUEUE);
    f->cache_tokens = or_default(o->cache_tokens, SIZE_MAX);
    if (check_numbers(m, o, e) || measure_position(m, &m->model, e))
        return -1;
    if (o->cache_tokens == 0)
        f->cache_tokens = default_budget(f);
    return 0;
}

/* A pass cannot have more rows than the state is made for, which is no more
 * than a text may have. */
static int reserve_state(struct rung_model *m, const struct rung_options *o,
                         struct error *e)
{
    const struct rung_facts *f = &m->facts;
    size_t rows = or_default(o->step_tokens, STATE_CHUNK);
    rows = o->step_tokens ? rows : larger_size(rows, f->requests);
    size_t longest = larger_size(f->context, rows);
    if (state_init_chunked(&m->state, &m->model, longest, rows, e))
        return -1;
    m->state.cache_form = m->slots.form;
    m->slots.model = &m->model;
    m->slots.capacity = f->context;
    m->slots.chunk = rows;
    m->slots.budget = f->cache_tokens;
    m->slots.n = f->requests;
    struct schedule_limits limits = {rows, f->requests, f->queue,
                                     f->cache_tokens, m->guesser.rows};
    if (slots_init(&m->slots, e) || schedule_init(&m->schedule, &limits, e))
        return -1;
    return m->guesser.asks_model
               ? guess_model_reserve(&m->guesser.small, f->requests,
                                     f->context, rows, m->slots.form, e)
               : 0;
}

/* --- guesses ------------------------------------------------------------- */

/* A model that makes vectors says nothing that could be guessed.  A small
 * model keeps each text, too. */
static int open_guesser(struct rung_model *m, const struct rung_options *o,
                        struct error *e)
{
    struct guesser_options how = {o->draft, o->draft_tokens};
    struct guessed_model large = {m->path, &m->model, m->tokenizer,
                                  &m->non_tokens, m->threads, o->keep_packed};
    if (m->facts.embeds)
        return 0;
    if (guesser_open(&m->guesser, &how, &large, e))
        return -1;
    if (m->guesser.asks_model &&
        measure_position(m, &m->guesser.small.model, e))
        return -1;
    if (o->cache_tokens == 0)
        m->facts.cache_tokens = default_budget(&m->facts);
    return 0;
}

/* --- open and close ------------------------------------------------------ */

static int open_all(struct rung_model *m, const char *path,
                    const struct rung_options *o, struct error *e)
{
    if (open_model(m, path, o, e) || set_numbers(m, o, e) ||
        facts_read(m, path, o, e) || open_guesser(m, o, e) ||
        reserve_state(m, o, e))
        return -1;
    m->opened = engine_clock();
    m->stats.cache_tokens = m->facts.cache_tokens;
    return engine_start(m, e);
}

struct rung_model *rung_open(const char *path,
                             const struct rung_options *options,
                             struct rung_error *out)
{
    static const struct rung_options none;
    struct error e;
    struct rung_model *m = calloc(1, sizeof *m);
    if (!m) {
        fail_memory(&e, "the model");
        fail_out(out, &e);
        return NULL;
    }
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->work, NULL);
    if (open_all(m, path, options ? options : &none, &e)) {
        fail_out(out, &e);
        rung_close(m);
        return NULL;
    }
    return m;
}

void rung_close(struct rung_model *m)
{
    if (!m)
        return;
    engine_stop(m);
    schedule_free(&m->schedule);
    slots_free(&m->slots);
    guesser_close(&m->guesser);
    state_free(&m->state);
    facts_free(m);
    if (m->guard.n_files > 0)
        guard_end(&m->guard);
    tokenizer_free(m->tokenizer);
    ids_free(&m->non_tokens);
    model_close(&m->model);
    threads_close(m->threads);
    pthread_cond_destroy(&m->work);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

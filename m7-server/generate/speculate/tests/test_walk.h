/* For the tests of speculate() that walk through drafts: a text that a small
 * model writes, with guesses of which so many are right. */
#ifndef TEST_WALK_H
#define TEST_WALK_H

#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum walk_sizes {
    N_PROMPT = 7, /* tokens */
    N_NEW = 12,
    N_DRAFT = 3,
    CHUNK = 5
};

static const int prompt[N_PROMPT] = {5, 40, 17, 23, 8, 31, 12};

/* A text that is written with guesses. */
struct walk {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    struct speculation spec;
    struct ids ids;
    int text[N_PROMPT + N_NEW]; /* what comes without guesses */
    size_t right;               /* guesses of each draft that are */
    size_t unsaid;              /* of each draft, which ids has all the same */
    int answer;                 /* what the drafter says */
    size_t most;                /* new tokens */
    size_t n_put, enough;       /* tokens; enough 0: never */
    size_t n_read;              /* tokens */
    bool damaged;               /* the last number of each pass is */
};

static inline int propose_some_right(void *context, const struct history *t,
                              struct draft *d, struct error *e)
{
    const struct walk *w = context;
    int n_vocab = (int)w->m.config.vocab_size;
    assert_in_range(d->most, 1, N_DRAFT);
    for (d->n = 0; d->n < d->most; d->n++) {
        int id = w->text[t->n + d->n];
        d->ids[d->n] = d->n < w->right ? id : (id + 1) % n_vocab;
    }
    d->n -= w->unsaid;
    return w->answer < 0 ? fail(e, ERROR_SYSTEM, "no idea") : w->answer;
}

static inline int count_token(void *context, int id, const float *logits,
                       struct error *e)
{
    struct walk *w = context;
    (void)id;
    (void)logits;
    (void)e;
    return ++w->n_put == w->enough;
}

static inline void count_read(void *context, const char *name, int layer,
                       const float *data, struct shape shape)
{
    struct walk *w = context;
    (void)layer;
    if (strcmp(name, "embedding") == 0)
        w->n_read += shape.rows;
    if (w->damaged && strcmp(name, "logits") == 0)
        ((float *)data)[shape.rows * shape.cols - 1] = NAN;
}

/* Go on with the prompt; returns what was said. */
static inline int go_on(struct walk *w, bool guesses, struct error *e)
{
    struct observer o = {count_read, w};
    struct generation g = {.most = w->most,
                           .sampler = &w->sampler,
                           .put = count_token,
                           .context = w,
                           .observer = &o,
                           .state = &w->reader.state,
                           .cache = &w->reader.cache};
    w->ids.size = w->n_put = w->n_read = 0;
    w->spec.n_passes = w->spec.n_proposed = w->spec.n_kept = 0;
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&w->ids, prompt[i]);
    return guesses ? speculate(&w->m, NULL, &w->ids, &g, &w->spec, e)
                   : generate(&w->m, NULL, &w->ids, &g, e);
}

static inline void assert_written(const struct walk *w, size_t n)
{
    assert_int_equal(w->n_put, n);
    assert_int_equal(w->ids.size, N_PROMPT + n);
    assert_memory_equal(w->ids.data, w->text, (N_PROMPT + n) * sizeof(int));
}

/* A walk that has read and written nothing yet. */
static inline void open_model(struct walk *w, const char *name, size_t chunk)
{
    char *path = test_path(name);
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 0;
    *w = (struct walk){.right = N_DRAFT, .most = N_NEW};
    assert_ok(model_open(&w->m, path, &e), &e);
    free(path);
    w->m.config.eos.size = 0;
    size_t n_vocab = w->m.config.vocab_size;
    assert_ok(sampler_init(&w->sampler, &how, n_vocab, 1, 0, &e), &e);
    w->spec.propose = propose_some_right;
    w->spec.context = w;
    assert_ok(draft_init(&w->spec.draft, N_DRAFT, n_vocab, true, &e), &e);
    reader_open(&w->reader, &w->m, N_PROMPT + N_NEW, chunk);
}

/* Find the text that comes without guesses; then the cache holds nothing. */
static inline void write_text_alone(struct walk *w)
{
    struct error e;
    assert_ok(go_on(w, false, &e), &e);
    memcpy(w->text, w->ids.data, sizeof w->text);
    cache_truncate(&w->reader.cache, 0);
}

static inline void open_walk(struct walk *w, size_t chunk)
{
    open_model(w, "checkpoints/llama-1", chunk);
    write_text_alone(w);
}

static inline void close_walk(struct walk *w)
{
    draft_free(&w->spec.draft);
    ids_free(&w->ids);
    sampler_free(&w->sampler);
    reader_close(&w->reader);
    model_close(&w->m);
}

#endif

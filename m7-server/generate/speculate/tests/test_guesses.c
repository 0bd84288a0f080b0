/* Guesses change nothing: at temperature 0 the text is the same, token for
 * token, and so are its logits, bit for bit, wherever a draft goes wrong; for
 * every small model. */
#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_small.h"

enum guess_sizes {
    N_NEW = 20,  /* tokens */
    N_DRAFT = 4, /* guesses at once */
    CHUNK = 9    /* so that a draft seldom begins where a chunk does */
};

/* A model and a text (n_prompt + N_NEW,), which is what it writes without
 * guesses; and the logits (N_NEW, vocab_size) of what is new. */
struct story {
    struct model m;
    size_t n_prompt;
    int *ids;
    float *logits;
    bool borders; /* the angles change somewhere in it, which no guess reaches
                     over: so the passes are more */
};

/* Takes the new tokens of a text, and compares them. */
struct taker {
    const struct story *t;
    size_t n;
    bool first; /* there is nothing to compare with yet */
    size_t enough;
    size_t n_read; /* tokens, before there was a new one */
};

static void count_read(void *context, const char *name, int layer,
                       const float *data, struct shape shape)
{
    struct taker *x = context;
    (void)layer;
    (void)data;
    if (x->n == 0 && strcmp(name, "embedding") == 0)
        x->n_read += shape.rows;
}

static int take_token(void *context, int id, const float *logits,
                      struct error *e)
{
    struct taker *x = context;
    size_t n_vocab = x->t->m.config.vocab_size;
    float *expected = x->t->logits + x->n * n_vocab;
    int *place = x->t->ids + x->t->n_prompt + x->n++;
    (void)e;
    if (x->first) {
        memcpy(expected, logits, n_vocab * sizeof *logits);
        *place = id;
    }
    assert_int_equal(id, *place);
    assert_same("logits", logits, expected, n_vocab);
    return x->n == x->enough;
}

/* Go on with the prompt, with this state and cache; without `spec`, without
 * guesses. */
static void go_on(struct taker *x, struct reader *r, struct speculation *spec)
{
    const struct story *t = x->t;
    struct sampling how = no_sampling;
    struct sampler sampler;
    struct ids ids = {0};
    struct error e;
    struct observer o = {count_read, x};
    struct generation g = {.most = N_NEW,
                           .sampler = &sampler,
                           .put = take_token,
                           .context = x,
                           .observer = &o,
                           .state = &r->state,
                           .cache = &r->cache};
    how.temperature = 0;
    for (size_t i = 0; i < t->n_prompt; i++)
        ids_add(&ids, t->ids[i]);
    assert_ok(sampler_init(&sampler, &how, t->m.config.vocab_size, 1, 0, &e),
              &e);
    if (spec)
        assert_ok(speculate(&t->m, NULL, &ids, &g, spec, &e), &e);
    else
        assert_ok(generate(&t->m, NULL, &ids, &g, &e), &e);
    assert_int_equal(ids.size, t->n_prompt + x->n);
    assert_true(x->n_read <= t->n_prompt + N_DRAFT); /* none twice */
    sampler_free(&sampler);
    ids_free(&ids);
}

static void open_reader(const struct story *t, size_t chunk,
                        struct reader *r)
{
    size_t most = t->n_prompt + N_NEW;
    reader_open(r, &t->m, most, chunk);
}

/* --- drafters ------------------------------------------------------------ */

/* Knows the text, and is right about the first guesses of each draft. */
struct oracle {
    const struct story *t;
    size_t right;
};

static int propose_half_right(void *context, const struct history *so_far,
                              struct draft *d, struct error *e)
{
    const struct oracle *o = context;
    int n_vocab = (int)o->t->m.config.vocab_size;
    (void)e;
    for (d->n = 0; d->n < d->most; d->n++) {
        int id = o->t->ids[so_far->n + d->n];
        d->ids[d->n] = d->n < o->right ? id : (id + 1) % n_vocab;
    }
    return 0;
}

/* Speculate with it, and count. */
static struct speculation guess(const struct story *t, struct reader *r,
                                size_t right, size_t enough)
{
    struct oracle oracle = {t, right};
    struct taker taker = {t, 0, false, enough, 0};
    struct speculation spec = {.propose = propose_half_right,
                               .context = &oracle};
    struct error e;
    assert_ok(
        draft_init(&spec.draft, N_DRAFT, t->m.config.vocab_size, true, &e),
        &e);
    go_on(&taker, r, &spec);
    assert_int_equal(taker.n, enough ? enough : N_NEW);
    assert_int_equal(spec.draft.most, N_DRAFT);
    draft_free(&spec.draft);
    return spec;
}

/* --- wherever a draft goes wrong ----------------------------------------- */

/* Each pass gives the guesses that were right, and one token more; the last
 * passes have less to guess. */
static void assert_any_rejection(const struct story *t)
{
    for (size_t right = 0; right <= N_DRAFT; right++) {
        struct reader r;
        open_reader(t, CHUNK, &r);
        struct speculation spec = guess(t, &r, right, 0);
        size_t n_passes = (N_NEW + right) / (right + 1);
        assert_true(spec.n_passes == n_passes || t->borders);
        assert_int_equal(spec.n_kept, N_NEW - spec.n_passes);
        reader_close(&r);
    }
}

/* Chunks of one or two tokens leave no room for all guesses. */
static void assert_small_chunks(const struct story *t)
{
    for (size_t chunk = 1; chunk <= 3; chunk++) {
        struct reader r;
        open_reader(t, chunk, &r);
        struct speculation spec = guess(t, &r, N_DRAFT, 0);
        size_t n_passes = (N_NEW + chunk - 1) / chunk;
        assert_true(spec.n_passes == n_passes || t->borders);
        reader_close(&r);
    }
}

/* What the cache holds is a longer text than the prompt; and at the end, with
 * the last draft, more than the new one. */
static void assert_goes_back(const struct story *t)
{
    struct reader r;
    open_reader(t, CHUNK, &r);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n_prompt + N_NEW, NULL);
    guess(t, &r, 2, 0);
    guess(t, &r, 0, 7);
    guess(t, &r, N_DRAFT, 0);
    reader_close(&r);
}

/* The end may come within a draft. */
static void assert_ends(const struct story *t)
{
    struct reader r;
    open_reader(t, CHUNK, &r);
    for (size_t enough = 1; enough < 8; enough++) {
        struct speculation spec = guess(t, &r, N_DRAFT, enough);
        size_t n_kept = enough - enough / (N_DRAFT + 1);
        assert_true(spec.n_kept == n_kept || t->borders);
    }
    reader_close(&r);
}

/* A drafter that is the model itself is always right, also by chance. */
static void assert_agrees_with_itself(const struct story *t)
{
    struct small_model small = {.model = &t->m};
    struct speculation spec = {.propose = draft_by_model, .context = &small};
    struct taker taker = {t, 0, false, 0, 0};
    struct sampling how = no_sampling;
    struct reader r;
    struct error e;
    size_t n_vocab = t->m.config.vocab_size;
    how.temperature = 0;
    open_reader(t, CHUNK, &r);
    struct reader drafting;
    open_reader(t, CHUNK, &drafting);
    small.state = drafting.state;
    small.cache = drafting.cache;
    assert_ok(sampler_init(&small.sampler, &how, n_vocab, 1, 0, &e), &e);
    assert_ok(draft_init(&spec.draft, N_DRAFT, n_vocab, false, &e), &e);
    go_on(&taker, &r, &spec);
    assert_int_equal(taker.n, N_NEW);
    assert_int_equal(spec.n_kept, spec.n_proposed);
    draft_free(&spec.draft);
    sampler_free(&small.sampler);
    reader_close(&drafting);
    reader_close(&r);
}

/* --- all models ---------------------------------------------------------- */

/* Write the text without guesses; nothing ends it early. */
static void write_without(struct story *t)
{
    struct taker taker = {t, 0, true, 0, 0};
    struct reader r;
    t->m.config.eos.size = 0;
    t->logits = calloc(N_NEW, t->m.config.vocab_size * sizeof *t->logits);
    assert_non_null(t->logits);
    open_reader(t, CHUNK, &r);
    go_on(&taker, &r, NULL);
    assert_int_equal(taker.n, N_NEW);
    reader_close(&r);
}

static void assert_all(struct story *t)
{
    write_without(t);
    assert_any_rejection(t);
    assert_small_chunks(t);
    assert_goes_back(t);
    assert_ends(t);
    assert_agrees_with_itself(t);
    free(t->logits);
}

static bool turns_by_length(const struct model *m)
{
    bool by_length = false;
    for (size_t i = 0; i < m->n_ropes; i++)
        by_length = by_length || m->ropes[i].by_length;
    return by_length;
}

static void small_model(void **state)
{
    struct checkpoint goldens;
    struct story t;
    size_t n;
    small_open(*state, &t.m, &goldens);
    t.ids = golden_ids(&goldens, "", "ids", &n);
    t.n_prompt = n - N_NEW;
    t.borders = false;
    assert_all(&t);
    free(t.ids);
    if (turns_by_length(&t.m)) {
        t.ids = golden_ids(&goldens, "long", "ids", &n);
        t.m.max_positions = n;
        t.borders = true;
        for (t.n_prompt = 60; t.n_prompt <= 65;
             t.n_prompt += is_long() ? 1 : is_slow() ? 6 : 5)
            assert_all(&t);
        free(t.ids);
    }
    model_close(&t.m);
    checkpoint_close(&goldens);
}

static void without_models(void **state)
{
    (void)state;
    char *path = test_path("checkpoints/goldens");
    int missing = access(path, R_OK);
    free(path);
    if (missing)
        skip_without_models();
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[1 + MAX_SMALL] = {
        cmocka_unit_test(without_models),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[1 + i] = (struct CMUnitTest){.name = small.names[i],
                                           .test_func = small_model,
                                           .initial_state = small.names[i]};
    return _cmocka_run_group_tests("guesses", tests, 1 + small.n, NULL, NULL);
}

/* A session continues as if it had never been away: every row comes back, and
 * every logit after it has the bits that it has without.
 *
 * Nothing here is a golden: that the logits without a session agree with
 * transformers is what test_generation.c and test_prefill.c say. */
#include "fingerprint.h"
#include "forward.h"
#include "session.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_small.h"

enum chunk_sizes {
    CHUNK_BEFORE = 16, /* of the state that saves */
    CHUNK_AFTER = 5    /* of the one that loads */
};

/* A model, a text, and where its session lies. */
struct text {
    struct model m;
    const struct cache_form *form;
    int *ids;
    size_t n;
    uint64_t fingerprint;
    char path[40];
};

static void assert_same_rows(const struct cache_layer *found,
                             const struct cache_layer *expected, size_t n)
{
    for (size_t p = found->first; p < n; p++) {
        assert_memory_equal(key_row(found, p), key_row(expected, p),
                            found->key_bytes);
        assert_memory_equal(value_row(found, p), value_row(expected, p),
                            found->value_bytes);
    }
}

static void assert_same_cache(const struct cache *found,
                              const struct cache *expected)
{
    assert_int_equal(found->length, expected->length);
    assert_memory_equal(found->ids, expected->ids,
                        found->length * sizeof *found->ids);
    for (size_t l = 0; l < found->n_layers; l++) {
        assert_true(cache_reaches_back(&found->layers[l], found->length));
        assert_same_rows(&found->layers[l], &expected->layers[l],
                         found->length);
    }
}

/* What a cache holds, by way of a file, into a new state. */
static void bring_over(const struct text *t, const struct cache *c,
                       struct reader *r)
{
    struct session session;
    struct error e;
    assert_ok(session_save(t->path, c, t->fingerprint, &e), &e);
    assert_ok(session_load(t->path, &session, &e), &e);
    reader_open_form(r, &t->m, t->form, t->n, CHUNK_AFTER);
    assert_ok(
        session_restore(&session, t->path, t->fingerprint, &r->cache, &e), &e);
    session_free(&session);
    assert_same_cache(&r->cache, c);
}

static void assert_same_logits(const struct text *t, struct reader *a,
                               struct reader *b)
{
    const float *x = forward_logits(&t->m, &a->state, a->state.rows - 1, NULL);
    const float *y = forward_logits(&t->m, &b->state, b->state.rows - 1, NULL);
    assert_same("logits", x, y, t->m.config.vocab_size);
}

/* Read the text as far as `at`, save, and let another state go on from there,
 * up to `end`. */
static void assert_continues(const struct text *t, size_t at, size_t end)
{
    struct reader stayed, went;
    assert_true(at > 0 && end <= t->n);
    reader_open_form(&stayed, &t->m, t->form, t->n, CHUNK_BEFORE);
    prefill(&t->m, &stayed.state, &stayed.cache, t->ids, at, NULL);
    bring_over(t, &stayed.cache, &went);
    for (size_t i = at; i < end; i++) {
        decode(&t->m, &stayed.state, &stayed.cache, t->ids[i], NULL);
        decode(&t->m, &went.state, &went.cache, t->ids[i], NULL);
        assert_same_logits(t, &stayed, &went);
    }
    reader_close(&went);
    reader_close(&stayed);
}

/* What is kept of a longer text was turned for that one's length. */
static void assert_goes_back(const struct text *t, size_t from, size_t to)
{
    struct reader stayed, went;
    struct error e;
    reader_open_form(&stayed, &t->m, t->form, t->n, CHUNK_BEFORE);
    prefill(&t->m, &stayed.state, &stayed.cache, t->ids, from, NULL);
    assert_int_equal(cache_truncate(&stayed.cache, to), to);
    stayed.state.cache_form = t->form;
    bring_over(t, &stayed.cache, &went);
    prefill(&t->m, &went.state, &went.cache, t->ids + to, 1, NULL);
    forward(&t->m, &stayed.state, t->ids, to + 1, NULL, &e);
    assert_same_logits(t, &stayed, &went);
    reader_close(&went);
    reader_close(&stayed);
}

/* The same text again, whose last token must be read once more: that is one
 * token, also in the rings. */
static void assert_repeats(const struct text *t)
{
    struct reader stayed, went;
    reader_open_form(&stayed, &t->m, t->form, t->n, CHUNK_BEFORE);
    prefill(&t->m, &stayed.state, &stayed.cache, t->ids, t->n, NULL);
    bring_over(t, &stayed.cache, &went);
    assert_int_equal(reuse_prefix(&t->m, &went.cache, t->ids, t->n), t->n - 1);
    prefill(&t->m, &went.state, &went.cache, t->ids + t->n - 1, 1, NULL);
    assert_int_equal(went.state.rows, 1);
    assert_same_logits(t, &stayed, &went);
    reader_close(&went);
    reader_close(&stayed);
}

/* Longer than where the angles change: a session from before or behind it. */
static void assert_borders(struct text *t, const struct checkpoint *goldens)
{
    free(t->ids);
    t->ids = golden_ids(goldens, "long", "ids", &t->n);
    assert_continues(t, 60, 70);
    assert_continues(t, 66, 70);
    assert_goes_back(t, 70, 60);
    t->n = 70;

    struct reader r;
    reader_open_form(&r, &t->m, t->form, t->n, CHUNK_BEFORE);
    prefill(&t->m, &r.state, &r.cache, t->ids, 70, NULL);
    assert_int_equal(reuse_prefix(&t->m, &r.cache, t->ids, 60), 0);
    prefill(&t->m, &r.state, &r.cache, t->ids, 60, NULL);
    assert_int_equal(reuse_prefix(&t->m, &r.cache, t->ids, 60), 59);
    reader_close(&r);
}

/* A session in each form goes on as it would have; a cache of another form
 * takes none over. */
static void assert_forms(struct text *t)
{
    struct reader r, other;
    struct session session;
    struct error e;
    for (size_t i = 1; (t->form = cache_form_row(i)); i++) {
        assert_continues(t, t->n / 2, t->n / 2 + 2);
        assert_repeats(t);
        reader_open_form(&r, &t->m, t->form, t->n, CHUNK_BEFORE);
        prefill(&t->m, &r.state, &r.cache, t->ids, 3, NULL);
        assert_ok(session_save(t->path, &r.cache, t->fingerprint, &e), &e);
        assert_ok(session_load(t->path, &session, &e), &e);
        reader_open_form(&other, &t->m, cache_form_row(i - 1), t->n, 1);
        assert_int_equal(session_restore(&session, t->path, t->fingerprint,
                                         &other.cache, &e),
                         -1);
        assert_non_null(strstr(e.message, "its cache is stored as "));
        assert_int_equal(e.code, ERROR_UNSUPPORTED);
        session_free(&session);
        reader_close(&other);
        reader_close(&r);
    }
    t->form = cache_form_row(0);
}

static void small_model(void **state)
{
    struct checkpoint goldens;
    struct text t = {.path = "/tmp/rung-continue-XXXXXX",
                     .form = cache_form_row(0)};
    struct error e;
    bool by_length = false;
    int file = mkstemp(t.path);
    assert_true(file >= 0 && close(file) == 0);
    small_open(*state, &t.m, &goldens);
    t.ids = golden_ids(&goldens, "", "ids", &t.n);
    assert_ok(model_fingerprint(&t.m, &t.fingerprint, &e), &e);
    assert_continues(&t, t.n / 2, t.n);
    assert_continues(&t, 1, 4);
    assert_repeats(&t);
    assert_forms(&t);
    for (size_t i = 0; i < t.m.n_ropes; i++)
        by_length = by_length || t.m.ropes[i].by_length;
    if (by_length)
        assert_borders(&t, &goldens);
    unlink(t.path);
    free(t.ids);
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
    return _cmocka_run_group_tests("continue", tests, 1 + small.n, NULL, NULL);
}

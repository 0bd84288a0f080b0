/* The same bits, however a text is read: as one chunk or as many, at once or
 * token by token, with the past computed, kept or computed again; and this
 * in every form that a cache can have.
 *
 * Nothing here is a golden: that one chunk of the whole text agrees with
 * transformers is what test_forward.c says. */
#include "forward.h"
#include "rope.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_small.h"

/* Number i has 32 bits that mean nothing: compared is memory. */
static void assert_same_bits(const char *what, size_t row, const float *found,
                             const float *expected, size_t width)
{
    for (size_t i = 0; i < width; i++)
        if (memcmp(found + i, expected + i, sizeof *found) != 0) {
            print_error("%s, row %zu, number %zu: %.9g, expected the bits of "
                        "%.9g\n",
                        what, row, i, (double)found[i], (double)expected[i]);
            assert_true(false);
        }
}

/* A model and a text, and what one chunk makes of all its tokens, with a cache
 * of this form. */
struct text {
    struct model m;
    const struct cache_form *form;
    int *ids;
    size_t n, width, vocab;
    float *whole; /* (n, width): what the last norm gave */
};

/* The rows of the last norm, chunk after chunk. */
struct rows {
    float *data;
    size_t n, room;
};

static void keep_norm(void *context, const char *name, int layer,
                      const float *data, struct shape shape)
{
    struct rows *rows = context;
    (void)layer;
    if (strcmp(name, "norm") != 0)
        return;
    assert_true(rows->n + shape.rows <= rows->room);
    memcpy(rows->data + rows->n * shape.cols, data,
           shape.rows * shape.cols * sizeof *data);
    rows->n += shape.rows;
}

static float *run_whole(const struct text *t, const int *ids, size_t n)
{
    struct state s;
    struct error e;
    struct rows rows = {calloc(n, t->width * sizeof(float)), 0, n};
    struct observer o = {keep_norm, &rows};
    assert_non_null(rows.data);
    assert_ok(state_init(&s, &t->m, n, &e), &e);
    s.cache_form = t->form;
    assert_ok(forward(&t->m, &s, ids, n, &o, &e), &e);
    assert_int_equal(rows.n, n);
    state_free(&s);
    return rows.data;
}

/* The logits after the first n tokens, as a rung without a cache computes
 * them. */
static float *logits_anew(const struct text *t, size_t n)
{
    struct state s;
    struct error e;
    float *logits = calloc(t->vocab, sizeof *logits);
    assert_non_null(logits);
    assert_ok(state_init(&s, &t->m, n, &e), &e);
    s.cache_form = t->form;
    assert_ok(forward(&t->m, &s, t->ids, n, NULL, &e), &e);
    memcpy(logits, forward_logits(&t->m, &s, n - 1, NULL),
           t->vocab * sizeof *logits);
    state_free(&s);
    return logits;
}

static void assert_next_logits(const struct text *t, struct reader *r,
                               size_t n)
{
    float *expected = logits_anew(t, n);
    assert_int_equal(r->cache.length, n);
    assert_same_bits("logits", n - 1,
                     forward_logits(&t->m, &r->state, r->state.rows - 1,
                                    NULL),
                     expected, t->vocab);
    free(expected);
}

static void assert_chunks(const struct text *t, size_t chunk)
{
    struct reader r;
    struct rows rows = {calloc(t->n, t->width * sizeof(float)), 0, t->n};
    struct observer o = {keep_norm, &rows};
    assert_non_null(rows.data);
    reader_open_form(&r, &t->m, t->form, t->n, chunk);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, &o);
    assert_int_equal(rows.n, t->n);
    for (size_t i = 0; i < t->n; i++)
        assert_same_bits("norm", i, rows.data + i * t->width,
                         t->whole + i * t->width, t->width);
    assert_next_logits(t, &r, t->n);
    free(rows.data);
    reader_close(&r);
}

/* Each row's logits are those that it has alone. */
static void assert_rows_together(const struct text *t)
{
    struct reader r;
    const size_t rows[] = {t->n - 1, 0, 5, 2, t->n / 2};
    float *alone = calloc(5, t->vocab * sizeof *alone);
    assert_non_null(alone);
    reader_open_form(&r, &t->m, t->form, t->n, t->n);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    for (size_t i = 0; i < 5; i++)
        memcpy(alone + i * t->vocab,
               forward_logits(&t->m, &r.state, rows[i], NULL),
               t->vocab * sizeof *alone);
    const float *found = logits_of_rows(&t->m, &r.state, rows, 5, NULL);
    for (size_t i = 0; i < 5; i++)
        assert_same_bits("logits", rows[i], found + i * t->vocab,
                         alone + i * t->vocab, t->vocab);
    free(alone);
    reader_close(&r);
}

/* The first half is read at once, then token by token. */
static void assert_decodes(const struct text *t)
{
    struct reader r;
    reader_open_form(&r, &t->m, t->form, t->n, 16);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n / 2, NULL);
    assert_next_logits(t, &r, t->n / 2);
    for (size_t i = t->n / 2; i < t->n; i++) {
        decode(&t->m, &r.state, &r.cache, t->ids[i], NULL);
        assert_next_logits(t, &r, i + 1);
    }
    reader_close(&r);
}

/* Read all, forget a part, read other tokens there, forget them, and read the
 * text to its end. */
static void assert_rewinds(const struct text *t, size_t to)
{
    struct reader r;
    int wrong[] = {t->ids[0], t->ids[t->n / 2], t->ids[1]};
    reader_open_form(&r, &t->m, t->form, t->n, 16);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);

    size_t kept = cache_truncate(&r.cache, to);
    assert_true(kept == to || kept == 0);
    prefill(&t->m, &r.state, &r.cache, wrong,
            t->n - kept < 3 ? t->n - kept : 3, NULL);
    kept = cache_truncate(&r.cache, kept);
    prefill(&t->m, &r.state, &r.cache, t->ids + kept, t->n - kept, NULL);
    assert_next_logits(t, &r, t->n);
    reader_close(&r);
}

/* From the text to one that differs from token `to` on.  A ring that cannot go
 * back so far has nothing to offer, and all is read again. */
static void assert_turns(const struct text *t, size_t to)
{
    struct reader r;
    struct text other = *t;
    other.ids = calloc(t->n, sizeof *other.ids);
    assert_non_null(other.ids);
    for (size_t i = 0; i < t->n; i++)
        other.ids[i] = (int)(((size_t)t->ids[i] + (i >= to)) % t->vocab);
    reader_open_form(&r, &t->m, t->form, t->n, 16);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    size_t kept = reuse_prefix(&t->m, &r.cache, other.ids, t->n);
    prefill(&t->m, &r.state, &r.cache, other.ids + kept, t->n - kept, NULL);
    assert_true(kept == to || kept == 0);
    assert_memory_equal(r.cache.ids, other.ids, t->n * sizeof *other.ids);
    assert_next_logits(&other, &r, t->n);
    reader_close(&r);
    free(other.ids);
}

/* --- ropes that turn by the length of the text --------------------------- */

/* The first length at which some angles are others than at the length before;
 * 0: there is none up to n. */
static size_t find_border(const struct model *m, size_t n)
{
    for (size_t length = 2; length <= n; length++)
        for (size_t i = 0; i < m->n_ropes; i++)
            if (!rope_same_angles(&m->ropes[i], length - 1, length))
                return length;
    return 0;
}

/* Over the border token by token, back behind it, and over it once more. */
static void assert_crosses(const struct text *t, size_t border)
{
    struct reader r;
    assert_true(border > 3 && border + 3 <= t->n);
    reader_open_form(&r, &t->m, t->form, t->n, 16);
    prefill(&t->m, &r.state, &r.cache, t->ids, border - 3, NULL);
    for (size_t n = border - 3; n < border + 3; n++) {
        decode(&t->m, &r.state, &r.cache, t->ids[n], NULL);
        assert_next_logits(t, &r, n + 1);
    }
    assert_int_equal(cache_truncate(&r.cache, border - 3), border - 3);
    for (size_t n = border - 3; n < border + 1; n++) {
        decode(&t->m, &r.state, &r.cache, t->ids[n], NULL);
        assert_next_logits(t, &r, n + 1);
    }
    reader_close(&r);
}

/* Two ropes, one of which turns otherwise past 16 tokens. */
static void assert_any_rope(size_t which)
{
    struct rope ropes[2];
    struct model m = {.ropes = ropes, .n_ropes = 2};
    struct cache c = {.rotated = 10};
    struct error e;
    for (size_t i = 0; i < 2; i++) {
        struct rope_config config = {.theta = 10000,
                                     .head_dim = 8,
                                     .dim = 8,
                                     .factor = 2,
                                     .positions = 16};
        config.scaling = i == which ? ROPE_DYNAMIC : ROPE_DEFAULT;
        assert_ok(rope_init(&ropes[i], &config, &e), &e);
    }
    assert_true(still_valid(&m, &c, 16));
    assert_false(still_valid(&m, &c, 17));
    rope_free(&ropes[0]);
    rope_free(&ropes[1]);
}

static void any_rope_can_end_what_is_held(void **state)
{
    (void)state;
    assert_any_rope(0);
    assert_any_rope(1);
}

static void assert_border(struct text *t, const struct checkpoint *goldens)
{
    free(t->ids);
    t->ids = golden_ids(goldens, "long", "ids", &t->n);
    assert_crosses(t, find_border(&t->m, t->n));
}

/* --- all models --------------------------------------------------------- */

static void open_text(struct text *t, struct checkpoint *goldens)
{
    t->width = t->m.config.hidden_size;
    t->vocab = t->m.config.vocab_size;
    t->ids = golden_ids(goldens, checkpoint_find(goldens, "ids") ? "" : "p4",
                        "ids", &t->n);
    t->form = cache_form_row(0);
    t->whole = run_whole(t, t->ids, t->n);
}

static void close_text(struct text *t)
{
    free(t->whole);
    free(t->ids);
    model_close(&t->m);
}

static void assert_all(const struct text *t)
{
    static const size_t chunks[] = {1, 2, 7, 64};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        assert_chunks(t, chunks[i]);
    assert_rows_together(t);
    assert_decodes(t);
    assert_rewinds(t, t->n - 1);
    assert_rewinds(t, t->n - 9);
    assert_rewinds(t, t->n / 3);
    assert_turns(t, t->n - 1);
    assert_turns(t, t->n / 3);
    assert_turns(t, 0);
}

/* Every form goes the same way from a chunk to its bits, but for what it
 * stores and reads; so a part of the above is enough.  The text is that of
 * floats, and stays so. */
static void assert_form(const struct text *floats,
                        const struct cache_form *form)
{
    static const size_t chunks[] = {1, 7};
    struct text t = *floats;
    t.form = form;
    t.whole = run_whole(&t, t.ids, t.n);
    assert_memory_not_equal(t.whole, floats->whole,
                            t.n * t.width * sizeof *t.whole);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        assert_chunks(&t, chunks[i]);
    assert_rewinds(&t, t.n - 9);
    assert_turns(&t, t.n / 3);
    free(t.whole);
}

/* All forms, or only one in which keys and values differ in all layers: of a
 * small model, all are ends. */
static void assert_forms(const struct text *t, bool all)
{
    const struct cache_form *form;
    for (size_t i = 1; all && (form = cache_form_row(i)); i++)
        assert_form(t, form);
    struct cache_form uneven = *cache_form_named("k3v2");
    uneven.edge = uneven.value;
    assert_form(t, &uneven);
}

static void small_model(void **state)
{
    struct checkpoint goldens;
    struct text t;
    small_open(*state, &t.m, &goldens);
    open_text(&t, &goldens);
    assert_all(&t);
    assert_forms(&t, is_long() || is_slow());
    for (size_t i = 0; i < t.m.n_ropes; i++)
        if (t.m.ropes[i].by_length)
            assert_border(&t, &goldens);
    close_text(&t);
    checkpoint_close(&goldens);
}

static void the_reading_model(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-chat");
    char *path = test_path("models/goldens/forward.safetensors");
    struct checkpoint goldens;
    struct text t;
    struct error e;
    if (access(path, R_OK) != 0)
        skip_without_models();
    assert_ok(model_open(&t.m, model, &e), &e);
    assert_ok(checkpoint_open(&goldens, path, &e), &e);
    open_text(&t, &goldens);
    assert_all(&t);
    assert_forms(&t, true);
    close_text(&t);
    checkpoint_close(&goldens);
    free(path);
    free(model);
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[2 + MAX_SMALL] = {
        cmocka_unit_test(the_reading_model),
        cmocka_unit_test(any_rope_can_end_what_is_held),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[2 + i] = (struct CMUnitTest){.name = small.names[i],
                                           .test_func = small_model,
                                           .initial_state = small.names[i]};
    return _cmocka_run_group_tests("prefill", tests, 2 + small.n, NULL, NULL);
}

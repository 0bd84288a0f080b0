/* A model by kernels: each logit has the same bits whatever the instruction
 * set, the threads, the chunks and the batch; after some of the text was
 * forgotten, and in a session that goes on. */
#include "forward.h"
#include "session.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_small.h"

enum text_sizes {
    LONGER = 90 /* tokens */
};

/* A model, a text, and the logits behind its last token. */
struct kernel_text {
    struct model m;
    struct threads *threads; /* that compute, while it is packed */
    const struct cache_form *form;
    int *ids;
    size_t n;
    float *logits; /* (vocab_size,) */
};

static void assert_logits(const struct kernel_text *t, struct reader *r)
{
    const float *found =
        forward_logits(&t->m, &r->state, r->state.rows - 1, NULL);
    assert_same("logits", found, t->logits, t->m.config.vocab_size);
}

static void assert_chunks(const struct kernel_text *t, size_t chunk)
{
    struct reader r;
    reader_open_form(&r, &t->m, t->form, t->n, chunk);
    assert_int_equal(
        prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL), 0);
    assert_logits(t, &r);
    reader_close(&r);
}

/* Logits of many tokens at once are those of each alone. */
static void assert_batch(const struct kernel_text *t)
{
    struct reader r;
    size_t vocab = t->m.config.vocab_size, rows[STATE_SCORED];
    reader_open_form(&r, &t->m, t->form, t->n, t->n);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    size_t n = t->n < STATE_SCORED ? t->n : STATE_SCORED;
    float *all = malloc(n * vocab * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < n; i++)
        rows[i] = t->n - 1 - i;
    memcpy(all, logits_of_rows(&t->m, &r.state, rows, n, NULL),
           n * vocab * sizeof *all);
    for (size_t i = 0; i < n; i++)
        assert_same("logits of one",
                    forward_logits(&t->m, &r.state, rows[i], NULL),
                    all + i * vocab, vocab);
    assert_same("logits", all, t->logits, vocab);
    free(all);
    reader_close(&r);
}

/* The end of the text is forgotten, and read again token by token. */
static void assert_goes_back(const struct kernel_text *t)
{
    struct reader r;
    reader_open_form(&r, &t->m, t->form, t->n, 7);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    size_t left = cache_truncate(&r.cache, t->n - 3);
    for (size_t i = left; i < t->n; i++)
        decode(&t->m, &r.state, &r.cache, t->ids[i], NULL);
    assert_logits(t, &r);
    reader_close(&r);
}

static void assert_session(const struct kernel_text *t)
{
    char path[] = "/tmp/rung-kernels-XXXXXX";
    struct reader r, later;
    struct session s;
    struct error e;
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    reader_open_form(&r, &t->m, t->form, t->n, 7);
    reader_open_form(&later, &t->m, t->form, t->n, 3);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n - 2, NULL);
    assert_ok(session_save(path, &r.cache, 1, &e), &e);
    assert_ok(session_load(path, &s, &e), &e);
    assert_ok(session_restore(&s, path, 1, &later.cache, &e), &e);
    prefill(&t->m, &later.state, &later.cache, t->ids + t->n - 2, 2, NULL);
    assert_logits(t, &later);
    session_free(&s);
    reader_close(&later);
    reader_close(&r);
    unlink(path);
}

static void note_nothing(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    (void)name;
    (void)layer;
    (void)data;
    (void)shape;
    *(size_t *)context += 1;
}

/* Who looks on changes nothing. */
static void assert_observed(const struct kernel_text *t)
{
    size_t seen = 0;
    struct observer o = {note_nothing, &seen};
    struct reader r;
    reader_open_form(&r, &t->m, t->form, t->n, 9);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, &o);
    assert_true(seen > t->n);
    assert_logits(t, &r);
    reader_close(&r);
}

static void pack_for(struct kernel_text *t, const char *set, size_t threads)
{
    struct error e;
    setenv("RUNG_CPU", set, 1);
    assert_ok(threads_open(&t->threads, threads, &e), &e);
    assert_ok(model_pack(&t->m, t->threads, &e), &e);
    unsetenv("RUNG_CPU");
}

static void unpack_again(struct kernel_text *t)
{
    model_unpack(&t->m);
    threads_close(t->threads);
}

/* What the first reading finds counts for all others. */
static void read_first(struct kernel_text *t)
{
    struct reader r;
    size_t bytes = t->m.config.vocab_size * sizeof *t->logits;
    pack_for(t, "portable", 1);
    reader_open_form(&r, &t->m, t->form, t->n, t->n);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    memcpy(t->logits, forward_logits(&t->m, &r.state, r.state.rows - 1, NULL),
           bytes);
    reader_close(&r);
    unpack_again(t);
}

static void assert_form(struct kernel_text *t)
{
    bool fastest = true;
    read_first(t);
    for (size_t i = 0; cpu_set_row(i); i++) {
        if (!cpu_set_row(i)->is_here())
            continue;
        pack_for(t, cpu_set_row(i)->name, 1 + i);
        assert_chunks(t, 5);
        assert_batch(t);
        if (fastest) {
            assert_chunks(t, 1);
            assert_chunks(t, 16);
            assert_goes_back(t);
            assert_session(t);
            assert_observed(t);
        }
        unpack_again(t);
        fastest = false;
    }
}

/* The logits behind the text by such a form, as m->set says. */
static void read_logits(const struct kernel_text *t,
                        const struct cache_form *form, float *logits)
{
    struct reader r;
    reader_open_form(&r, &t->m, form, t->n, 6);
    prefill(&t->m, &r.state, &r.cache, t->ids, t->n, NULL);
    memcpy(logits, forward_logits(&t->m, &r.state, r.state.rows - 1, NULL),
           t->m.config.vocab_size * sizeof *logits);
    reader_close(&r);
}

/* The largest distance between two rows of logits (n,). */
static double distance_of(const float *x, const float *y, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)x[i] - (double)y[i]));
    return most;
}

/* The distance between neighbours that a number of keys may have, as a part of
 * its size: of a half 2^-10; of codes, 2 in as many steps as there are. */
static double step_of(const struct head_form *form)
{
    return form->bits == 16 ? 0x1p-10 : 2 / pow(2, (double)form->bits);
}

/* Nothing but attention is by kernels, of a model that is not packed: the
 * logits are those of math/ but for roundings, which the rule for all results
 * of a model allows 1e-5.  A form that stores less than floats may store a
 * number's neighbour then.  A number that is off by 1e-5 does so with the
 * chance of 1e-5 to a step, and it moves by a step, which is at most twice
 * what storing moves it.  Errors of single numbers add up as independent ones
 * do: so all of them move the logits by the root of that chance, times twice
 * what storing all numbers does; and by chance they are twice as large. */
static void assert_near_exact(struct kernel_text *t)
{
    size_t n = t->m.config.vocab_size;
    float *found = malloc(n * sizeof *found), *floats = malloc(n * 4);
    read_logits(t, t->form, t->logits);
    read_logits(t, cache_form_row(0), floats);
    t->m.set = cpu_set_row(0);
    while (!t->m.set->is_here())
        t->m.set++;
    read_logits(t, t->form, found);
    t->m.set = NULL;
    double stored = distance_of(t->logits, floats, n);
    double moved = sqrt(1e-5 / step_of(&t->form->key)) * 2 * stored;
    assert_true(distance_of(found, t->logits, n) <=
                row_tolerance(t->logits, n) + 2 * moved);
    free(floats);
    free(found);
}

static void small_model(void **state)
{
    static const char *const forms[] = {"f32", "f16", "int8", "k4v3"};
    static size_t n_read; /* models: each has the next form */
    struct checkpoint goldens;
    struct kernel_text t = {.form = cache_form_named(forms[n_read++ % 4])};
    small_open(*state, &t.m, &goldens);
    t.ids = golden_ids(&goldens, "", "ids", &t.n);
    t.logits = malloc(t.m.config.vocab_size * sizeof *t.logits);
    assert_near_exact(&t);
    assert_form(&t);
    free(t.logits);
    free(t.ids);
    model_close(&t.m);
    checkpoint_close(&goldens);
}

/* Codes of 4 bits, of 4 with minima and of 8, in chunks of more tokens than
 * some sets take for few: whole, and cut in two. */
static void longer_texts(void **state)
{
    static const char *const names[] = {"quantized/rung-int4", "quantized/mlx",
                                        "quantized/rung-int8"};
    struct kernel_text t = {.form = cache_form_row(0), .n = LONGER};
    struct error e;
    (void)state;
    t.ids = malloc(LONGER * sizeof *t.ids);
    assert_non_null(t.ids);
    for (size_t i = 0; i < 3; i++) {
        char *path = test_path(names[i]);
        assert_ok(model_open(&t.m, path, &e), &e);
        t.logits = malloc(t.m.config.vocab_size * sizeof *t.logits);
        for (int k = 0; k < LONGER; k++)
            t.ids[k] = k * 37 % (int)t.m.config.vocab_size;
        read_first(&t);
        for (size_t s = 0; cpu_set_row(s); s++) {
            if (!cpu_set_row(s)->is_here())
                continue;
            pack_for(&t, cpu_set_row(s)->name, 2);
            assert_chunks(&t, LONGER);
            assert_chunks(&t, 45);
            unpack_again(&t);
        }
        free(t.logits);
        model_close(&t.m);
        free(path);
    }
    free(t.ids);
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
    struct CMUnitTest tests[2 + MAX_SMALL] = {
        cmocka_unit_test(without_models),
        cmocka_unit_test(longer_texts),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[2 + i] = (struct CMUnitTest){.name = small.names[i],
                                           .test_func = small_model,
                                           .initial_state = small.names[i]};
    return _cmocka_run_group_tests("kernel_bits", tests, 2 + small.n, NULL,
                                   NULL);
}

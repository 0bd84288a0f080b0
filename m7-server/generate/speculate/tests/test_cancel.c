/* A pass ends between two chunks when it is told to, whoever asked for it; and
 * what was read until then is good. */
#include "forward.h"
#include "speculate.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum text_sizes {
    N_PROMPT = 22, /* tokens: six chunks */
    N_NEW = 6,
    CHUNK = 4
};

/* Says yes once it was asked so often. */
struct patience {
    size_t asked, most;
};

static bool is_over(void *context)
{
    struct patience *p = context;
    return p->asked++ >= p->most;
}

struct writer {
    struct model m;
    struct reader reader;
    struct patience patience;
    struct sampler sampler;
    int ids[N_PROMPT];
};

static void open_writer(struct writer *w, size_t most)
{
    char *path = test_path("checkpoints/qwen3-1");
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 0;
    assert_ok(model_open(&w->m, path, &e), &e);
    free(path);
    w->m.config.eos.size = 0;
    w->patience = (struct patience){0, most};
    reader_open(&w->reader, &w->m, N_PROMPT + N_NEW, CHUNK);
    w->reader.state.cancelled = is_over;
    w->reader.state.cancel_context = &w->patience;
    assert_ok(
        sampler_init(&w->sampler, &how, w->m.config.vocab_size, 1, 0, &e), &e);
    for (size_t i = 0; i < N_PROMPT; i++)
        w->ids[i] = (int)(3 + 7 * i % 60);
}

static void close_writer(struct writer *w)
{
    sampler_free(&w->sampler);
    reader_close(&w->reader);
    model_close(&w->m);
}

static int count_token(void *context, int id, const float *logits,
                       struct error *e)
{
    size_t *n = context;
    (void)id;
    (void)logits;
    (void)e;
    ++*n;
    return 0;
}

/* --- prefill and decode -------------------------------------------------- */

static void a_prompt_is_left_between_two_chunks(void **state)
{
    (void)state;
    struct writer w;
    open_writer(&w, 3);
    struct reader *r = &w.reader;
    assert_int_equal(
        prefill(&w.m, &r->state, &r->cache, w.ids, N_PROMPT, NULL), 1);
    assert_int_equal(w.patience.asked, 4);
    assert_int_equal(r->cache.length, 3 * CHUNK);
    assert_memory_equal(r->cache.ids, w.ids, 3 * CHUNK * sizeof *w.ids);
    assert_int_equal(decode(&w.m, &r->state, &r->cache, 5, NULL), 1);
    assert_int_equal(r->cache.length, 3 * CHUNK);
    close_writer(&w);
}

/* With what was read until then, the rest gives the bits of the whole. */
static void what_was_read_can_be_gone_on_from(void **state)
{
    (void)state;
    struct writer w;
    struct state s;
    struct error e;
    open_writer(&w, 3);
    struct reader *r = &w.reader;
    prefill(&w.m, &r->state, &r->cache, w.ids, N_PROMPT, NULL);
    r->state.cancelled = NULL;
    size_t held = reuse_prefix(&w.m, &r->cache, w.ids, N_PROMPT);
    assert_int_equal(held, 3 * CHUNK);
    assert_int_equal(prefill(&w.m, &r->state, &r->cache, w.ids + held,
                             N_PROMPT - held, NULL),
                     0);
    assert_ok(state_init(&s, &w.m, N_PROMPT, &e), &e);
    assert_ok(forward(&w.m, &s, w.ids, N_PROMPT, NULL, &e), &e);
    assert_same("logits",
                forward_logits(&w.m, &r->state, r->state.rows - 1, NULL),
                forward_logits(&w.m, &s, N_PROMPT - 1, NULL),
                w.m.config.vocab_size);
    state_free(&s);
    close_writer(&w);
}

/* --- who calls them ------------------------------------------------------ */

/* Go on with the prompt; `most` chunks are allowed.  Returns what was said,
 * and how many tokens came. */
static int write_text(size_t most, struct speculation *spec, size_t *n_new,
                      size_t *held)
{
    struct writer w;
    struct ids ids = {0};
    struct error e;
    open_writer(&w, most);
    struct generation g = {.most = N_NEW,
                           .sampler = &w.sampler,
                           .put = count_token,
                           .context = n_new,
                           .state = &w.reader.state,
                           .cache = &w.reader.cache};
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&ids, w.ids[i]);
    *n_new = 0;
    int result = spec ? speculate(&w.m, NULL, &ids, &g, spec, &e)
                      : generate(&w.m, NULL, &ids, &g, &e);
    assert_int_equal(ids.size, N_PROMPT + *n_new);
    *held = w.reader.cache.length;
    ids_free(&ids);
    close_writer(&w);
    return result;
}

/* Six chunks of prompt, then a token each: the last is not read. */
static void a_generation_says_that_it_was_ended(void **state)
{
    (void)state;
    size_t n_new, held;
    assert_int_equal(write_text(5, NULL, &n_new, &held), 1);
    assert_true(n_new == 0 && held == 5 * CHUNK);
    assert_int_equal(write_text(8, NULL, &n_new, &held), 1);
    assert_true(n_new == 3 && held == N_PROMPT + 2);
    assert_int_equal(write_text(11, NULL, &n_new, &held), 0);
    assert_true(n_new == N_NEW && held == N_PROMPT + N_NEW - 1);
}

static int propose_nothing(void *context, const struct history *t,
                           struct draft *d, struct error *e)
{
    (void)context;
    (void)t;
    (void)e;
    d->n = 0;
    return 0;
}

static void so_does_one_with_guesses(void **state)
{
    (void)state;
    size_t n_new, held;
    struct error e;
    struct speculation spec = {.propose = propose_nothing};
    assert_ok(draft_init(&spec.draft, 2, 1, true, &e), &e);
    assert_int_equal(write_text(5, &spec, &n_new, &held), 1);
    assert_true(n_new == 0 && held == 5 * CHUNK);
    assert_int_equal(write_text(8, &spec, &n_new, &held), 1);
    assert_true(n_new == 2 && held == N_PROMPT + 1);
    assert_int_equal(write_text(12, &spec, &n_new, &held), 0);
    assert_int_equal(n_new, N_NEW);
    draft_free(&spec.draft);
}

/* The small model is asked, too: while it reads the prompt, and between its
 * guesses. */
static void a_small_model_can_be_ended(void **state)
{
    (void)state;
    for (size_t most = 0; most <= 7; most++) {
        struct writer w;
        struct draft d;
        struct error e;
        open_writer(&w, most);
        struct history t = {w.ids, N_PROMPT, N_PROMPT};
        struct small_model small = {.model = &w.m,
                                    .state = w.reader.state,
                                    .cache = w.reader.cache,
                                    .sampler = w.sampler};
        assert_ok(draft_init(&d, 2, w.m.config.vocab_size, false, &e), &e);
        assert_int_equal(draft_by_model(&small, &t, &d, &e), most < 7);
        assert_int_equal(d.n, most < 6 ? 0 : most - 5);
        draft_free(&d);
        close_writer(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_is_left_between_two_chunks),
        cmocka_unit_test(what_was_read_can_be_gone_on_from),
        cmocka_unit_test(a_generation_says_that_it_was_ended),
        cmocka_unit_test(so_does_one_with_guesses),
        cmocka_unit_test(a_small_model_can_be_ended),
    };
    return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}

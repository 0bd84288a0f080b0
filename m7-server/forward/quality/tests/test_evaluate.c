/* A model that reads windows in chunks judges each token by the same bits as
 * one that reads each window whole. */
#include "evaluate.h"

#include "forward.h"
#include "perplexity.h"
#include "prediction.h"
#include "test_quality.h"

enum evaluated {
    N = 150
}; /* tokens of a text */

/* --- by another way ----------------------------------------------------- */

/* What must be judged, window by window, each by a pass of its own. */
struct expected {
    const struct model *model;
    const int *ids;
    struct windows windows;
    struct window at;
    size_t next; /* token to be judged */
    struct state state;
    size_t n_judged;
};

static void open_expected(struct expected *x)
{
    struct error e;
    assert_ok(state_init(&x->state, x->model, x->windows.size, &e), &e);
}

/* The logits before the next token; reads another window where that is in
 * one. */
static const float *next_expected(struct expected *x)
{
    struct error e;
    if (x->next == x->at.end || x->at.end == 0) {
        assert_true(windows_next(&x->windows, N, &x->at));
        assert_ok(forward(x->model, &x->state, x->ids + x->at.begin,
                          x->at.end - x->at.begin, NULL, &e),
                  &e);
        x->next = x->at.scored;
    }
    return forward_logits(x->model, &x->state, x->next - 1 - x->at.begin,
                          NULL);
}

static int check_row(void *context, const float *const *logits, int id,
                     struct error *e)
{
    struct expected *x = context;
    const float *row = next_expected(x);
    (void)e;
    assert_int_equal(id, x->ids[x->next]);
    assert_same("logits", logits[0], row, x->model->config.vocab_size);
    x->next++;
    x->n_judged++;
    return 0;
}

static void assert_evaluated(const char *name, size_t size, size_t stride)
{
    struct model m;
    struct window_reader r;
    struct error e;
    int ids[N];
    open_checkpoint(&m, name);
    make_text(&m, ids, N);
    struct expected x = {.model = &m, .ids = ids, .windows = {size, stride}};
    open_expected(&x);
    assert_ok(window_reader_init(&r, &m, &x.windows, &e), &e);
    struct evaluation v = {.readers = &r,
                           .n_readers = 1,
                           .windows = x.windows,
                           .judge = check_row,
                           .context = &x};
    assert_ok(evaluate(&v, ids, N, &e), &e);
    assert_int_equal(x.n_judged, windows_count(&x.windows, N).scored);
    window_reader_free(&r);
    state_free(&x.state);
    model_close(&m);
}

static void chunks_are_as_good_as_whole_windows(void **state)
{
    (void)state;
    assert_evaluated("qwen3-1", 128, 64);
    assert_evaluated("qwen3-1", 128, 128);
    assert_evaluated("qwen3-1", 100, 33);
    assert_evaluated("llama-1", 7, 3);
}

/* Layers with a window of their own keep a ring, which begins anew. */
static void rings_begin_anew(void **state)
{
    (void)state;
    assert_evaluated("gemma2-1", 90, 45);
    assert_evaluated("gemma3-1", 120, 30);
}

/* Their angles depend on how long the window is. */
static void dynamic_angles_are_those_of_the_window(void **state)
{
    (void)state;
    assert_evaluated("dynamic-1", 100, 60);
    assert_evaluated("dynamic-1", 140, 140);
}

/* --- two readers -------------------------------------------------------- */

struct seen_pair {
    const struct model *models[2];
    size_t n, n_progress, done, all;
};

static int check_two(void *context, const float *const *logits, int id,
                     struct error *e)
{
    struct seen_pair *p = context;
    (void)id;
    (void)e;
    assert_ptr_not_equal(logits[0], logits[1]);
    assert_same("the other's", logits[1], logits[0],
                p->models[0]->config.vocab_size);
    p->n++;
    return 0;
}

static void note_progress(void *context, size_t done, size_t all)
{
    struct seen_pair *p = context;
    assert_true(done > p->done);
    p->done = done;
    p->all = all;
    p->n_progress++;
}

static void two_read_side_by_side(void **state)
{
    (void)state;
    struct model m;
    struct window_reader r[2];
    struct error e;
    int ids[N];
    const struct windows w = {100, 50};
    open_checkpoint(&m, "qwen3-1");
    make_text(&m, ids, N);
    struct seen_pair p = {.models = {&m, &m}};
    assert_ok(window_reader_init(&r[0], &m, &w, &e), &e);
    assert_ok(window_reader_init(&r[1], &m, &w, &e), &e);
    struct evaluation v = {.readers = r,
                           .n_readers = 2,
                           .windows = w,
                           .judge = check_two,
                           .context = &p,
                           .progress = note_progress,
                           .progress_context = &p};
    assert_ok(evaluate(&v, ids, N, &e), &e);
    assert_int_equal(p.n, N - 1);
    assert_int_equal(p.done, p.all);
    assert_int_equal(p.all, 200);
    assert_int_equal(p.n_progress, 4);
    window_reader_free(&r[0]);
    window_reader_free(&r[1]);
    model_close(&m);
}

/* --- what cannot be judged ---------------------------------------------- */

static int refuse(void *context, const float *const *logits, int id,
                  struct error *e)
{
    (void)context;
    (void)logits;
    return fail(e, ERROR_INPUT, "token %d", id);
}

static void what_the_judge_refuses_ends_it(void **state)
{
    (void)state;
    struct model m;
    struct window_reader r;
    struct error e;
    int ids[N];
    const struct windows w = {16, 8};
    open_checkpoint(&m, "qwen3-1");
    make_text(&m, ids, N);
    assert_ok(window_reader_init(&r, &m, &w, &e), &e);
    struct evaluation v = {
        .readers = &r, .n_readers = 1, .windows = w, .judge = refuse};
    assert_int_equal(evaluate(&v, ids, N, &e), -1);
    assert_string_equal(e.message, "token 41");
    window_reader_free(&r);
    model_close(&m);
}

/* As if a weight were no number. */
static void logits_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    struct model m;
    struct window_reader r;
    struct surprises s;
    struct error e;
    int ids[N];
    const struct windows w = {16, 8};
    open_checkpoint(&m, "qwen3-1");
    make_text(&m, ids, N);
    m.logit_scale = NAN;
    assert_ok(window_reader_init(&r, &m, &w, &e), &e);
    struct evaluation v = {.readers = &r, .windows = w};
    assert_int_equal(measure_surprises(&v, ids, N, &s, &e), -1);
    assert_string_equal(e.message,
                        "the logit of token 0 is nan: the weights are "
                        "damaged, or too large for 32-bit numbers");
    window_reader_free(&r);
    model_close(&m);
}

static void a_text_with_nothing_to_score_is_refused(void **state)
{
    (void)state;
    struct error e;
    assert_int_equal(check_scored(0, &e), -1);
    assert_string_equal(e.message,
                        "the text is empty: there is no token to score");
    assert_int_equal(check_scored(1, &e), -1);
    assert_string_equal(e.message,
                        "the text is one token: there is none to score, "
                        "since the first has nothing before it");
    assert_int_equal(check_scored(2, &e), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_as_good_as_whole_windows),
        cmocka_unit_test(rings_begin_anew),
        cmocka_unit_test(dynamic_angles_are_those_of_the_window),
        cmocka_unit_test(two_read_side_by_side),
        cmocka_unit_test(what_the_judge_refuses_ends_it),
        cmocka_unit_test(logits_that_are_no_numbers_are_refused),
        cmocka_unit_test(a_text_with_nothing_to_score_is_refused),
    };
    return cmocka_run_group_tests_name("evaluate", tests, NULL, NULL);
}

/* Spans at their edges: one alone, as many as there is room for, texts whose
 * angles change, and passes that are called off.  What is fetched, too. */
#include "spans.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum test_sizes {
    TOKENS = 24, /* of a text */
    ROOM = 12,   /* tokens of a pass */
    BORDER = 7   /* longer texts have other angles */
};

struct fixture {
    struct model m;
    struct state s;
    struct cache caches[ROOM];
    int ids[ROOM][TOKENS];
    size_t n_passes, n_tokens; /* that were seen */
    struct observer observer;
    size_t left; /* passes until it is called off */
};

static void count_passes(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    struct fixture *f = context;
    (void)layer;
    (void)data;
    if (strcmp(name, "embedding") == 0) {
        f->n_passes++;
        f->n_tokens += shape.rows;
    }
}

static bool is_called_off(void *context)
{
    struct fixture *f = context;
    return f->left-- == 0;
}

/* A model whose angles change behind BORDER tokens. */
static int open_fixture(void **state)
{
    static struct fixture f;
    struct error e;
    char *path = test_path("checkpoints/phi3-1");
    f = (struct fixture){.n_passes = 0};
    f.observer = (struct observer){count_passes, &f};
    *state = NULL;
    if (access(path, R_OK) == 0) {
        assert_ok(model_open(&f.m, path, &e), &e);
        for (size_t i = 0; i < f.m.n_ropes; i++)
            f.m.ropes[i].config.original_positions = BORDER;
        assert_ok(state_init_chunked(&f.s, &f.m, TOKENS, ROOM, &e), &e);
        for (size_t i = 0; i < ROOM; i++) {
            assert_ok(cache_init(&f.caches[i], &f.m, TOKENS, ROOM, &e), &e);
            for (size_t t = 0; t < TOKENS; t++)
                f.ids[i][t] = (int)((i * 7 + t * 13) % 60);
        }
        *state = &f;
    }
    free(path);
    return 0;
}

static int close_fixture(void **state)
{
    struct fixture *f = *state;
    if (!f)
        return 0;
    for (size_t i = 0; i < ROOM; i++)
        cache_free(&f->caches[i]);
    state_free(&f->s);
    model_close(&f->m);
    return 0;
}

static struct fixture *fixture_of(void **state)
{
    if (!*state)
        skip_without_models();
    return *state;
}

/* The next n tokens of text i. */
static struct span next_span(struct fixture *f, size_t i, size_t n)
{
    struct cache *c = &f->caches[i];
    return (struct span){.cache = c, .ids = f->ids[i] + c->length, .n = n};
}

static void read_one(struct fixture *f, size_t i, size_t n)
{
    struct span span = next_span(f, i, n);
    assert_int_equal(read_spans(&f->m, &f->s, &span, 1, NULL), 0);
}

/* Row `row` of the last pass is what the last token of text i has, when as
 * much of it as is held is read at once. */
static void assert_row_of(struct fixture *f, size_t row, size_t i)
{
    struct state s;
    struct error e;
    size_t n = f->caches[i].length, width = f->m.config.hidden_size;
    assert_ok(state_init(&s, &f->m, n, &e), &e);
    assert_ok(forward(&f->m, &s, f->ids[i], n, NULL, &e), &e);
    assert_same("a row", f->s.normed + row * width,
                s.normed + (n - 1) * width, width);
    state_free(&s);
}

static void one_span_is_prefill(void **state)
{
    struct fixture *f = fixture_of(state);
    struct reader r;
    reader_open(&r, &f->m, TOKENS, ROOM);
    assert_int_equal(prefill(&f->m, &r.state, &r.cache, f->ids[0], 5, NULL),
                     0);
    read_one(f, 0, 5);
    assert_int_equal(f->caches[0].length, 5);
    assert_int_equal(f->s.rows, 5);
    assert_same("rows", f->s.normed, r.state.normed,
                5 * f->m.config.hidden_size);
    reader_close(&r);
}

static void as_many_texts_as_there_are_rows_fit(void **state)
{
    struct fixture *f = fixture_of(state);
    struct span spans[ROOM];
    for (size_t i = 0; i < ROOM; i++) {
        if (i % 2 == 0)
            read_one(f, i, 1 + i / 3);
        spans[i] = next_span(f, i, 1);
    }
    assert_int_equal(read_spans(&f->m, &f->s, spans, ROOM, NULL), 0);
    assert_int_equal(f->s.rows, ROOM);
    for (size_t i = 0; i < ROOM; i++)
        assert_row_of(f, i, i);
}

static void a_long_slice_and_a_token_fill_a_pass(void **state)
{
    struct fixture *f = fixture_of(state);
    read_one(f, 1, 3);
    struct span spans[] = {next_span(f, 0, ROOM - 1), next_span(f, 1, 1)};
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, NULL), 0);
    assert_int_equal(f->s.rows, ROOM);
    assert_row_of(f, ROOM - 2, 0);
    assert_row_of(f, ROOM - 1, 1);
}

/* Three more texts fetch nothing but their rows of the embedding. */
static void a_weight_is_fetched_once_for_all_texts(void **state)
{
    struct fixture *f = fixture_of(state);
    const struct weight *rows = &f->m.embedding;
    struct span spans[4];
    for (size_t i = 0; i < 4; i++)
        spans[i] = next_span(f, i, 1);
    read_spans(&f->m, &f->s, spans, 1, NULL);
    size_t one = f->s.compute.fetched;
    for (size_t i = 0; i < 4; i++)
        cache_truncate(&f->caches[i], 0);
    read_spans(&f->m, &f->s, spans, 4, NULL);
    assert_int_equal(f->s.compute.fetched - 2 * one,
                     3 * rows->cols * dtype_bits(rows->dtype) / 8);
}

/* Of two texts, one grows over the border. */
static void a_text_is_read_again_where_its_angles_change(void **state)
{
    struct fixture *f = fixture_of(state);
    read_one(f, 0, BORDER);
    read_one(f, 1, 2);
    struct span spans[] = {next_span(f, 0, 1), next_span(f, 1, 1)};
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, &f->observer), 0);
    assert_int_equal(f->n_passes, 2);
    assert_int_equal(f->n_tokens, BORDER + 2);
    assert_row_of(f, 0, 0);
    assert_row_of(f, 1, 1);
}

static void slices_of_a_prompt_know_how_long_it_is(void **state)
{
    struct fixture *f = fixture_of(state);
    for (size_t n = 0; n < BORDER + 2; n += 3) {
        struct span span = next_span(f, 0, 3);
        span.length = BORDER + 2;
        assert_int_equal(read_spans(&f->m, &f->s, &span, 1, &f->observer),
                         0);
    }
    assert_int_equal(f->n_passes, 3);
    assert_int_equal(f->n_tokens, BORDER + 2);
    assert_row_of(f, 2, 0);
}

static void a_pass_is_called_off_before_it_begins(void **state)
{
    struct fixture *f = fixture_of(state);
    read_one(f, 0, 3);
    f->s.cancelled = is_called_off;
    f->s.cancel_context = f;
    struct span spans[] = {next_span(f, 0, 1), next_span(f, 1, 4)};
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, &f->observer), 1);
    assert_int_equal(f->n_passes, 0);
    assert_int_equal(f->caches[0].length, 3);
    assert_int_equal(f->caches[1].length, 0);
    f->s.cancelled = NULL;
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, NULL), 0);
    assert_row_of(f, 0, 0);
    assert_row_of(f, 4, 1);
}

/* Between reading again and reading on. */
static void so_is_one_behind_a_text_that_was_read_again(void **state)
{
    struct fixture *f = fixture_of(state);
    read_one(f, 0, BORDER);
    f->s.cancelled = is_called_off;
    f->s.cancel_context = f;
    struct span spans[] = {next_span(f, 1, 2), next_span(f, 0, 1)};
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, NULL), 1);
    assert_int_equal(f->caches[0].length, 0);
    f->left = 1;
    read_one(f, 0, BORDER);
    f->left = 1;
    spans[1] = next_span(f, 0, 1);
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, NULL), 1);
    assert_int_equal(f->caches[0].length, BORDER);
    assert_int_equal(f->caches[1].length, 0);
    f->s.cancelled = NULL;
    assert_int_equal(read_spans(&f->m, &f->s, spans, 2, NULL), 0);
    assert_row_of(f, 1, 1);
    assert_row_of(f, 2, 0);
}

#define SPANS_TEST(name)                                                      \
    cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPANS_TEST(one_span_is_prefill),
        SPANS_TEST(as_many_texts_as_there_are_rows_fit),
        SPANS_TEST(a_long_slice_and_a_token_fill_a_pass),
        SPANS_TEST(a_weight_is_fetched_once_for_all_texts),
        SPANS_TEST(a_text_is_read_again_where_its_angles_change),
        SPANS_TEST(slices_of_a_prompt_know_how_long_it_is),
        SPANS_TEST(a_pass_is_called_off_before_it_begins),
        SPANS_TEST(so_is_one_behind_a_text_that_was_read_again),
    };
    return cmocka_run_group_tests_name("spans, edges", tests, NULL, NULL);
}

/* A text that is read in chunks, each behind those that are held: the goldens
 * of whole texts hold, and nothing is read twice but what has become invalid.
 * test_prefill.c is about the bits. */
#include "forward.h"
#include "rope.h"
#include "sizes.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_small.h"

enum test_sizes {
    CHUNK = 4, /* tokens */
    N_LONG = 11,
    BORDER = 7, /* tokens; longer texts have other angles */
    N_OTHER = 5
};

static const int text[N_LONG] = {5, 40, 17, 23, 8, 31, 12, 3, 60, 9, 44};

/* What was read. */
struct passes {
    size_t n, tokens, longest;
};

static void count_passes(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    struct passes *p = context;
    (void)layer;
    (void)data;
    if (strcmp(name, "embedding") != 0)
        return;
    p->n++;
    p->tokens += shape.rows;
    p->longest = larger_size(p->longest, shape.rows);
}

static void assert_passes(struct passes *p, size_t n, size_t tokens)
{
    assert_int_equal(p->n, n);
    assert_int_equal(p->tokens, tokens);
    assert_in_range(p->longest, 1, CHUNK);
    *p = (struct passes){0, 0, 0};
}

/* --- all models --------------------------------------------------------- */

/* What a pass of so many rows has to show. */
struct show {
    const struct model *m;
    const struct state *s;
    size_t rows, n_layers, n_others;
};

static void assert_shown(void *context, const char *name, int layer,
                         const float *data, struct shape shape)
{
    struct show *w = context;
    bool logits = strcmp(name, "logits") == 0, is_layer = name[0] == 'l';
    if (strcmp(name, "attention") == 0)
        return;
    assert_int_equal(shape.rows, w->rows);
    assert_int_equal(shape.cols, logits ? w->m->config.vocab_size
                                        : w->m->config.hidden_size);
    if (is_layer && !logits) {
        assert_int_equal(layer, w->n_layers++);
        return;
    }
    const float *const there[] = {w->s->x, w->s->normed, w->s->logits};
    assert_int_equal(layer, -1);
    assert_ptr_equal(data, there[w->n_others++]);
}

/* The logits of all rows of the last pass, which begins at token `from`. */
static void assert_logits(const struct model *m, struct state *s, size_t n,
                          size_t from, const float *expected,
                          const struct observer *o)
{
    const size_t rows[CHUNK] = {0, 1, 2, 3}, width = m->config.vocab_size;
    const float *logits = logits_of_rows(m, s, rows, s->rows, o);
    for (size_t i = 0; i < s->rows; i++)
        assert_row("logits", "token, id", n, from + i, logits + i * width,
                   expected + (from + i) * width, width);
}

/* Chunk by chunk, and the last token alone. */
static void assert_chunks(const struct model *m,
                          const struct checkpoint *goldens)
{
    struct reader r;
    size_t n;
    int *ids = golden_ids(goldens, "", "ids", &n);
    float *expected = golden_floats(goldens, "", "logits");
    reader_open(&r, m, n, CHUNK);
    for (size_t from = 0, rows; from < n; from += rows) {
        rows = from + 1 < n ? smaller_size(CHUNK, n - 1 - from) : 1;
        struct show w = {m, &r.state, rows, 0, 0};
        struct observer o = {assert_shown, &w};
        if (from + 1 < n)
            prefill(m, &r.state, &r.cache, ids + from, rows, &o);
        else
            decode(m, &r.state, &r.cache, ids[from], &o);
        assert_int_equal(r.cache.length, from + rows);
        assert_int_equal(r.state.rows, rows);
        assert_logits(m, &r.state, n, from, expected, &o);
        assert_int_equal(w.n_layers, m->config.n_layers);
        assert_int_equal(w.n_others, 3);
    }
    free(expected);
    free(ids);
    reader_close(&r);
}

/* A text of which not all rows have goldens, but the last one has. */
static void assert_long(const struct model *m,
                        const struct checkpoint *goldens)
{
    struct reader r;
    size_t n, n_rows;
    int *ids = golden_ids(goldens, "long", "ids", &n);
    int *rows = golden_ids(goldens, "long", "rows", &n_rows);
    float *expected = golden_floats(goldens, "long", "logits");
    size_t width = m->config.vocab_size;
    reader_open(&r, m, n, CHUNK);
    prefill(m, &r.state, &r.cache, ids, n, NULL);
    assert_int_equal(rows[n_rows - 1], n - 1);
    assert_row("logits", "token, id", n, n - 1,
               forward_logits(m, &r.state, r.state.rows - 1, NULL),
               expected + (n_rows - 1) * width, width);
    free(expected);
    free(rows);
    free(ids);
    reader_close(&r);
}

/* One of tests/checkpoints; *state is its name. */
static void small_model(void **state)
{
    struct model m;
    struct checkpoint goldens;
    small_open(*state, &m, &goldens);
    assert_chunks(&m, &goldens);
    if (checkpoint_find(&goldens, "long.ids"))
        assert_long(&m, &goldens);
    checkpoint_close(&goldens);
    model_close(&m);
}

/* --- one model ---------------------------------------------------------- */

/* A model whose angles change behind BORDER tokens. */
static void open_model(struct model *m)
{
    char *path = test_path("checkpoints/phi3-1");
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    assert_ok(model_open(m, path, &e), &e);
    free(path);
    for (size_t i = 0; i < m->n_ropes; i++)
        m->ropes[i].config.original_positions = BORDER;
}

/* The last logits are those of a text of n tokens that is read at once. */
static void assert_like_whole(const struct model *m, struct state *s, size_t n)
{
    struct state whole;
    struct error e;
    assert_ok(state_init(&whole, m, n, &e), &e);
    assert_ok(forward(m, &whole, text, n, NULL, &e), &e);
    const float *expected = forward_logits(m, &whole, n - 1, NULL);
    assert_memory_equal(forward_logits(m, s, s->rows - 1, NULL), expected,
                        m->config.vocab_size * sizeof *expected);
    state_free(&whole);
}

static void a_text_is_read_again_where_its_angles_change(void **state)
{
    (void)state;
    struct model m;
    struct reader r;
    struct passes p = {0, 0, 0};
    struct observer o = {count_passes, &p};
    open_model(&m);
    reader_open(&r, &m, N_LONG, CHUNK);
    assert_int_equal(
        prefill(&m, &r.state, &r.cache, text, BORDER - 1, &o), 0);
    assert_passes(&p, 2, BORDER - 1);
    decode(&m, &r.state, &r.cache, text[BORDER - 1], &o);
    assert_passes(&p, 1, 1);
    assert_like_whole(&m, &r.state, BORDER);
    decode(&m, &r.state, &r.cache, text[BORDER], &o);
    assert_passes(&p, 2, BORDER + 1);
    assert_like_whole(&m, &r.state, BORDER + 1);
    prefill(&m, &r.state, &r.cache, text + BORDER + 1, N_LONG - BORDER - 1,
            &o);
    assert_passes(&p, 1, N_LONG - BORDER - 1);
    assert_like_whole(&m, &r.state, N_LONG);
    assert_int_equal(reuse_prefix(&m, &r.cache, text, N_LONG), N_LONG - 1);
    const int other[N_LONG] = {5, 40, 17, 24};
    assert_int_equal(reuse_prefix(&m, &r.cache, other, N_LONG), 3);
    assert_int_equal(reuse_prefix(&m, &r.cache, text, BORDER), 0);
    reader_close(&r);
    model_close(&m);
}

/* A state for chunks reads a whole text too, up to its longest. */
static void a_whole_text_may_be_longer_than_a_chunk(void **state)
{
    (void)state;
    struct model m;
    struct state s;
    struct error e;
    struct passes p = {0, 0, 0};
    struct observer o = {count_passes, &p};
    open_model(&m);
    assert_ok(state_init_chunked(&s, &m, N_LONG - 1, CHUNK, &e), &e);
    assert_ok(forward(&m, &s, text, N_LONG - 1, &o, &e), &e);
    assert_passes(&p, 3, N_LONG - 1);
    assert_like_whole(&m, &s, N_LONG - 1);
    assert_int_equal(forward(&m, &s, text, N_LONG, &o, &e), -1);
    assert_string_equal(e.message,
                        "the text has 11 tokens; there is room for 10");
    state_free(&s);
    model_close(&m);
}

static bool is_interrupted(void *context)
{
    return --*(int *)context < 0;
}

static void a_text_can_be_interrupted_between_chunks(void **state)
{
    (void)state;
    struct model m;
    struct reader r;
    struct passes p = {0, 0, 0};
    struct observer o = {count_passes, &p};
    int left = 2;
    open_model(&m);
    reader_open(&r, &m, N_LONG, CHUNK);
    r.state.cancelled = is_interrupted;
    r.state.cancel_context = &left;
    assert_int_equal(prefill(&m, &r.state, &r.cache, text, N_LONG, &o), 1);
    assert_passes(&p, 2, 2 * CHUNK);
    assert_int_equal(r.cache.length, 2 * CHUNK);
    r.state.cancelled = NULL;
    assert_int_equal(prefill(&m, &r.state, &r.cache, text + 2 * CHUNK,
                             N_LONG - 2 * CHUNK, &o),
                     0);
    assert_like_whole(&m, &r.state, N_LONG);
    reader_close(&r);
    model_close(&m);
}

static void a_chunk_fits_the_state_and_the_cache(void **state)
{
    (void)state;
    const struct state s = {.capacity = 4};
    assert_int_equal(longest_chunk(&s, &(struct cache){.chunk = 3}), 3);
    assert_int_equal(longest_chunk(&s, &(struct cache){.chunk = 9}), 4);
}

/* Two ropes, of which this one turns otherwise behind BORDER tokens. */
static void assert_ends_validity(size_t which)
{
    struct rope ropes[2] = {{.dim = 2}, {.dim = 2}};
    struct model m = {.ropes = ropes, .n_ropes = 2};
    ropes[which] = (struct rope){.config = {.theta = 10,
                                            .dim = 2,
                                            .scaling = ROPE_LONGROPE,
                                            .original_positions = BORDER,
                                            .short_factors = {1},
                                            .long_factors = {2}},
                                 .dim = 2,
                                 .by_length = true};
    const struct cache before = {.rotated = BORDER - 1},
                       behind = {.rotated = BORDER + 1};
    assert_true(still_valid(&m, &before, BORDER));
    assert_false(still_valid(&m, &before, BORDER + 1));
    assert_true(still_valid(&m, &behind, N_LONG));
    assert_false(still_valid(&m, &behind, BORDER));
}

static void any_rope_ends_what_is_valid(void **state)
{
    (void)state;
    assert_ends_validity(0);
    assert_ends_validity(1);
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[N_OTHER + MAX_SMALL] = {
        cmocka_unit_test(a_text_is_read_again_where_its_angles_change),
        cmocka_unit_test(a_whole_text_may_be_longer_than_a_chunk),
        cmocka_unit_test(a_text_can_be_interrupted_between_chunks),
        cmocka_unit_test(a_chunk_fits_the_state_and_the_cache),
        cmocka_unit_test(any_rope_ends_what_is_valid),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[N_OTHER + i] =
            (struct CMUnitTest){.name = small.names[i],
                                .test_func = small_model,
                                .initial_state = small.names[i]};
    return _cmocka_run_group_tests("forward, in chunks", tests,
                                   N_OTHER + small.n, NULL, NULL);
}

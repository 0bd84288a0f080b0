/* A text's vector is the one that pool() makes of it, whoever else is served;
 * pool() agrees with transformers (test_pool.c). */
#include "engine.h"

#include "pool.h"
#include "test_client.h"
#include "test_files.h"

enum sizes {
    TEXTS = 40
};

/* Text i: from a few tokens to some hundred, with the end that the tokenizer
 * appends. */
static void make_text(const struct rung_model *m, size_t i, int **ids,
                      size_t *n)
{
    static const char words[] = "the cat sat on the mat and saw a dog; ";
    struct rung_encoding how = {.wrap = true};
    struct bytes text = {0};
    for (size_t k = 0; k <= i % 7; k++)
        bytes_add(&text, words + i % 30, sizeof words - 1 - i % 30);
    assert_int_equal(
        rung_encode(m, text.data, text.size, &how, ids, n, NULL), 0);
    bytes_free(&text);
}

/* What the last norm makes of each token, pooled as pool_rows has it. */
static void expected_vector(const struct rung_model *m, const int *ids,
                            size_t n, float *out)
{
    struct state s;
    struct error e;
    size_t width = m->facts.width;
    assert_ok(state_init(&s, &m->model, n, &e), &e);
    assert_ok(pool(&m->model, &s, ids, n, out, &e), &e);
    for (size_t i = 0; i < width && m->facts.pooling == RUNG_POOL_FIRST; i++)
        out[i] = s.normed[i];
    for (size_t i = 0; i < width && m->facts.pooling == RUNG_POOL_MEAN; i++) {
        out[i] = 0;
        for (size_t t = 0; t < n; t++)
            out[i] += s.normed[t * width + i];
    }
    if (m->facts.pooling != RUNG_POOL_LAST)
        make_unit(out, width);
    state_free(&s);
}

static void expect_vectors(struct rung_model *m)
{
    struct rung_error e;
    struct rung_text texts[TEXTS];
    int *ids[TEXTS];
    size_t width = m->facts.width, size = width * sizeof(float);
    float *found = malloc(TEXTS * size), *expected = malloc(size);
    for (size_t i = 0; i < TEXTS; i++) {
        make_text(m, i, &ids[i], &texts[i].n);
        texts[i].ids = ids[i];
    }
    assert_int_equal(rung_embed(m, texts, TEXTS, found, &e), 0);
    for (size_t i = 0; i < TEXTS; i++) {
        expected_vector(m, ids[i], texts[i].n, expected);
        assert_memory_equal(found + i * width, expected, size);
        rung_free_ids(ids[i]);
    }
    free(found);
    free(expected);
}

static void vectors_are_those_of_pool(void **state)
{
    (void)state;
    struct rung_options o = {.requests = 4, .queue = 3};
    struct rung_model *m = open_model("models/tiny-embed", &o);
    assert_true(m->facts.embeds);
    expect_vectors(m);
    rung_close(m);
}

/* Here no beginning may be taken over from another text. */
static void so_are_means_and_first_tokens(void **state)
{
    (void)state;
    struct rung_model *m = open_model("models/tiny-embed", NULL);
    m->facts.pooling = m->pooling.how = RUNG_POOL_MEAN;
    expect_vectors(m);
    m->facts.pooling = m->pooling.how = RUNG_POOL_FIRST;
    expect_vectors(m);
    rung_close(m);
}

/* A text that cannot be read ends it all, and leaves nobody behind. */
static void one_bad_text_fails_all(void **state)
{
    (void)state;
    static const int ids[] = {1, 2, 3, 1 << 20};
    struct rung_text texts[] = {{ids, 3}, {ids, 2}, {ids, 4}, {ids, 1}};
    struct rung_stats s;
    struct rung_error e;
    struct rung_model *m = open_model("models/tiny-embed", NULL);
    float *out = calloc(4 * m->facts.width, sizeof *out);
    assert_int_equal(rung_embed(m, texts, 4, out, &e), -1);
    assert_int_equal(e.code, RUNG_INPUT);
    rung_stats(m, &s);
    assert_int_equal(s.running + s.queued, 0);
    assert_int_equal(rung_embed(m, texts, 0, out, &e), 0);
    assert_int_equal(rung_embed(m, texts, 2, out, &e), 0);
    free(out);
    rung_close(m);
}

static void what_the_files_say_and_nobody_knows_is_refused(void **state)
{
    (void)state;
    struct rung_text text = {&(int){1}, 1};
    struct rung_error e;
    float out[1];
    struct rung_model *m = open_model("models/tiny-embed", NULL);
    fail(&m->pooling.refused, ERROR_UNSUPPORTED, "by stars");
    assert_int_equal(rung_embed(m, &text, 1, out, &e), -1);
    assert_int_equal(e.code, RUNG_UNSUPPORTED);
    assert_string_equal(e.message, "by stars");
    rung_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_those_of_pool),
        cmocka_unit_test(so_are_means_and_first_tokens),
        cmocka_unit_test(one_bad_text_fails_all),
        cmocka_unit_test(what_the_files_say_and_nobody_knows_is_refused),
    };
    return cmocka_run_group_tests_name("rung_embed", tests, NULL, NULL);
}

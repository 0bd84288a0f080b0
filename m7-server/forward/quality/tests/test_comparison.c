/* Two models on one text: the figures are those of their rows, one by one. */
#include "comparison.h"

#include "forward.h"
#include "generate.h"
#include "prediction.h"
#include "test_quality.h"

enum compared_sizes {
    N = 120 /* tokens of a text */
};

static const struct windows cut = {64, 32};

/* A model and the same with other logits. */
struct two {
    struct model a, b;
    struct window_reader readers[2];
    int ids[N];
};

static void two_open(struct two *t)
{
    struct error e;
    open_checkpoint(&t->a, "qwen3-1");
    open_checkpoint(&t->b, "qwen3-1");
    t->b.logit_scale *= 0.7f;
    make_text(&t->a, t->ids, N);
    assert_ok(window_reader_init(&t->readers[0], &t->a, &cut, &e), &e);
    assert_ok(window_reader_init(&t->readers[1], &t->b, &cut, &e), &e);
}

static void two_close(struct two *t)
{
    window_reader_free(&t->readers[0]);
    window_reader_free(&t->readers[1]);
    model_close(&t->a);
    model_close(&t->b);
}

/* What must be found at token t, by a pass over its window alone. */
static struct compared expect_at(struct two *t, const struct window *w,
                                 size_t at, double *error)
{
    size_t n = t->a.config.vocab_size;
    struct state s;
    struct error e;
    float *logits = calloc(n, sizeof *logits);
    assert_non_null(logits);
    assert_ok(state_init(&s, &t->a, cut.size, &e), &e);
    assert_ok(forward(&t->a, &s, t->ids + w->begin, at - w->begin, NULL, &e),
              &e);
    const float *row = forward_logits(&t->a, &s, at - 1 - w->begin, NULL);
    for (size_t i = 0; i < n; i++)
        logits[i] = row[i] * 0.7f;
    struct prediction a = predict(row, n), b = predict(logits, n);
    struct compared one = {kl_divergence(&a, &b), surprisal(&a, t->ids[at]),
                           surprisal(&b, t->ids[at])};
    *error = fmax(*error, logit_error(&a, &b));
    state_free(&s);
    free(logits);
    return one;
}

static void each_token_is_compared(void **state)
{
    (void)state;
    struct two t;
    struct comparison c;
    struct error e;
    size_t i = 0;
    double error = 0;
    two_open(&t);
    struct evaluation v = {.readers = t.readers, .windows = cut};
    assert_ok(comparison_init(&c, &v, t.ids, N, &e), &e);
    assert_int_equal(c.n, N - 1);
    for (struct window w = {0}; windows_next(&cut, N, &w);)
        for (size_t at = w.scored; at < w.end; at++, i++) {
            struct compared one = expect_at(&t, &w, at, &error);
            assert_real("kl", c.tokens[i].kl, one.kl);
            assert_real("a", c.tokens[i].a_nats, one.a_nats);
            assert_real("b", c.tokens[i].b_nats, one.b_nats);
        }
    assert_int_equal(i, c.n);
    assert_true(c.logit_error == error);
    assert_int_equal(c.n_agree, c.n); /* the order of logits is the same */
    comparison_free(&c);
    two_close(&t);
}

static void a_model_does_not_differ_from_itself(void **state)
{
    (void)state;
    struct two t;
    struct comparison c;
    struct error e;
    two_open(&t);
    t.b.logit_scale = t.a.logit_scale;
    struct evaluation v = {.readers = t.readers, .windows = cut};
    assert_ok(comparison_init(&c, &v, t.ids, N, &e), &e);
    for (size_t i = 0; i < c.n; i++)
        assert_true(c.tokens[i].kl == 0 &&
                    c.tokens[i].a_nats == c.tokens[i].b_nats);
    assert_true(c.logit_error == 0);
    assert_int_equal(c.n_agree, c.n);
    comparison_free(&c);
    two_close(&t);
}

/* The likeliest of one is the least likely of the other. */
static void models_can_disagree_everywhere(void **state)
{
    (void)state;
    struct two t;
    struct comparison c;
    struct error e;
    two_open(&t);
    t.b.logit_scale *= -1;
    struct evaluation v = {.readers = t.readers, .windows = cut};
    assert_ok(comparison_init(&c, &v, t.ids, N, &e), &e);
    assert_int_equal(c.n_agree, 0);
    comparison_free(&c);
    two_close(&t);
}

/* --- the figures of all tokens ------------------------------------------ */

static void figures_are_means_shares_and_percentiles(void **state)
{
    (void)state;
    struct compared tokens[101];
    struct comparison c = {.tokens = tokens, .n = 101, .n_agree = 25};
    struct comparison_summary s;
    struct error e;
    for (size_t i = 0; i < 101; i++) /* 0 to 100, in no order */
        tokens[i] = (struct compared){(double)(i * 37 % 101), 0.5, 2};
    assert_ok(comparison_summarize(&c, &s, &e), &e);
    assert_real("mean", s.kl_mean, 50);
    assert_real("99", s.kl_99, 99);
    assert_real("most", s.kl_most, 100);
    assert_real("agreement", s.agreement, 25.0 / 101);
    assert_real("a", perplexity(&s.a), exp(0.5));
    assert_real("b", perplexity(&s.b), exp(2));
    assert_true(tokens[1].kl == 37); /* the order of the text is kept */
}

static void one_token_cannot_be_compared(void **state)
{
    (void)state;
    struct two t;
    struct comparison c;
    struct error e;
    two_open(&t);
    struct evaluation v = {.readers = t.readers, .windows = cut};
    assert_int_equal(comparison_init(&c, &v, t.ids, 1, &e), -1);
    assert_null(c.tokens);
    two_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_token_is_compared),
        cmocka_unit_test(a_model_does_not_differ_from_itself),
        cmocka_unit_test(models_can_disagree_everywhere),
        cmocka_unit_test(figures_are_means_shares_and_percentiles),
        cmocka_unit_test(one_token_cannot_be_compared),
    };
    return cmocka_run_group_tests_name("comparison", tests, NULL, NULL);
}

/* What a row of logits says, as scipy has it; percentiles as numpy has. */
#include "prediction.h"

#include "test_quality.h"

enum prediction_sizes {
    MOST_LOGITS = 128
};

/* A golden row into out (MOST_LOGITS,). */
static struct prediction golden_row(const json_t *one, const char *key,
                                    float *out)
{
    const json_t *list = json_object_get(one, key);
    size_t n = json_array_size(list);
    assert_in_range(n, 1, MOST_LOGITS);
    for (size_t i = 0; i < n; i++)
        out[i] = (float)json_number_value(json_array_get(list, i));
    return predict(out, n);
}

static void assert_surprises(const json_t *one, const char *key,
                             const struct prediction *p)
{
    const json_t *list = json_object_get(one, key);
    assert_int_equal(json_array_size(list), p->n);
    for (size_t i = 0; i < p->n; i++)
        assert_real(key, surprisal(p, (int)i),
                    json_number_value(json_array_get(list, i)));
}

static void rows_of_logits_say_what_scipy_says(void **state)
{
    (void)state;
    const json_t *cases, *one;
    json_t *root = quality_goldens("pairs", &cases);
    size_t i;
    json_array_foreach(cases, i, one)
    {
        float p_row[MOST_LOGITS], q_row[MOST_LOGITS];
        struct prediction p = golden_row(one, "p", p_row);
        struct prediction q = golden_row(one, "q", q_row);
        assert_surprises(one, "surprise_p", &p);
        assert_surprises(one, "surprise_q", &q);
        assert_real("kl", kl_divergence(&p, &q), golden_real(one, "kl"));
        assert_real("kl_back", kl_divergence(&q, &p),
                    golden_real(one, "kl_back"));
        assert_true(logit_error(&p, &q) == golden_real(one, "logit_error"));
    }
    json_decref(root);
}

static void a_row_does_not_diverge_from_itself(void **state)
{
    (void)state;
    const float row[] = {0.1f, -7, 3.25f, 0.7f},
                other[] = {1.1f, -6, 4.25f, 1.7f};
    struct prediction p = predict(row, 4), q = predict(other, 4);
    assert_true(kl_divergence(&p, &p) == 0);
    assert_true(kl_divergence(&p, &q) >= 0 && kl_divergence(&q, &p) >= 0);
    assert_true(kl_divergence(&p, &q) < 1e-7);
}

/* Half of p's probability is at the second token. */
static void what_is_impossible_counts_as_such(void **state)
{
    (void)state;
    const float possible[] = {1, 1, -INFINITY}, one[] = {1, -INFINITY, -900};
    struct prediction p = predict(possible, 3), q = predict(one, 3);
    assert_true(isinf(kl_divergence(&p, &q)));
    assert_real("ln 2", kl_divergence(&q, &p), log(2));
    assert_real("ln 2", surprisal(&p, 0), log(2));
    assert_true(isinf(surprisal(&p, 2)));
}

static void percentiles_are_those_of_numpy(void **state)
{
    (void)state;
    const json_t *cases, *one;
    json_t *root = quality_goldens("percentiles", &cases);
    size_t i;
    json_array_foreach(cases, i, one)
    {
        const json_t *list = json_object_get(one, "values"), *share;
        size_t n = json_array_size(list), k;
        double values[256];
        assert_in_range(n, 1, 256);
        for (size_t j = 0; j < n; j++)
            values[j] = json_number_value(json_array_get(list, j));
        json_array_foreach(json_object_get(one, "shares"), k, share)
            assert_real("percentile",
                        percentile(values, n, json_number_value(share)),
                        json_number_value(json_array_get(
                            json_object_get(one, "percentiles"), k)));
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_logits_say_what_scipy_says),
        cmocka_unit_test(a_row_does_not_diverge_from_itself),
        cmocka_unit_test(what_is_impossible_counts_as_such),
        cmocka_unit_test(percentiles_are_those_of_numpy),
    };
    return cmocka_run_group_tests_name("prediction", tests, NULL, NULL);
}

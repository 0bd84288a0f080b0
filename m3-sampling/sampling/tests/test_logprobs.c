/* Log probabilities are those of transformers: tests/models/goldens. */
#include "logprobs.h"

#include "forward.h"
#include "json.h"
#include "test_run.h"
#undef fail
#include "test_equal.h"
#include "test_numbers.h"

static void they_are_the_logarithm_of_the_softmax(void **state)
{
    (void)state;
    const float logits[] = {1, 1 + logf(3), 1, -INFINITY};
    double base = logprob_base(logits, 4);
    assert_true(fabs(exp((double)logits[1] - base) - 0.6) < 1e-7);
    const float even[] = {3, 3, 80}; /* the last is no token's */
    double two = logprob_base(even, 2); /* 3 + log 2 */
    assert_true(fabs(two - 3.6931471805599453) < 1e-12);
    const float large[] = {1e30f, 0};
    assert_equal(logprob_base(large, 2), (double)1e30f);
}

static void the_likeliest_come_first_and_equal_ones_by_id(void **state)
{
    (void)state;
    const float logits[] = {2, 5, 2, 7, 5, 1};
    const int order[] = {3, 1, 4, 0, 2, 5};
    for (size_t most = 0; most <= 8; most++) {
        struct logprob top[9];
        top[most].id = -7; /* behind them */
        size_t n = logprob_top(logits, 6, top, most);
        assert_int_equal(n, most < 6 ? most : 6);
        assert_int_equal(top[most].id, -7);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(top[i].id, order[i]);
    }
}

static void what_cannot_come_is_not_among_them(void **state)
{
    (void)state;
    const float logits[] = {-INFINITY, 1, -INFINITY};
    struct logprob top[3];
    assert_int_equal(logprob_top(logits, 3, top, 3), 1);
    assert_int_equal(top[0].id, 1);
    assert_equal(top[0].value, 0);
}

/* What stands before the place for the likeliest is none of them, though it
 * is less likely than all. */
static void the_first_is_compared_with_none(void **state)
{
    (void)state;
    const float logits[] = {1, 2};
    struct logprob all[5] = {{-7, -9}, {-7, -9}, {-7, -9}};
    assert_int_equal(logprob_top(logits, 2, all + 3, 2), 2);
    assert_int_equal(all[3].id, 1);
    assert_int_equal(all[4].id, 0);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(all[i].id, -7);
}

/* The five likeliest at each step of an answer: greedy.json has their
 * logarithms with five digits. */
static void assert_step(const float *logits, size_t n, const json_t *golden)
{
    struct logprob top[5];
    logprob_top(logits, n, top, 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *one = json_array_get(golden, i);
        double value = json_number_value(json_array_get(one, 1));
        assert_int_equal(top[i].id,
                         json_integer_value(json_array_get(one, 0)));
        assert_true(fabs(top[i].value - value) < 2e-4);
    }
}

static void add_list(const json_t *list, struct ids *ids)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        ids_add(ids, (int)json_integer_value(json_array_get(list, i)));
}

static void assert_answer(const struct model *m, const json_t *prompt)
{
    struct ids ids = {0};
    struct state s;
    struct error e;
    add_list(json_object_get(prompt, "prompt_ids"), &ids);
    size_t first = ids.size;
    add_list(json_object_get(prompt, "ids"), &ids);
    assert_ok(state_init(&s, m, ids.size, &e), &e);
    assert_ok(forward(m, &s, ids.data, ids.size, NULL, &e), &e);
    for (size_t t = first; t < ids.size; t++)
        assert_step(
            forward_logits(m, &s, t - 1, NULL), m->config.vocab_size,
            json_array_get(json_object_get(prompt, "top5"), t - first));
    state_free(&s);
    ids_free(&ids);
}

static void they_are_transformers_numbers(void **state)
{
    (void)state;
    char *path = test_path("models/goldens/greedy.json");
    char *folder = test_path("models/tiny-chat");
    struct model m;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    json_t *prompts = json_read_file(path, &e);
    assert_ok(prompts ? 0 : -1, &e);
    assert_ok(model_open(&m, folder, &e), &e);
    assert_answer(&m, json_object_get(prompts, "capital"));
    assert_answer(&m, json_object_get(prompts, "sum"));
    model_close(&m);
    json_decref(prompts);
    free(folder);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_logarithm_of_the_softmax),
        cmocka_unit_test(the_likeliest_come_first_and_equal_ones_by_id),
        cmocka_unit_test(what_cannot_come_is_not_among_them),
        cmocka_unit_test(the_first_is_compared_with_none),
        cmocka_unit_test(they_are_transformers_numbers),
    };
    return cmocka_run_group_tests_name("logprobs", tests, NULL, NULL);
}

/* A model of every family keeps its norms' weights and its biases as floats:
 * those that are in its files. */
#include "model.h"

#include "test_numbers.h"
#include "test_small.h"

static void assert_copy(const struct weight *w)
{
    struct compute c = {0};
    if (!w->data) {
        assert_null(w->floats);
        return;
    }
    assert_non_null(w->floats);
    for (size_t i = 0; i < w->rows; i++) {
        float number;
        weight_row(&c, w, i, &number);
        assert_same("a vector", w->floats + i, &number, 1);
    }
}

static void assert_no_copy(const struct weight *w)
{
    assert_null(w->floats);
}

typedef void vector_function(const struct weight *w);

static void for_norm(const struct norm *norm, vector_function *f)
{
    f(&norm->weight);
    f(&norm->bias);
}

/* All that a pass reads as vectors. */
static void for_all(const struct model *m, vector_function *f)
{
    for_norm(&m->norm, f);
    for (size_t i = 0; i < m->config.n_layers; i++) {
        const struct layer *l = &m->layers[i];
        for_norm(&l->mix_norm, f);
        for_norm(&l->mix_after, f);
        for_norm(&l->feed_norm, f);
        for_norm(&l->feed_after, f);
        for_norm(&l->attention.q_norm, f);
        for_norm(&l->attention.k_norm, f);
        for_norm(&l->attention.v_norm, f);
        f(&l->attention.q.bias);
        f(&l->attention.k.bias);
        f(&l->attention.v.bias);
        f(&l->attention.o.bias);
        f(&l->mlp.gate.bias);
        f(&l->mlp.up.bias);
        f(&l->mlp.down.bias);
    }
}

static void assert_angles_are_same(const struct model *m, bool same)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        assert_true(m->ropes[i].same_anywhere == same);
}

static void small_model(void **state)
{
    struct model m;
    struct checkpoint goldens;
    struct error e;
    small_open(*state, &m, &goldens);
    for_all(&m, assert_no_copy);
    assert_angles_are_same(&m, false);
    assert_ok(model_pack(&m, NULL, &e), &e);
    for_all(&m, assert_copy);
    assert_angles_are_same(&m, true);
    model_unpack(&m);
    for_all(&m, assert_no_copy);
    assert_angles_are_same(&m, false);
    checkpoint_close(&goldens);
    model_close(&m);
}

static void there_are_models(void **state)
{
    struct small_models small;
    (void)state;
    small_models_find(&small);
    if (small.n == 0)
        skip_without_models();
}

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[1 + MAX_SMALL] = {
        cmocka_unit_test(there_are_models),
    };
    small_models_find(&small);
    for (size_t i = 0; i < small.n; i++)
        tests[1 + i] = (struct CMUnitTest){.name = small.names[i],
                                           .test_func = small_model,
                                           .initial_state = small.names[i]};
    return _cmocka_run_group_tests("vectors", tests, 1 + small.n, NULL, NULL);
}

/* A model is opened: every switch set, every weight in its place. */
#include "test_model_open.h"

static void a_small_model_is_opened(void **state)
{
    (void)state;
    struct model m;
    write_small_weights(NULL, 0, "F32");
    open_changed(&m, NULL, 0);
    const struct attention *a = &m.layers[0].attention;
    assert_int_equal(a->n_heads, 2);
    assert_int_equal(a->n_kv_heads, 1);
    assert_int_equal(a->head_dim, 4);
    assert_int_equal(a->window, 0);
    assert_true(a->scale == 0.5f && a->soft_cap == 0);
    assert_int_equal(a->q_norm.kind, NORM_NONE);
    assert_null(a->q.bias.data);
    assert_true(m.norm.eps == 1e-6f);
    assert_ptr_equal(m.layers[0].mlp.activate, silu);
    assert_int_equal(m.ropes[0].dim, 4);
    assert_ptr_not_equal(m.head.data, m.embedding.data);
    model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_small_model_is_opened),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}

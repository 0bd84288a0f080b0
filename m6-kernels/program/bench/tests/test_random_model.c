/* Random models: what a published model of their shape would compute, they
 * compute. */
#include "forward.h"
#include "measure.h"
#include "random_model.h"
#include "shapes.h"
#include "test_numbers.h"

/* The embedding, of which a row is fetched, is not packed. */
static void a_token_takes_every_matrix(void **state)
{
    (void)state;
    struct error e;
    struct model m;
    struct state s;
    struct cache c;
    const struct model_shape *shape = shape_named("smollm2-135m");
    const int id = 0;
    assert_non_null(shape);
    assert_ok(random_model_open(&m, shape, PACKED_INT4, PACKED_INT4, NULL, &e),
              &e);
    assert_ok(state_init(&s, &m, 1, &e), &e);
    assert_ok(cache_init(&c, &m, 1, 1, &e), &e);
    assert_int_equal(prefill(&m, &s, &c, &id, 1, NULL), 0);
    forward_logits(&m, &s, 0, NULL);
    size_t row = m.embedding.cols * sizeof(float);
    assert_int_equal(s.compute.fetched, model_packed_bytes(&m) + row);
    cache_free(&c);
    state_free(&s);
    random_model_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_takes_every_matrix),
    };
    return cmocka_run_group_tests_name("random_model", tests, NULL, NULL);
}

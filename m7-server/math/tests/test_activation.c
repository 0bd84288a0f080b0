/* The activations agree with torch. */
#include "activation.h"

#include "test_in_place.h"

static void silu_agrees_with_torch(void **state)
{
    assert_changed(*state, "silu", silu, 3e-7, 1e-37);
}

static void the_gelus_agree_with_torch(void **state)
{
    assert_changed(*state, "gelu", gelu, 5e-6, 1e-15);
    assert_changed(*state, "gelu_tanh", gelu_tanh, 5e-6, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silu_agrees_with_torch),
        cmocka_unit_test(the_gelus_agree_with_torch),
    };
    return cmocka_run_group_tests_name("activations", tests, open_goldens,
                                       close_goldens);
}

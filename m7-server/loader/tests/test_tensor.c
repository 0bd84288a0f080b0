/* A tensor has a name, a shape and values. */
#include "tensor.h"

#include "test_equal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names_are_ordered_as_people_count(void **state)
{
    (void)state;
    static const char *const ordered[] = {"",
                                          "a",
                                          "a1",
                                          "ab",
                                          "layers.0.w",
                                          "layers.02",
                                          "layers.2.w",
                                          "layers.2.x",
                                          "layers.3.a",
                                          "layers.10",
                                          "layers.10.a",
                                          "layers.100",
                                          "layersx",
                                          "x9",
                                          "x18446744073709551616",
                                          "x18446744073709551617"};
    int n = sizeof ordered / sizeof ordered[0];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int order = tensor_order(ordered[i], ordered[j]);
            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
        }
}

static void equal_numbers_of_different_spelling_are_different(void **state)
{
    (void)state;
    assert_true(tensor_order("w.7", "w.07") != 0);
    assert_true((tensor_order("w.7", "w.07") < 0) ==
                (tensor_order("w.07", "w.7") > 0));
    assert_int_equal(tensor_order("w.07", "w.07"), 0);
    assert_true(tensor_order("w.7", "w.07a") < 0);
    assert_int_equal(tensor_order("w.0\0x", "w.0\0y"), 0);
}

static void a_shape_is_shown_in_brackets(void **state)
{
    (void)state;
    char text[TENSOR_SHAPE_TEXT];
    struct tensor t = {.rank = 0};
    tensor_shape(&t, text);
    assert_string_equal(text, "[]");
    t = (struct tensor){.rank = 2, .shape = {4096, 256}};
    tensor_shape(&t, text);
    assert_string_equal(text, "[4096, 256]");
}

static void the_longest_shape_has_room(void **state)
{
    (void)state;
    char text[TENSOR_SHAPE_TEXT];
    struct tensor t = {.rank = TENSOR_MAX_RANK};
    for (int i = 0; i < t.rank; i++)
        t.shape[i] = UINT64_MAX;
    tensor_shape(&t, text);
    assert_int_equal(strlen(text), 8 * 20 + 7 * 2 + 2);
}

static void values_are_read_from_any_place(void **state)
{
    (void)state;
    static const unsigned char data[] = {9, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4};
    struct tensor t = {.dtype = DTYPE_U16, .count = 5, .data = data + 1};
    float values[3] = {0};
    tensor_read(&t, 2, 3, values);
    assert_equal(values[0], 0x200);
    assert_equal(values[1], 0x300);
    assert_equal(values[2], 0x400);
    static const double wide[] = {1, 2, 3, 4, 5};
    t = (struct tensor){.dtype = DTYPE_F64,
                        .count = 5,
                        .data = (const unsigned char *)wide};
    tensor_read(&t, 3, 2, values);
    assert_equal(values[0], 4);
    assert_equal(values[1], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_ordered_as_people_count),
        cmocka_unit_test(equal_numbers_of_different_spelling_are_different),
        cmocka_unit_test(a_shape_is_shown_in_brackets),
        cmocka_unit_test(the_longest_shape_has_room),
        cmocka_unit_test(values_are_read_from_any_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

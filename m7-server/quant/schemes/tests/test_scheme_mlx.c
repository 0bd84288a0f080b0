/* What is refused in files of MLX. */
#include "test_refused.h"

#define SAID(...) "{\"quantization\": {" __VA_ARGS__ "}}"
static const char four[] = SAID("\"group_size\": 32, \"bits\": 4");
static const char mxfp4[] =
    SAID("\"group_size\": 32, \"bits\": 4, \"mode\": \"mxfp4\"");

static void numbers_of_bits_and_groups_are_known(void **state)
{
    (void)state;
    assert_said_refused(SAID("\"group_size\": 32, \"bits\": 7"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization.bits: found 7; this "
                        "program knows 2 3 4 5 6 8");
    assert_said_refused(SAID("\"group_size\": 16, \"bits\": 4"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization.group_size: found 16; this "
                        "program knows 32 64 128");
    assert_said_refused(SAID("\"bits\": 4"), ERROR_INPUT,
                        "config.json: quantization.group_size: is missing: "
                        "expected an integer");
    assert_said_refused(
        SAID("\"group_size\": 64, \"bits\": 4, \"mode\": \"mxfp4\""),
        ERROR_UNSUPPORTED,
        "config.json: quantization.group_size: found 64; this program knows "
        "32");
    assert_said_refused(
        SAID("\"group_size\": 16, \"bits\": 4, \"mode\": \"nvfp4\""),
        ERROR_UNSUPPORTED,
        "config.json: quantization.mode: found \"nvfp4\"; affine and mxfp4 "
        "are known");
}

static void keys_that_are_not_known_are_refused(void **state)
{
    (void)state;
    assert_said_refused(SAID("\"group_size\": 32, \"bits\": 4, \"x\": 1"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization.x: is not a key that this "
                        "program knows");
    assert_said_refused(
        SAID("\"group_size\": 32, \"bits\": 4, \"m\": {\"bits\": 4, "
             "\"group_size\": 32, \"x\": 1}"),
        ERROR_UNSUPPORTED,
        "config.json: quantization.m.x: is not a key that this program knows");
    assert_said_refused(
        SAID("\"group_size\": 32, \"bits\": 4, \"m\": {\"bits\": 9, "
             "\"group_size\": 32}"),
        ERROR_UNSUPPORTED,
        "config.json: quantization.m.bits: found 9; this program knows 2 3 4 "
        "5 6 8");
    assert_said_refused("{\"quantization\": 4}", ERROR_INPUT,
                        "config.json: quantization: expected an object, found "
                        "an integer");
}

static void both_keys_say_the_same(void **state)
{
    (void)state;
    assert_said_refused(
        "{\"quantization\": {\"bits\": 4, \"group_size\": 32}, "
        "\"quantization_config\": {\"bits\": 8, \"group_size\": 32}}",
        ERROR_UNSUPPORTED,
        "config.json: quantization_config: differs from quantization, which "
        "says the same in files of MLX");
}

static void a_tensor_without_scales_is_plain(void **state)
{
    (void)state;
    assert_found(four, "m.weight F32 [2, 64]", 2, 64, 0);
    assert_found(four,
                 "m.weight U32 [2, 8]; m.scales F16 [2, 2]; "
                 "m.biases F16 [2, 2]",
                 2, 64, 1);
    assert_found(SAID("\"bits\": 4, \"group_size\": 32, \"m\": false"),
                 "m.weight U32 [2, 8]; m.scales F16 [2, 2]; "
                 "m.biases F16 [2, 2]",
                 2, 64, 0);
}

static void shapes_and_types_are_checked(void **state)
{
    (void)state;
    assert_matrix_refused(four,
                          "m.weight U32 [2, 8]; m.scales F16 [2, 2]; "
                          "m.biases F16 [2, 2]",
                          2, 72,
                          "m.safetensors: tensor m.weight: rows of 72 values "
                          "do not divide into groups of 32");
    assert_matrix_refused(four,
                          "m.weight U32 [2, 9]; m.scales F16 [2, 2]; "
                          "m.biases F16 [2, 2]",
                          2, 64,
                          "m.safetensors: tensor m.weight is U32 [2, 9], but "
                          "should be U32 [2, 8]");
    assert_matrix_refused(four,
                          "m.weight I32 [2, 8]; m.scales F16 [2, 2]; "
                          "m.biases F16 [2, 2]",
                          2, 64,
                          "m.safetensors: tensor m.weight is I32 [2, 8], but "
                          "should be U32 [2, 8]");
    assert_matrix_refused(four, "m.weight U32 [2, 8]; m.scales F16 [2, 2]", 2,
                          64, "m.safetensors: there is no tensor m.biases");
    assert_matrix_refused(four,
                          "m.weight U32 [2, 8]; m.scales I8 [2, 2]; "
                          "m.biases F16 [2, 2]",
                          2, 64,
                          "m.safetensors: tensor m.scales has numbers of type "
                          "I8; F32, F16 and BF16 can be scales");
    assert_matrix_refused(four,
                          "m.weight U32 [2, 8]; m.scales F16 [2, 1]; "
                          "m.biases F16 [2, 2]",
                          2, 64,
                          "m.safetensors: tensor m.scales is F16 [2, 1], but "
                          "should be F16 [2, 2]");
    assert_matrix_refused(four,
                          "m.weight U32 [2, 8]; m.scales F16 [2, 2]; "
                          "m.biases F32 [2, 2]",
                          2, 64,
                          "m.safetensors: tensor m.biases is F32 [2, 2], but "
                          "should be F16 [2, 2]");
}

static void exponents_are_bytes(void **state)
{
    (void)state;
    assert_found(mxfp4, "m.weight U32 [2, 8]; m.scales U8 [2, 2]", 2, 64, 1);
    assert_matrix_refused(mxfp4, "m.weight U32 [2, 8]; m.scales F16 [2, 2]", 2,
                          64,
                          "m.safetensors: tensor m.scales is F16 [2, 2], but "
                          "should be U8 [2, 2]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_bits_and_groups_are_known),
        cmocka_unit_test(keys_that_are_not_known_are_refused),
        cmocka_unit_test(both_keys_say_the_same),
        SCRATCH(a_tensor_without_scales_is_plain),
        SCRATCH(shapes_and_types_are_checked),
        SCRATCH(exponents_are_bytes),
    };
    return cmocka_run_group_tests_name("scheme mlx", tests, NULL, NULL);
}

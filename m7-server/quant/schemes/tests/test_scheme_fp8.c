/* What is refused in files of FP8, and methods that are not known at all. */
#include "test_refused.h"

#define METHOD(name)                                                          \
    "{\"quantization_config\": {\"quant_method\": \"" name "\""
#define SAID(...) METHOD("fp8") ", " __VA_ARGS__ "}}"
static const char blocks[] = SAID("\"weight_block_size\": [4, 16]");
static const char whole[] = SAID("\"weight_block_size\": null");

#define CODES "m.weight F8_E4M3 [6, 24]; "

static void other_methods_are_refused_by_name(void **state)
{
    (void)state;
    assert_said_refused(
        METHOD("bitsandbytes") ", \"load_in_4bit\": true}}", ERROR_UNSUPPORTED,
        "config.json: quantization_config.quant_method: \"bitsandbytes\" is "
        "not a way to quantize that this program knows");
    assert_said_refused(
        METHOD("mxfp4") "}}", ERROR_UNSUPPORTED,
        "config.json: quantization_config.quant_method: \"mxfp4\" is not a "
        "way to quantize that this program knows");
}

static void what_config_json_says_is_checked(void **state)
{
    (void)state;
    assert_said_refused(SAID("\"activation_scheme\": \"static\""),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.activation_scheme: "
                        "of its values this program knows only \"dynamic\"");
    assert_said_refused(SAID("\"fmt\": \"e5m2\""), ERROR_UNSUPPORTED,
                        "config.json: quantization_config.fmt: of its values "
                        "this program knows only \"e4m3\"");
    assert_said_refused(SAID("\"activation_scale_ub\": 1200"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.activation_scale_"
                        "ub: is not a key that this program knows");
    assert_said_refused(SAID("\"weight_block_size\": [128]"), ERROR_INPUT,
                        "config.json: quantization_config.weight_block_size: "
                        "found 1 sizes; 2 are needed");
    assert_said_refused(SAID("\"weight_block_size\": [128, 0]"), ERROR_INPUT,
                        "config.json: quantization_config.weight_block_"
                        "size[1]: a block cannot be empty");
}

static void parts_are_found(void **state)
{
    (void)state;
    assert_found(blocks, "m.weight BF16 [6, 24]", 6, 24, 0);
    assert_found(blocks, CODES "m.weight_scale_inv F32 [2, 2]", 6, 24, 1);
    assert_found(whole, CODES "m.weight_scale_inv BF16 []", 6, 24, 1);
    assert_found(whole, CODES "m.weight_scale_inv F32 [1]", 6, 24, 1);
    assert_found(whole, CODES "m.weight_scale_inv F32 [1, 1]", 6, 24, 1);
}

static void shapes_and_types_are_checked(void **state)
{
    (void)state;
    assert_matrix_refused(
        blocks, "m.weight F8_E5M2 [6, 24]; m.weight_scale_inv F32 [2, 2]", 6,
        24,
        "m.safetensors: tensor m.weight is F8_E5M2 [6, 24], but should be "
        "F8_E4M3 [6, 24]");
    assert_matrix_refused(blocks, CODES "m.weight_scale_inv F32 [1, 2]", 6, 24,
                          "m.safetensors: tensor m.weight_scale_inv is F32 "
                          "[1, 2], but should be F32 [2, 2]");
    assert_matrix_refused(blocks, CODES "m.weight_scale_inv U8 [2, 2]", 6, 24,
                          "m.safetensors: tensor m.weight_scale_inv has "
                          "numbers of type U8; F32, F16 and BF16 can be "
                          "scales");
    assert_matrix_refused(whole, CODES "m.weight_scale_inv F32 [2]", 6, 24,
                          "m.safetensors: tensor m.weight_scale_inv is F32 "
                          "[2], but should be F32 [1, 1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_methods_are_refused_by_name),
        cmocka_unit_test(what_config_json_says_is_checked),
        SCRATCH(parts_are_found),
        SCRATCH(shapes_and_types_are_checked),
    };
    return cmocka_run_group_tests_name("scheme fp8", tests, NULL, NULL);
}

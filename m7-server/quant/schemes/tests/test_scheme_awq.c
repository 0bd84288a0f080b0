/* What is refused in files of AWQ. */
#include "test_refused.h"

#define SAID(...)                                                             \
    "{\"quantization_config\": {\"quant_method\": \"awq\", " __VA_ARGS__ "}}"
static const char usual[] = SAID("\"bits\": 4, \"group_size\": 16");

/* A matrix (8, 32). */
#define CODES  "m.qweight I32 [32, 1]; "
#define ZEROS  "m.qzeros I32 [2, 1]; "
#define SCALES "m.scales F16 [2, 8]; "

static void what_config_json_says_is_checked(void **state)
{
    (void)state;
    assert_said_refused(SAID("\"bits\": 8, \"group_size\": 16"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.bits: found 8; this "
                        "program knows 4");
    assert_said_refused(
        SAID("\"bits\": 4, \"group_size\": 16, \"version\": \"gemv\""),
        ERROR_UNSUPPORTED,
        "config.json: quantization_config.version: of its values this program "
        "knows only \"gemm\" \"GEMM\"");
    assert_said_refused(
        SAID("\"bits\": 4, \"group_size\": 16, \"zero_point\": false"),
        ERROR_UNSUPPORTED,
        "config.json: quantization_config.zero_point: of its values this "
        "program knows only true");
    assert_said_refused(
        SAID("\"bits\": 4, \"group_size\": 16, \"q_group\": 8"),
        ERROR_UNSUPPORTED,
        "config.json: quantization_config.q_group: is not a key that this "
        "program knows");
}

static void parts_are_there(void **state)
{
    (void)state;
    assert_found(usual, "m.weight F16 [8, 32]", 8, 32, 0);
    assert_found(usual, CODES ZEROS SCALES, 8, 32, 1);
    assert_matrix_refused(usual, CODES SCALES, 8, 32,
                          "m.safetensors: there is no tensor m.qzeros");
    assert_matrix_refused(usual, CODES ZEROS, 8, 32,
                          "m.safetensors: there is no tensor m.scales");
}

static void shapes_and_types_are_checked(void **state)
{
    (void)state;
    assert_matrix_refused(usual, CODES ZEROS SCALES, 8, 40,
                          "m.safetensors: tensor m.qweight: rows of 40 values "
                          "do not divide into groups of 16");
    assert_matrix_refused(
        usual, CODES ZEROS SCALES, 12, 32,
        "m.safetensors: tensor m.qweight: 12 rows do not fill words of 8");
    assert_matrix_refused(usual, "m.qweight I32 [4, 8]; " ZEROS SCALES, 8, 32,
                          "m.safetensors: tensor m.qweight is I32 [4, 8], but "
                          "should be I32 [32, 1]");
    assert_matrix_refused(usual, CODES "m.qzeros I32 [2, 2]; " SCALES, 8, 32,
                          "m.safetensors: tensor m.qzeros is I32 [2, 2], but "
                          "should be I32 [2, 1]");
    assert_matrix_refused(usual, CODES ZEROS "m.scales F16 [3, 8]", 8, 32,
                          "m.safetensors: tensor m.scales is F16 [3, 8], but "
                          "should be F16 [2, 8]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_config_json_says_is_checked),
        SCRATCH(parts_are_there),
        SCRATCH(shapes_and_types_are_checked),
    };
    return cmocka_run_group_tests_name("scheme awq", tests, NULL, NULL);
}

/* What is refused in files of GPTQ. */
#include "test_refused.h"

#define SAID(...)                                                             \
    "{\"quantization_config\": {\"quant_method\": \"gptq\", " __VA_ARGS__ "}" \
    "}"
static const char four[] = SAID("\"bits\": 4, \"group_size\": 16");
static const char order[] =
    SAID("\"bits\": 4, \"group_size\": 16, \"desc_act\": true");

/* A matrix (8, 32). */
#define CODES  "m.qweight I32 [4, 8]; "
#define ZEROS  "m.qzeros I32 [2, 1]; "
#define SCALES "m.scales F16 [2, 8]; "

static void what_config_json_says_is_checked(void **state)
{
    (void)state;
    assert_said_refused(SAID("\"bits\": 5, \"group_size\": 16"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.bits: found 5; this "
                        "program knows 2 3 4 8");
    assert_said_refused(SAID("\"bits\": 4, \"group_size\": 0"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.group_size: found "
                        "0; 1 to 1048576 are known, and -1 for a whole row");
    assert_said_refused(SAID("\"bits\": 4, \"group_size\": 128, "
                             "\"checkpoint_format\": \"marlin\""),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.checkpoint_format: "
                        "found \"marlin\"; gptq and gptq_v2 are known");
    assert_said_refused(
        SAID("\"bits\": 4, \"group_size\": 128, \"zero_shift\": 1"),
        ERROR_UNSUPPORTED,
        "config.json: quantization_config.zero_shift: is not a key that this "
        "program knows");
    assert_said_refused(SAID("\"bits\": 4, \"group_size\": 128, \"dynamic\": "
                             "{\"+:.*down\": {\"bits\": 8}}"),
                        ERROR_UNSUPPORTED,
                        "config.json: quantization_config.dynamic: of its "
                        "values this program knows only null {}");
}

static void a_tensor_without_codes_is_plain(void **state)
{
    (void)state;
    assert_found(four, "m.weight F16 [8, 32]", 8, 32, 0);
    assert_found(four, CODES ZEROS SCALES, 8, 32, 1);
}

static void parts_are_there(void **state)
{
    (void)state;
    assert_matrix_refused(four, CODES SCALES, 8, 32,
                          "m.safetensors: there is no tensor m.qzeros");
    assert_matrix_refused(four, CODES ZEROS, 8, 32,
                          "m.safetensors: there is no tensor m.scales");
    assert_matrix_refused(order, CODES ZEROS SCALES, 8, 32,
                          "m.safetensors: there is no tensor m.g_idx");
}

static void shapes_and_types_are_checked(void **state)
{
    (void)state;
    assert_matrix_refused(four, CODES ZEROS SCALES, 8, 40,
                          "m.safetensors: tensor m.qweight: rows of 40 values "
                          "do not divide into groups of 16");
    assert_matrix_refused(SAID("\"bits\": 3, \"group_size\": 16"),
                          CODES ZEROS SCALES, 8, 32,
                          "m.safetensors: tensor m.qweight: codes of 3 bits "
                          "of a matrix [8, 32] do not fill words of 32");
    assert_matrix_refused(four, "m.qweight I32 [8, 4]; " ZEROS SCALES, 8, 32,
                          "m.safetensors: tensor m.qweight is I32 [8, 4], but "
                          "should be I32 [4, 8]");
    assert_matrix_refused(four, CODES "m.qzeros I32 [1, 1]; " SCALES, 8, 32,
                          "m.safetensors: tensor m.qzeros is I32 [1, 1], but "
                          "should be I32 [2, 1]");
    assert_matrix_refused(four, CODES ZEROS "m.scales F64 [2, 8]", 8, 32,
                          "m.safetensors: tensor m.scales has numbers of type "
                          "F64; F32, F16 and BF16 can be scales");
    assert_matrix_refused(four, CODES ZEROS "m.scales F16 [8, 2]", 8, 32,
                          "m.safetensors: tensor m.scales is F16 [8, 2], but "
                          "should be F16 [2, 8]");
}

static void groups_of_columns_are_checked(void **state)
{
    (void)state;
    assert_matrix_refused(order, CODES ZEROS SCALES "m.g_idx I32 [31]", 8, 32,
                          "m.safetensors: tensor m.g_idx is I32 [31], but "
                          "should be I32 [32]");
    assert_matrix_refused(order, CODES ZEROS SCALES "m.g_idx I64 [32]", 8, 32,
                          "m.safetensors: tensor m.g_idx is I64 [32], but "
                          "should be I32 [32]");
    assert_matrix_refused(four, CODES ZEROS SCALES "m.g_idx I32 [32]", 8, 32,
                          "m.safetensors: tensor m.g_idx: column 0 is in "
                          "group -1414878808, but there are 2");
}

/* Zeros stand for no bias; that is seen in the model tests/quantized/gptq. */
static void a_bias_that_is_not_zero_is_left(void **state)
{
    (void)state;
    struct quantized q;
    struct error e;
    write_parts(CODES ZEROS SCALES "m.bias F16 [8]");
    assert_int_equal(look_for(four, 8, 32, &q, &e), 1);
    assert_int_equal(q.n_parts, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_config_json_says_is_checked),
        SCRATCH(a_tensor_without_codes_is_plain),
        SCRATCH(parts_are_there),
        SCRATCH(shapes_and_types_are_checked),
        SCRATCH(groups_of_columns_are_checked),
        SCRATCH(a_bias_that_is_not_zero_is_left),
    };
    return cmocka_run_group_tests_name("scheme gptq", tests, NULL, NULL);
}

/* What is refused in files of compressed-tensors. */
#include "test_refused.h"

/* A config.json with this layout, of one group of matrices with these weights
 * and more members, and with more members outside. */
#define SAID(layout, weights, inside, outside)                                \
    "{\"quantization_config\": {\"quant_method\": \"compressed-tensors\", "   \
    "\"format\": \"" layout "\", \"config_groups\": {\"group_0\": "           \
    "{\"weights\": {" weights "}" inside "}}" outside "}}"
#define GROUPS "\"num_bits\": 4, \"group_size\": 16"
#define PLACE  "config.json: quantization_config."
#define GROUP  PLACE "config_groups.group_0."

static const char packed[] =
    SAID("pack-quantized", GROUPS ", \"symmetric\": false", "", "");
static const char shuffled[] =
    SAID("pack-quantized", GROUPS ", \"actorder\": \"group\"", "", "");
static const char plain[] =
    SAID("int-quantized",
         "\"num_bits\": 8, \"strategy\": \"channel\", \"symmetric\": false",
         "", "");
static const char mxfp4[] =
    SAID("mxfp4-pack-quantized",
         "\"num_bits\": 4, \"type\": \"float\", \"group_size\": 32", "", "");

static void assert_unknown(const char *text, const char *message)
{
    assert_said_refused(text, ERROR_UNSUPPORTED, message);
}

static void quantized_activations_are_refused(void **state)
{
    (void)state;
    assert_unknown(SAID("float-quantized", "\"num_bits\": 8",
                        ", \"input_activations\": {\"num_bits\": 8}", ""),
                   GROUP "input_activations: this program knows no quantized "
                         "activations");
    assert_unknown(SAID("int-quantized", "\"num_bits\": 8",
                        ", \"output_activations\": {}", ""),
                   GROUP "output_activations: this program knows no quantized "
                         "activations");
}

static void other_layouts_are_refused_by_name(void **state)
{
    (void)state;
    assert_unknown(SAID("marlin-24", GROUPS, "", ""),
                   PLACE "format: \"marlin-24\" is not a layout that this "
                         "program knows");
    assert_unknown(SAID("pack-quantized", GROUPS,
                        ", \"format\": \"nvfp4-pack-quantized\"", ""),
                   GROUP "format: \"nvfp4-pack-quantized\" is not a layout "
                         "that this program knows");
    assert_unknown(SAID("pack-quantized", GROUPS, "",
                        ", \"sparsity_config\": {\"format\": "
                        "\"sparse-24-bitmask\"}"),
                   PLACE "sparsity_config.format: found "
                         "\"sparse-24-bitmask\"; dense is known");
}

static void keys_are_checked_everywhere(void **state)
{
    (void)state;
    assert_unknown(SAID("pack-quantized", GROUPS, "", ", \"x\": 1"),
                   PLACE "x: is not a key that this program knows");
    assert_unknown(SAID("pack-quantized", GROUPS, ", \"x\": 1", ""),
                   GROUP "x: is not a key that this program knows");
    assert_unknown(SAID("pack-quantized", GROUPS ", \"x\": 1", "", ""),
                   GROUP "weights.x: is not a key that this program knows");
    assert_unknown(SAID("pack-quantized", GROUPS, "",
                        ", \"kv_cache_scheme\": {\"num_bits\": 8}"),
                   PLACE "kv_cache_scheme: of its values this program knows "
                         "only null");
    assert_unknown(SAID("pack-quantized", GROUPS, "",
                        ", \"transform_config\": {\"config_groups\": {}}"),
                   PLACE "transform_config: of its values this program knows "
                         "only null {}");
    assert_unknown(
        SAID("pack-quantized", GROUPS ", \"dynamic\": true", "", ""),
        GROUP "weights.dynamic: of its values this program knows "
              "only false");
}

static void weights_are_ones_that_the_layout_has(void **state)
{
    (void)state;
    assert_unknown(SAID("pack-quantized", "\"num_bits\": 3", "", ""),
                   GROUP "weights.num_bits: found 3; this program knows 4 8");
    assert_unknown(
        SAID("pack-quantized", GROUPS ", \"type\": \"float\"", "", ""),
        GROUP "weights.type: \"float\" is not known in this "
              "layout");
    assert_unknown(SAID("pack-quantized", "\"num_bits\": 4", "", ""),
                   GROUP "weights.strategy: \"tensor\" is not known in this "
                         "layout");
    assert_unknown(SAID("pack-quantized",
                        GROUPS ", \"strategy\": \"tensor_group\"", "", ""),
                   GROUP "weights.strategy: \"tensor_group\" is not known in "
                         "this layout");
    assert_unknown(SAID("float-quantized",
                        "\"num_bits\": 8, \"type\": \"float\", "
                        "\"symmetric\": false",
                        "", ""),
                   GROUP "weights.symmetric: floats without symmetry are not "
                         "known");
    assert_unknown(
        SAID("mxfp4-pack-quantized", GROUPS ", \"type\": \"float\"", "", ""),
        GROUP "weights: groups of this layout have 32 values");
    assert_unknown(SAID("int-quantized",
                        "\"num_bits\": 8, \"actorder\": \"group\"", "", ""),
                   GROUP "weights.actorder: \"group\" is not known in this "
                         "layout");
}

static void groups_of_matrices_are_alike(void **state)
{
    (void)state;
    assert_unknown("{\"quantization_config\": {\"quant_method\": "
                   "\"compressed-tensors\", \"format\": \"pack-quantized\", "
                   "\"config_groups\": {\"a\": {\"weights\": {" GROUPS "}}, "
                   "\"b\": {\"weights\": {\"num_bits\": 8, \"group_size\": "
                   "16}}}}}",
                   PLACE "config_groups.b: differs from the group before; "
                         "this program knows models whose groups are alike");
    assert_said_refused("{\"quantization_config\": {\"quant_method\": "
                        "\"compressed-tensors\", \"config_groups\": {}}}",
                        ERROR_INPUT, PLACE "config_groups: is empty");
}

/* A matrix (6, 32). */
#define CODES  "m.weight_packed I32 [6, 4]; "
#define SCALES "m.weight_scale BF16 [6, 2]; "

static void packed_parts_are_checked(void **state)
{
    (void)state;
    assert_found(packed, "m.weight BF16 [6, 32]", 6, 32, 0);
    assert_matrix_refused(packed, CODES, 6, 32,
                          "m.safetensors: there is no tensor m.weight_scale");
    assert_matrix_refused(packed, CODES SCALES, 6, 32,
                          "m.safetensors: there is no tensor m.weight_shape");
    assert_matrix_refused(packed, CODES SCALES, 6, 40,
                          "m.safetensors: tensor m.weight_packed: rows of 40 "
                          "values do not divide into groups of 16");
    assert_matrix_refused(packed, CODES SCALES "m.weight_shape I32 [2]", 6, 32,
                          "m.safetensors: tensor m.weight_shape should be I64 "
                          "[2]");
    assert_matrix_refused(
        packed, "m.weight_shape I64 [2]; " CODES SCALES, 6, 32,
        "m.safetensors: tensor m.weight_shape says [506097522914230528, "
        "1084818905618843912], but by config.json it should be [6, 32]");
}

/* Write a file that begins with the shape [6, 32]. */
static void write_shaped(const char *parts)
{
    char all[400];
    long long shape[2] = {6, 32};
    snprintf(all, sizeof all, "m.weight_shape I64 [2]; %s", parts);
    write_parts(all);
    FILE *f = fopen("m.safetensors", "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, DATA_AT, SEEK_SET), 0);
    assert_int_equal(fwrite(shape, sizeof *shape, 2, f), 2);
    assert_int_equal(fclose(f), 0);
}

static void assert_shaped_refused(const char *text, const char *parts,
                                  const char *message)
{
    write_shaped(parts);
    assert_look_refused(text, 6, 32, message);
}

static void packed_shapes_are_checked(void **state)
{
    (void)state;
    struct quantized q;
    struct error e;
    write_shaped(CODES SCALES "m.weight_zero_point I32 [1, 2]");
    assert_int_equal(look_for(packed, 6, 32, &q, &e), 1);
    assert_shaped_refused(packed, "m.weight_packed I32 [6, 5]; " SCALES,
                          "m.safetensors: tensor m.weight_packed is I32 [6, "
                          "5], but should be I32 [6, 4]");
    assert_shaped_refused(packed, CODES "m.weight_scale BF16 [6, 1]",
                          "m.safetensors: tensor m.weight_scale is BF16 [6, "
                          "1], but should be BF16 [6, 2]");
    assert_shaped_refused(
        packed, CODES SCALES,
        "m.safetensors: there is no tensor m.weight_zero_point");
    assert_shaped_refused(packed,
                          CODES SCALES "m.weight_zero_point I32 [6, 2]",
                          "m.safetensors: tensor m.weight_zero_point is I32 "
                          "[6, 2], but should be I32 [1, 2]");
    assert_shaped_refused(shuffled, CODES SCALES,
                          "m.safetensors: there is no tensor m.weight_g_idx");
    assert_shaped_refused(shuffled, CODES SCALES "m.weight_g_idx I32 [32]",
                          "m.safetensors: tensor m.weight_g_idx: column 0 is "
                          "in group -1953855096, but there are 2");
}

static void plain_parts_are_checked(void **state)
{
    (void)state;
    const char *codes = "m.weight I8 [6, 32]";
    assert_found(plain, codes, 6, 32, 0);
    assert_found(plain,
                 "m.weight I8 [6, 32]; m.weight_scale F32 [6, 1]; "
                 "m.weight_zero_point I8 [6, 1]",
                 6, 32, 1);
    assert_matrix_refused(
        plain, "m.weight F8_E4M3 [6, 32]; m.weight_scale F32 [6, 1]", 6, 32,
        "m.safetensors: tensor m.weight is F8_E4M3 [6, 32], but should be I8 "
        "[6, 32]");
    assert_matrix_refused(
        plain, "m.weight I8 [6, 32]; m.weight_scale F32 [6, 2]", 6, 32,
        "m.safetensors: tensor m.weight_scale is F32 [6, "
        "2], but should be F32 [6, 1]");
    assert_matrix_refused(
        plain, "m.weight I8 [6, 32]; m.weight_scale F32 [6, 1]", 6, 32,
        "m.safetensors: there is no tensor m.weight_zero_point");
    assert_matrix_refused(plain,
                          "m.weight I8 [6, 32]; m.weight_scale F32 [6, 1]; "
                          "m.weight_zero_point I8 [6]",
                          6, 32,
                          "m.safetensors: tensor m.weight_zero_point is I8 "
                          "[6], but should be I8 [6, 1]");
}

static void mxfp4_parts_are_checked(void **state)
{
    (void)state;
    assert_found(mxfp4, "m.weight_packed U8 [6, 16]; m.weight_scale U8 [6, 1]",
                 6, 32, 1);
    assert_matrix_refused(
        mxfp4, "m.weight_packed U8 [6, 16]; m.weight_scale BF16 [6, 1]", 6, 32,
        "m.safetensors: tensor m.weight_scale is BF16 [6, 1], but should be "
        "U8 [6, 1]");
    assert_matrix_refused(
        mxfp4, "m.weight_packed U8 [6, 16]; m.weight_scale U8 [6, 1]", 6, 40,
        "m.safetensors: tensor m.weight_packed: rows of 40 values do not "
        "divide into groups of 32");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantized_activations_are_refused),
        cmocka_unit_test(other_layouts_are_refused_by_name),
        cmocka_unit_test(keys_are_checked_everywhere),
        cmocka_unit_test(weights_are_ones_that_the_layout_has),
        cmocka_unit_test(groups_of_matrices_are_alike),
        SCRATCH(packed_parts_are_checked),
        SCRATCH(packed_shapes_are_checked),
        SCRATCH(plain_parts_are_checked),
        SCRATCH(mxfp4_parts_are_checked),
    };
    return cmocka_run_group_tests_name("scheme compressed", tests, NULL, NULL);
}

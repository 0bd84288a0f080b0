/* The commands that look at a model: tensors, config and picture. */
#include "folder.h"
#include "json.h"
#include "test_files.h"
#include "test_png.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* Tests change the folder, so the program needs its whole path. */
static int find_program(void **state)
{
    char program[4096], folder[2048];
    (void)state;
    if (!getcwd(folder, sizeof folder))
        return -1;
    program_path(folder, program);
    return setenv("RUNG", program, 1);
}

/* Three tensors, and a config. */
static void write_model(void)
{
    mkdir("m", 0700);
    write_safetensors("m/model.safetensors",
                      "{\"w\": {\"dtype\": \"U8\", \"shape\": [2, 3],"
                      " \"data_offsets\": [0, 6]},"
                      " \"half\": {\"dtype\": \"F4\", \"shape\": [4],"
                      " \"data_offsets\": [6, 8]},"
                      " \"norm\": {\"dtype\": \"F8_E4M3\", \"shape\": [120],"
                      " \"data_offsets\": [8, 128]}}",
                      128);
    write_text("m/config.json",
               "{\"architectures\": [\"LlamaForCausalLM\"], "
               "\"model_type\": \"llama\", "
               "\"vocab_size\": 9, \"hidden_size\": 8, "
               "\"intermediate_size\": 32, \"num_hidden_layers\": 2, "
               "\"num_attention_heads\": 4, \"eos_token_id\": [3, 4], "
               "\"max_position_embeddings\": 64}");
}

/* Run with up to five words behind "rung". */
static struct outcome run_words(const char *const *words)
{
    char *arguments[8] = {"rung"};
    for (int i = 0; words[i]; i++)
        arguments[i + 1] = (char *)words[i];
    return run_rung(arguments, "", 0);
}

static void assert_prints(const char *const *words, const char *expected)
{
    write_model();
    struct outcome o = run_words(words);
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void assert_fails(const char *const *words, int status,
                         const char *message)
{
    write_model();
    struct outcome o = run_words(words);
    assert_string_equal(o.err.data, message);
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

#define WORDS(...)                                                            \
    (const char *const[])                                                     \
    {                                                                         \
        __VA_ARGS__, NULL                                                     \
    }

/* --- tensors ------------------------------------------------------------ */

static void tensors_are_listed(void **state)
{
    (void)state;
    static const char expected[] =
        "tensor  dtype    shape         bytes\n"
        "half    F4       [4]               2\n"
        "norm    F8_E4M3  [120]           120\n"
        "w       U8       [2, 3]            6\n"
        "\n"
        "3 tensors, 130 values, 128 bytes in 1 file\n";
    assert_prints(WORDS("tensors", "m"), expected);
    assert_prints(WORDS("tensors", "-m", "m"), expected);
    assert_prints(WORDS("tensors", "m/model.safetensors"), expected);
}

static void one_of_a_kind_has_no_plural(void **state)
{
    (void)state;
    write_safetensors("one.safetensors",
                      "{\"w\": {\"dtype\": \"U8\", \"shape\": [1],"
                      " \"data_offsets\": [0, 1]}}",
                      1);
    assert_prints(WORDS("tensors", "one.safetensors"),
                  "tensor  dtype  shape        bytes\n"
                  "w       U8     [1]              1\n"
                  "\n"
                  "1 tensor, 1 value, 1 byte in 1 file\n");
}

/* Bytes 8 to 127 are 2^-6 and up as F8_E4M3: the last is a NaN, the largest
 * 448, and the mean as numpy and ml_dtypes say. */
static void their_values_are_summed_up(void **state)
{
    (void)state;
    assert_prints(
        WORDS("tensors", "m", "--stats"),
        "tensor  dtype    shape         bytes          min        mean        "
        " max\n"
        "half    F4       [4]               2            -           -        "
        "   -\n"
        "norm    F8_E4M3  [120]           120      0.01562       45.44        "
        " 448  1 NaN\n"
        "w       U8       [2, 3]            6            0         2.5        "
        "   5\n"
        "\n"
        "3 tensors, 130 values, 128 bytes in 1 file\n");
}

static void and_as_json(void **state)
{
    (void)state;
    assert_prints(
        WORDS("tensors", "m", "--json", "--stats"),
        "[{\"name\": \"half\", \"dtype\": \"F4\", \"shape\": [4], \"bytes\": "
        "2, \"file\": \"m/model.safetensors\", \"offset\": 1030},\n"
        " {\"name\": \"norm\", \"dtype\": \"F8_E4M3\", \"shape\": [120], "
        "\"bytes\": 120, \"file\": \"m/model.safetensors\", \"offset\": 1032, "
        "\"min\": 0.015625, \"mean\": 45.4438682, \"max\": 448.0, \"nan\": 1, "
        "\"inf\": 0},\n"
        " {\"name\": \"w\", \"dtype\": \"U8\", \"shape\": [2, 3], \"bytes\": "
        "6, \"file\": \"m/model.safetensors\", \"offset\": 1024, \"min\": "
        "0.0, \"mean\": 2.5, \"max\": 5.0, \"nan\": 0, \"inf\": 0}]\n");
}

static void an_empty_checkpoint_is_an_empty_list(void **state)
{
    (void)state;
    write_safetensors("none.safetensors", "{}", 0);
    assert_prints(WORDS("tensors", "none.safetensors", "--json"), "[]\n");
}

static void a_wrong_file_is_named(void **state)
{
    (void)state;
    assert_fails(WORDS("tensors", "no"), 1,
                 "rung: no: No such file or directory\n");
    assert_fails(WORDS("tensors", "a", "b"), 2,
                 "rung: too many arguments: rung tensors [MODEL]\n");
}

/* --- config ------------------------------------------------------------- */

static void the_config_is_shown(void **state)
{
    (void)state;
    assert_prints(WORDS("config", "m"),
                  "architecture         LlamaForCausalLM\n"
                  "model_type           llama\n"
                  "vocab_size           9\n"
                  "hidden_size          8\n"
                  "intermediate_size    32\n"
                  "n_layers             2\n"
                  "n_heads              4\n"
                  "n_kv_heads           4\n"
                  "head_dim             2\n"
                  "max_positions        64\n"
                  "tie_word_embeddings  false\n"
                  "bos                  null\n"
                  "eos                  [3, 4]\n");
}

static void the_config_is_shown_as_json(void **state)
{
    (void)state;
    write_model();
    struct outcome o = run_words(WORDS("config", "-m", "m", "--json"));
    struct error e;
    json_t *value = json_parse(o.out.data, o.out.size, "output", 0, &e);
    assert_non_null(value);
    assert_int_equal(json_object_size(value), 15);
    assert_int_equal(json_integer_value(json_object_get(value, "n_heads")), 4);
    assert_true(json_is_null(json_object_get(value, "bos")));
    json_decref(value);
    outcome_free(&o);
}

static void what_is_so_by_default_is_named(void **state)
{
    (void)state;
    mkdir("silent", 0700);
    write_text("silent/config.json",
               "{\"model_type\": \"gemma3_text\", \"hidden_size\": 16, "
               "\"intermediate_size\": 32, \"num_hidden_layers\": 2, "
               "\"vocab_size\": 9, \"bos_token_id\": 3, "
               "\"eos_token_id\": 4, \"tie_word_embeddings\": false}");
    assert_prints(WORDS("config", "silent"),
                  "architecture         \n"
                  "model_type           gemma3_text\n"
                  "vocab_size           9\n"
                  "hidden_size          16\n"
                  "intermediate_size    32\n"
                  "n_layers             2\n"
                  "n_heads              8\n"
                  "n_kv_heads           4\n"
                  "head_dim             256\n"
                  "max_positions        131072\n"
                  "tie_word_embeddings  false\n"
                  "bos                  3\n"
                  "eos                  [4]\n"
                  "by default           num_attention_heads\n"
                  "                     num_key_value_heads\n"
                  "                     head_dim\n"
                  "                     max_position_embeddings\n");
    struct outcome o = run_words(WORDS("config", "silent", "--json"));
    assert_non_null(strstr(o.out.data, "\"by_default\": [\n"
                                       "    \"num_attention_heads\",\n"));
    outcome_free(&o);
}

/* A first Llama, which does not say how long a text may be. */
static void what_nobody_reads_is_named(void **state)
{
    (void)state;
    mkdir("more", 0700);
    write_text("more/config.json",
               "{\"model_type\": \"llama\", \"hidden_size\": 16, "
               "\"intermediate_size\": 32, \"num_hidden_layers\": 2, "
               "\"vocab_size\": 9, \"num_attention_heads\": 4, "
               "\"unsloth_fixed\": true, \"max_sequence_length\": 7}");
    struct outcome o = run_words(WORDS("config", "more"));
    assert_string_equal(o.err.data, "");
    assert_non_null(strstr(o.out.data, "max_positions        2048\n"));
    assert_non_null(strstr(o.out.data,
                           "by default           max_position_embeddings\n"
                           "unread               unsloth_fixed\n"
                           "                     max_sequence_length\n"));
    outcome_free(&o);
    o = run_words(WORDS("config", "more", "--json"));
    assert_non_null(strstr(o.out.data, "\"unread\": [\n"
                                       "    \"unsloth_fixed\",\n"));
    outcome_free(&o);
}

/* Bits and group are named where they hold for all matrices. */
static void how_a_model_is_quantized_is_shown(void **state)
{
    (void)state;
    mkdir("few", 0700);
    write_text("few/config.json",
               "{\"quantization\": {\"bits\": 4, \"group_size\": 32}, "
               "\"num_hidden_layers\": 2, \"vocab_size\": 9, "
               "\"model_type\": \"llama\", \"hidden_size\": 32, "
               "\"num_attention_heads\": 4, \"intermediate_size\": 32}");
    struct outcome o = run_words(WORDS("config", "few"));
    assert_non_null(strstr(o.out.data, "\nquantization         mlx\n"
                                       "bits                 4\n"
                                       "group_size           32\n"
                                       "by default"));
    assert_null(strstr(o.out.data, "unread"));
    outcome_free(&o);
}

/* --- picture ------------------------------------------------------------ */

/* 120 values in a row, the last of them a NaN. */
static void weights_are_drawn(void **state)
{
    (void)state;
    assert_prints(
        WORDS("picture", "weights", "norm", "-m", "m", "--output=a.png"), "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    struct rectangle r = find_colour(&m, colour_not_finite());
    assert_int_equal(r.width, 6);
    assert_int_equal(r.height, 96);
    image_free(&m);
}

/* Draw a tensor in which every 256 values are -128 to 127, one cell: their
 * mean is close to 0, that of their sizes is 64, here the strongest colour. */
static void assert_signs_are_dropped(const char *shape, int width, int height)
{
    char table[128];
    snprintf(table, sizeof table,
             "{\"t\": {\"dtype\": \"I8\", \"shape\": %s,"
             " \"data_offsets\": [0, 196608]}}",
             shape);
    write_safetensors("large.safetensors", table, 196608);
    assert_prints(WORDS("picture", "weights", "t", "-m", "large.safetensors",
                        "--output=a.png"),
                  "");
    struct image m = read_png("a.png");
    assert_non_null(m.pixels);
    struct rectangle r = find_colour(&m, colour_magnitude(1));
    for (int y = r.y; y < r.y + height; y++)
        for (int x = r.x; x < r.x + width; x++)
            assert_true(is_colour(&m, x, y, colour_magnitude(1)));
    assert_true(r.width >= width && r.height >= height);
    image_free(&m);
}

static void signs_are_dropped_where_a_cell_is_a_mean(void **state)
{
    (void)state;
    assert_signs_are_dropped("[196608, 1]", 96, 768);
    assert_signs_are_dropped("[1, 196608]", 768, 96);
}

static void a_picture_that_cannot_be_is_refused(void **state)
{
    (void)state;
    assert_fails(WORDS("picture", "-m", "m", "weights", "x", "--output=a"), 1,
                 "rung: m: no tensor x (see: rung tensors)\n");
    assert_fails(WORDS("picture", "-m", "m", "weights", "half", "--output=a"),
                 1,
                 "rung: m/model.safetensors: tensor half: values of F4 cannot "
                 "be drawn\n");
    assert_fails(WORDS("picture", "-m", "m", "weights", "w"), 2,
                 "rung: where to? rung picture weights TENSOR -o FILE.png\n");
    assert_fails(WORDS("picture", "weights", "--output=a"), 2,
                 "rung: expected: rung picture weights TENSOR -o FILE\n");
    assert_fails(WORDS("picture", "dog", "--output=a"), 2,
                 "rung: unknown picture dog; there is: weights, attention, "
                 "probs, cost, cache, compare, error, codes, roofline, "
                 "timeline\n");
}

/* --- the commands of the rung below -------------------------------------- */

static void a_tokenizer_is_found_beside_the_weights(void **state)
{
    (void)state;
    char *path = test_path("models/tiny-chat/model.safetensors");
    if (!path_exists(path))
        skip();
    struct outcome o = run_words(WORDS("encode", "-m", path, " is"));
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, "295\n");
    outcome_free(&o);
    free(path);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(tensors_are_listed),
        SCRATCH(one_of_a_kind_has_no_plural),
        SCRATCH(their_values_are_summed_up),
        SCRATCH(and_as_json),
        SCRATCH(an_empty_checkpoint_is_an_empty_list),
        SCRATCH(a_wrong_file_is_named),
        SCRATCH(the_config_is_shown),
        SCRATCH(the_config_is_shown_as_json),
        SCRATCH(what_is_so_by_default_is_named),
        SCRATCH(what_nobody_reads_is_named),
        SCRATCH(how_a_model_is_quantized_is_shown),
        SCRATCH(weights_are_drawn),
        SCRATCH(signs_are_dropped_where_a_cell_is_a_mean),
        SCRATCH(a_picture_that_cannot_be_is_refused),
        cmocka_unit_test(a_tokenizer_is_found_beside_the_weights),
    };
    return cmocka_run_group_tests(tests, find_program, NULL);
}

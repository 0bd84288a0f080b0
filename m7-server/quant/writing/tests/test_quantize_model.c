/* A model's folder of codes and scales: the bits are those of an independent
 * script (tests/oracle/quant/rounded_goldens.py), and what it stands for is
 * rounded to the same files again. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "shards.h"
#include "sizes.h"
#include "test_quantized_logits.h"
#include "test_quantizing.h"
#include "test_sum.h"

enum test_sizes {
    SMALL_SHARD = 4000 /* bytes: the small model needs several files */
};

/* --- the same bits ------------------------------------------------------- */

static void assert_same_tensor(const struct tensor *s, const struct tensor *t)
{
    assert_string_equal(s->name, t->name);
    assert_int_equal(s->dtype, t->dtype);
    assert_int_equal(s->rank, t->rank);
    for (int i = 0; i < s->rank; i++)
        assert_int_equal(s->shape[i], t->shape[i]);
    if (memcmp(s->data, t->data, s->bytes) != 0)
        print_error("%s differs\n", s->name);
    assert_memory_equal(s->data, t->data, s->bytes);
}

/* What a 16-bit model has kept is as it was; what a dequantized one has kept
 * is in 32 bits. */
static bool is_kept(const struct tensor *t)
{
    return t->dtype == DTYPE_BF16;
}

/* The same tensors, byte for byte, in whatever files; or the same codes and
 * scales alone. */
static void compare_tensors(const char *a, const char *b, bool codes_alone)
{
    struct checkpoint x, y;
    struct error e;
    assert_ok(checkpoint_open(&x, a, &e), &e);
    assert_ok(checkpoint_open(&y, b, &e), &e);
    assert_int_equal(x.n_tensors, y.n_tensors);
    for (size_t i = 0; i < x.n_tensors; i++)
        if (!codes_alone || !is_kept(&y.tensors[i]))
            assert_same_tensor(&x.tensors[i], &y.tensors[i]);
    checkpoint_close(&x);
    checkpoint_close(&y);
}

static void assert_same_tensors(const char *a, const char *b)
{
    compare_tensors(a, b, false);
}

static void assert_same_files(const char *a, const char *b)
{
    struct mapping x, y;
    struct error e;
    assert_ok(mapping_open(&x, a, &e), &e);
    assert_ok(mapping_open(&y, b, &e), &e);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.data, y.data, x.size);
    mapping_close(&x);
    mapping_close(&y);
}

static void a_small_model_is_that_of_the_oracle(void **state)
{
    (void)state;
    const char *source = path_in_tests("quantized/rung-source");
    struct quantize_request r = request(source, "a", "int4", 32);
    do_it(&r);
    assert_same_tensors("a", path_in_tests("quantized/rung-int4"));
    r = request(source, "b/", "int8", 0);
    r.choice.keep_head = true;
    struct quantize_result result = do_it(&r);
    assert_same_tensors("b", path_in_tests("quantized/rung-int8"));
    assert_int_equal(result.rounding.group, 32);
    assert_int_equal(result.by_fate[FATE_ROUNDED].tensors, 14);
    assert_int_equal(result.by_fate[FATE_ASKED].tensors, 1);
    assert_int_equal(result.by_fate[FATE_OTHER].tensors, 9);
    assert_int_equal(result.quantized_before, 0);
}

static void assert_sum(const struct checkpoint *c, const char *name,
                       const char *part, const char *expected)
{
    char full[128], found[9];
    snprintf(full, sizeof full, "%s.%s", name, part);
    const struct tensor *t = checkpoint_find(c, full);
    assert_non_null(t);
    const struct bytes data = {.data = (char *)(uintptr_t)t->data,
                               .size = t->bytes};
    if (strcmp(crc_of(&data, found), expected) != 0)
        print_error("%s is not as the oracle's\n", full);
    assert_string_equal(found, expected);
}

/* The reading model, as one case of the golden says. */
static void check_reading_model(const json_t *golden)
{
    char format[8];
    const char *name;
    json_t *sums;
    struct checkpoint c;
    struct error e;
    snprintf(format, sizeof format, "int%d",
             (int)json_integer_value(golden_get(golden, "bits")));
    struct quantize_request r = request(
        path_in_tests("models/tiny-chat"), format, format,
        (size_t)json_integer_value(golden_get(golden, "group")));
    r.choice.keep_embedding = json_is_true(golden_get(golden, "keep"));
    r.choice.rounding.search = json_is_true(golden_get(golden, "search"));
    json_t *matrices = json_object_get(golden, "matrices");
    size_t kept = do_it(&r).by_fate[FATE_OTHER].tensors +
                  r.choice.keep_embedding;
    assert_ok(checkpoint_open(&c, format, &e), &e);
    assert_int_equal(c.n_tensors, 2 * json_object_size(matrices) + kept);
    json_object_foreach(matrices, name, sums)
    {
        assert_sum(&c, name, "weight",
                   json_string_value(json_array_get(sums, 0)));
        assert_sum(&c, name, "scales",
                   json_string_value(json_array_get(sums, 1)));
    }
    checkpoint_close(&c);
    remove_folder(format);
}

static char goldens_path[PATH_MAX];

static void the_reading_model_is_that_of_the_oracle(void **state)
{
    (void)state;
    json_t *root = golden_open(goldens_path);
    size_t i;
    const json_t *golden;
    json_array_foreach(json_object_get(root, "cases"), i, golden)
        check_reading_model(golden);
    json_decref(root);
}

/* --- once more ----------------------------------------------------------- */

static void check_again(struct quantize_request r)
{
    r.out = "first";
    do_it(&r);
    struct quantize_request again = r;
    again.model = "first";
    again.out = "again";
    again.choice.rounding.search = false;
    struct quantize_result result = do_it(&again);
    assert_same_files("first/model.safetensors", "again/model.safetensors");
    assert_int_equal(result.quantized_before,
                     result.by_fate[FATE_ROUNDED].tensors);
    remove_folder("first");
    remove_folder("again");
}

/* Also when its scales were searched for. */
static void a_quantized_model_becomes_itself(void **state)
{
    (void)state;
    for (int search = 0; search < 2; search++) {
        const char *source = path_in_tests("quantized/rung-source");
        struct quantize_request r = request(source, "", "int4", 32);
        r.choice.rounding.search = search;
        check_again(r);
        r = request(source, "", "int8", 32);
        r.choice.keep_embedding = r.choice.rounding.search = search;
        check_again(r);
    }
}

/* What numpy has unpacked to 32-bit floats. */
static void a_dequantized_model_becomes_the_quantized_one(void **state)
{
    (void)state;
    struct quantize_request r =
        request(path_in_tests("quantized/rung-int4/dense"), "a", "int4", 32);
    do_it(&r);
    compare_tensors("a", path_in_tests("quantized/rung-int4"), true);
    r = request(path_in_tests("quantized/rung-int8/dense"), "b", "int8", 32);
    r.choice.keep_head = true;
    do_it(&r);
    compare_tensors("b", path_in_tests("quantized/rung-int8"), true);
}

/* --- how the files are laid out ------------------------------------------ */

/* Wide numbers come first, so that none begins between two multiples of its
 * size, and the first where a vector unit may want it. */
static void tensors_stand_in_the_order_of_their_widths(void **state)
{
    (void)state;
    struct checkpoint c;
    struct error e;
    size_t first = SIZE_MAX, last_wide = 0, first_narrow = SIZE_MAX;
    struct quantize_request r =
        request(path_in_tests("quantized/rung-source"), "a", "int4", 32);
    r.choice.keep_embedding = true;
    do_it(&r);
    assert_ok(checkpoint_open(&c, "a", &e), &e);
    for (size_t i = 0; i < c.n_tensors; i++) {
        const struct tensor *t = &c.tensors[i];
        first = smaller_size(first, t->offset);
        if (is_kept(t))
            first_narrow = smaller_size(first_narrow, t->offset);
        else
            last_wide = larger_size(last_wide, t->offset);
    }
    assert_true(last_wide < first_narrow);
    assert_int_equal(first % 64, 0);
    checkpoint_close(&c);
}

/* --- many files ---------------------------------------------------------- */

static void a_large_model_is_several_files(void **state)
{
    (void)state;
    struct shards s;
    struct error e;
    struct quantize_request r =
        request(path_in_tests("quantized/rung-source"), "a", "int4", 32);
    r.shard_bytes = SMALL_SHARD;
    do_it(&r);
    assert_same_tensors("a", path_in_tests("quantized/rung-int4"));
    assert_ok(shards_find(&s, "a", &e), &e);
    assert_non_null(s.index);
    assert_int_equal(s.n, 4);
    assert_non_null(strstr(s.paths[3], "model-00004-of-00004.safetensors"));
    for (size_t i = 0; i < s.n; i++) {
        struct stat file;
        assert_int_equal(stat(s.paths[i], &file), 0);
        assert_true(file.st_size < SMALL_SHARD + 4000);
    }
    shards_free(&s);
    free(logits_of("a"));
}

static int enter_tests(void **state)
{
    return find_tests_folder(state) ||
                   !realpath("golden/rounded.json", goldens_path)
               ? -1
               : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_small_model_is_that_of_the_oracle),
        SCRATCH(the_reading_model_is_that_of_the_oracle),
        SCRATCH(a_quantized_model_becomes_itself),
        SCRATCH(a_dequantized_model_becomes_the_quantized_one),
        SCRATCH(tensors_stand_in_the_order_of_their_widths),
        SCRATCH(a_large_model_is_several_files),
    };
    return cmocka_run_group_tests_name("quantize_model", tests, enter_tests,
                                       NULL);
}

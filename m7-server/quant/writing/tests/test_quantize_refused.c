/* What cannot be quantized is refused with the reason, and leaves nothing
 * behind. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "test_quantizing.h"

/* Refused with this message; `n` things are in the folder then. */
static void assert_quantize_fails(const struct quantize_request *r,
                                  const char *message, size_t n)
{
    struct quantize_result result;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(quantize_model(r, &result, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(count_entries("."), n);
}

static void what_is_there_is_never_replaced(void **state)
{
    (void)state;
    char message[PATH_MAX + 300];
    const char *source = path_in_tests("quantized/rung-source");
    struct quantize_request r = request(source, "a", "int4", 32);
    static const char taken[] =
        "a: is there already, and nothing is ever replaced: choose another "
        "name, or remove it first";
    write_text("a", "mine");
    assert_quantize_fails(&r, taken, 1);
    unlink("a");
    mkdir("a", 0700);
    assert_quantize_fails(&r, taken, 1);
    rmdir("a");
    r.out = source;
    snprintf(message, sizeof message, "%s%s", source, taken + 1);
    assert_quantize_fails(&r, message, 0);
    r.out = "nowhere/a";
    assert_quantize_fails(
        &r, "nowhere/a: No such file or directory; nothing was written", 0);
}

static void nothing_is_written_into_the_model(void **state)
{
    (void)state;
    struct quantize_request r =
        request(path_in_tests("quantized/rung-source"), "a", "int4", 32);
    do_it(&r);
    mkdir("a/b", 0700);
    r.model = "a";
    r.out = "a/new";
    assert_quantize_fails(&r,
                          "a/new: would stand inside the model a; choose a "
                          "place outside",
                          1);
    r.out = "a/b/new";
    assert_quantize_fails(&r,
                          "a/b/new: would stand inside the model a; choose a "
                          "place outside",
                          1);
    r.out = "ab";
    do_it(&r);
}

/* Cut the model's rows so that a group does not divide them. */
static void a_group_that_does_not_divide_is_refused(void **state)
{
    (void)state;
    char message[PATH_MAX + 300];
    const char *source = path_in_tests("quantized/rung-source");
    struct quantize_request r = request(source, "a", "int4", 64);
    snprintf(message, sizeof message,
             "%s/model.safetensors: tensor model.embed_tokens.weight: rows of "
             "32 values do not divide into groups of 64; --group 32 does for "
             "all of this model",
             source);
    assert_quantize_fails(&r, message, 0);
}

/* Copy the small model, with another number at [2, 3] of a matrix. */
static void copy_with(const char *tensor, unsigned number)
{
    struct checkpoint c;
    struct error e;
    const char *source = path_in_tests("quantized/rung-source");
    char path[PATH_MAX + 100];
    mkdir("m", 0700);
    snprintf(path, sizeof path, "%s/config.json", source);
    assert_int_equal(symlink(path, "m/config.json"), 0);
    assert_ok(checkpoint_open(&c, source, &e), &e);
    const struct tensor *t = checkpoint_find(&c, tensor);
    unsigned char *copy = malloc(c.files[0].size);
    memcpy(copy, c.files[0].data, c.files[0].size);
    size_t at = t->offset + 2 * (2 * t->shape[1] + 3);
    copy[at] = (unsigned char)number;
    copy[at + 1] = (unsigned char)(number >> 8);
    write_file("m/model.safetensors", copy, c.files[0].size);
    free(copy);
    checkpoint_close(&c);
}

struct odd_number {
    unsigned bits; /* as BF16 */
    const char *said;
};

static void what_is_no_number_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct odd_number numbers[] = {{0x7fc0, "nan"},
                                                {0x7f80, "inf"},
                                                {0xff80, "-inf"},
                                                {0x7f7f, "3.38953e+38"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char message[300];
        struct quantize_request r = request("m", "a", "int8", 32);
        copy_with("model.layers.1.mlp.up_proj.weight", numbers[i].bits);
        snprintf(message, sizeof message,
                 "m/model.safetensors: tensor model.layers.1.mlp.up_proj."
                 "weight: value [2, 3] is %s, which no scale can stand for",
                 numbers[i].said);
        assert_quantize_fails(&r, message, 1);
        remove_folder("m");
    }
}

static void parts_in_another_order_are_refused(void **state)
{
    (void)state;
    char message[PATH_MAX + 300];
    const char *source = path_in_tests("gguf/gptneox-1.gguf");
    struct quantize_request r = request(source, "a", "int8", 0);
    struct quantize_result result;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(quantize_model(&r, &result, &e), -1);
    snprintf(message, sizeof message, "%s: tensor ", source);
    assert_memory_equal(e.message, message, strlen(message));
    assert_non_null(strstr(e.message, "has its parts in another order"));
    assert_int_equal(e.code, ERROR_UNSUPPORTED);
}

/* Goes on so many times. */
static bool goes_on_for(void *context, const char *what, size_t done,
                        size_t all)
{
    size_t *left = context;
    assert_true(what && done <= all);
    return (*left)-- > 0;
}

/* While it calibrates, between matrices, in the last one. */
static void work_that_is_stopped_leaves_nothing(void **state)
{
    (void)state;
    static const size_t moments[] = {0, 1, 2, 50, 400, 800};
    write_text("text", "1 2 3 4 5 6 7 8 9");
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        struct quantize_result result;
        struct error e;
        size_t left = moments[i];
        struct quantize_request r =
            request(path_in_tests("models/tiny-chat"), "a", "int4", 32);
        r.calibrate = "text";
        r.work = (struct work){goes_on_for, &left};
        assert_int_equal(quantize_model(&r, &result, &e), 1);
        assert_int_equal(count_entries("."), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(what_is_there_is_never_replaced),
        SCRATCH(nothing_is_written_into_the_model),
        SCRATCH(a_group_that_does_not_divide_is_refused),
        SCRATCH(what_is_no_number_is_refused_with_its_place),
        SCRATCH(parts_in_another_order_are_refused),
        SCRATCH(work_that_is_stopped_leaves_nothing),
    };
    return cmocka_run_group_tests_name("quantize_refused", tests,
                                       find_tests_folder, NULL);
}

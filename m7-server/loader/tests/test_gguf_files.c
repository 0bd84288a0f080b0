/* A GGUF model is found by its file, any of its parts, or its folder; parts
 * that are not of one model are refused. */
#include "checkpoint.h"
#include "config.h"
#include "gguf_files.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A file with values (n,) that are 16-bit numbers, and one tensor of 8 floats
 * called `tensor`. */
struct said {
    const char *key;
    unsigned value;
};

static void put_bytes(FILE *f, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++)
        fputc(i < sizeof value ? (int)(value >> 8 * i & 255) : 0, f);
}

static void put_name(FILE *f, const char *name)
{
    put_bytes(f, strlen(name), 8);
    fputs(name, f);
}

static void write_gguf(const char *path, const char *tensor,
                       const struct said *said, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs("GGUF", f);
    put_bytes(f, 3, 4);
    put_bytes(f, 1, 8);
    put_bytes(f, n, 8);
    for (size_t i = 0; i < n; i++) {
        put_name(f, said[i].key);
        put_bytes(f, GGUF_U16, 4);
        put_bytes(f, said[i].value, 2);
    }
    put_name(f, tensor);
    put_bytes(f, 1, 4);
    put_bytes(f, 8, 8);
    put_bytes(f, 0, 4 + 8);
    while (ftell(f) % 32)
        fputc(0, f);
    put_bytes(f, 0, 32);
    fclose(f);
}

static void write_part(const char *path, const char *tensor, unsigned number,
                       unsigned count)
{
    const struct said said[] = {{"split.no", number}, {"split.count", count}};
    write_gguf(path, tensor, said, 2);
}

static void assert_open_refused(const char *model, const char *message)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(checkpoint_open(&c, model, &e), -1);
    assert_string_equal(e.message, message);
    assert_null(c.files);
}

static void assert_opens(const char *model, size_t n_files, const char *last)
{
    struct checkpoint c;
    struct error e = {ERROR_NONE, ""};
    checkpoint_open(&c, model, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(c.n_files, n_files);
    assert_int_equal(c.n_tensors, n_files);
    assert_string_equal(c.tensors[n_files - 1].name, last);
    assert_int_equal(c.tensors[0].count, 8);
    checkpoint_close(&c);
}

static void a_model_is_found_by_file_and_folder(void **state)
{
    (void)state;
    write_gguf("x.gguf", "t", NULL, 0);
    assert_opens("x.gguf", 1, "t");
    assert_opens(".", 1, "t");
    write_gguf("y.gguf", "t", NULL, 0);
    assert_opens("y.gguf", 1, "t");
    assert_open_refused(".",
                        ".: holds x.gguf and y.gguf: name the one you mean");
    assert_open_refused("z.gguf", "z.gguf: No such file or directory");
    write_text("z.gguf", "no");
    assert_open_refused(
        "z.gguf",
        "z.gguf: 4 bytes are needed, but the file has 2 more at byte 0");
}

static void a_folder_of_safetensors_is_one(void **state)
{
    (void)state;
    write_gguf("x.gguf", "t", NULL, 0);
    write_text("model.safetensors", "");
    assert_false(gguf_is_model("."));
    assert_true(gguf_is_model("x.gguf"));
    struct config c;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(config_open(&c, ".", &e), -1);
    assert_string_equal(e.message, "./config.json: No such file or directory");
}

static void all_parts_are_opened_whichever_is_named(void **state)
{
    (void)state;
    write_part("x-00001-of-00002.gguf", "a", 0, 2);
    write_part("x-00002-of-00002.gguf", "b", 1, 2);
    assert_opens("x-00001-of-00002.gguf", 2, "b");
    assert_opens("x-00002-of-00002.gguf", 2, "b");
    assert_opens(".", 2, "b");
}

static void parts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    write_part("x-00001-of-00002.gguf", "a", 0, 2);
    assert_open_refused("x-00001-of-00002.gguf",
                        "x-00002-of-00002.gguf: No such file or directory");
    write_part("x-00002-of-00002.gguf", "b", 0, 2);
    assert_open_refused("x-00001-of-00002.gguf",
                        "x-00002-of-00002.gguf: is part 1 of 2 by its "
                        "split.no and split.count, but by its name part 2 of "
                        "2");
    write_part("x-00002-of-00002.gguf", "a", 1, 2);
    assert_open_refused("x-00001-of-00002.gguf",
                        "x-00002-of-00002.gguf: tensor a is also in "
                        "x-00001-of-00002.gguf");
    const struct said said[] = {
        {"split.no", 0}, {"split.count", 2}, {"split.tensors.count", 3}};
    write_gguf("x-00001-of-00002.gguf", "a", said, 3);
    write_part("x-00002-of-00002.gguf", "b", 1, 2);
    assert_open_refused("x-00001-of-00002.gguf",
                        "x-00001-of-00002.gguf: split.tensors.count: says 3, "
                        "but the files have 2 tensors");
    write_part("y.gguf", "a", 0, 2);
    assert_open_refused("y.gguf", "y.gguf: is part 1 of 2 by its split.no and "
                                  "split.count, but by its name part 1 of 1");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_model_is_found_by_file_and_folder),
        SCRATCH(a_folder_of_safetensors_is_one),
        SCRATCH(all_parts_are_opened_whichever_is_named),
        SCRATCH(parts_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("gguf_files", tests, NULL, NULL);
}

/* What is as long as a table allows is taken, and one more is not. */
#include "safetensors.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const char name[] = "a.safetensors";

/* Read the file: so many tensors, or the message, and then none. */
static void assert_reads(size_t expected, const char *message)
{
    struct mapping file;
    struct error e = {ERROR_NONE, ""};
    struct tensor *t = NULL;
    size_t n = 0;
    assert_int_equal(mapping_open(&file, name, &e), 0);
    assert_int_equal(safetensors_read(&file, &t, &n, &e), *message ? -1 : 0);
    assert_string_equal(e.message, message);
    assert_int_equal(n, expected);
    tensors_free(t, n);
    mapping_close(&file);
}

/* A tensor without a value, whose name has so many bytes. */
static void write_named(size_t length)
{
    char table[700] = "{\"";
    memset(table + 2, 'w', length);
    strcpy(table + 2 + length, "\": {\"dtype\": \"U8\", \"shape\": [0], "
                               "\"data_offsets\": [0, 0]}}");
    write_safetensors(name, table, 0);
}

static void a_name_may_have_500_bytes(void **state)
{
    (void)state;
    write_named(500);
    assert_reads(1, "");
    write_named(501);
    assert_reads(0, "a.safetensors: a tensor's name of 501 bytes, more than "
                    "500");
}

static void write_start(uint64_t length)
{
    unsigned char start[16] = {0};
    put_length(start, length);
    write_file(name, start, sizeof start);
}

/* The file ends long before; so it is not the format's limit that is named. */
static void a_table_may_have_a_hundred_million_bytes(void **state)
{
    (void)state;
    write_start(100000000);
    assert_reads(0, "a.safetensors: the header ends at byte 100000008, past "
                    "the file's 16");
    write_start(100000001);
    assert_reads(0, "a.safetensors: a header of 100000001 bytes, more than "
                    "the format's 100000000");
}

/* The first of two is good, and is no longer there. */
static void of_a_wrong_table_no_tensor_is_left(void **state)
{
    (void)state;
    write_safetensors(name,
                      "{\"a\": {\"dtype\": \"U8\", \"shape\": [4],"
                      " \"data_offsets\": [0, 4]},"
                      " \"b\": {\"dtype\": \"U8\", \"shape\": [4],"
                      " \"data_offsets\": [3, 7]}}",
                      7);
    assert_reads(0, "a.safetensors: tensor b begins at byte 1027, but tensor "
                    "a ends at byte 1028: an overlap");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_name_may_have_500_bytes),
        SCRATCH(a_table_may_have_a_hundred_million_bytes),
        SCRATCH(of_a_wrong_table_no_tensor_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

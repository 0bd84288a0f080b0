/* The table of a safetensors file is believed only as far as it is true. */
#include "safetensors.h"
#include "test_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const char name[] = "a.safetensors";

/* --- what is right ------------------------------------------------------ */

static void assert_tensor(const struct tensor *t, const char *expected,
                          enum dtype dtype, size_t offset, size_t bytes)
{
    assert_string_equal(t->name, expected);
    assert_int_equal(t->dtype, dtype);
    assert_int_equal(t->offset, offset);
    assert_int_equal(t->bytes, bytes);
    assert_ptr_equal(t->data, t->file->data + offset);
}

static void tensors_are_found_in_the_order_of_their_data(void **state)
{
    (void)state;
    write_safetensors(name,
                      "{\"__metadata__\": {\"format\": \"pt\"},"
                      " \"late\": {\"dtype\": \"F16\", \"shape\": [2, 3],"
                      "            \"data_offsets\": [4, 16]},"
                      " \"early\": {\"dtype\": \"F32\", \"shape\": [],"
                      "             \"data_offsets\": [0, 4]},"
                      " \"nothing\": {\"dtype\": \"I64\", \"shape\": [7, 0],"
                      "               \"data_offsets\": [4, 4]},"
                      " \"none\": {\"dtype\": \"U8\", \"shape\": [0],"
                      "            \"data_offsets\": [16, 16]},"
                      " \"last\": {\"dtype\": \"F4\", \"shape\": [4],"
                      "            \"data_offsets\": [16, 18], \"other\": 1}}",
                      18);
    struct mapping file;
    struct error e;
    struct tensor *t;
    size_t n;
    assert_int_equal(mapping_open(&file, name, &e), 0);
    assert_int_equal(safetensors_read(&file, &t, &n, &e), 0);
    assert_int_equal(n, 5);
    assert_tensor(&t[0], "early", DTYPE_F32, DATA_AT, 4);
    assert_int_equal(t[0].rank, 0);
    assert_int_equal(t[0].count, 1);
    assert_tensor(&t[1], "nothing", DTYPE_I64, DATA_AT + 4, 0);
    assert_int_equal(t[1].count, 0);
    assert_tensor(&t[2], "late", DTYPE_F16, DATA_AT + 4, 12);
    assert_int_equal(t[2].rank, 2);
    assert_int_equal(t[2].shape[0], 2);
    assert_int_equal(t[2].shape[1], 3);
    assert_int_equal(t[2].count, 6);
    assert_tensor(&t[3], "none", DTYPE_U8, DATA_AT + 16, 0);
    assert_tensor(&t[4], "last", DTYPE_F4, DATA_AT + 16, 2);
    tensors_free(t, n);
    mapping_close(&file);
}

static void a_file_may_hold_no_tensor(void **state)
{
    (void)state;
    write_safetensors(name, "{}", 0);
    struct mapping file;
    struct error e;
    struct tensor *t;
    size_t n;
    assert_int_equal(mapping_open(&file, name, &e), 0);
    assert_int_equal(safetensors_read(&file, &t, &n, &e), 0);
    assert_int_equal(n, 0);
    tensors_free(t, n);
    mapping_close(&file);
}

/* --- what is wrong ------------------------------------------------------ */

static void assert_refused(enum error_code code, const char *message)
{
    struct mapping file;
    struct error e = {ERROR_NONE, ""};
    struct tensor *t = NULL;
    size_t n = 0;
    assert_int_equal(mapping_open(&file, name, &e), 0);
    assert_int_equal(safetensors_read(&file, &t, &n, &e), -1);
    assert_string_equal(e.message, message);
    assert_int_equal(e.code, code);
    assert_null(t);
    mapping_close(&file);
}

/* A table (then so many bytes of data), and what is said about it. */
struct hostile {
    const char *table;
    size_t size;
    const char *message;
};

static void assert_all_refused(const struct hostile *files, size_t n,
                               enum error_code code)
{
    for (size_t i = 0; i < n; i++) {
        write_safetensors(name, files[i].table, files[i].size);
        assert_refused(code, files[i].message);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void the_data_is_neither_short_nor_long(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {"{\"w\": {\"dtype\": \"F32\", \"shape\": [4],"
         " \"data_offsets\": [0, 16]}}",
         15,
         "a.safetensors: tensor w ends at byte 1040, past the file's 1039"},
        {"{\"w\": {\"dtype\": \"F32\", \"shape\": [4],"
         " \"data_offsets\": [0, 16]}}",
         17,
         "a.safetensors: the data ends at byte 1040, but the file at 1041"},
        {"{}", 1,
         "a.safetensors: the data ends at byte 1024, but the file at 1025"},
    };
    assert_all_refused(files, COUNT(files), ERROR_INPUT);
}

static void tensors_neither_overlap_nor_leave_gaps(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {"{\"a\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [0, 4]},"
         " \"b\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [3, 7]}}",
         7,
         "a.safetensors: tensor b begins at byte 1027, but tensor a ends at "
         "byte 1028: an overlap"},
        {"{\"a\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [0, 4]},"
         " \"b\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [5, 9]}}",
         9,
         "a.safetensors: tensor b begins at byte 1029, but tensor a ends at "
         "byte 1028: a gap"},
        {"{\"a\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [2, 6]}}",
         6,
         "a.safetensors: tensor a begins at byte 1026, but the header ends at "
         "byte 1024: a gap"},
        {"{\"a\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [0, 4]},"
         " \"z\": {\"dtype\": \"U8\", \"shape\": [0],"
         " \"data_offsets\": [2, 2]}}",
         4,
         "a.safetensors: tensor z begins at byte 1026, but tensor a ends at "
         "byte 1028: an overlap"},
    };
    assert_all_refused(files, COUNT(files), ERROR_INPUT);
}

static void offsets_are_a_begin_and_an_end(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [-4, 0]}}",
         0,
         "a.safetensors: w.data_offsets[0]: expected an integer from 0 to "
         "9223372036854775807, found -4"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [4, 0]}}",
         4,
         "a.safetensors: w.data_offsets: the begin, 4, is behind the end, 0"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [0, 4, 4]}}",
         4,
         "a.safetensors: w.data_offsets: expected a begin and an end, found 3 "
         "numbers"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [0, 4.0]}}",
         4,
         "a.safetensors: w.data_offsets[1]: expected an integer, found a "
         "number"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": \"0,4\"}}",
         4,
         "a.safetensors: w.data_offsets: expected an array, found a string"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4]}}", 4,
         "a.safetensors: w.data_offsets: is missing: expected an array"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [4],"
         " \"data_offsets\": [9223372036854775800, 9223372036854775804]}}",
         4,
         "a.safetensors: tensor w ends at byte 9223372036854776828, past the "
         "file's 1028"},
    };
    assert_all_refused(files, COUNT(files), ERROR_INPUT);
}

/* A table of one tensor. */
#define TABLE(dtype, shape, places)                                           \
    "{\"w\": {\"dtype\": \"" dtype "\", \"shape\": " shape                  \
    ", \"data_offsets\": " places "}}"

static void a_shape_fits_its_data(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {TABLE("F32", "[2, 3]", "[0, 20]"), 20,
         "a.safetensors: tensor w: [2, 3] values of F32 take 24 bytes, but 20 "
         "are given at byte 1024"},
        {TABLE("F16", "[2, 3]", "[0, 24]"), 24,
         "a.safetensors: tensor w: [2, 3] values of F16 take 12 bytes, but 24 "
         "are given at byte 1024"},
        {"{\"v\": {\"dtype\": \"U8\", \"shape\": [2],"
         " \"data_offsets\": [0, 2]},"
         " \"w\": {\"dtype\": \"U8\", \"shape\": [1, 1, 1, 1, 1, 1, 1, 1],"
         " \"data_offsets\": [2, 4]}}",
         4, "a.safetensors: tensor w: [1, 1, 1, 1, 1, 1, 1, 1] values of U8 "
            "take 1 bytes, but 2 are given at byte 1026"},
        {TABLE("F4", "[3]", "[0, 2]"), 2,
         "a.safetensors: tensor w: [3] values of F4 end inside a byte"},
        {TABLE("U8", "[-1]", "[0, 0]"), 0,
         "a.safetensors: w.shape[0]: expected an integer from 0 to "
         "9223372036854775807, found -1"},
        {TABLE("U8", "[4294967296, 4294967296]", "[0, 0]"), 0,
         "a.safetensors: w.shape: the number of values overflows"},
        {TABLE("F64", "[288230376151711744]", "[0, 0]"), 0,
         "a.safetensors: w.shape: the number of values overflows"},
        {TABLE("U8", "[288230376151711743]", "[0, 0]"), 0,
         "a.safetensors: tensor w: [288230376151711743] values of U8 take "
         "288230376151711743 bytes, but 0 are given at byte 1024"},
        {TABLE("U8", "4", "[0, 4]"), 4,
         "a.safetensors: w.shape: expected an array, found an integer"},
        {TABLE("U8", "[99999999999999999999]", "[0, 4]"), 4,
         "a.safetensors: not JSON: too big integer near "
         "'99999999999999999999' (line 1, column 52, byte 60)"},
    };
    assert_all_refused(files, COUNT(files), ERROR_INPUT);
}

static void what_is_not_known_is_named(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {"{\"w\": {\"dtype\": \"Q4\", \"shape\": [4],"
         " \"data_offsets\": [0, 4]}}",
         4, "a.safetensors: w.dtype: unknown number format Q4"},
        {"{\"w\": {\"dtype\": \"U8\", \"shape\": [1,1,1,1,1,1,1,1,1],"
         " \"data_offsets\": [0, 1]}}",
         1, "a.safetensors: w.shape: 9 dimensions, more than 8"},
    };
    assert_all_refused(files, COUNT(files), ERROR_UNSUPPORTED);
}

static void a_table_is_an_object_of_objects(void **state)
{
    (void)state;
    static const struct hostile files[] = {
        {"[]", 0, "a.safetensors: expected an object, found an array"},
        {"7", 0, "a.safetensors: expected an object, found an integer"},
        {"", 0,
         "a.safetensors: not JSON: unexpected token near end of file (line "
         "1, column 1016, byte 1024)"},
        {"{} {}", 0,
         "a.safetensors: not JSON: end of file expected near '{' (line 1, "
         "column 4, byte 12)"},
        {"{\"w\": 7}", 0,
         "a.safetensors: w: expected an object, found an integer"},
        {"{\"w\": {\"dtype\": 7}}", 0,
         "a.safetensors: w.dtype: expected a string, found an integer"},
        {"{\"w\": {}}", 0,
         "a.safetensors: w.dtype: is missing: expected a string"},
        {"{\"w\": {\"dtype\": \"U8\\u0000\"}}", 0,
         "a.safetensors: w.dtype: holds a zero byte"},
        {"{\"__metadata__\": 7}", 0,
         "a.safetensors: __metadata__: expected an object, found an integer"},
        {"{\"__metadata__\": {\"epoch\": 7}}", 0,
         "a.safetensors: __metadata__.epoch: expected a string, found an "
         "integer"},
        {"{\"w\\u001b[2J\": {}}", 0,
         "a.safetensors: a tensor's name has a control character in it"},
        {"{\"w\\u009b2J\": {}}", 0,
         "a.safetensors: a tensor's name has a control character in it"},
        {"{\"w\": {}, \"w\": {}}", 0,
         "a.safetensors: not JSON: duplicate object key near '\"w\"' (line 1, "
         "column 13, byte 21)"},
        {"{\"\xff\": {}}", 0,
         "a.safetensors: not JSON: unable to decode byte 0xff near '\"' "
         "(line 1, column 2, byte 10)"},
    };
    assert_all_refused(files, COUNT(files), ERROR_INPUT);
}

static void the_length_of_a_name_is_checked(void **state)
{
    (void)state;
    char table[600] = "{\"";
    memset(table + 2, 'w', 501);
    strcpy(table + 503, "\": {}}");
    write_safetensors(name, table, 0);
    assert_refused(ERROR_INPUT, "a.safetensors: a tensor's name of 501 bytes, "
                                "more than 500");
}

static void write_start(uint64_t length, size_t size)
{
    unsigned char start[16] = {0};
    put_length(start, length);
    write_file(name, start, size);
}

static void the_length_of_the_table_is_checked(void **state)
{
    (void)state;
    write_start(2, 7);
    assert_refused(ERROR_INPUT, "a.safetensors: ends at byte 7, inside the "
                                "header's length");
    write_start(9, 16);
    assert_refused(ERROR_INPUT, "a.safetensors: the header ends at byte 17, "
                                "past the file's 16");
    write_start((uint64_t)4 << 30, 16);
    assert_refused(ERROR_INPUT,
                   "a.safetensors: a header of 4294967296 bytes, more than "
                   "the format's 100000000");
    write_start(UINT64_MAX, 16);
    assert_refused(ERROR_INPUT,
                   "a.safetensors: a header of 18446744073709551615 bytes, "
                   "more than the format's 100000000");
    write_start(0, 8);
    assert_refused(ERROR_INPUT,
                   "a.safetensors: not JSON: unexpected token near end of "
                   "file (line 1, column 0, byte 8)");
}

/* A table cut off in its middle, in a file that goes on. */
static void a_truncated_table_is_refused(void **state)
{
    (void)state;
    unsigned char file[64] = "________{\"w\": {\"dtype\": \"F32\", \"shape";
    put_length(file, 24);
    write_file(name, file, sizeof file);
    assert_refused(ERROR_INPUT,
                   "a.safetensors: not JSON: premature end of input near "
                   "'\"' (line 1, column 24, byte 32)");
}

static void deep_json_is_refused(void **state)
{
    (void)state;
    enum depths {
        DEPTH = 1000000
    };
    unsigned char *file = malloc(8 + DEPTH);
    assert_non_null(file);
    put_length(file, DEPTH);
    memset(file + 8, '[', DEPTH);
    write_file(name, file, 8 + DEPTH);
    free(file);
    assert_refused(ERROR_INPUT,
                   "a.safetensors: not JSON: maximum parsing depth reached "
                   "near '[' (line 1, column 2049, byte 2057)");
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(tensors_are_found_in_the_order_of_their_data),
        SCRATCH(a_file_may_hold_no_tensor),
        SCRATCH(the_data_is_neither_short_nor_long),
        SCRATCH(tensors_neither_overlap_nor_leave_gaps),
        SCRATCH(offsets_are_a_begin_and_an_end),
        SCRATCH(a_shape_fits_its_data),
        SCRATCH(what_is_not_known_is_named),
        SCRATCH(the_length_of_a_name_is_checked),
        SCRATCH(a_table_is_an_object_of_objects),
        SCRATCH(the_length_of_the_table_is_checked),
        SCRATCH(a_truncated_table_is_refused),
        SCRATCH(deep_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

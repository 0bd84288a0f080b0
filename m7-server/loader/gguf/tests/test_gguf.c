/* The table of a GGUF file is read as it stands, and whatever is wrong with it
 * is refused by words that name the file, the key or tensor, and the byte. */
#include "test_gguf_made.h"

static void assert_gguf_refused(const struct made *m, const char *message)
{
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, &e), -1);
    assert_string_equal(e.message, message);
    assert_null(g.values);
    assert_null(g.tensors);
    free(copy);
}

static void what_is_there_is_found(void **state)
{
    (void)state;
    struct made m = begin(3, 2, 3);
    struct gguf g;
    struct error e;
    unsigned char *copy;
    put_text(&m, "b", "two");
    put_size(&m, "general.alignment", 64);
    put_array(&m, "a", GGUF_I8, 2);
    put_number(&m, 0xff, 1);
    put_number(&m, 7, 1);
    put_tensor(&m, "second", 32, 3, 8, 64);
    put_tensor(&m, "first", 4, 2, 0, 0);
    put_data(&m, 64, 32);
    put_data(&m, 64, 3 * 34);
    assert_int_equal(read_made(&m, &g, &copy, &e), 0);
    assert_int_equal(g.n_tensors, 2);
    assert_string_equal(g.tensors[0].name, "first");
    assert_string_equal(g.tensors[0].kind->name, "F32");
    assert_int_equal(g.tensors[0].shape[0], 2);
    assert_int_equal(g.tensors[0].shape[1], 4);
    assert_int_equal(g.tensors[0].bytes, 32);
    assert_string_equal(g.tensors[1].kind->name, "Q8_0");
    assert_int_equal(g.tensors[1].count, 96);
    assert_int_equal(g.tensors[1].bytes, 102);
    assert_int_equal(g.tensors[1].offset, g.tensors[0].offset + 64);
    assert_ptr_equal(gguf_tensor(&g, "second"), &g.tensors[1]);
    assert_null(gguf_tensor(&g, "third"));
    json_t *values = gguf_values(&g, "", "general.", &e);
    char *text = json_dumps(values, JSON_SORT_KEYS);
    assert_string_equal(text, "{\"a\": [-1, 7], \"b\": \"two\"}");
    free(text);
    json_decref(values);
    gguf_free(&g);
    free(copy);
}

/* A number of each type, by its bits. */
struct typed_number {
    enum gguf_type type;
    size_t width;
    uint64_t bits;
    const char *json;
};

static const struct typed_number numbers[] = {
    {GGUF_U8, 1, 0xff, "255"},
    {GGUF_I8, 1, 0x80, "-128"},
    {GGUF_U16, 2, 0xffff, "65535"},
    {GGUF_I16, 2, 0x8000, "-32768"},
    {GGUF_U32, 4, 0xffffffff, "4294967295"},
    {GGUF_I32, 4, 0x80000000, "-2147483648"},
    {GGUF_F32, 4, 0x3fc00000, "1.5"},
    {GGUF_BOOL, 1, 1, "true"},
    {GGUF_BOOL, 1, 0, "false"},
    {GGUF_U64, 8, INT64_MAX, "9223372036854775807"},
    {GGUF_I64, 8, UINT64_C(1) << 63, "-9223372036854775808"},
    {GGUF_F64, 8, UINT64_C(0xbff8000000000000), "-1.5"},
};

/* The only value of a file, as JSON; NULL and *e where it cannot be said. */
static char *only_value(const struct made *m, struct error *e)
{
    struct gguf g;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, e), 0);
    json_t *values = gguf_values(&g, "", NULL, e);
    char *text = json_dumps(json_object_get(values, "k"), JSON_ENCODE_ANY);
    json_decref(values);
    gguf_free(&g);
    free(copy);
    return text;
}

static void every_type_becomes_json(void **state)
{
    (void)state;
    struct error e;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct made m = begin(2, 0, 1);
        put_key(&m, "k", numbers[i].type);
        put_number(&m, numbers[i].bits, numbers[i].width);
        char *text = only_value(&m, &e);
        assert_string_equal(text, numbers[i].json);
        free(text);
    }
    struct made m = begin(2, 0, 1);
    put_array(&m, "k", GGUF_ARRAY, 1);
    put_u32(&m, GGUF_STRING);
    put_u64(&m, 2);
    put_string(&m, "");
    put_string(&m, "text");
    char *text = only_value(&m, &e);
    assert_string_equal(text, "[[\"\", \"text\"]]");
    free(text);
}

static void what_json_cannot_say_is_refused(void **state)
{
    (void)state;
    struct error e;
    struct made m = begin(3, 0, 1);
    put_key(&m, "k", GGUF_U64);
    put_u64(&m, UINT64_MAX);
    assert_null(only_value(&m, &e));
    assert_string_equal(e.message, "x.gguf: key k: 18446744073709551615 is "
                                   "more than a number can be, at byte 37");
    m = begin(3, 0, 1);
    put_key(&m, "k", GGUF_F64);
    put_u64(&m, UINT64_C(0x7ff0000000000000));
    assert_null(only_value(&m, &e));
    assert_string_equal(
        e.message, "x.gguf: key k: a number that is not finite at byte 37");
    m = begin(3, 0, 1);
    put_text(&m, "k", "a\xff");
    assert_null(only_value(&m, &e));
    assert_string_equal(e.message,
                        "x.gguf: key k: a text that is not UTF-8 at byte 46");
}

static void a_wrong_beginning_is_refused(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 0);
    m.size = 3;
    assert_gguf_refused(&m, "x.gguf: 4 bytes are needed, but the file has 3 "
                            "more at byte 0");
    m = begin(3, 0, 0);
    m.bytes[0] = 'g';
    assert_gguf_refused(
        &m, "x.gguf: is no GGUF file: there is no \"GGUF\" at byte 0");
    m = begin(1, 0, 0);
    assert_gguf_refused(&m,
                        "x.gguf: version 1, but 2 and 3 are known, at byte 4");
    m = begin(0x03000000, 0, 0);
    assert_gguf_refused(&m,
                        "x.gguf: is big-endian: version 50331648 at byte 4");
    m = begin(3, UINT64_MAX, 0);
    assert_gguf_refused(&m, "x.gguf: 18446744073709551615 tensors do not fit "
                            "into the file's 24 bytes, at byte 8");
    m = begin(3, 0, 2);
    assert_gguf_refused(
        &m,
        "x.gguf: 2 values do not fit into the file's 24 bytes, at byte 16");
    m = begin(3, 0, 0);
    m.size = 20;
    assert_gguf_refused(&m, "x.gguf: 8 bytes are needed, but the file has 4 "
                            "more at byte 16");
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 1);
    put_key(&m, "k", (enum gguf_type)13);
    assert_gguf_refused(
        &m, "x.gguf: key k: there is no type 13 of values, at byte 33");
    m = begin(3, 0, 1);
    put_key(&m, "k", GGUF_U64);
    put_u32(&m, 1);
    assert_gguf_refused(&m, "x.gguf: key k: 8 bytes are needed, but the file "
                            "has 4 more at byte 37");
    m = begin(3, 0, 1);
    put_key(&m, "k", GGUF_STRING);
    put_u64(&m, UINT64_MAX);
    assert_gguf_refused(&m, "x.gguf: key k: 18446744073709551615 bytes are "
                            "needed, but the file has 0 more at byte 45");
    m = begin(3, 0, 1);
    put_key(&m, "k", GGUF_BOOL);
    put_number(&m, 2, 1);
    assert_gguf_refused(
        &m, "x.gguf: key k: 2 is neither true nor false, at byte 37");
    m = begin(3, 0, 2);
    put_size(&m, "k", 1);
    put_size(&m, "k", 2);
    assert_gguf_refused(
        &m, "x.gguf: key k: is there twice, at byte 37 and at byte 54");
}

static void wrong_arrays_are_refused(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 1);
    put_array(&m, "k", GGUF_U64, UINT64_MAX / 8 + 1);
    assert_gguf_refused(&m,
                        "x.gguf: key k: an array of 2305843009213693952 "
                        "values, but the file has 0 more bytes, at byte 41");
    m = begin(3, 0, 1);
    put_array(&m, "k", GGUF_U64, 3);
    put_u64(&m, 1);
    assert_gguf_refused(&m, "x.gguf: key k: 24 bytes are needed, but the file "
                            "has 8 more at byte 49");
    m = begin(3, 0, 1);
    put_array(&m, "k", GGUF_ARRAY, 1);
    for (int depth = 0; depth < GGUF_DEPTH; depth++) {
        put_u32(&m, GGUF_ARRAY);
        put_u64(&m, 1);
    }
    put_u64(&m, 0);
    assert_gguf_refused(
        &m, "x.gguf: key k: more than 8 arrays in each other at byte 133");
}

static void wrong_names_are_refused(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 1);
    put_size(&m, "", 1);
    assert_gguf_refused(
        &m, "x.gguf: a key's name of 0 bytes, not 1 to 500, at byte 24");
    m = begin(3, 0, 1);
    put_size(&m, "k\xff", 1);
    assert_gguf_refused(&m, "x.gguf: a key's name is not UTF-8 at byte 24");
    m = begin(3, 0, 1);
    put_size(&m, "k\x1b[2J", 1);
    assert_gguf_refused(&m, "x.gguf: a key's name has a control character in "
                            "it at byte 24");
    m = begin(3, 1, 0);
    put_tensor(&m, "\n", 1, 1, 0, 0);
    assert_gguf_refused(&m, "x.gguf: a tensor's name has a control character "
                            "in it at byte 24");
}

static void a_wrong_alignment_is_refused(void **state)
{
    (void)state;
    const char *words = "x.gguf: key general.alignment: expected a 32-bit "
                        "power of two from 8 to 1048576 at byte 53";
    static const uint32_t wrong[] = {0, 4, 24, 1u << 21, UINT32_MAX};
    for (size_t i = 0; i < 5; i++) {
        struct made m = begin(3, 0, 1);
        put_size(&m, "general.alignment", wrong[i]);
        assert_gguf_refused(&m, words);
    }
    struct made m = begin(3, 0, 1);
    put_key(&m, "general.alignment", GGUF_U64);
    put_u64(&m, 32);
    assert_gguf_refused(&m, words);
}

/* One tensor in a file of 160 bytes: the table ends at 69, the data begins at
 * 96. */
static struct made one_tensor(uint64_t cols, uint64_t rows, uint64_t kind,
                              uint64_t offset)
{
    struct made m = begin(3, 1, 0);
    put_tensor(&m, "t", cols, rows, kind, offset);
    put_data(&m, 32, 64);
    return m;
}

static void wrong_tensors_are_refused(void **state)
{
    (void)state;
    struct made m = one_tensor(0, 1, 0, 0);
    assert_gguf_refused(
        &m, "x.gguf: tensor t: a dimension of 0 in 1 values at byte 37");
    m = one_tensor(UINT64_C(1) << 40, UINT64_C(1) << 40, 0, 0);
    assert_gguf_refused(&m,
                        "x.gguf: tensor t: a dimension of 1099511627776 in "
                        "1099511627776 values at byte 45");
    m = one_tensor(4, 4, 4, 0);
    assert_gguf_refused(
        &m, "x.gguf: tensor t: there is no type 4 of numbers, at byte 53");
    m = one_tensor(256, 1, 19, 0);
    assert_gguf_refused(
        &m, "x.gguf: tensor t: numbers of type IQ1_S cannot be read, at byte "
            "53");
    m = one_tensor(48, 1, 2, 0);
    assert_gguf_refused(&m,
                        "x.gguf: tensor t: rows of 48 values do not divide "
                        "into the blocks of 32 that Q4_0 has, at byte 53");
    m = one_tensor(4, 4, 0, 4);
    assert_gguf_refused(
        &m, "x.gguf: tensor t: the offset 4 is no multiple of 32, at byte 57");
    m = one_tensor(4, 100, 0, 0);
    assert_gguf_refused(&m,
                        "x.gguf: tensor t: 1600 bytes at offset 0 end past "
                        "the file's 160, at byte 57");
    m = one_tensor(4, 4, 0, UINT64_MAX - 31);
    assert_gguf_refused(&m, "x.gguf: tensor t: 64 bytes at offset "
                            "18446744073709551584 end past the file's 160, at "
                            "byte 57");
    m = begin(3, 1, 0);
    put_string(&m, "t");
    put_u32(&m, 5);
    put_data(&m, 32, 64);
    assert_gguf_refused(
        &m, "x.gguf: tensor t: 5 dimensions, more than 4, at byte 33");
}

static void wrong_places_are_refused(void **state)
{
    (void)state;
    struct made m = one_tensor(4, 4, 0, 32);
    assert_gguf_refused(&m, "x.gguf: tensor t begins at byte 128, but the "
                            "table ends at byte 96: a gap");
    m = one_tensor(4, 5, 0, 0);
    assert_gguf_refused(
        &m, "x.gguf: tensor t ends at byte 176, past the file's 160");
    m = one_tensor(4, 2, 0, 0);
    assert_gguf_refused(
        &m, "x.gguf: the data ends at byte 128, but the file at 160");
    m = begin(3, 2, 0);
    put_tensor(&m, "a", 4, 4, 0, 0);
    put_tensor(&m, "b", 4, 4, 0, 32);
    put_data(&m, 32, 96);
    assert_gguf_refused(&m,
                        "x.gguf: tensor b begins at byte 160, but tensor a "
                        "ends at byte 192: an overlap");
    m = begin(3, 2, 0);
    put_tensor(&m, "a", 4, 2, 0, 0);
    put_tensor(&m, "a", 4, 2, 0, 32);
    put_data(&m, 32, 64);
    assert_gguf_refused(&m, "x.gguf: tensor a: is there twice, at byte 128 "
                            "and at byte 160");
}

/* A file is refused wherever it was cut off. */
static void no_beginning_of_a_file_is_one(void **state)
{
    (void)state;
    struct made m = begin(3, 1, 2);
    put_text(&m, "a", "text");
    put_array(&m, "b", GGUF_STRING, 1);
    put_string(&m, "more");
    put_tensor(&m, "t", 4, 4, 0, 0);
    put_data(&m, 32, 64);
    size_t whole = m.size;
    for (m.size = 0; m.size < whole; m.size++) {
        struct gguf g;
        struct error e;
        unsigned char *copy;
        assert_int_equal(read_made(&m, &g, &copy, &e), -1);
        assert_int_equal(strncmp(e.message, "x.gguf: ", 8), 0);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_found),
        cmocka_unit_test(every_type_becomes_json),
        cmocka_unit_test(what_json_cannot_say_is_refused),
        cmocka_unit_test(a_wrong_beginning_is_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(a_wrong_alignment_is_refused),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(wrong_places_are_refused),
        cmocka_unit_test(no_beginning_of_a_file_is_one),
    };
    return cmocka_run_group_tests_name("gguf", tests, NULL, NULL);
}

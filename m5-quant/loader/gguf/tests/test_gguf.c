/* The table of a GGUF file is read as it stands, and whatever is wrong with it
 * is refused by words that name the file, the key or tensor, and the byte. */
#include "gguf.h"
#include "gguf_config.h"
#include "gguf_tokenizer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- files made to order ------------------------------------------------ */

struct made {
    unsigned char bytes[8192];
    size_t size;
};

static void put(struct made *m, const void *bytes, size_t size)
{
    assert_true(m->size + size <= sizeof m->bytes);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static void put_number(struct made *m, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * i);
        put(m, &byte, 1);
    }
}

static void put_u32(struct made *m, uint64_t value)
{
    put_number(m, value, 4);
}

static void put_u64(struct made *m, uint64_t value)
{
    put_number(m, value, 8);
}

static void put_string(struct made *m, const char *text)
{
    put_u64(m, strlen(text));
    put(m, text, strlen(text));
}

/* The beginning, 24 bytes. */
static struct made begin(uint64_t version, uint64_t tensors, uint64_t values)
{
    struct made m = {.size = 0};
    put(&m, "GGUF", 4);
    put_u32(&m, version);
    put_u64(&m, tensors);
    put_u64(&m, values);
    return m;
}

static void put_key(struct made *m, const char *key, enum gguf_type type)
{
    put_string(m, key);
    put_u32(m, type);
}

static void put_size(struct made *m, const char *key, uint64_t value)
{
    put_key(m, key, GGUF_U32);
    put_u32(m, value);
}

static void put_text(struct made *m, const char *key, const char *text)
{
    put_key(m, key, GGUF_STRING);
    put_string(m, text);
}

static void put_array(struct made *m, const char *key, enum gguf_type type,
                      uint64_t n)
{
    put_key(m, key, GGUF_ARRAY);
    put_u32(m, type);
    put_u64(m, n);
}

/* A tensor of rows * cols values. */
static void put_tensor(struct made *m, const char *name, uint64_t cols,
                       uint64_t rows, uint64_t kind, uint64_t offset)
{
    put_string(m, name);
    put_u32(m, 2);
    put_u64(m, cols);
    put_u64(m, rows);
    put_u32(m, kind);
    put_u64(m, offset);
}

/* Zeros up to the next multiple of `align`, then `size` bytes. */
static void put_data(struct made *m, size_t align, size_t size)
{
    while (m->size % align)
        put_number(m, 0, 1);
    for (size_t i = 0; i < size; i++)
        put_number(m, i, 1);
}

/* --- reading ------------------------------------------------------------ */

/* Read the file from memory of just its size, so that a sanitizer sees every
 * step past its end. */
static int read_made(const struct made *m, struct gguf *g,
                     unsigned char **copy, struct error *e)
{
    *copy = malloc(m->size ? m->size : 1);
    assert_non_null(*copy);
    memcpy(*copy, m->bytes, m->size);
    *e = (struct error){ERROR_NONE, ""};
    return gguf_read(g, "x.gguf", *copy, m->size, e);
}

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

/* Every type, with its largest and least number. */
static void every_type_becomes_json(void **state)
{
    (void)state;
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    struct made m = begin(2, 0, 13);
    for (int type = 0; type < N_GGUF_TYPES; type++) {
        char key[2] = {(char)('a' + type), 0};
        if (type == GGUF_ARRAY) { /* an array of an array of strings */
            put_array(&m, key, GGUF_ARRAY, 1);
            put_u32(&m, GGUF_STRING);
            put_u64(&m, 2);
            put_string(&m, "");
            put_string(&m, "\xc3\xa9");
            continue;
        }
        put_key(&m, key, (enum gguf_type)type);
        if (type == GGUF_STRING)
            put_string(&m, "text");
        else if (type == GGUF_F32)
            put_u32(&m, 0x3fc00000);
        else if (type == GGUF_F64)
            put_u64(&m, UINT64_C(0xbff8000000000000));
        else
            put_number(&m,
                       type == GGUF_BOOL ? 1
                                         : UINT64_C(1) << 63 >> 7 >>
                                               (56 - 8 * (widths[type] - 1)),
                       widths[type]);
    }
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(&m, &g, &copy, &e), 0);
    json_t *values = gguf_values(&g, "", NULL, &e);
    char *text = json_dumps(values, JSON_SORT_KEYS | JSON_COMPACT);
    assert_string_equal(text,
                        "{\"a\":1,\"b\":1,\"c\":256,\"d\":256,\"e\":16777216,"
                        "\"f\":16777216,\"g\":1.5,\"h\":true,\"i\":\"text\","
                        "\"j\":[[\"\",\"\xc3\xa9\"]],"
                        "\"k\":72057594037927936,\"l\":72057594037927936,"
                        "\"m\":-1.5}");
    free(text);
    json_decref(values);
    gguf_free(&g);
    free(copy);
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

/* --- what they say of a model ------------------------------------------- */

typedef json_t *translation(const struct gguf *files, size_t n,
                            struct error *e);

static void assert_untranslated(const struct made *m, translation *of,
                                const char *message)
{
    struct gguf g;
    struct error e;
    unsigned char *copy;
    assert_int_equal(read_made(m, &g, &copy, &e), 0);
    assert_null(of(&g, 1, &e));
    assert_string_equal(e.message, message);
    gguf_free(&g);
    free(copy);
}

static void what_is_wrong_with_a_model_is_named(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 0);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: general.architecture: is missing: expected "
                        "a string");
    m = begin(3, 0, 1);
    put_text(&m, "general.architecture", "mamba");
    assert_untranslated(&m, gguf_config,
                        "x.gguf: general.architecture: this program knows no "
                        "GGUF model \"mamba\"");
    m = begin(3, 0, 1);
    put_text(&m, "general.architecture", "llama");
    assert_untranslated(
        &m, gguf_config,
        "x.gguf: llama.context_length: is missing: expected an "
        "integer");
    m = begin(3, 0, 2);
    put_text(&m, "general.architecture", "llama");
    put_text(&m, "llama.context_length", "long");
    assert_untranslated(&m, gguf_config,
                        "x.gguf: llama.context_length: expected an integer, "
                        "found a string");
    m = begin(3, 0, 2);
    put_text(&m, "general.architecture", "llama");
    put_key(&m, "llama.rope.freq_base", GGUF_F32);
    put_u32(&m, 0x7fc00000);
    assert_untranslated(&m, gguf_config,
                        "x.gguf: key llama.rope.freq_base: a number that is "
                        "not finite at byte 101");
}

static void what_is_wrong_with_a_tokenizer_is_named(void **state)
{
    (void)state;
    struct made m = begin(3, 0, 0);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.model: is missing: expected "
                        "a string");
    m = begin(3, 0, 1);
    put_text(&m, "tokenizer.ggml.model", "bert");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.model: this program knows no "
                        "tokenizer \"bert\"");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "gpt2");
    put_text(&m, "tokenizer.ggml.pre", "viking");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.pre: this program does not "
                        "know how \"viking\" cuts a text into words");
    m = begin(3, 0, 3);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    put_string(&m, "a");
    put_string(&m, "b");
    put_array(&m, "tokenizer.ggml.scores", GGUF_F32, 1);
    put_u32(&m, 0);
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.scores: has 1 values, but "
                        "there are 2 tokens");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 2);
    put_string(&m, "a");
    put_string(&m, "a");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: tokenizer.ggml.tokens[1]: \"a\" is also "
                        "token 0");
    m = begin(3, 0, 2);
    put_text(&m, "tokenizer.ggml.model", "llama");
    put_array(&m, "tokenizer.ggml.tokens", GGUF_STRING, 1);
    put_string(&m, "a\xff");
    assert_untranslated(&m, gguf_tokenizer,
                        "x.gguf: key tokenizer.ggml.tokens: a text that is "
                        "not UTF-8 at byte 123");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_found),
        cmocka_unit_test(every_type_becomes_json),
        cmocka_unit_test(a_wrong_beginning_is_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(a_wrong_alignment_is_refused),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(wrong_places_are_refused),
        cmocka_unit_test(no_beginning_of_a_file_is_one),
        cmocka_unit_test(what_is_wrong_with_a_model_is_named),
        cmocka_unit_test(what_is_wrong_with_a_tokenizer_is_named),
    };
    return cmocka_run_group_tests_name("gguf", tests, NULL, NULL);
}

/* Characters are to this program what they are to `tokenizers`, all 1,112,064
 * of them, whatever Unicode version the libraries of the machine know. */
#include "test_sum.h"

static json_t *golden;

/* --- UTF-8 ------------------------------------------------------------- */

static void characters_are_written_and_read(void **state)
{
    (void)state;
    struct bytes text = {0};
    for (uint32_t code = 0; code < 0x110000; code++)
        if (is_character(code))
            utf8_add(&text, code);
    assert_int_equal(text.size, 4382592);
    assert_int_equal(utf8_valid(text.data, text.size), text.size);
    size_t at = 0, length;
    for (uint32_t code = 0; code < 0x110000; code++)
        if (is_character(code)) {
            assert_int_equal(utf8_decode(text.data + at, &length), code);
            at += length;
        }
    assert_int_equal(at, text.size);
    bytes_free(&text);
}

static void ascii_is_counted(void **state)
{
    (void)state;
    char text[] = "0123456789abcdefghijklm";
    for (size_t from = 0; from < 8; from++)
        for (size_t at = from; at < sizeof text - 1; at++) {
            char kept = text[at];
            text[at] = '\xC3';
            assert_int_equal(utf8_ascii(text + from, sizeof text - 1 - from),
                             at - from);
            text[at] = kept;
        }
    assert_int_equal(utf8_ascii(text, 23), 23);
    assert_int_equal(utf8_ascii(text, 0), 0);
}

static void an_unfinished_character_is_recognised(void **state)
{
    (void)state;
    assert_int_equal(utf8_unfinished("", 0), 0);
    assert_int_equal(utf8_unfinished("abc", 3), 0);
    assert_int_equal(utf8_unfinished("a\xE4", 2), 1);
    assert_int_equal(utf8_unfinished("a\xE4\xB8", 3), 2);
    assert_int_equal(utf8_unfinished("a\xE4\xB8\xAD", 4), 0);
    assert_int_equal(utf8_unfinished("\xF0\x9F\x98", 3), 3);
    assert_int_equal(utf8_unfinished("\xF0\x9F\x98\x80", 4), 0);
    assert_int_equal(utf8_unfinished("\xC3", 1), 1);
    /* These can become nothing. */
    assert_int_equal(utf8_unfinished("\xE0\x80", 2), 0);
    assert_int_equal(utf8_unfinished("\xED\xA0", 2), 0);
    assert_int_equal(utf8_unfinished("\xF4\x90", 2), 0);
    assert_int_equal(utf8_unfinished("\x80\x80", 2), 0);
    assert_int_equal(utf8_unfinished("\xC1", 1), 0);
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static struct bytes unhex(const char *text)
{
    struct bytes out = {0};
    for (; *text; text += 2) {
        char byte = (char)(hex_digit(text[0]) << 4 | hex_digit(text[1]));
        bytes_add(&out, &byte, 1);
    }
    return out;
}

static void broken_text_is_repaired_as_python_does(void **state)
{
    (void)state;
    const json_t *repair = golden_get(golden, "repair"), *sample;
    size_t i;
    bool same = true;
    json_array_foreach(golden_get(repair, "samples"), i, sample)
    {
        struct bytes broken = unhex(golden_string(sample, 0)), made = {0};
        utf8_repair(broken.data, broken.size, &made);
        same &= same_text(golden_string(sample, 0), &made,
                          golden_string(sample, 1));
        bytes_free(&broken);
        bytes_free(&made);
    }
    assert_true(same);
}

/* Every four of the bytes at which a rule begins or ends. */
static void every_kind_of_break_is_repaired(void **state)
{
    (void)state;
    const json_t *repair = golden_get(golden, "repair");
    struct bytes edges = unhex(json_string_value(golden_get(repair, "edges")));
    struct bytes broken = {0}, made = {0};
    size_t n = edges.size;
    for (size_t i = 0; i < n * n * n * n; i++) {
        const char four[] = {edges.data[i / n / n / n],
                             edges.data[i / n / n % n], edges.data[i / n % n],
                             edges.data[i % n], '\n'};
        bytes_add(&broken, four, sizeof four);
    }
    utf8_repair(broken.data, broken.size, &made);
    char sum[9];
    assert_string_equal(crc_of(&made, sum),
                        json_string_value(golden_get(repair, "sum")));
    assert_int_equal(utf8_valid(made.data, made.size), made.size);
    bytes_free(&edges);
    bytes_free(&broken);
    bytes_free(&made);
}

/* --- Properties -------------------------------------------------------- */

static void check_set(const char *name, bool (*holds)(uint32_t))
{
    const json_t *sums = golden_get(golden_get(golden, "sets"), name);
    bool same = true;
    for (size_t block = 0; block < BLOCKS; block++) {
        struct bytes made = {0};
        for (uint32_t code = block_start(block); code < block_start(block + 1);
             code++)
            if (is_character(code) && holds(code))
                utf8_add(&made, code);
        same &= same_sum(name, sums, block, &made);
        bytes_free(&made);
    }
    assert_true(same);
}

static void spaces_are_those_of_tokenizers(void **state)
{
    (void)state;
    check_set("space", unicode_is_space);
}

static void numbers_are_those_of_tokenizers(void **state)
{
    (void)state;
    assert_true(unicode_is_numeric(0x10D40)); /* Unicode 16 */
    assert_true(unicode_is_numeric(0x11DE0)); /* Unicode 17 */
    check_set("numeric", unicode_is_numeric);
}

static void punctuation_is_that_of_tokenizers(void **state)
{
    (void)state;
    assert_true(unicode_is_punctuation('$'));
    assert_false(unicode_is_punctuation(0x20AC));
    assert_false(unicode_is_punctuation(0x2E52)); /* newer than its tables */
    check_set("punctuation", unicode_is_punctuation);
}

static void words_are_those_of_tokenizers(void **state)
{
    (void)state;
    assert_true(unicode_is_word(0x200D));
    assert_false(unicode_is_word(0xB2));
    check_set("word", unicode_is_word);
}

static int open_golden(void **state)
{
    (void)state;
    golden = golden_open("golden/unicode.json");
    return 0;
}

static int close_golden(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_written_and_read),
        cmocka_unit_test(ascii_is_counted),
        cmocka_unit_test(an_unfinished_character_is_recognised),
        cmocka_unit_test(broken_text_is_repaired_as_python_does),
        cmocka_unit_test(every_kind_of_break_is_repaired),
        cmocka_unit_test(spaces_are_those_of_tokenizers),
        cmocka_unit_test(numbers_are_those_of_tokenizers),
        cmocka_unit_test(punctuation_is_that_of_tokenizers),
        cmocka_unit_test(words_are_those_of_tokenizers),
    };
    return cmocka_run_group_tests(tests, open_golden, close_golden);
}

/* The alphabet of bytes is that of GPT-2: its encoder.py, bytes_to_unicode. */
#include "bytelevel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The visible characters of Latin-1, as bytes_to_unicode lists them. */
static bool stands_for_itself(int byte)
{
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
           (byte >= 0xAE && byte <= 0xFF);
}

static void visible_bytes_stand_for_themselves(void **state)
{
    (void)state;
    uint32_t next = 0x100;
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(byte_to_char((unsigned char)byte),
                         stands_for_itself(byte) ? (uint32_t)byte : next++);
    assert_int_equal(next, 0x100 + 68);
    assert_int_equal(byte_to_char(' '), 0x120);
}

static void every_character_stands_for_its_byte(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++)
        assert_int_equal(char_to_byte(byte_to_char((unsigned char)byte)),
                         byte);
}

static void other_characters_stand_for_none(void **state)
{
    (void)state;
    static const uint32_t others[] = {0,    ' ',   0x7F,  0xA0,
                                      0xAD, 0x144, 0x220, 0x10FFFF};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(char_to_byte(others[i]), -1);
    int count = 0;
    for (uint32_t code = 0; code < 0x1000; code++)
        count += char_to_byte(code) >= 0;
    assert_int_equal(count, 256);
}

static void expect(const struct bytes *found, const char *expected,
                   size_t size)
{
    assert_int_equal(found->size, size);
    assert_memory_equal(found->data, expected, size);
}

/* Behind the text stands more, which is no part of it. */
static void bytes_are_spelled(void **state)
{
    (void)state;
    struct bytes out = {0};
    bytes_add_string(&out, "<");
    bytelevel_spell("a \xC3\xA9\0~.", 6, &out);
    expect(&out, "<a\u0120\u00C3\u00A9\u0100~", 11);
    bytes_free(&out);
}

static void spelled_bytes_are_read_back(void **state)
{
    (void)state;
    struct bytes text = {0}, spelled = {0}, out = {0};
    for (int byte = 0; byte < 256; byte++)
        bytes_add(&text, &(char){(char)byte}, 1);
    bytelevel_spell(text.data, text.size, &spelled);
    assert_int_equal(spelled.size, 94 + 2 * (256 - 94));
    bytes_add_string(&out, "<");
    bytelevel_unspell(spelled.data, spelled.size, &out);
    assert_int_equal(out.size, 257);
    assert_memory_equal(out.data + 1, text.data, 256);
    bytes_free(&text);
    bytes_free(&spelled);
    bytes_free(&out);
}

/* A space is no character of the alphabet. */
static void a_token_of_other_characters_stands_for_itself(void **state)
{
    (void)state;
    struct bytes out = {0};
    bytelevel_unspell("\u0120a", 3, &out);
    bytelevel_unspell("b\u0120 \u0120.", 6, &out);
    bytelevel_unspell("a ", 1, &out);
    expect(&out, " ab\u0120 \u0120a", 9);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visible_bytes_stand_for_themselves),
        cmocka_unit_test(every_character_stands_for_its_byte),
        cmocka_unit_test(other_characters_stand_for_none),
        cmocka_unit_test(bytes_are_spelled),
        cmocka_unit_test(spelled_bytes_are_read_back),
        cmocka_unit_test(a_token_of_other_characters_stands_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Arguments as programs write them become JSON, however they are cut. */
#include "call_literal.h"

#include "test_numbers.h"

/* Read a text byte by byte, as a parser does: what was not taken stays. */
static enum literal_read read_slowly(struct call_literal *l, const char *text,
                                     struct bytes *out)
{
    struct bytes held = {0};
    enum literal_read found = LITERAL_MORE;
    for (; *text && found == LITERAL_MORE; text++) {
        size_t used = 0;
        bytes_add(&held, text, 1);
        found = literal_put(l, held.data, held.size, &used, !text[1], out);
        held.size -= used;
        memmove(held.data, held.data + used, held.size);
    }
    bytes_free(&held);
    return found;
}

static enum literal_read convert(char bracket, const char *text, bool slowly,
                                 struct bytes *out)
{
    struct call_literal l;
    size_t used = 0;
    out->size = 0;
    json_t *parameters =
        json_pack("{s:{s:{}, s:{}}}", "properties", "first", "second");
    literal_init(&l, bracket, parameters);
    l.bare_words = bracket == '{';
    enum literal_read found =
        slowly ? read_slowly(&l, text, out)
               : literal_put(&l, text, strlen(text), &used, true, out);
    bytes_add(out, "", 1);
    json_decref(parameters);
    return found;
}

static void expect(char bracket, const char *text, const char *json)
{
    struct bytes out = {0};
    for (int slowly = 0; slowly < 2; slowly++) {
        assert_int_equal(convert(bracket, text, slowly, &out), LITERAL_DONE);
        assert_string_equal(out.data, json);
    }
    bytes_free(&out);
}

static void python_becomes_json(void **state)
{
    (void)state;
    expect('(', ")", "}");
    expect('(', "a=1)", "\"a\": 1}");
    expect('(', "a = [1, (2, 3,), {'k': None, 4: True}] , )",
           "\"a\": [1, [2, 3], {\"k\": null, \"4\": true}]}");
    expect('(', "a='it\\'s', b=\"\\x41\\u00e9\\101\\n\\q\")",
           "\"a\": \"it's\", \"b\": \"A\xC3\xA9"
           "A\\n\\\\q\"}");
    expect('(', "a='''x'y\n''', b=r'\\n')",
           "\"a\": \"x'y\\n\", \"b\": \"\\\\n\"}");
    expect('(', "a='\\ud83d\\ude00')", "\"a\": \"\\ud83d\\ude00\"}");
}

static void numbers_of_python_become_jsons(void **state)
{
    (void)state;
    expect('(', "a=-1, b=+2, c=.5, d=5., e=1_000, f=1e5, g=2.5E-3)",
           "\"a\": -1, \"b\": 2, \"c\": 0.5, \"d\": 5.0, \"e\": 1000, "
           "\"f\": 1e5, \"g\": 2.5e-3}");
    expect('(', "a=0)", "\"a\": 0}");
}

static void arguments_without_names_take_those_of_their_places(void **state)
{
    (void)state;
    expect('(', "1, 'b')", "\"first\": 1, \"second\": \"b\"}");
    expect('(', "[1], second={})", "\"first\": [1], \"second\": {}}");
}

static void gemma_becomes_json(void **state)
{
    (void)state;
    expect('{', "}", "}");
    expect('{', "a:<|\"|>x, \"y\" {z}<|\"|>,b:[1,true],c:{d:null}}",
           "\"a\": \"x, \\\"y\\\" {z}\", \"b\": [1, true], \"c\": "
           "{\"d\": null}}");
    expect('{', "a:<escape>\\n<escape>}", "\"a\": \"\\\\n\"}");
    expect('{', "a:Paris}", "\"a\": \"Paris\"}");
}

static void what_cannot_be_read_is_told(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "a=b)",     "a=1 2)",           "a==1)",    "a=)",
        "a=1]",     "a='b' 'c')",       "a=007)",   "a='\\x4g')",
        "1, 2, 3)", "a={1, 2})",        "=1)",      "a=--1)",
        "a=1,,)",   "a='\\U00110000')", "a=[1 2])", "a={'b'}",
    };
    struct bytes out = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(convert('(', bad[i], false, &out), LITERAL_BAD);
        assert_int_equal(convert('(', bad[i], true, &out), LITERAL_BAD);
    }
    bytes_free(&out);
}

/* It stands where it was written, and no half of a character. */
static void what_cannot_be_read_is_left(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"a='b'\xE2\x80\x94 c)", "\xE2\x80\x94 c)"},
        {"a\xE2\x80\x94)", "a\xE2\x80\x94)"},
        {"a=[1] b)", "b)"},
        {"a=b)", "b)"},
        {"a=1]", "]"},
        {"1, 2, [3])", "[3])"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bytes out = {0};
        struct call_literal l;
        size_t used = 0, size = strlen(bad[i][0]);
        json_t *two = json_pack("{s:{s:{}, s:{}}}", "properties", "x", "y");
        literal_init(&l, '(', two);
        assert_int_equal(literal_put(&l, bad[i][0], size, &used, true, &out),
                         LITERAL_BAD);
        assert_string_equal(bad[i][0] + used, bad[i][1]);
        json_decref(two);
        bytes_free(&out);
    }
}

static void values_in_values_have_a_bound(void **state)
{
    (void)state;
    struct bytes text = {0}, out = {0};
    bytes_add_string(&text, "a=");
    for (int i = 0; i < LITERAL_DEEPEST; i++)
        bytes_add_string(&text, "[");
    bytes_add(&text, "", 1);
    assert_int_equal(convert('(', text.data, false, &out), LITERAL_BAD);
    bytes_free(&text);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(python_becomes_json),
        cmocka_unit_test(numbers_of_python_become_jsons),
        cmocka_unit_test(arguments_without_names_take_those_of_their_places),
        cmocka_unit_test(gemma_becomes_json),
        cmocka_unit_test(what_cannot_be_read_is_told),
        cmocka_unit_test(what_cannot_be_read_is_left),
        cmocka_unit_test(values_in_values_have_a_bound),
    };
    return cmocka_run_group_tests_name("call literal", tests, NULL, NULL);
}

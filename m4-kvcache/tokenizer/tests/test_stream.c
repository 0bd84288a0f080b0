/* A stream gives text as soon as it is certain, and no sooner. */
#include "tokenizer_parts.h"
#include "unicode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

/* A tokenizer with the tokens, ids from 0, and a decoder, as JSON. */
static struct tokenizer *with_decoder(const char *tokens, const char *decoder)
{
    char text[4000], vocab[2000] = "";
    struct error e = {ERROR_NONE, ""};
    size_t used = 0;
    int id = 0;
    for (const char *at = tokens; *at; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        used +=
            (size_t)snprintf(vocab + used, sizeof vocab - used,
                             "%s\"%.*s\":%d", id ? "," : "", length, at, id);
        at += length;
        id++;
    }
    snprintf(text, sizeof text,
             "{\"decoder\":%s,\"added_tokens\":[{\"id\":0,\"content\":\"<s>\","
             "\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
             "\"normalized\":false,\"special\":true}],\"model\":{\"type\":"
             "\"BPE\",\"vocab\":{%s},\"merges\":[]}}",
             decoder, vocab);
    json_t *json = json_parse(text, strlen(text), "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    if (!t)
        print_error("%s\n", e.message);
    assert_non_null(t);
    json_decref(json);
    return t;
}

/* All at once they give the same text: `expected` without each "|". */
static void expect_decoded(const struct tokenizer *t, bool special,
                           const int *ids, const char *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0}, whole = {0};
    size_t n = 0;
    while (ids[n] >= 0)
        n++;
    for (; *expected; expected++)
        bytes_add(&whole, expected, *expected != '|');
    assert_int_equal(tokenizer_decode(t, ids, n, special, &out, &e), 0);
    assert_int_equal(out.size, whole.size);
    if (whole.size > 0)
        assert_memory_equal(out.data, whole.data, whole.size);
    bytes_free(&out);
    bytes_free(&whole);
}

/* Feed ids (ended by -1); `expected` is what comes after each and at the end,
 * each followed by "|". */
static void expect_stream(const struct tokenizer *t, bool special,
                          const int *ids, const char *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    struct stream *s = stream_new(t, special, &e);
    assert_non_null(s);
    for (size_t i = 0; ids[i] >= 0; i++) {
        assert_int_equal(stream_put(s, ids[i], &out, &e), 0);
        assert_int_equal(utf8_valid(out.data ? out.data : "", out.size),
                         out.size);
        bytes_add_string(&out, "|");
    }
    assert_int_equal(stream_end(s, &out, &e), 0);
    bytes_add(&out, "|", 2);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
    stream_free(s);
    expect_decoded(t, special, ids, expected);
}

static const char bytelevel[] =
    "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
    "\"trim_offsets\":false,\"use_regex\":false}";

/* The bytes F0 9F 98 80 of U+1F600 are spelled U+00F0 U+0141 U+013A U+0122. */
static void half_a_character_waits_for_the_rest(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> Hi\xC4\xA0 \xC3\xB0\xC5\x81 \xC4\xBA \xC4\xA2 !", bytelevel);
    expect_stream(t, true, (int[]){1, 2, 3, 4, 5, -1},
                  "Hi |||\xF0\x9F\x98\x80|!||");
    tokenizer_free(t);
}

static void half_a_character_that_ends_the_text_is_replaced(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> Hi\xC4\xA0 \xC3\xB0\xC5\x81 \xC4\xBA \xC4\xA2 !", bytelevel);
    expect_stream(t, true, (int[]){1, 2, -1}, "Hi ||\xEF\xBF\xBD|");
    expect_stream(t, true, (int[]){2, 1, -1}, "|\xEF\xBF\xBDHi ||");
    tokenizer_free(t);
}

static void special_tokens_can_be_left_out(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder("<s> Hi", bytelevel);
    expect_stream(t, true, (int[]){0, 1, 0, -1}, "<s>|Hi|<s>||");
    expect_stream(t, false, (int[]){0, 1, 0, -1}, "|Hi|||");
    tokenizer_free(t);
}

/* The whole run decides: one wrong byte spoils it all. */
static void a_run_of_byte_tokens_waits_for_its_end(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder("<s> a <0xC3> <0xA9> <0xFF>",
                                       "{\"type\":\"ByteFallback\"}");
    expect_stream(t, true, (int[]){1, 2, 3, 1, -1},
                  "a|||\xC3\xA9"
                  "a||");
    expect_stream(t, true, (int[]){2, 3, 4, -1},
                  "|||\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD|");
    tokenizer_free(t);
}

/* Two digits and what stands around them, and nothing else. */
static void what_looks_like_a_byte_token_is_text(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder("<s> <0x41> <0x4g> <0xg4> <1x41> "
                                       "<0y41> <0x41] <0x41>> <0x4> <0x4A>",
                                       "{\"type\":\"ByteFallback\"}");
    expect_stream(t, true, (int[]){1, 2, 3, 4, 5, 6, 7, 8, 9, -1},
                  "|A<0x4g>|<0xg4>|<1x41>|<0y41>|<0x41]|<0x41>>|<0x4>||J|");
    tokenizer_free(t);
}

/* Byte 0 is a byte. */
static void a_byte_token_is_one_byte(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    struct tokenizer *t =
        with_decoder("<s> <0x00> <0x01> b", "{\"type\":\"ByteFallback\"}");
    assert_int_equal(tokenizer_decode(t, (int[]){1, 2, 3}, 3, true, &out, &e),
                     0);
    assert_int_equal(tokenizer_bytes(t, 1, &out, &e), 0);
    assert_int_equal(tokenizer_bytes(t, 2, &out, &e), 0);
    assert_int_equal(out.size, 5);
    assert_memory_equal(out.data, "\0\1b\0\1", 5);
    bytes_free(&out);
    tokenizer_free(t);
}

#define CHAIN(steps) "{\"type\":\"Sequence\",\"decoders\":[" steps "]}"
#define FUSE         "{\"type\":\"Fuse\"}"
#define FALLBACK     "{\"type\":\"ByteFallback\"}"
#define SUFFIX       "{\"type\":\"BPEDecoder\",\"suffix\":\"/w\"}"
#define METASPACE    "{\"type\":\"Metaspace\",\"replacement\":\"_\"}"
#define STRIP(start, stop)                                                    \
    "{\"type\":\"Strip\",\"content\":\"_\",\"start\":" start                  \
    ",\"stop\":" stop "}"
#define REPLACE(kind, from, to)                                               \
    "{\"type\":\"Replace\",\"pattern\":{\"" kind "\":\"" from                 \
    "\"},\"content\":\"" to "\"}"

/* A step hands on no token that was not there. */
static void no_bytes_are_no_token(void **state)
{
    (void)state;
    struct tokenizer *t =
        with_decoder("<s> _a", CHAIN(FALLBACK "," METASPACE));
    expect_stream(t, true, (int[]){1, 1, -1}, "a| a||");
    tokenizer_free(t);
}

/* Strip cuts at the ends of the one token that all became, and hands it on
 * as one. */
static void what_was_fused_stays_one_token(void **state)
{
    (void)state;
    struct tokenizer *t =
        with_decoder("<s> _ _a b", CHAIN(FUSE "," STRIP("2", "0")));
    expect_stream(t, true, (int[]){1, 2, 2, -1}, "|a|_a||");
    tokenizer_free(t);
    t = with_decoder("<s> a b", CHAIN(FUSE "," STRIP("0", "1") "," REPLACE(
                                    "String", "ab", "X")));
    expect_stream(t, true, (int[]){1, 2, 2, -1}, "|||Xb|");
    tokenizer_free(t);
}

/* Behind a short token lies what a longer one left there. */
static void a_token_ends_where_it_ends(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> xxxx x", CHAIN(REPLACE("String", "x", "_") "," STRIP("2", "0")));
    expect_stream(t, true, (int[]){1, 2, 1, -1}, "__||__||");
    tokenizer_free(t);
    t = with_decoder("<s> er/w er/", SUFFIX);
    expect_stream(t, true, (int[]){1, 2, -1}, "|er |er/|");
    expect_stream(t, true, (int[]){-1}, "|");
    tokenizer_free(t);
}

#define LETTERS  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabxy"
#define HOPELESS REPLACE("Regex", "(?:a|aa)+[^a]y", "-")

/* A search that gives up, behind another step. */
static void the_error_of_a_step_is_that_of_the_text(void **state)
{
    (void)state;
    static const char *const chains[] = {CHAIN(HOPELESS),
                                         CHAIN(FALLBACK "," HOPELESS),
                                         CHAIN(SUFFIX "," HOPELESS)};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        struct error e = {ERROR_NONE, ""};
        struct bytes out = {0};
        struct tokenizer *t = with_decoder("<s> " LETTERS, chains[i]);
        struct stream *s = stream_new(t, true, &e);
        int result = stream_put(s, 1, &out, &e);
        if (i == 2) /* it waits for the next token */
            result = stream_put(s, 1, &out, &e);
        assert_int_equal(result, -1);
        assert_string_equal(e.message, "regular expression: byte 0 of the "
                                       "text: match limit exceeded");
        stream_free(s);
        bytes_free(&out);
        tokenizer_free(t);
    }
}

/* What could not be added is an error in the end. */
static void text_that_was_lost_is_an_error(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {.failed = true};
    struct tokenizer *t = with_decoder("<s> a", FALLBACK);
    struct stream *s = stream_new(t, true, &e);
    assert_int_equal(stream_put(s, 1, &out, &e), -1);
    assert_string_equal(e.message, "out of memory for the decoded text");
    assert_int_equal(stream_end(s, &out, &e), -1);
    assert_int_equal(tokenizer_bytes(t, 1, &out, &e), -1);
    assert_string_equal(e.message, "out of memory for a token's bytes");
    stream_free(s);
    tokenizer_free(t);
}

/* What a step has made of the last token, and what waits for the next one, is
 * freed with the steps: the sanitizers see what is not. */
static void a_text_may_end_in_the_middle(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    struct tokenizer *t = with_decoder(
        "<s> ab", CHAIN(REPLACE("String", "b", "_") "," STRIP("0", "1")));
    struct stream *s = stream_new(t, true, &e);
    assert_int_equal(stream_put(s, 1, &out, &e), 0);
    assert_int_equal(out.size, 1);
    assert_memory_equal(out.data, "a", 1);
    stream_free(s);
    stream_free(NULL);
    decoder_run_free(NULL);
    bytes_free(&out);
    tokenizer_free(t);
}

static void what_may_be_stripped_at_the_end_waits(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> __a b_ _ __",
        "{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Fuse\"},"
        "{\"type\":\"Strip\",\"content\":\"_\",\"start\":1,\"stop\":2}]}");
    expect_stream(t, true, (int[]){1, 2, 3, 1, 4, -1}, "_a|b||____a|||");
    tokenizer_free(t);
}

static void only_the_first_token_loses_its_mark(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> _a _", "{\"type\":\"Metaspace\",\"replacement\":\"_\","
                    "\"prepend_scheme\":\"always\",\"split\":true}");
    expect_stream(t, true, (int[]){1, 1, 2, -1}, "a| a| ||");
    expect_stream(t, true, (int[]){2, 1, -1}, "| a||");
    tokenizer_free(t);
}

static void the_last_word_has_no_space_behind_it(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder(
        "<s> low er/w", "{\"type\":\"BPEDecoder\",\"suffix\":\"/w\"}");
    expect_stream(t, true, (int[]){1, 2, 2, -1}, "|low|er |er|");
    tokenizer_free(t);
}

static void without_a_decoder_spaces_stand_between_tokens(void **state)
{
    (void)state;
    struct tokenizer *t = with_decoder("<s> a b", "null");
    expect_stream(t, true, (int[]){1, 2, 1, -1}, "a| b| a||");
    expect_stream(t, true, (int[]){-1}, "|");
    tokenizer_free(t);
    t = with_decoder("<s> a b", "{\"type\":\"Sequence\",\"decoders\":[]}");
    expect_stream(t, true, (int[]){1, 2, 1, -1}, "a|b|a||");
    tokenizer_free(t);
}

static void expect_bytes(const char *decoder, const char *expected)
{
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    struct tokenizer *t = with_decoder("<s> _a <0xC3>", decoder);
    assert_int_equal(tokenizer_bytes(t, 1, &out, &e), 0);
    assert_int_equal(tokenizer_bytes(t, 2, &out, &e), 0);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
    tokenizer_free(t);
}

/* In the middle of a text: no mark is lost, and a byte may be half a
 * character. */
static void a_token_alone_stands_for_bytes(void **state)
{
    (void)state;
    expect_bytes("{\"type\":\"Metaspace\",\"replacement\":\"_\","
                 "\"prepend_scheme\":\"always\",\"split\":true}",
                 " a<0xC3>");
    expect_bytes("{\"type\":\"ByteFallback\"}", "_a\xC3");
    expect_bytes("{\"type\":\"Sequence\",\"decoders\":["
                 "{\"type\":\"Replace\",\"pattern\":{\"String\":\"q\"},"
                 "\"content\":\"q\"},{\"type\":\"ByteFallback\"},"
                 "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"[^a]\"},"
                 "\"content\":\"-\"}]}",
                 "-a\xC3");
    expect_bytes("null", "_a<0xC3>");
}

static void an_id_that_is_no_token_is_an_error(void **state)
{
    (void)state;
    struct error e = {ERROR_NONE, ""};
    struct bytes out = {0};
    struct tokenizer *t = with_decoder("<s> a b", "null");
    assert_int_equal(tokenizer_decode(t, (int[]){1, 3}, 2, true, &out, &e),
                     -1);
    assert_string_equal(e.message, "3 is no token's id (the largest is 2)");
    struct stream *s = stream_new(t, true, &e);
    assert_int_equal(stream_put(s, 7, &out, &e), -1);
    assert_string_equal(e.message, "7 is no token's id (the largest is 2)");
    stream_free(s);
    assert_int_equal(tokenizer_bytes(t, -1, &out, &e), -1);
    assert_string_equal(e.message, "-1 is no token's id (the largest is 2)");
    bytes_free(&out);
    tokenizer_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_character_waits_for_the_rest),
        cmocka_unit_test(half_a_character_that_ends_the_text_is_replaced),
        cmocka_unit_test(special_tokens_can_be_left_out),
        cmocka_unit_test(a_run_of_byte_tokens_waits_for_its_end),
        cmocka_unit_test(what_looks_like_a_byte_token_is_text),
        cmocka_unit_test(a_byte_token_is_one_byte),
        cmocka_unit_test(no_bytes_are_no_token),
        cmocka_unit_test(what_was_fused_stays_one_token),
        cmocka_unit_test(a_token_ends_where_it_ends),
        cmocka_unit_test(the_error_of_a_step_is_that_of_the_text),
        cmocka_unit_test(text_that_was_lost_is_an_error),
        cmocka_unit_test(a_text_may_end_in_the_middle),
        cmocka_unit_test(what_may_be_stripped_at_the_end_waits),
        cmocka_unit_test(only_the_first_token_loses_its_mark),
        cmocka_unit_test(the_last_word_has_no_space_behind_it),
        cmocka_unit_test(without_a_decoder_spaces_stand_between_tokens),
        cmocka_unit_test(a_token_alone_stands_for_bytes),
        cmocka_unit_test(an_id_that_is_no_token_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

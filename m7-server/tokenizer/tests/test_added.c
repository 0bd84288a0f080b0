/* Where an added token is found in a text, and what it takes with it. */
#include "test_added.h"

/* A token is "[id text]", other text is "text|"; a "^" stands before each for
 * each byte that it has of the first character. */
static int collect(void *context, int id, struct piece piece, struct error *e)
{
    (void)e;
    struct bytes *out = context;
    char number[24];
    snprintf(number, sizeof number, "[%d ", id);
    assert_true(piece.size > 0);
    assert_true(piece.first_size <= piece.size);
    for (size_t i = 0; i < piece.first_size; i++)
        bytes_add_string(out, "^");
    if (id != -1)
        bytes_add_string(out, number);
    bytes_add(out, piece.text, piece.size);
    bytes_add_string(out, id == -1 ? "|" : "]");
    return 0;
}

static void expect_split(struct fixture *f, const struct trie *trie,
                         struct piece piece, const char *expected)
{
    struct bytes out = {0};
    assert_int_equal(added_split(&f->added, trie, piece, collect, &out, &f->e),
                     0);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, expected);
    bytes_free(&out);
}

/* Of the text only `size` bytes are asked for; more may stand on either side
 * of it, and must not count. */
static void expect_part(struct fixture *f, const char *text, size_t size,
                        const char *expected)
{
    struct piece piece = {text, size, 0};
    expect_split(f, &f->added.raw, piece, expected);
}

static void expect(struct fixture *f, const char *text, const char *expected)
{
    expect_part(f, text, strlen(text), expected);
}

static void the_longest_token_is_found(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<s>", ""}, {3, "<start>", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect(&f, "", "");
    expect(&f, "text", "text|");
    expect(&f, "x<start>y<s>", "x|[3 <start>]y|[2 <s>]");
    expect(&f, "<s><s>z", "[2 <s>][2 <s>]z|");
    expect(&f, "<<s>tart>", "<|[2 <s>]tart>|");
    expect_part(&f, "x<s>", 3, "x<s|");
    expect_part(&f, "<s>ab<s>", 7, "[2 <s>]ab<s|");
    finish(&f);
}

static void a_token_may_be_one_byte(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "|", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect(&f, "x|", "x|[2 |]");
    expect_split(&f, &f.added.normalized, (struct piece){"x|y", 3, 0}, "x|y|");
    finish(&f);
}

static void the_first_character_is_shared_out(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<s>", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect_split(&f, &f.added.raw, (struct piece){"x<s>yz", 6, 1},
                 "^x|[2 <s>]yz|");
    expect_split(&f, &f.added.raw, (struct piece){"x<s>yz", 6, 3},
                 "^x|^^[2 <s>]yz|");
    expect_split(&f, &f.added.raw, (struct piece){"x<s>yz", 6, 5},
                 "^x|^^^[2 <s>]^yz|");
    finish(&f);
}

/* U+00E9 is a letter, U+2192 an arrow. */
static void a_whole_word_has_no_word_beside_it(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "cat", "w"}, {3, "<c>", "w"}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect(&f, "cat", "[2 cat]");
    expect(&f, "cats concat", "cats concat|");
    expect(&f, "a cat, a cat", "a |[2 cat], a |[2 cat]");
    expect(&f, "\u00E9cat cat\u00E9", "\u00E9cat cat\u00E9|");
    expect(&f, "\u2192cat\u2192", "\u2192|[2 cat]\u2192|");
    expect(&f, "x<c> <c>y <c>", "x<c> <c>y |[3 <c>]");
    expect_part(&f, &"concats"[3], 3, "[2 cat]");
    expect_part(&f, &"...... concat"[6], 7, " concat|");
    finish(&f);
}

/* U+3000 is a space of three bytes. */
static void spaces_beside_it_may_belong_to_it(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {
        {2, "<l>", "l"}, {3, "<r>", "r"}, {4, "<b>", "lr"}, {5, "<e> ", ""}};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect(&f, "x \u3000<l> y", "x|[2  \u3000<l>] y|");
    expect(&f, "x <r>\u3000 y", "x |[3 <r>\u3000 ]y|");
    expect(&f, "x <b> y", "x|[4  <b> ]y|");
    expect(&f, " <b> ", "[4  <b> ]");
    expect(&f, "x\u2001<l>", "x|[2 \u2001<l>]");
    expect(&f, "<r> <l>", "[3 <r> ][2 <l>]");
    expect(&f, "<e>  <l>", "[5 <e> ][2  <l>]");
    expect_part(&f, &" <l>"[1], 3, "[2 <l>]");
    expect_part(&f, "<r> ", 3, "[3 <r>]");
    finish(&f);
}

static void some_are_looked_for_in_the_normalized_text(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<A>", "n"}, {3, "<B>", ""}};
    struct piece piece = {"<a><B><A><b>", 12, 0};
    begin(&f, "Lowercase");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect_split(&f, &f.added.raw, piece, "<a>|[3 <B>]<A><b>|");
    expect_split(&f, &f.added.normalized, piece, "[2 <a>]<B><A><b>|");
    finish(&f);
}

/* A token goes through all steps, as its text does. */
static void a_normalizer_may_have_steps(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<E\u0301>", "n"}};
    struct piece piece = {"x<\u00e9>", 5, 0};
    begin(&f, "Sequence");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    expect_split(&f, &f.added.normalized, piece, "x|[2 <\u00e9>]");
    finish(&f);
}

static int refuse(void *context, int id, struct piece piece, struct error *e)
{
    (void)id;
    (void)piece;
    return --*(int *)context > 0 ? 0 : fail(e, ERROR_INPUT, "enough");
}

/* Before a token, at it, behind it, at another, and at the end. */
static void the_sink_can_stop_it(void **state)
{
    (void)state;
    struct fixture f;
    const struct line lines[] = {{2, "<s>", ""}};
    struct piece piece = {"x<s>y<s>z", 9, 0};
    begin(&f, "NFC");
    assert_string_equal(read_lines(&f, lines, COUNT(lines)), "");
    for (int calls = 1; calls <= 5; calls++) {
        int left = calls;
        assert_int_equal(
            added_split(&f.added, &f.added.raw, piece, refuse, &left, &f.e),
            -1);
        assert_int_equal(left, 0);
        assert_string_equal(f.e.message, "enough");
    }
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_token_is_found),
        cmocka_unit_test(a_token_may_be_one_byte),
        cmocka_unit_test(the_first_character_is_shared_out),
        cmocka_unit_test(a_whole_word_has_no_word_beside_it),
        cmocka_unit_test(spaces_beside_it_may_belong_to_it),
        cmocka_unit_test(some_are_looked_for_in_the_normalized_text),
        cmocka_unit_test(a_normalizer_may_have_steps),
        cmocka_unit_test(the_sink_can_stop_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

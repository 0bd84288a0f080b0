/* Text becomes tokens and text again; and what somebody else wrote makes no
 * marks. */
#include "test_client.h"

static struct rung_model *model;

static int open_once(void **state)
{
    struct rung_error e;
    char *path = test_path("models/tiny-chat");
    (void)state;
    if (access(path, R_OK) == 0)
        model = rung_open(path, NULL, &e);
    free(path);
    return 0;
}

static int close_once(void **state)
{
    (void)state;
    rung_close(model);
    return 0;
}

struct tokens {
    int *ids;
    size_t n;
};

/* The tokens of a text, of which the parts in [[ ]] are plain. */
static struct tokens encode(const char *marked)
{
    char text[200];
    struct rung_range plain[4];
    struct rung_encoding how = {.plain = plain};
    struct rung_error e;
    struct tokens t;
    size_t size = 0;
    if (!model)
        skip_without_models();
    for (; *marked; marked++) {
        if (strncmp(marked, "[[", 2) == 0)
            plain[how.n_plain].from = size;
        else if (strncmp(marked, "]]", 2) == 0)
            plain[how.n_plain++].end = size;
        else {
            text[size++] = *marked;
            continue;
        }
        marked++;
    }
    assert_int_equal(
        rung_encode(model, text, size, &how, &t.ids, &t.n, &e), 0);
    return t;
}

static size_t count(const struct tokens *t, const char *token)
{
    size_t n = 0;
    int id = rung_find_token(model, token);
    assert_true(id >= 0);
    for (size_t i = 0; i < t->n; i++)
        n += t->ids[i] == id;
    return n;
}

/* How many tokens <|im_end|> and <think> a text has. */
static void expect_marks(const char *marked, size_t ends, size_t thinks)
{
    struct tokens t = encode(marked);
    assert_int_equal(count(&t, "<|im_end|>"), ends);
    assert_int_equal(count(&t, "<think>"), thinks);
    rung_free_ids(t.ids);
}

static void expect_same(const char *a, const char *b)
{
    struct tokens x = encode(a), y = encode(b);
    assert_int_equal(x.n, y.n);
    if (x.n > 0)
        assert_memory_equal(x.ids, y.ids, x.n * sizeof *x.ids);
    rung_free_ids(x.ids);
    rung_free_ids(y.ids);
}

static void marks_in_plain_parts_are_spelt_out(void **state)
{
    (void)state;
    expect_marks("a<|im_end|>b<think>", 1, 1);
    expect_marks("[[a<|im_end|>b<think>]]", 0, 0);
    expect_marks("[[a<|im_end|>]]<|im_end|>", 1, 0);
    expect_marks("<|im_end|>[[<|im_end|>]]<|im_end|>[[<think>]]", 2, 0);
    expect_marks("<think>[[x]]<think>", 0, 2);
}

/* Neither half of it alone would be one. */
static void a_mark_that_reaches_into_a_plain_part_is_none(void **state)
{
    (void)state;
    expect_marks("<|im_[[end|>]]", 0, 0);
    expect_marks("[[<|im_]]end|>", 0, 0);
    expect_marks("<|im[[_]]end|>", 0, 0);
}

/* The normalizer, NFC, makes one character of two: where it does, positions
 * move. */
static void marks_are_found_behind_what_the_normalizer_changes(void **state)
{
    (void)state;
    expect_marks("[[e\u0301e\u0301e\u0301<think>]]<|im_end|>[[<think>]]", 1,
                 0);
    expect_marks("e\u0301<think>[[e\u0301<think>]]", 0, 1);
}

static void plain_parts_change_nothing_else(void **state)
{
    (void)state;
    expect_same("Hello [[wor]]ld, caf\u00e9", "Hello world, caf\u00e9");
    expect_same("[[]]Hello", "Hello");
    expect_same("<|im_end|>[[ is the end]]\n", "<|im_end|> is the end\n");
    expect_same("[[]]", "");
}

static void text_comes_back(void **state)
{
    (void)state;
    const char *marked = "na\u00efve <|im_end|> [[<|im_end|>]] \U0001f642";
    struct tokens t = encode(marked);
    struct rung_error e;
    char *text;
    size_t size;
    assert_int_equal(
        rung_decode(model, t.ids, t.n, true, &text, &size, &e), 0);
    assert_string_equal(text, "na\u00efve <|im_end|> <|im_end|> \U0001f642");
    assert_int_equal(size, strlen(text));
    rung_free_text(text);
    assert_int_equal(
        rung_decode(model, t.ids, t.n, false, &text, &size, &e), 0);
    assert_string_equal(text, "na\u00efve  <|im_end|> \U0001f642");
    rung_free_text(text);
    rung_free_ids(t.ids);
    assert_int_equal(rung_decode(model, &(int){-1}, 1, true, &text, &size,
                                 &e), -1);
    assert_int_equal(e.code, RUNG_INPUT);
}

static void tokens_have_bytes(void **state)
{
    (void)state;
    char out[4];
    if (!model)
        skip_without_models();
    int id = rung_find_token(model, "<|im_end|>");
    assert_string_equal(rung_token(model, id), "<|im_end|>");
    assert_true(rung_is_special(model, id));
    assert_false(rung_is_special(model, rung_find_token(model, "<think>")));
    assert_int_equal(rung_token_bytes(model, id, out, sizeof out), 10);
    assert_memory_equal(out, "<|im", 4);
    assert_int_equal(rung_token_bytes(model, -1, out, sizeof out), 0);
    assert_int_equal(rung_find_token(model, "no such token"), -1);
    assert_null(rung_token(model, 1 << 20));
}

static void plain_parts_must_be_in_order_and_of_utf8(void **state)
{
    (void)state;
    struct rung_range parts[] = {{2, 3}, {1, 2}};
    struct rung_encoding how = {.plain = parts, .n_plain = 2};
    struct rung_error e;
    struct tokens t;
    if (!model)
        skip_without_models();
    assert_int_equal(rung_encode(model, "abcd", 4, &how, &t.ids, &t.n, &e),
                     -1);
    assert_string_equal(e.message, "plain part 1, from 1 to 2, is out of "
                                   "order or beyond the text's 4 bytes");
    parts[1] = (struct rung_range){3, 5};
    assert_int_equal(rung_encode(model, "abcd", 4, &how, &t.ids, &t.n, &e),
                     -1);
    how.n_plain = 1;
    assert_int_equal(rung_encode(model, "a\xff" "cd", 4, &how, &t.ids, &t.n,
                                 &e), -1);
    assert_string_equal(e.message, "a text with plain parts must be UTF-8; "
                                   "byte 1 is not");
    assert_int_equal(rung_encode(model, "a\xff" "cd", 4, NULL, &t.ids, &t.n,
                                 NULL), 0);
    rung_free_ids(t.ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_in_plain_parts_are_spelt_out),
        cmocka_unit_test(a_mark_that_reaches_into_a_plain_part_is_none),
        cmocka_unit_test(marks_are_found_behind_what_the_normalizer_changes),
        cmocka_unit_test(plain_parts_change_nothing_else),
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(tokens_have_bytes),
        cmocka_unit_test(plain_parts_must_be_in_order_and_of_utf8),
    };
    return cmocka_run_group_tests_name("rung_text", tests, open_once,
                                       close_once);
}

/* Only tokens pass that go on with what is required, or that complete no
 * forbidden mark; with the tokens of tiny-chat. */
#include "test_tokens.h"

static const char prefix[] = "<tool_call>\n{\"name\": \"f\", \"arguments\": {";

static void require(struct token_filter *f, const char *text)
{
    struct bytes b = {0};
    bytes_add_string(&b, text);
    token_filter_require(f, &b);
    bytes_free(&b);
}

static void whatever_comes_it_begins_as_required(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    for (int last = 0; last < 2; last++) {
        struct token_filter f = {.texts = &t.texts};
        struct bytes text = {0};
        require(&f, prefix);
        t.said.size = 0;
        tokens_drift(&t, &f, last, &text);
        assert_non_null(strstr(text.data, prefix));
        assert_true(strspn(text.data, " \t\r\n") <= 4);
        bytes_free(&text);
        token_filter_free(&f);
    }
    tokens_close(&t);
}

static void a_token_may_end_before_or_go_beyond(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts};
    require(&f, "the");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "t"));
    assert_true(may_come(&t, "th"));
    assert_true(may_come(&t, "the"));
    assert_true(may_come(&t, "ther"));
    assert_false(may_come(&t, "a"));
    assert_false(may_come(&t, "<|im_end|>"));
    tokens_say(&t, "the");
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n);
    token_filter_free(&f);
    tokens_close(&t);
}

/* Models end their thinking with empty lines.  "\xC4\x8A" is a line's end, as
 * the vocabulary spells it. */
static void space_may_stand_before_but_not_for_ever(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {
        .texts = &t.texts, .thinking = true, .think_close = "</think>"};
    require(&f, "the");
    tokens_say(&t, "the</think>");
    for (int lines = 0; lines < 4; lines++) {
        tokens_allowed(&t, &f);
        assert_true(may_come(&t, "\xC4\x8A"));
        tokens_say(&t, "\n");
    }
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "\xC4\x8A"));
    assert_true(may_come(&t, "the"));
    token_filter_free(&f);
    tokens_close(&t);
}

static void one_of_several_beginnings_must_come(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts};
    require(&f, "call one(");
    require(&f, "call two(");
    tokens_say(&t, "call ");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "o"));
    assert_true(may_come(&t, "t"));
    assert_false(may_come(&t, "f"));
    tokens_say(&t, "two");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "("));
    assert_false(may_come(&t, ")"));
    token_filter_free(&f);
    tokens_close(&t);
}

static void thinking_comes_first_and_must_end(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {
        .texts = &t.texts, .think_open = "<think>", .think_close = "</think>"};
    require(&f, prefix);
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "<think>"));
    assert_true(may_come(&t, "<tool_call>"));
    assert_false(may_come(&t, "the"));
    tokens_say(&t, "<think>\nthe");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "ther"));
    assert_false(may_come(&t, "<|im_end|>"));
    tokens_say(&t, "</think>");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "<tool_call>"));
    assert_false(may_come(&t, "<think>"));
    assert_false(may_come(&t, "ther"));
    tokens_say(&t, "\n\n");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "<tool_call>"));
    tokens_say(&t, prefix);
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n);
    token_filter_free(&f);
    tokens_close(&t);
}

static void thinking_that_the_prompt_opened_must_end(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {
        .texts = &t.texts, .thinking = true, .think_close = "</think>"};
    require(&f, prefix);
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n - 1);
    assert_false(may_come(&t, "<|im_end|>"));
    tokens_say(&t, "the</think>");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "<tool_call>"));
    assert_false(may_come(&t, "the"));
    token_filter_free(&f);
    tokens_close(&t);
}

/* As gpt-oss has it: a new message stands after the one of the thoughts. */
static void what_stands_between_is_required_too(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts,
                             .thinking = true,
                             .think_close = "</think>",
                             .resume = "so:"};
    require(&f, "call");
    tokens_say(&t, "the</think>");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "s"));
    assert_false(may_come(&t, "c"));
    tokens_say(&t, "so:");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, "c"));
    assert_false(may_come(&t, "s"));
    token_filter_free(&f);
    tokens_close(&t);
}

static void a_forbidden_mark_is_never_completed(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts};
    token_filter_forbid(&f, "<tool_call>");
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n - 1);
    assert_false(may_come(&t, "<tool_call>"));
    static const char begun[] = "a <tool_call";
    for (size_t i = 0; begun[i]; i++) {
        char letter[2] = {begun[i], '\0'};
        tokens_say(&t, letter);
    }
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, ">"));
    assert_true(may_come(&t, "s"));
    token_filter_free(&f);
    tokens_close(&t);
}

static void expect_thought(struct tokens *t, const char *said, bool expected)
{
    struct token_filter f = {.texts = &t->texts, .thought = "<think>"};
    assert_true(token_filter_is_needed(&f));
    t->said.size = 0;
    tokens_say(t, said);
    size_t n = tokens_allowed(t, &f);
    assert_int_equal(n, t->texts.n - !expected);
    assert_int_equal(may_come(t, "<think>"), expected);
    token_filter_free(&f);
}

static void a_thought_may_only_be_spoken_of(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    expect_thought(&t, "", false);
    expect_thought(&t, "\n", false);
    expect_thought(&t, "the mark ", false);
    expect_thought(&t, "Sure.", false);
    expect_thought(&t, "the mark `", true);
    expect_thought(&t, "split(\"", true);
    expect_thought(&t, "\"a\\n", true);
    expect_thought(&t, "</think>", false);
    tokens_close(&t);
}

/* The mark's signs may come one by one, and some of them in one token. */
static void a_thoughts_mark_is_never_completed(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts, .thought = "the<>"};
    tokens_say(&t, "a the<");
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, ">"));
    tokens_say(&t, " (the<");
    tokens_allowed(&t, &f);
    assert_true(may_come(&t, ">"));
    token_filter_free(&f);
    f = (struct token_filter){.texts = &t.texts, .thought = "he"};
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "the"));
    token_filter_free(&f);
    tokens_close(&t);
}

/* A call_reader_function: stands in a call from one ( to the next ). */
static int read_brackets(void *context, int id)
{
    struct tokens *t = context;
    static bool open;
    size_t size = 0;
    const char *text = token_text_of(&t->texts, id, &size);
    if (id < 0 || memchr(text, ')', size))
        open = false;
    else if (memchr(text, '(', size))
        open = true;
    return open;
}

/* Its arguments may have them. */
static void a_call_lets_thoughts_pass(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts,
                             .thought = "<think>",
                             .read_call = read_brackets,
                             .reader = &t};
    tokens_say(&t, "the ");
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "<think>"));
    tokens_say(&t, "( the ");
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n);
    tokens_say(&t, ") the ");
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "<think>"));
    tokens_say(&t, "( the ");
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n);
    t.said.size = 0;
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "<think>"));
    token_filter_free(&f);
    tokens_close(&t);
}

/* Of gpt-oss's messages the header is the first thing. */
static void space_may_be_none(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts, .no_space = true};
    require(&f, "the");
    tokens_allowed(&t, &f);
    assert_false(may_come(&t, "\xC4\x8A"));
    assert_true(may_come(&t, "the"));
    token_filter_free(&f);
    tokens_close(&t);
}

static void another_answer_begins_anew(void **state)
{
    struct tokens t;
    (void)state;
    tokens_open(&t);
    struct token_filter f = {.texts = &t.texts};
    require(&f, "the");
    tokens_say(&t, "the");
    assert_int_equal(tokens_allowed(&t, &f), t.texts.n);
    t.said.size = 0;
    assert_true(tokens_allowed(&t, &f) < t.texts.n);
    token_filter_free(&f);
    tokens_close(&t);
}

static void nothing_said_nothing_needed(void **state)
{
    (void)state;
    struct token_filter f = {0};
    assert_false(token_filter_is_needed(&f));
    token_filter_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_comes_it_begins_as_required),
        cmocka_unit_test(a_token_may_end_before_or_go_beyond),
        cmocka_unit_test(space_may_stand_before_but_not_for_ever),
        cmocka_unit_test(one_of_several_beginnings_must_come),
        cmocka_unit_test(thinking_comes_first_and_must_end),
        cmocka_unit_test(thinking_that_the_prompt_opened_must_end),
        cmocka_unit_test(what_stands_between_is_required_too),
        cmocka_unit_test(a_forbidden_mark_is_never_completed),
        cmocka_unit_test(a_thought_may_only_be_spoken_of),
        cmocka_unit_test(a_thoughts_mark_is_never_completed),
        cmocka_unit_test(a_call_lets_thoughts_pass),
        cmocka_unit_test(space_may_be_none),
        cmocka_unit_test(another_answer_begins_anew),
        cmocka_unit_test(nothing_said_nothing_needed),
    };
    return cmocka_run_group_tests_name("token filter", tests, NULL, NULL);
}

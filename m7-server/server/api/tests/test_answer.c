/* What all answers share. */
#include "answer.h"

#include "test_api.h"

static void an_answer_says_who_answers(void **state)
{
    (void)state;
    const struct answer_head head = {"id-1", "tiny", 17, "fp", false};
    assert_body(answer_start(&head, "thing"),
                "{'id':'id-1','object':'thing','created':17,'model':'tiny',"
                "'system_fingerprint':'fp'}");
}

static void the_end_has_a_word(void **state)
{
    (void)state;
    assert_body(finish_word(FINISH_NONE), "null");
    assert_body(finish_word(FINISH_STOP), "'stop'");
    assert_body(finish_word(FINISH_LENGTH), "'length'");
    assert_body(finish_word(FINISH_TOOL_CALLS), "'tool_calls'");
}

static void tokens_add_up(void **state)
{
    (void)state;
    const struct token_usage usage = {11, 4, 7, 3};
    assert_body(usage_json(&usage),
                "{'prompt_tokens':11,'completion_tokens':7,'total_tokens':18,"
                "'prompt_tokens_details':{'cached_tokens':4},"
                "'completion_tokens_details':{'reasoning_tokens':3}}");
}

static void expect_text(const char *text, size_t size, const char *expected)
{
    json_t *value = text_json(text, size);
    assert_non_null(value);
    assert_string_equal(json_string_value(value), expected);
    json_decref(value);
}

static void broken_characters_are_replaced(void **state)
{
    (void)state;
    expect_text(NULL, 0, "");
    expect_text("na\xc3\xafve", 6, "na\xc3\xafve");
    expect_text("a\xe2\x82", 3, "a\xef\xbf\xbd");
    expect_text("\xff"
                "b",
                2,
                "\xef\xbf\xbd"
                "b");
}

static void a_body_is_written_on_one_line(void **state)
{
    (void)state;
    struct bytes out = {0};
    struct error e;
    assert_ok(answer_write(json_pack("{s:s}", "a", "b\nc"), &out, &e), &e);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, "{\"a\":\"b\\nc\"}");
    bytes_free(&out);
}

static void an_event_ends_with_an_empty_line(void **state)
{
    (void)state;
    struct bytes out = {0};
    struct error e;
    assert_ok(answer_event(json_pack("{s:i}", "a", 1), &out, &e), &e);
    answer_done(&out);
    bytes_add(&out, "", 1);
    assert_string_equal(out.data, "data: {\"a\":1}\n\ndata: [DONE]\n\n");
    bytes_free(&out);
}

/* 0.1f is not 0.1, and 1/3f not 0.333: each comes back to its bits. */
static void every_float_is_told_exactly(void **state)
{
    (void)state;
    static const float floats[] = {0.1f, 1 / 3.0f, 1e-38f, 0.104274996f};
    for (size_t i = 0; i < 4; i++) {
        struct bytes out = {0};
        struct error e;
        json_t *body = json_pack("[f]", (double)floats[i]);
        assert_ok(answer_write(body, &out, &e), &e);
        bytes_add(&out, "", 1);
        assert_true(strtof(out.data + 1, NULL) == floats[i]);
        assert_true(out.size < 24);
        bytes_free(&out);
    }
}

static void what_memory_failed_for_is_an_error(void **state)
{
    (void)state;
    struct bytes out = {0}, full = {.failed = true};
    struct error e;
    assert_int_equal(answer_write(NULL, &out, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_int_equal(answer_event(NULL, &out, &e), -1);
    assert_int_equal(answer_write(json_object(), &full, &e), -1);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_says_who_answers),
        cmocka_unit_test(the_end_has_a_word),
        cmocka_unit_test(tokens_add_up),
        cmocka_unit_test(broken_characters_are_replaced),
        cmocka_unit_test(a_body_is_written_on_one_line),
        cmocka_unit_test(an_event_ends_with_an_empty_line),
        cmocka_unit_test(every_float_is_told_exactly),
        cmocka_unit_test(what_memory_failed_for_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a client is told has OpenAI's form, and names what is wrong. */
#include "unicode.h"

#include "test_api.h"

static void expect(const struct api_error *a, int status, const char *body)
{
    assert_int_equal(a->status, status);
    struct bytes out = {0};
    struct http_error error = api_http_error(a);
    http_error_body(&out, a->status, &error);
    assert_false(out.failed);
    assert_body(json_loadb(out.data, out.size, 0, NULL), body);
    bytes_free(&out);
}

static void a_refusal_without_a_place_has_no_param(void **state)
{
    (void)state;
    struct api_error a;
    assert_int_equal(api_refuse(&a, "invalid_json", "not %s", "JSON"), -1);
    expect(&a, 400,
           "{'error':{'message':'not JSON','type':'invalid_request_error',"
           "'param':null,'code':'invalid_json'}}");
}

static void a_place_is_named_as_it_is_reached(void **state)
{
    (void)state;
    struct api_error a;
    json_t *body = json_pack("{s:[{s:[]}]}", "messages", "content");
    struct node root = node_root("request", body);
    struct node messages = node_member(&root, "messages");
    struct node first = node_element(&messages, 0);
    struct node content = node_member(&first, "content");
    struct node part = node_element(&content, 7);
    api_refuse_at(&a, &part, "invalid_value", "is odd");
    expect(&a, 400,
           "{'error':{'message':'request: messages[0].content[7]: is odd',"
           "'type':'invalid_request_error','param':'messages[0].content[7]',"
           "'code':'invalid_value'}}");
    json_decref(body);
}

/* 300 letters of two bytes each: the name is cut, and still UTF-8. */
static void a_long_name_is_cut_after_a_character(void **state)
{
    (void)state;
    char name[601] = "";
    for (int i = 0; i < 300; i++)
        strcat(name, "é");
    struct api_error a;
    json_t *body = json_object();
    struct node root = node_root("request", body);
    struct node member = node_member(&root, name);
    api_refuse_at(&a, &member, "invalid_value", "is odd");
    assert_int_equal(strlen(a.param), PARAM_SIZE - 2);
    assert_int_equal(utf8_valid(a.param, strlen(a.param)), strlen(a.param));
    json_decref(body);
}

static void a_long_message_is_cut_after_a_character(void **state)
{
    (void)state;
    struct api_error a;
    char words[2048] = "";
    for (size_t shift = 0; shift < 2; shift++) {
        words[0] = 0;
        for (int i = 0; i < 600; i++)
            strcat(words, "é");
        api_refuse(&a, NULL, "%s%s", shift ? "-" : "", words);
        size_t size = strlen(a.why.message);
        assert_true(size > 500);
        assert_int_equal(utf8_valid(a.why.message, size), size);
        assert_string_equal(a.why.message + size - 3, "...");
    }
}

static void a_long_text_has_both_numbers(void **state)
{
    (void)state;
    struct api_error a;
    api_refuse_length(&a, "messages", 500, 24, 512);
    assert_string_equal(a.code, "context_length_exceeded");
    assert_string_equal(a.param, "messages");
    assert_int_equal(a.status, 400);
    assert_non_null(strstr(a.why.message, "maximum context length is 512"));
    assert_non_null(strstr(a.why.message, "needs 524"));
    api_refuse_prompt(&a, "prompt", 1025, 512);
    assert_string_equal(a.code, "context_length_exceeded");
    assert_string_equal(a.param, "prompt");
    assert_non_null(strstr(a.why.message, "maximum context length is 512"));
    assert_non_null(strstr(a.why.message, "at least 1025"));
}

static void an_unknown_model_is_not_found(void **state)
{
    (void)state;
    struct api_error a;
    api_refuse_model(&a, "gpt\n5");
    expect(&a, 404,
           "{'error':{'message':'no model is called \\'gpt 5\\' here (see: "
           "GET /v1/models)','type':'invalid_request_error','param':'model',"
           "'code':'model_not_found'}}");
}

static void a_long_word_is_cut_after_a_whole_character(void **state)
{
    (void)state;
    struct api_error a;
    char name[3 * MOST_SHOWN + 1] = "";
    for (size_t i = 0; i < MOST_SHOWN; i++)
        strcat(name, "\xE4\xB8\xAD");
    api_refuse_model(&a, name);
    size_t size = strlen(a.why.message);
    assert_int_equal(utf8_valid(a.why.message, size), size);
    assert_int_equal(api_shown(name), MOST_SHOWN / 3 * 3);
    assert_int_equal(api_shown("gpt"), 3);
    assert_int_equal(api_shown(""), 0);
}

static void expect_status(int status, const char *type, const char *code)
{
    struct api_error a;
    assert_int_equal(api_fail(&a, status, "no"), -1);
    assert_int_equal(a.status, status);
    assert_string_equal(a.type, type);
    assert_string_equal(a.code, code);
    assert_string_equal(a.param, "");
}

static void a_status_has_its_words(void **state)
{
    (void)state;
    expect_status(401, "invalid_request_error", "invalid_api_key");
    expect_status(404, "invalid_request_error", "unknown_url");
    expect_status(413, "invalid_request_error", "request_too_large");
    expect_status(429, "rate_limit_error", "rate_limit_exceeded");
    expect_status(500, "server_error", "server_error");
    expect_status(503, "server_error", "server_stopping");
    expect_status(504, "server_error", "timeout");
    expect_status(507, "server_error", "server_error");
}

/* A template that refuses a chat is told to the client in its words; where
 * the machine failed, its words stay here. */
static void only_the_clients_errors_are_told(void **state)
{
    (void)state;
    struct error e;
    struct api_error a;
    fail(&e, ERROR_INPUT, "roles must alternate");
    api_fail_error(&a, "messages", &e);
    assert_int_equal(a.status, 400);
    assert_string_equal(a.param, "messages");
    assert_string_equal(a.why.message, "roles must alternate");
    fail(&e, ERROR_SYSTEM, "/home/me/model: gone");
    api_fail_error(&a, "messages", &e);
    assert_int_equal(a.status, 500);
    assert_null(strstr(a.why.message, "/home"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_without_a_place_has_no_param),
        cmocka_unit_test(a_place_is_named_as_it_is_reached),
        cmocka_unit_test(a_long_name_is_cut_after_a_character),
        cmocka_unit_test(a_long_message_is_cut_after_a_character),
        cmocka_unit_test(a_long_text_has_both_numbers),
        cmocka_unit_test(an_unknown_model_is_not_found),
        cmocka_unit_test(a_long_word_is_cut_after_a_whole_character),
        cmocka_unit_test(a_status_has_its_words),
        cmocka_unit_test(only_the_clients_errors_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Bad requests are told what is wrong with them, and where. */
#include "test_bad_requests.h"

#include "messages.h"
#include "test_api.h"

enum bad_sizes {
    LONG_NAME = 65 /* one more than a name may have */
};

static const size_t n_all = sizeof all / sizeof all[0];

/* A request of any kind. */
static int read_any(char endpoint, const char *body, size_t size,
                    struct api_error *a)
{
    struct chat_request chat;
    struct completion_request completion;
    struct embedding_request embedding;
    struct tokenize_request tokenize;
    struct detokenize_request detokenize;
    switch (endpoint) {
    case 'c':
        return chat_request_read(&chat, body, size, a);
    case 'p':
        return completion_request_read(&completion, body, size, a);
    case 'e':
        return embedding_request_read(&embedding, body, size, a);
    case 't':
        return tokenize_request_read(&tokenize, body, size, a);
    default:
        return detokenize_request_read(&detokenize, body, size, a);
    }
}

static void expect_refusal(char endpoint, const char *text, const char *param,
                           const char *code)
{
    struct api_error a = {0};
    char *body = body_of(text);
    int result = read_any(endpoint, body, strlen(body), &a);
    if (result == 0 || strcmp(a.param, param) != 0 || !a.code ||
        strcmp(a.code, code) != 0)
        print_error("%s\nis told: %s %s: %s\n", body, a.param,
                    a.code ? a.code : "nothing", a.why.message);
    assert_int_equal(result, -1);
    assert_int_equal(a.status, 400);
    assert_string_equal(a.param, param);
    assert_string_equal(a.code, code);
    assert_string_equal(a.type, "invalid_request_error");
    assert_true(a.why.message[0]);
    if (*param) /* the message names the place, too */
        assert_non_null(strstr(a.why.message, param));
    free(body);
}

static void each_is_told_what_is_wrong_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_all; i++)
        expect_refusal(all[i].endpoint, all[i].body, all[i].param,
                       all[i].code);
}

static void a_name_may_have_64_letters(void **state)
{
    (void)state;
    char body[256], name[LONG_NAME + 1] = "";
    memset(name, 'a', LONG_NAME);
    snprintf(body, sizeof body, TOOLS(TOOL("'name':'%s'")), name);
    expect_refusal('c', body, "tools[0].function.name", "invalid_value");
    snprintf(body, sizeof body, TOOLS(TOOL("'name':'%s'")), name + 1);
    struct chat_request q;
    read_chat(&q, body);
    chat_request_free(&q);
}

/* Lists in lists: 62 of them, in an object, in the body. */
static void a_body_may_be_64_levels_deep(void **state)
{
    (void)state;
    char body[512], place[512] = "metadata.a";
    struct chat_request q;
    for (int levels = 62; levels <= 63; levels++) {
        size_t size =
            (size_t)snprintf(body, sizeof body, "{" CHAT ",'metadata':{'a':");
        for (int i = 0; i < levels; i++)
            body[size + (size_t)i] = '[';
        for (int i = 0; i < levels; i++)
            body[size + (size_t)(levels + i)] = ']';
        strcpy(body + size + 2 * (size_t)levels, "}}");
        if (levels == 62) {
            read_chat(&q, body);
            chat_request_free(&q);
        }
    }
    for (int i = 0; i < 62; i++)
        strcat(place, "[0]");
    expect_refusal('c', body, place, "invalid_value");
}

/* The reader of JSON has a bound of its own, before the place is known. */
static void a_body_of_a_million_brackets_is_refused(void **state)
{
    (void)state;
    size_t size = 1000000;
    char *body = malloc(size);
    struct api_error a;
    assert_non_null(body);
    memset(body, '[', size);
    assert_int_equal(read_any('c', body, size, &a), -1);
    assert_string_equal(a.code, "invalid_json");
    free(body);
}

static char *repeated(const char *head, const char *item, size_t n,
                      const char *tail);

static void a_stop_string_has_an_end(void **state)
{
    (void)state;
    struct chat_request q;
    char *fits = repeated("{" CHAT ",'stop':'a", "a", 512, "'}");
    char *one = repeated("{" CHAT ",'stop':'aa", "a", 512, "'}");
    char *list = repeated("{" CHAT ",'stop':['b','aa", "a", 512, "']}");
    read_chat(&q, fits);
    assert_int_equal(strlen(q.generation.stops[0]), RUNG_STOP_BYTES);
    chat_request_free(&q);
    expect_refusal('c', one, "stop", "string_above_max_length");
    expect_refusal('c', list, "stop[1]", "string_above_max_length");
    struct api_error a;
    char *body = body_of(one);
    assert_int_equal(read_any('c', body, strlen(body), &a), -1);
    assert_string_equal(a.why.message, "request: stop: expected up to 1024 "
                                       "bytes, found 1025");
    free(fits);
    free(one);
    free(list);
    free(body);
}

/* Of values in lists and objects, too. */
static void arguments_of_a_template_have_an_end(void **state)
{
    (void)state;
    struct chat_request q;
    const char *head = "{" CHAT ",'chat_template_kwargs':{'a':{'b':[";
    char *fits = repeated(head, "1", MOST_ARGUMENTS - 3, "]}}}");
    char *many = repeated(head, "1", MOST_ARGUMENTS - 2, "]}}}");
    read_chat(&q, fits);
    chat_request_free(&q);
    expect_refusal('c', many, "chat_template_kwargs", "invalid_value");
    free(fits);
    free(many);
}

/* A list, a tool of four values, and its schema, an object with a list. */
static void tools_have_an_end(void **state)
{
    (void)state;
    struct chat_request q;
    struct api_error a;
    const char *head = "{" CHAT ",'tools':[{'type':'function','function':"
                       "{'name':'f','parameters':{'enum':[";
    char *fits = repeated(head, "{}", MOST_TOOL_VALUES - 7, "]}}}]}");
    char *many = repeated(head, "{}", MOST_TOOL_VALUES - 6, "]}}}]}");
    read_chat(&q, fits);
    chat_request_free(&q);
    expect_refusal('c', many, "tools", "invalid_value");
    char *body = body_of(many);
    assert_int_equal(read_any('c', body, strlen(body), &a), -1);
    assert_string_equal(a.why.message, "request: tools: expected up to 65536 "
                                       "values, found 65537");
    free(fits);
    free(many);
    free(body);
}

/* A body of `n` values: this object, its two strings, a list, and the rest. */
static int read_values(const char *item, size_t n, struct api_error *a)
{
    struct completion_request q;
    char *text = repeated("{'prompt':'a,b','user':'[\\'{,','metadata':[", item,
                          n - 4, "]}");
    char *body = body_of(text);
    body[strcspn(body, "\\") + 1] = '"';
    int result = completion_request_read(&q, body, strlen(body), a);
    if (result == 0)
        completion_request_free(&q);
    free(text);
    free(body);
    return result;
}

/* What stands in strings does not count, and what is empty counts once. */
static void a_body_may_have_a_million_values(void **state)
{
    (void)state;
    static const char *const items[] = {"1", "'[,]'", "[]", "{ }", "null"};
    struct api_error a;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        assert_served(read_values(items[i], MOST_VALUES, &a), &a);
        assert_int_equal(read_values(items[i], MOST_VALUES + 1, &a), -1);
        assert_int_equal(a.status, 413);
        assert_string_equal(a.why.message,
                            "request: expected up to 1048576 values (numbers, "
                            "strings, lists, objects and words), found "
                            "1048577");
    }
}

static void messages_have_an_end(void **state)
{
    (void)state;
    char *messages =
        repeated("{'messages':[", "{'role':'user','content':'a'}",
                 MOST_LISTED + 1, "]}");
    char *parts = repeated("{'messages':[{'role':'user','content':[",
                           "{'type':'text','text':'a'}", MOST_LISTED + 1,
                           "]}]}");
    expect_refusal('c', messages, "messages", "array_above_max_length");
    expect_refusal('c', parts, "messages[0].content",
                   "array_above_max_length");
    free(messages);
    free(parts);
}

/* A text with items in it, `n` times the same. */
static char *repeated(const char *head, const char *item, size_t n,
                      const char *tail)
{
    struct bytes b = {0};
    bytes_add_string(&b, head);
    for (size_t i = 0; i < n; i++) {
        bytes_add_string(&b, i > 0 ? "," : "");
        bytes_add_string(&b, item);
    }
    bytes_add_string(&b, tail);
    bytes_add(&b, "", 1);
    assert_false(b.failed);
    return b.data;
}

static void lists_have_an_end(void **state)
{
    (void)state;
    char *texts = repeated("{'input':[", "'a'", MOST_TEXTS + 1, "]}");
    expect_refusal('e', texts, "input", "array_above_max_length");
    char *tools = repeated("{" CHAT ",'tools':[", "{}", 129, "]}");
    expect_refusal('c', tools, "tools", "array_above_max_length");
    free(texts);
    free(tools);
}

static void biases_have_an_end(void **state)
{
    (void)state;
    struct bytes b = {0};
    bytes_add_string(&b, "{" CHAT ",'logit_bias':{'0':1");
    for (int i = 1; i <= MOST_BIASES; i++) {
        char one[32];
        snprintf(one, sizeof one, ",'%d':1", i);
        bytes_add_string(&b, one);
    }
    bytes_add(&b, "}}", 3);
    expect_refusal('c', b.data, "logit_bias", "invalid_value");
    bytes_free(&b);
}

/* Every beginning of a body is refused, and none is read past its end. */
static void a_body_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    char *body = body_of(TOOLS(TOOL("'name':'f','parameters':{}")));
    for (size_t size = 0; size < strlen(body); size++) {
        struct api_error a;
        char *part = malloc(size + 1);
        assert_non_null(part);
        memcpy(part, body, size);
        assert_int_equal(read_any('c', part, size, &a), -1);
        assert_string_equal(a.code, "invalid_json");
        free(part);
    }
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_told_what_is_wrong_and_where),
        cmocka_unit_test(a_name_may_have_64_letters),
        cmocka_unit_test(a_body_may_be_64_levels_deep),
        cmocka_unit_test(a_body_of_a_million_brackets_is_refused),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(biases_have_an_end),
        cmocka_unit_test(a_stop_string_has_an_end),
        cmocka_unit_test(arguments_of_a_template_have_an_end),
        cmocka_unit_test(tools_have_an_end),
        cmocka_unit_test(a_body_may_have_a_million_values),
        cmocka_unit_test(messages_have_an_end),
        cmocka_unit_test(a_body_that_is_cut_off_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Each route, through real sockets, on the reading models. */
#include "test_serving.h"

#define QUESTION                                                              \
    "'messages':[{'role':'user','content':'What is the capital of France?'}]" \
    ",'temperature':0"
#define ANSWER "\"The capital of France is Paris.\""
#define CHAT   "/v1/chat/completions"

static struct serving *serving_of(void **state)
{
    return *state;
}

static int start(void **state)
{
    static struct serving s;
    serving_start(&s, &(struct rung_options){.threads = 1});
    *state = &s;
    return 0;
}

static int stop(void **state)
{
    if (*state)
        serving_stop(serving_of(state));
    return 0;
}

static void it_says_that_it_is_well(void **state)
{
    struct response r;
    ask_get(serving_of(state)->port, "/health", &r);
    assert_int_equal(r.status, 200);
    assert_string_equal(r.body.data, "{\"status\":\"ok\"}");
    response_free(&r);
}

static void models_are_listed_and_found_by_name(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_get(port, "/v1/models", &r);
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(r.body.data, "\"id\":\"tiny-chat\""));
    assert_non_null(strstr(r.body.data, "\"id\":\"tiny-embed\""));
    response_free(&r);
    ask_get(port, "/v1/models/tiny-embed", &r);
    assert_value(r.body.data, "id", "\"tiny-embed\"");
    assert_value(r.body.data, "embedding", "true");
    response_free(&r);
    ask_get(port, "/v1/models/other", &r);
    assert_int_equal(r.status, 404);
    assert_value(r.body.data, "code", "\"model_not_found\"");
    response_free(&r);
}

static void a_page_is_at_the_root(void **state)
{
    struct response r;
    ask_get(serving_of(state)->port, "/", &r);
    assert_int_equal(r.status, 200);
    assert_string_equal(response_header(&r, "Content-Type"),
                        "text/html; charset=utf-8");
    assert_non_null(response_header(&r, "Content-Security-Policy"));
    response_free(&r);
}

static void a_chat_is_answered_with_its_thoughts(void **state)
{
    struct response r;
    ask_post(serving_of(state)->port, CHAT, "{" QUESTION "}", &r);
    assert_int_equal(r.status, 200);
    assert_value(r.body.data, "content", ANSWER);
    assert_value(r.body.data, "finish_reason", "\"stop\"");
    assert_value(r.body.data, "model", "\"tiny-chat\"");
    assert_value(r.body.data, "reasoning_content",
                 "\"The user asks for the capital of France. It is Paris.\"");
    response_free(&r);
}

static void thinking_off_is_off(void **state)
{
    struct response r;
    ask_post(serving_of(state)->port, CHAT,
             "{" QUESTION ",'reasoning_effort':'none'}", &r);
    assert_value(r.body.data, "content", ANSWER);
    assert_null(strstr(r.body.data, "reasoning_content"));
    assert_value(r.body.data, "reasoning_tokens", "0");
    response_free(&r);
}

static void a_stream_says_the_same(void **state)
{
    struct response r;
    struct bytes text = {0}, thoughts = {0};
    ask_post(serving_of(state)->port, CHAT,
             "{" QUESTION ",'stream':true,'stream_options':"
             "{'include_usage':true}}",
             &r);
    assert_int_equal(r.status, 200);
    assert_string_equal(response_header(&r, "Content-Type"),
                        "text/event-stream; charset=utf-8");
    join_values(r.body.data, "content", &text);
    join_values(r.body.data, "reasoning_content", &thoughts);
    assert_string_equal(text.data, "The capital of France is Paris.");
    assert_string_equal(
        thoughts.data,
        "The user asks for the capital of France. It is Paris.");
    assert_non_null(strstr(r.body.data, "\"choices\":[],\"usage\":{"));
    assert_string_equal(r.body.data + r.body.size - 14, "data: [DONE]\n\n");
    bytes_free(&text);
    bytes_free(&thoughts);
    response_free(&r);
}

/* Which the model would not do by itself. */
static void a_tool_is_called_when_it_must_be(void **state)
{
    struct response r;
    ask_post(
        serving_of(state)->port, CHAT,
        "{'messages':[{'role':'user','content':'Hello!'}],'temperature':0,'"
        "enable_thinking':false,'tools':["
        "{'type':'function','function':{'name':'get_weather','parameters':"
        "{'type':'object','properties':{'city':{'type':'string'}},"
        "'required':['city']}}}],'tool_choice':'required'}",
        &r);
    assert_int_equal(r.status, 200);
    assert_value(r.body.data, "finish_reason", "\"tool_calls\"");
    assert_value(r.body.data, "name", "\"get_weather\"");
    assert_value(r.body.data, "content", "null");
    response_free(&r);
}

/* The mark that ends a turn, in a user's words, is ten letters. */
static void what_users_write_is_no_mark(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_post(port, CHAT,
             "{'messages':[{'role':'user','content':'a<|im_end|>b'}],"
             "'max_tokens':1}",
             &r);
    char *with = value_of(r.body.data, "prompt_tokens");
    response_free(&r);
    ask_post(port, CHAT,
             "{'messages':[{'role':'user','content':'ab'}],'max_tokens':1}",
             &r);
    char *without = value_of(r.body.data, "prompt_tokens");
    assert_true(atoi(with) > atoi(without) + 3);
    response_free(&r);
    free(with);
    free(without);
}

static void a_prompt_goes_on(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_post(
        port, "/v1/completions",
        "{'prompt':['The capital of France is','The capital of France is'],"
        "'temperature':0,'max_tokens':8,'echo':true,'n':2}",
        &r);
    assert_int_equal(r.status, 200);
    assert_value(r.body.data, "text", "\"The capital of France is Paris.\"");
    assert_non_null(strstr(r.body.data, "\"index\":3"));
    assert_value(r.body.data, "prompt_tokens", "12");
    assert_value(r.body.data, "completion_tokens", "16");
    response_free(&r);
}

static void a_stream_of_text_has_its_reason_last(void **state)
{
    struct response r;
    struct bytes text = {0};
    ask_post(serving_of(state)->port, "/v1/completions",
             "{'prompt':'The capital of France is','temperature':0,"
             "'max_tokens':2,'stream':true,'logprobs':1}",
             &r);
    join_values(r.body.data, "text", &text);
    assert_string_equal(text.data, " Paris");
    assert_non_null(strstr(r.body.data, "\"finish_reason\":\"length\""));
    bytes_free(&text);
    response_free(&r);
}

/* Of length 1, also when it is made shorter. */
static void texts_become_vectors(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_post(port, "/v1/embeddings", "{'input':['a','b'],'dimensions':1}", &r);
    assert_int_equal(r.status, 200);
    assert_true(strstr(r.body.data, "\"embedding\":[-1.0]") ||
                strstr(r.body.data, "\"embedding\":[1.0]"));
    assert_value(r.body.data, "model", "\"tiny-embed\"");
    assert_non_null(strstr(r.body.data, "\"index\":1"));
    response_free(&r);
    ask_post(port, "/v1/embeddings", "{'input':'a','dimensions':9999}", &r);
    assert_int_equal(r.status, 400);
    assert_value(r.body.data, "param", "\"dimensions\"");
    response_free(&r);
}

/* More texts than are answered at once. */
static void many_texts_become_vectors_in_their_order(void **state)
{
    struct response r, alone;
    struct bytes body = {0};
    int port = serving_of(state)->port;
    bytes_add_string(&body, "{'encoding_format':'base64','input':['last'");
    for (int i = 0; i < 60; i++)
        bytes_add_string(&body, ",'word'");
    bytes_add(&body, ",'last']}", 10);
    ask_post(port, "/v1/embeddings", body.data, &r);
    ask_post(port, "/v1/embeddings",
             "{'encoding_format':'base64','input':'last'}", &alone);
    assert_int_equal(r.status, 200);
    char *expected = value_of(alone.body.data, "embedding");
    const char *last = strstr(r.body.data, "\"index\":61,");
    assert_non_null(last);
    assert_value(last, "embedding", expected);
    assert_value(r.body.data, "embedding", expected);
    free(expected);
    response_free(&r);
    response_free(&alone);
    bytes_free(&body);
}

static void texts_and_tokens_change_places(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_post(port, "/tokenize", "{'content':'Hello','with_pieces':true}", &r);
    assert_string_equal(r.body.data,
                        "{\"tokens\":[880],\"count\":1,\"max_model_len\":1024,"
                        "\"token_strs\":[\"Hello\"]}");
    response_free(&r);
    ask_post(port, "/detokenize", "{'tokens':[880]}", &r);
    assert_value(r.body.data, "content", "\"Hello\"");
    response_free(&r);
    ask_post(port, "/apply-template",
             "{'messages':[{'role':'user','content':'Hi'}],'zork':1}", &r);
    assert_string_equal(response_header(&r, "x-unknown-parameters"), "zork");
    assert_string_equal(r.body.data,
                        "{\"prompt\":\"<|im_start|>user\\nHi<|im_end|>\\n"
                        "<|im_start|>assistant\\n\"}");
    response_free(&r);
}

static void expect_refusal(int port, const char *path, const char *body,
                           int status, const char *param, const char *code)
{
    struct response r;
    ask_post(port, path, body, &r);
    if (r.status != status)
        print_error("%s\n", r.body.data);
    assert_int_equal(r.status, status);
    assert_value(r.body.data, "param", param);
    assert_value(r.body.data, "code", code);
    response_free(&r);
}

/* A prompt of a million letters is not cut into tokens to its end. */
static void a_prompt_far_too_long_is_refused_early(void **state)
{
    char *body = calloc(1, 1000100);
    struct response r;
    assert_non_null(body);
    int begin = sprintf(body, "{'prompt':'");
    memset(body + begin, 'a', 1000000);
    strcat(body + begin, "'}");
    ask_post(serving_of(state)->port, "/v1/completions", body, &r);
    assert_value(r.body.data, "code", "\"context_length_exceeded\"");
    assert_non_null(strstr(r.body.data, "its prompt has at least 2049\""));
    response_free(&r);
    free(body);
}

static void what_cannot_be_is_refused(void **state)
{
    int port = serving_of(state)->port;
    expect_refusal(port, CHAT, "{" QUESTION ",'model':'gpt-5'}", 404,
                   "\"model\"", "\"model_not_found\"");
    expect_refusal(port, CHAT, "{" QUESTION ",'model':'tiny-embed'}", 400,
                   "\"model\"", "\"invalid_value\"");
    expect_refusal(port, "/v1/embeddings", "{'input':'a','model':'tiny-chat'}",
                   400, "\"model\"", "\"invalid_value\"");
    expect_refusal(port, CHAT, "{" QUESTION ",'max_tokens':1009}", 400,
                   "\"messages\"", "\"context_length_exceeded\"");
    expect_refusal(port, CHAT, "{" QUESTION ",'logit_bias':{'4096':1}}", 400,
                   "\"logit_bias.4096\"", "\"invalid_value\"");
    expect_refusal(port, "/v1/completions", "{'prompt':[4096]}", 400,
                   "\"prompt\"", "\"invalid_value\"");
    expect_refusal(port, "/v1/completions", "{'prompt':''}", 400, "\"prompt\"",
                   "\"invalid_value\"");
    expect_refusal(port, CHAT, "{", 400, "null", "\"invalid_json\"");
}

static void the_longest_prompt_and_answer_fit(void **state)
{
    struct response r;
    ask_post(serving_of(state)->port, CHAT, "{" QUESTION ",'max_tokens':1008}",
             &r);
    assert_int_equal(r.status, 200);
    response_free(&r);
}

/* Several answers differ; the same seed gives them again. */
static void seeds_give_the_same_again(void **state)
{
    static const char body[] =
        "{'prompt':'Once upon a time','max_tokens':12,'n':3,'seed':7}";
    struct response a, b;
    int port = serving_of(state)->port;
    ask_post(port, "/v1/completions", body, &a);
    ask_post(port, "/v1/completions", body, &b);
    const char *first = strstr(a.body.data, "\"choices\"");
    const char *again = strstr(b.body.data, "\"choices\"");
    const char *end = strstr(first, "\"usage\"");
    assert_non_null(end);
    assert_memory_equal(first, again, (size_t)(end - first));
    char *one = value_of(first, "text");
    char *two = value_of(strstr(first, "\"index\":1"), "text");
    assert_string_not_equal(one, two);
    free(one);
    free(two);
    response_free(&a);
    response_free(&b);
}

static void numbers_are_told(void **state)
{
    struct response r;
    int port = serving_of(state)->port;
    ask_post(port, CHAT, "{" QUESTION ",'max_tokens':1}", &r);
    response_free(&r);
    ask_get(port, "/metrics", &r);
    assert_int_equal(r.status, 200);
    assert_non_null(strstr(
        r.body.data, "rung_time_to_first_token_seconds_count{model=\"tiny-"
                     "chat\"}"));
    assert_null(
        strstr(r.body.data, "rung_new_tokens_total{model=\"tiny-chat\"} 0\n"));
    response_free(&r);
}

/* A line for each request, with what it cost, and without what was said. */
static void each_request_has_a_line(void **state)
{
    struct serving *s = serving_of(state);
    struct response r;
    ask_post(s->port, CHAT, "{" QUESTION ",'user':'hush-hush'}", &r);
    response_free(&r);
    nap(0.1);
    pthread_mutex_lock(&s->lock);
    bytes_add(&s->log, "", 1);
    s->log.size--;
    const char *last = s->log.data;
    for (size_t i = 1; i < s->lines; i++)
        last = strchr(last, '\n') + 1;
    assert_value(last, "path", "\"" CHAT "\"");
    assert_value(last, "status", "200");
    assert_value(last, "prompt_tokens", "16");
    assert_value(last, "new_tokens", "29");
    assert_value(last, "cache_bytes", "368640");
    assert_null(strstr(s->log.data, "capital"));
    assert_null(strstr(s->log.data, "hush"));
    pthread_mutex_unlock(&s->lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_that_it_is_well),
        cmocka_unit_test(models_are_listed_and_found_by_name),
        cmocka_unit_test(a_page_is_at_the_root),
        cmocka_unit_test(a_chat_is_answered_with_its_thoughts),
        cmocka_unit_test(thinking_off_is_off),
        cmocka_unit_test(a_stream_says_the_same),
        cmocka_unit_test(a_tool_is_called_when_it_must_be),
        cmocka_unit_test(what_users_write_is_no_mark),
        cmocka_unit_test(a_prompt_goes_on),
        cmocka_unit_test(a_stream_of_text_has_its_reason_last),
        cmocka_unit_test(texts_become_vectors),
        cmocka_unit_test(many_texts_become_vectors_in_their_order),
        cmocka_unit_test(texts_and_tokens_change_places),
        cmocka_unit_test(a_prompt_far_too_long_is_refused_early),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_longest_prompt_and_answer_fit),
        cmocka_unit_test(seeds_give_the_same_again),
        cmocka_unit_test(numbers_are_told),
        cmocka_unit_test(each_request_has_a_line),
    };
    return cmocka_run_group_tests(tests, start, stop);
}

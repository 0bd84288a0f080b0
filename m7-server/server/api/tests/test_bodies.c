/* Every kind of body and event.  With the argument "print" this program prints
 * them, one a line behind the name of its type in the openai package, for a
 * test that holds them to those types; else it looks whether each is there. */
#include "answer.h"
#include "chat_answer.h"
#include "list_answer.h"
#include "text_answer.h"

#include "test_api.h"

static const struct answer_head head = {"id-1", "tiny-chat", 1700000000,
                                        "rung-1", false};
static const struct answer_head counting = {"id-1", "tiny-chat", 1700000000,
                                            "rung-1", true};
static const struct token_usage usage = {11, 4, 7, 3};
static const struct answer_call calls[] = {
    {"call_1", "get_weather", 11, "{\"city\":\"Oslo\"}", 15},
    {"call_2", "get_weather", 11, "{\"ci", 4}};
static const struct likely_token top[] = {{"Hi", 2, -0.25},
                                          {"\xe2\x82", 2, -INFINITY}};
static const struct chosen_token chosen[] = {
    {{"Hi", 2, -0.25}, top, 2, 0, false},
    {{"\xe2\x82", 2, -1.5}, top, 0, 2, false}};
static const struct chosen_token echoed[] = {
    {{"Hi", 2, 0}, top, 0, 0, true}, {{"Hi", 2, -0.25}, top, 2, 2, false}};
static const float vectors[] = {0.5f, -0.25f, 1e-38f, 1};

/* What is told every body: its type's name, and the body, which it frees. */
typedef void body_visitor(const char *type, json_t *body);

static void visit_chats(body_visitor *visit)
{
    struct chat_choice choices[] = {{.index = 0,
                                     .content = "Hi",
                                     .content_size = 2,
                                     .finish = FINISH_STOP},
                                    {.index = 1,
                                     .content = "Hi",
                                     .content_size = 2,
                                     .reasoning = "Hm",
                                     .reasoning_size = 2,
                                     .logprobs = chat_logprobs(chosen, 2),
                                     .finish = FINISH_LENGTH},
                                    {.index = 2,
                                     .calls = calls,
                                     .n_calls = 2,
                                     .finish = FINISH_TOOL_CALLS}};
    const struct chat_choice empty = {.finish = FINISH_STOP};
    visit("ChatCompletion", chat_answer(&head, choices, 3, &usage));
    visit("ChatCompletion", chat_answer(&head, &empty, 1, &usage));
}

static void visit_chunk(body_visitor *visit, json_t *delta, json_t *logprobs,
                        enum finish_reason finish)
{
    visit("ChatCompletionChunk",
          chat_chunk(&counting, 1, delta, logprobs, finish));
}

static void visit_chunks(body_visitor *visit)
{
    visit_chunk(visit, delta_role(), NULL, FINISH_NONE);
    visit_chunk(visit, delta_reasoning("Hm", 2), NULL, FINISH_NONE);
    visit_chunk(visit, delta_content("Hi", 2), chat_logprobs(chosen, 2),
                FINISH_NONE);
    visit_chunk(visit, delta_call(0, calls), NULL, FINISH_NONE);
    visit_chunk(visit, delta_arguments(0, "{\"ci", 4), NULL, FINISH_NONE);
    visit_chunk(visit, delta_nothing(), NULL, FINISH_STOP);
    visit_chunk(visit, delta_nothing(), NULL, FINISH_LENGTH);
    visit_chunk(visit, delta_nothing(), NULL, FINISH_TOOL_CALLS);
    visit("ChatCompletionChunk",
          chat_chunk(&head, 0, delta_role(), NULL, FINISH_NONE));
    visit("ChatCompletionChunk", chat_usage_chunk(&counting, &usage));
}

static void visit_completions(body_visitor *visit)
{
    struct completion_choice choice = {0, " is", 3, NULL, FINISH_STOP};
    visit("Completion", completion_answer(&head, &choice, 1, &usage));
    choice.finish = FINISH_NONE;
    visit("Completion", completion_chunk(&counting, &choice, NULL));
    choice.finish = FINISH_LENGTH;
    choice.logprobs = completion_logprobs(chosen, 2);
    visit("Completion", completion_chunk(&head, &choice, NULL));
    choice.logprobs = completion_logprobs(echoed, 2);
    visit("Completion", completion_answer(&head, &choice, 1, &usage));
    visit("Completion", completion_chunk(&counting, NULL, &usage));
}

static void visit_lists(body_visitor *visit)
{
    const struct served_model models[] = {{"tiny-chat", 17, 512, false},
                                          {"tiny-embed", 18, 512, true}};
    visit("CreateEmbeddingResponse",
          embedding_answer("tiny-embed", vectors, 2, 2, false, 9));
    visit("CreateEmbeddingResponse",
          embedding_answer("tiny-embed", vectors, 2, 2, true, 9));
    visit("Model", model_answer(models));
    visit("Models", model_list_answer(models, 2));
}

static void visit_error(body_visitor *visit, const struct api_error *a)
{
    struct bytes out = {0};
    struct http_error error = api_http_error(a);
    http_error_body(&out, a->status, &error);
    visit("Error", json_loadb(out.data, out.size, 0, NULL));
    bytes_free(&out);
}

static void visit_errors(body_visitor *visit)
{
    static const int statuses[] = {401, 403, 404, 405, 408, 413,
                                   415, 429, 500, 503, 504};
    struct api_error a;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        api_fail(&a, statuses[i], "no");
        visit_error(visit, &a);
    }
    api_refuse_model(&a, "gpt-5");
    visit_error(visit, &a);
    api_refuse_length(&a, "messages", 500, 24, 512);
    visit_error(visit, &a);
    api_refuse(&a, NULL, "no");
    visit_error(visit, &a);
}

static void visit_all(body_visitor *visit)
{
    visit_chats(visit);
    visit_chunks(visit);
    visit_completions(visit);
    visit_lists(visit);
    visit_errors(visit);
}

static void print_body(const char *type, json_t *body)
{
    struct bytes out = {0};
    struct error e;
    if (answer_write(body, &out, &e) == 0)
        printf("%s\t%.*s\n", type, (int)out.size, out.data);
    bytes_free(&out);
}

static void expect_body(const char *type, json_t *body)
{
    assert_true(*type != 0);
    assert_true(json_is_object(body));
    json_decref(body);
}

static void each_body_is_an_object(void **state)
{
    (void)state;
    visit_all(expect_body);
}

int main(int n, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_body_is_an_object),
    };
    if (n == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    if (strcmp(arguments[1], "print") != 0)
        return 2;
    visit_all(print_body);
    return 0;
}

/* The answers of a chat, whole and in chunks. */
#include "chat_answer.h"

#include "test_api.h"

static const struct answer_head head = {"chatcmpl-1", "tiny", 17, "fp", false};
static const struct answer_head counting = {"chatcmpl-1", "tiny", 17, "fp",
                                            true};
static const struct token_usage usage = {11, 4, 7, 3};
static const struct answer_call call = {"call_1", "get_weather", 11,
                                        "{\"city\":\"Oslo\"}", 15};

#define HEAD(object)                                                          \
    "{'id':'chatcmpl-1','object':'" object "','created':17,'model':'tiny',"   \
    "'system_fingerprint':'fp',"
#define USAGE                                                                 \
    "'usage':{'prompt_tokens':11,'completion_tokens':7,'total_tokens':18,"    \
    "'prompt_tokens_details':{'cached_tokens':4},"                            \
    "'completion_tokens_details':{'reasoning_tokens':3}}"

static void expect(const struct chat_choice *choice, const char *text)
{
    char whole[1024];
    snprintf(whole, sizeof whole,
             HEAD("chat.completion") "'choices':[%s]," USAGE "}", text);
    assert_body(chat_answer(&head, choice, 1, &usage), whole);
}

static void a_text_is_content(void **state)
{
    (void)state;
    const struct chat_choice choice = {
        .content = "Hi", .content_size = 2, .finish = FINISH_STOP};
    expect(&choice, "{'index':0,'message':{'role':'assistant','content':'Hi',"
                    "'refusal':null},'logprobs':null,'finish_reason':'stop'}");
}

static void no_text_is_an_empty_content(void **state)
{
    (void)state;
    const struct chat_choice choice = {.finish = FINISH_LENGTH};
    expect(&choice, "{'index':0,'message':{'role':'assistant','content':'',"
                    "'refusal':null},'logprobs':null,"
                    "'finish_reason':'length'}");
}

static void thoughts_stand_beside(void **state)
{
    (void)state;
    const struct chat_choice choice = {.content = "Hi",
                                       .content_size = 2,
                                       .reasoning = "Hm",
                                       .reasoning_size = 2,
                                       .finish = FINISH_STOP};
    expect(&choice, "{'index':0,'message':{'role':'assistant','content':'Hi',"
                    "'refusal':null,'reasoning_content':'Hm'},"
                    "'logprobs':null,'finish_reason':'stop'}");
}

static void calls_have_no_content(void **state)
{
    (void)state;
    const struct chat_choice choice = {
        .index = 2, .calls = &call, .n_calls = 1, .finish = FINISH_TOOL_CALLS};
    expect(&choice,
           "{'index':2,'message':{'role':'assistant','content':null,"
           "'refusal':null,'tool_calls':[{'id':'call_1','type':'function',"
           "'function':{'name':'get_weather','arguments':"
           "'{\\'city\\':\\'Oslo\\'}'}}]},'logprobs':null,"
           "'finish_reason':'tool_calls'}");
}

static void expect_chunk(json_t *chunk, const char *rest)
{
    char whole[512];
    snprintf(whole, sizeof whole, HEAD("chat.completion.chunk") "%s}", rest);
    assert_body(chunk, whole);
}

static void expect_delta(json_t *delta, const char *text)
{
    char rest[256];
    snprintf(rest, sizeof rest,
             "'choices':[{'index':1,'delta':%s,'logprobs':null,"
             "'finish_reason':null}]",
             text);
    expect_chunk(chat_chunk(&head, 1, delta, NULL, FINISH_NONE), rest);
}

static void a_chunk_has_what_is_new(void **state)
{
    (void)state;
    expect_delta(delta_role(), "{'role':'assistant','content':''}");
    expect_delta(delta_content("Hi", 2), "{'content':'Hi'}");
    expect_delta(delta_reasoning("Hm", 2), "{'reasoning_content':'Hm'}");
    expect_delta(delta_nothing(), "{}");
}

static void a_call_is_named_once_and_then_goes_on(void **state)
{
    (void)state;
    const struct answer_call begun = {"call_1", "f", 1, "", 0};
    expect_delta(delta_call(3, &begun),
                 "{'tool_calls':[{'id':'call_1','type':'function',"
                 "'function':{'name':'f','arguments':''},'index':3}]}");
    expect_delta(delta_arguments(3, "{\"a", 3),
                 "{'tool_calls':[{'function':{'arguments':'{\\'a'},"
                 "'index':3}]}");
}

static void the_last_chunk_of_a_choice_has_the_reason(void **state)
{
    (void)state;
    expect_chunk(chat_chunk(&head, 0, delta_nothing(), NULL, FINISH_LENGTH),
                 "'choices':[{'index':0,'delta':{},'logprobs':null,"
                 "'finish_reason':'length'}]");
}

static void usage_is_null_until_the_last_chunk(void **state)
{
    (void)state;
    expect_chunk(chat_chunk(&counting, 0, delta_nothing(), NULL, FINISH_STOP),
                 "'choices':[{'index':0,'delta':{},'logprobs':null,"
                 "'finish_reason':'stop'}],'usage':null");
    expect_chunk(chat_usage_chunk(&counting, &usage), "'choices':[]," USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_content),
        cmocka_unit_test(no_text_is_an_empty_content),
        cmocka_unit_test(thoughts_stand_beside),
        cmocka_unit_test(calls_have_no_content),
        cmocka_unit_test(a_chunk_has_what_is_new),
        cmocka_unit_test(a_call_is_named_once_and_then_goes_on),
        cmocka_unit_test(the_last_chunk_of_a_choice_has_the_reason),
        cmocka_unit_test(usage_is_null_until_the_last_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

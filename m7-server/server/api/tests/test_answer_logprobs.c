/* Log probabilities in both forms, of whole characters and of their parts. */
#include "answer.h"

#include "test_api.h"

static const struct likely_token top[] = {
    {"Hi", 2, -0.25}, {"\xe2\x82", 2, -1.5}, {"\xe2\x83", 2, -INFINITY}};
static const struct chosen_token chosen[] = {
    {{"Hi", 2, -0.25}, top, 3, 4, false},
    {{"\xe2\x82", 2, -1.5}, top, 0, 6, false}};

static void a_chat_tells_texts_and_bytes(void **state)
{
    (void)state;
    assert_body(chat_logprobs(chosen, 1),
                "{'content':[{'token':'Hi','logprob':-0.25,'bytes':[72,105],"
                "'top_logprobs':["
                "{'token':'Hi','logprob':-0.25,'bytes':[72,105]},"
                "{'token':'\xef\xbf\xbd','logprob':-1.5,'bytes':[226,130]},"
                "{'token':'\xef\xbf\xbd','logprob':-9999.0,"
                "'bytes':[226,131]}]}],"
                "'refusal':null}");
}

static void without_others_the_list_is_empty(void **state)
{
    (void)state;
    assert_body(chat_logprobs(chosen + 1, 1),
                "{'content':[{'token':'\xef\xbf\xbd','logprob':-1.5,"
                "'bytes':[226,130],'top_logprobs':[]}],'refusal':null}");
    assert_body(chat_logprobs(NULL, 0), "{'content':[],'refusal':null}");
}

static void a_completion_tells_parts_of_characters_apart(void **state)
{
    (void)state;
    assert_body(completion_logprobs(chosen, 2),
                "{'tokens':['Hi','bytes:\\\\xe2\\\\x82'],"
                "'token_logprobs':[-0.25,-1.5],"
                "'top_logprobs':[{'Hi':-0.25,'bytes:\\\\xe2\\\\x82':-1.5,"
                "'bytes:\\\\xe2\\\\x83':-9999.0},{}],"
                "'text_offset':[4,6]}");
}

static void a_zero_byte_is_a_token_too(void **state)
{
    (void)state;
    const struct likely_token zero[] = {{"\0", 1, -1}, {"", 0, -2}};
    const struct chosen_token token = {{"\0", 1, -1}, zero, 1, 0, false};
    assert_body(completion_logprobs(&token, 1),
                "{'tokens':['\\u0000'],'token_logprobs':[-1.0],"
                "'top_logprobs':[{'':-1.0}],'text_offset':[0]}");
    const struct chosen_token empty = {{"", 0, -2}, zero + 1, 1, 0, false};
    assert_body(completion_logprobs(&empty, 1),
                "{'tokens':[''],'token_logprobs':[-2.0],"
                "'top_logprobs':[{'':-2.0}],'text_offset':[0]}");
}

/* Nothing comes before a text's first token. */
static void of_a_first_token_nothing_is_known(void **state)
{
    (void)state;
    const struct chosen_token token = {
        .token = {"Hi", 2, 0}, .top = top, .n_top = 1, .first = true};
    assert_body(completion_logprobs(&token, 1),
                "{'tokens':['Hi'],'token_logprobs':[null],"
                "'top_logprobs':[null],'text_offset':[0]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chat_tells_texts_and_bytes),
        cmocka_unit_test(without_others_the_list_is_empty),
        cmocka_unit_test(a_completion_tells_parts_of_characters_apart),
        cmocka_unit_test(a_zero_byte_is_a_token_too),
        cmocka_unit_test(of_a_first_token_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

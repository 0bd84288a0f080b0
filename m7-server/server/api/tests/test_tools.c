/* Tools reach the template as they came; the choice is one of four. */
#include "test_api.h"

#define HI "{'messages':[{'role':'user','content':'Hi'}]"
#define WEATHER                                                               \
    "{'type':'function','function':{'name':'get_weather','description':"      \
    "'Now','parameters':{'type':'object','properties':{'city':{'type':"       \
    "'string'}}}}}"

static void tools_stay_as_they_are(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, HI ",'tools':[" WEATHER "],'parallel_tool_calls':false}");
    assert_json(q.tools, "[" WEATHER "]");
    assert_false(q.parallel_tool_calls);
    chat_request_free(&q);
}

static void no_tools_are_none(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, HI ",'tools':[]}");
    assert_null(q.tools);
    chat_request_free(&q);
}

static void parameters_and_words_may_be_missing(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q,
              HI ",'tools':[{'type':'function','function':{'name':'f',"
                 "'strict':false,'description':null,'parameters':null}}]}");
    assert_int_equal(json_array_size(q.tools), 1);
    chat_request_free(&q);
}

static void expect_choice(const char *said, enum tool_choice choice)
{
    struct chat_request q;
    char body[1024];
    snprintf(body, sizeof body, HI ",'tool_choice':%s,'tools':[" WEATHER "]}",
             said);
    read_chat(&q, body);
    assert_int_equal(q.tool_choice, choice);
    if (choice == TOOL_NAMED)
        assert_string_equal(q.tool_name, "get_weather");
    chat_request_free(&q);
}

static void the_choice_is_a_word_or_a_name(void **state)
{
    (void)state;
    expect_choice("'auto'", TOOL_AUTO);
    expect_choice("'none'", TOOL_NONE);
    expect_choice("'required'", TOOL_REQUIRED);
    expect_choice("{'type':'function','function':{'name':'get_weather'}}",
                  TOOL_NAMED);
}

static void none_may_be_chosen_without_tools(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, HI ",'tool_choice':'none'}");
    assert_int_equal(q.tool_choice, TOOL_NONE);
    chat_request_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_stay_as_they_are),
        cmocka_unit_test(no_tools_are_none),
        cmocka_unit_test(parameters_and_words_may_be_missing),
        cmocka_unit_test(the_choice_is_a_word_or_a_name),
        cmocka_unit_test(none_may_be_chosen_without_tools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Messages of every form are those that templates know. */
#include "test_api.h"

/* The messages of a body, and what they become. */
static void expect(const char *messages, const char *expected)
{
    struct chat_request q;
    char body[1024];
    snprintf(body, sizeof body, "{'messages':[%s]}", messages);
    read_chat(&q, body);
    assert_json(q.messages, expected);
    assert_unknown(&q.body, "");
    chat_request_free(&q);
}

static void strings_stay_as_they_are(void **state)
{
    (void)state;
    expect("{'role':'system','content':'Be brief.'},"
           "{'role':'user','content':'Hi','name':'Ann'},"
           "{'role':'assistant','content':''}",
           "[{'role':'system','content':'Be brief.'},"
           "{'role':'user','content':'Hi','name':'Ann'},"
           "{'role':'assistant','content':''}]");
}

static void developers_speak_for_the_system(void **state)
{
    (void)state;
    expect("{'role':'developer','content':'Be brief.'}",
           "[{'role':'system','content':'Be brief.'}]");
}

#define TEXT(text) "{'type':'text','text':'" text "'}"

static void parts_of_text_stay_parts(void **state)
{
    (void)state;
    expect(
        "{'role':'user','content':[" TEXT(
            "a") "]},"
                 "{'role':'user','content':[" TEXT("a") "," TEXT(
                     "b") "]},"
                          "{'role':'assistant','content':[{'type':'refusal','"
                          "refusal':'No'}"
                          "]}",
        "[{'role':'user','content':[" TEXT(
            "a") "]},"
                 "{'role':'user','content':[" TEXT("a") "," TEXT(
                     "b") "]},"
                          "{'role':'assistant','content':[" TEXT("No") "]}]");
}

static void what_was_refused_was_said(void **state)
{
    (void)state;
    expect("{'role':'assistant','content':null,'refusal':'No'}",
           "[{'role':'assistant','content':'No'}]");
    expect("{'role':'assistant','content':'a','refusal':null}",
           "[{'role':'assistant','content':'a'}]");
}

static void thoughts_are_kept_apart(void **state)
{
    (void)state;
    expect("{'role':'assistant','reasoning_content':'Hm','content':'Hi'}",
           "[{'role':'assistant','reasoning_content':'Hm','content':'Hi'}]");
}

#define CALL(arguments)                                                       \
    "{'role':'assistant','content':null,'tool_calls':[{'id':'c1','type':"     \
    "'function','function':{'name':'f','arguments':" arguments "}}]}"
#define MADE(arguments)                                                       \
    "[{'role':'assistant','tool_calls':[{'id':'c1','type':'function',"        \
    "'function':{'name':'f','arguments':" arguments "}}],'content':null}]"

/* Which of them a template wants, it is asked itself. */
static void arguments_are_objects_or_their_text(void **state)
{
    (void)state;
    expect(CALL("{'a':[1,2]}"), MADE("{'a':[1,2]}"));
    expect(CALL("'{\\u0022a\\u0022: [1, 2]}'"), MADE("'{\\'a\\': [1, 2]}'"));
}

/* A model wrote them; the client can only give them back. */
static void broken_arguments_stay_text(void **state)
{
    (void)state;
    expect(CALL("'{broken'"), MADE("'{broken'"));
    expect(CALL("''"), MADE("''"));
}

static void a_type_is_added_to_a_call_without(void **state)
{
    (void)state;
    expect("{'role':'assistant','content':'x','tool_calls':[{'id':'c1',"
           "'function':{'name':'f','arguments':{}}}]}",
           "[{'role':'assistant','content':'x','tool_calls':[{'id':'c1',"
           "'type':'function','function':{'name':'f','arguments':{}}}]}]");
}

/* Templates find a list and take its first element. */
static void a_list_without_calls_is_none(void **state)
{
    (void)state;
    expect("{'role':'assistant','content':'x','tool_calls':[]}",
           "[{'role':'assistant','content':'x'}]");
    expect("{'role':'assistant','content':'x','tool_calls':null}",
           "[{'role':'assistant','content':'x'}]");
}

static void results_are_texts_or_objects(void **state)
{
    (void)state;
    expect("{'role':'tool','tool_call_id':'c1','content':'21'}",
           "[{'role':'tool','tool_call_id':'c1','content':'21'}]");
    struct chat_request q;
    read_chat(&q, "{'messages':[{'role':'tool','tool_call_id':'c1',"
                  "'content':{'degrees':21}}]}");
    json_t *content =
        json_object_get(json_array_get(q.messages, 0), "content");
    assert_string_equal(json_string_value(content), "{\"degrees\": 21}");
    chat_request_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_stay_as_they_are),
        cmocka_unit_test(developers_speak_for_the_system),
        cmocka_unit_test(parts_of_text_stay_parts),
        cmocka_unit_test(what_was_refused_was_said),
        cmocka_unit_test(thoughts_are_kept_apart),
        cmocka_unit_test(arguments_are_objects_or_their_text),
        cmocka_unit_test(broken_arguments_stay_text),
        cmocka_unit_test(a_type_is_added_to_a_call_without),
        cmocka_unit_test(a_list_without_calls_is_none),
        cmocka_unit_test(results_are_texts_or_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

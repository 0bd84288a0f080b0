/* A chat's body becomes what the engine and the template are told. */
#include "test_api.h"

#define HI "'messages':[{'role':'user','content':'Hi'}]"

static void what_is_not_said_has_openais_values(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI "}");
    const struct generation_request *g = &q.generation;
    assert_null(g->model);
    assert_true(g->max_tokens == SIZE_MAX);
    assert_int_equal(g->n, 1);
    assert_false(g->stream || g->include_usage || g->logprobs || g->seeded);
    assert_true(g->how.temperature == 1 && g->how.top_p == 1);
    assert_true(g->how.repetition == 1 && g->how.typical_p == 1);
    assert_true(g->how.presence == 0 && g->how.frequency == 0);
    assert_int_equal(g->how.top_k, 0);
    assert_null(q.tools);
    assert_int_equal(q.tool_choice, TOOL_AUTO);
    assert_true(q.parallel_tool_calls && q.add_generation_prompt);
    assert_int_equal(q.thinking, THINKING_DEFAULT);
    assert_null(q.reasoning_effort);
    assert_null(q.template_arguments);
    assert_unknown(&q.body, "");
    chat_request_free(&q);
}

static void null_is_the_same_as_absent(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'n':null,'stop':null,'tools':null,'seed':null,"
                  "'temperature':null,'stream_options':null,'store':null,"
                  "'response_format':null,'reasoning_effort':null,"
                  "'logit_bias':null,'max_tokens':null,'audio':null}");
    assert_int_equal(q.generation.n, 1);
    assert_false(q.generation.seeded);
    chat_request_free(&q);
}

static void each_setting_goes_to_its_place(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'model':'m','max_tokens':9,'n':2,'seed':-3,"
                  "'temperature':0.5,'top_p':0.25,'top_k':40,'min_p':0.125,"
                  "'typical_p':0.75,'presence_penalty':1.5,"
                  "'frequency_penalty':-1.5,'repetition_penalty':1.25,"
                  "'logprobs':true,'top_logprobs':3,'stream':true,"
                  "'stream_options':{'include_usage':true}}");
    const struct generation_request *g = &q.generation;
    assert_string_equal(g->model, "m");
    assert_int_equal(g->max_tokens, 9);
    assert_int_equal(g->n, 2);
    assert_true(g->seeded && g->how.seed == (uint64_t)-3);
    assert_true(g->how.temperature == 0.5f && g->how.top_p == 0.25);
    assert_true(g->how.min_p == 0.125f && g->how.typical_p == 0.75);
    assert_true(g->how.presence == 1.5f && g->how.frequency == -1.5f);
    assert_true(g->how.repetition == 1.25f);
    assert_int_equal(g->how.top_k, 40);
    assert_true(g->logprobs && g->stream && g->include_usage);
    assert_int_equal(g->top_logprobs, 3);
    chat_request_free(&q);
}

static void all_tokens_may_be_chosen_by_either_number(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'top_k':-1}");
    assert_int_equal(q.generation.how.top_k, 0);
    chat_request_free(&q);
}

static void both_names_of_the_limit_count(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'max_completion_tokens':7}");
    assert_int_equal(q.generation.max_tokens, 7);
    chat_request_free(&q);
    read_chat(&q, "{" HI ",'max_completion_tokens':7,'max_tokens':7}");
    assert_int_equal(q.generation.max_tokens, 7);
    chat_request_free(&q);
}

static void stops_are_one_string_or_some(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'stop':'END'}");
    assert_int_equal(q.generation.n_stops, 1);
    assert_string_equal(q.generation.stops[0], "END");
    chat_request_free(&q);
    read_chat(&q, "{" HI ",'stop':['a','b']}");
    assert_int_equal(q.generation.n_stops, 2);
    assert_string_equal(q.generation.stops[1], "b");
    chat_request_free(&q);
    read_chat(&q, "{" HI ",'stop':[]}");
    assert_int_equal(q.generation.n_stops, 0);
    chat_request_free(&q);
}

static void biases_are_ids_and_values(void **state)
{
    (void)state;
    struct chat_request q;
    struct api_error a;
    read_chat(&q, "{" HI ",'logit_bias':{'5':-100,'17':1.5}}");
    const struct rung_sampling *how = &q.generation.how;
    assert_int_equal(how->n_biases, 2);
    assert_int_equal(how->biases[0].id, 5);
    assert_true(how->biases[0].value == -100);
    assert_int_equal(how->biases[1].id, 17);
    assert_true(how->biases[1].value == 1.5f);
    assert_int_equal(generation_check_biases(&q.generation, 18, &a), 0);
    assert_int_equal(generation_check_biases(&q.generation, 17, &a), -1);
    assert_string_equal(a.param, "logit_bias.17");
    chat_request_free(&q);
}

static void what_changes_nothing_is_accepted(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'user':'me','metadata':{'a':'b'},'store':false,"
                  "'service_tier':'auto','safety_identifier':'s',"
                  "'prompt_cache_key':'k','prediction':{'type':'content',"
                  "'content':'x'},'modalities':['text'],"
                  "'response_format':{'type':'text'},'functions':[]}");
    assert_unknown(&q.body, "");
    chat_request_free(&q);
}

static void what_nobody_knows_is_noted_with_its_place(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{'top_a':1,'messages':[{'role':'user','content':'Hi',"
                  "'colour':'red'}],'stream':true,'stream_options':{'x':1},"
                  "'tools':[{'type':'function','function':{'name':'f',"
                  "'returns':{}}}],'caf\xc3\xa9\x7f\\n':null,"
                  "'reasoning':{'exclude':true},"
                  "'thinking':{'type':'enabled','budget_tokens':7}}");
    assert_unknown(&q.body, "top_a, caf????, reasoning.exclude, "
                            "thinking.budget_tokens, stream_options.x, "
                            "messages[0].colour, tools[0].function.returns");
    chat_request_free(&q);
}

/* A header has an end: the names of a thousand members do not fit. */
static void of_many_unknown_names_the_first_are_noted(void **state)
{
    (void)state;
    struct bytes b = {0};
    struct chat_request q;
    bytes_add_string(&b, "{" HI);
    for (int i = 0; i < 1000; i++) {
        char one[32];
        snprintf(one, sizeof one, ",'unknown_%d':1", i);
        bytes_add_string(&b, one);
    }
    bytes_add(&b, "}", 2);
    read_chat(&q, b.data);
    assert_in_range(q.body.unknown.size, 1900, 2100);
    assert_memory_equal(q.body.unknown.data + q.body.unknown.size - 5, ", ...",
                        5);
    chat_request_free(&q);
    bytes_free(&b);
}

static void expect_thinking(const char *text, enum thinking_choice thinking)
{
    struct chat_request q;
    char body[256];
    snprintf(body, sizeof body, "{" HI ",%s}", text);
    read_chat(&q, body);
    assert_int_equal(q.thinking, thinking);
    chat_request_free(&q);
}

static void thinking_has_many_spellings(void **state)
{
    (void)state;
    expect_thinking("'enable_thinking':false", THINKING_OFF);
    expect_thinking("'enable_thinking':true", THINKING_ON);
    expect_thinking("'reasoning_effort':'none'", THINKING_OFF);
    expect_thinking("'reasoning_effort':'minimal'", THINKING_ON);
    expect_thinking("'reasoning_effort':'high'", THINKING_ON);
    expect_thinking("'reasoning':{'effort':'none'}", THINKING_OFF);
    expect_thinking("'reasoning':{'effort':'low'}", THINKING_ON);
    expect_thinking("'reasoning':{'enabled':false}", THINKING_OFF);
    expect_thinking("'reasoning':{'effort':null}", THINKING_DEFAULT);
    expect_thinking("'think':false", THINKING_OFF);
    expect_thinking("'thinking':false", THINKING_OFF);
    expect_thinking("'thinking':{'type':'disabled'}", THINKING_OFF);
    expect_thinking("'thinking':{'type':'enabled'}", THINKING_ON);
    expect_thinking("'chat_template_kwargs':{'enable_thinking':false}",
                    THINKING_OFF);
    expect_thinking("'chat_template_kwargs':{'thinking':false}", THINKING_OFF);
    expect_thinking("'chat_template_kwargs':{'thinking':'auto'}",
                    THINKING_DEFAULT);
    expect_thinking("'chat_template_kwargs':{'enable_thinking':null}",
                    THINKING_DEFAULT);
    expect_thinking("'chat_template_kwargs':{'reasoning_effort':'none'}",
                    THINKING_OFF);
    expect_thinking("'chat_template_kwargs':{'reasoning_effort':'low'}",
                    THINKING_DEFAULT);
    expect_thinking("'enable_thinking':false,'reasoning_effort':'none'",
                    THINKING_OFF);
}

static void arguments_of_the_template_are_kept(void **state)
{
    (void)state;
    struct chat_request q;
    read_chat(&q, "{" HI ",'chat_template_kwargs':{'date':'today'},"
                  "'reasoning_effort':'low','add_generation_prompt':false}");
    assert_json(q.template_arguments, "{'date':'today'}");
    assert_string_equal(q.reasoning_effort, "low");
    assert_false(q.add_generation_prompt);
    chat_request_free(&q);
}

/* But for their schemas, of which only types are looked at. */
static void of_a_body_the_tools_may_stay(void **state)
{
    (void)state;
    struct chat_request q;
    const char *tools = "[{'type':'function','function':{'name':'f'}}]";
    read_chat(&q, "{" HI ",'stop':['END'],'chat_template_kwargs':{'a':1},"
                  "'tools':[{'type':'function','function':{'name':'f',"
                  "'description':'long','parameters':{'properties':"
                  "{'x':{'type':'string','examples':[{},{},{}]}}}}}]}");
    chat_request_release(&q);
    assert_null(q.body.json);
    assert_null(q.messages);
    assert_null(q.template_arguments);
    assert_json(q.tools, "[{'name':'f','parameters':{'properties':"
                         "{'x':{'type':['string']}}}}]");
    assert_string_equal(q.generation.stops[0], "END");
    chat_request_free(&q);
    read_chat(&q, "{" HI ",'tool_choice':'none',"
                  "'tools':[{'type':'function','function':{'name':'f'}}]}");
    assert_json(q.tools, tools);
    chat_request_release(&q);
    assert_null(q.tools);
    chat_request_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_said_has_openais_values),
        cmocka_unit_test(null_is_the_same_as_absent),
        cmocka_unit_test(each_setting_goes_to_its_place),
        cmocka_unit_test(all_tokens_may_be_chosen_by_either_number),
        cmocka_unit_test(both_names_of_the_limit_count),
        cmocka_unit_test(stops_are_one_string_or_some),
        cmocka_unit_test(biases_are_ids_and_values),
        cmocka_unit_test(what_changes_nothing_is_accepted),
        cmocka_unit_test(what_nobody_knows_is_noted_with_its_place),
        cmocka_unit_test(of_many_unknown_names_the_first_are_noted),
        cmocka_unit_test(thinking_has_many_spellings),
        cmocka_unit_test(arguments_of_the_template_are_kept),
        cmocka_unit_test(of_a_body_the_tools_may_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Requests about texts: what may be one, and what is asked of it. */
#include "test_api.h"

static void assert_text(const struct text_input *in, const char *text)
{
    assert_non_null(in->text);
    assert_int_equal(in->size, strlen(text));
    assert_memory_equal(in->text, text, in->size);
}

static void assert_ids(const struct text_input *in, int first, size_t n)
{
    assert_null(in->text);
    assert_int_equal(in->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(in->ids[i], first + (int)i);
}

static void a_prompt_is_a_text_or_ids_or_some_of_them(void **state)
{
    (void)state;
    struct completion_request q;
    read_completion_request(&q, "{'prompt':'Hi'}");
    assert_int_equal(q.prompts.n, 1);
    assert_text(&q.prompts.items[0], "Hi");
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':['Hi','']}");
    assert_int_equal(q.prompts.n, 2);
    assert_text(&q.prompts.items[0], "Hi");
    assert_text(&q.prompts.items[1], "");
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':[7,8,9]}");
    assert_int_equal(q.prompts.n, 1);
    assert_ids(&q.prompts.items[0], 7, 3);
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':[[7,8],[5]]}");
    assert_int_equal(q.prompts.n, 2);
    assert_ids(&q.prompts.items[0], 7, 2);
    assert_ids(&q.prompts.items[1], 5, 1);
    completion_request_free(&q);
}

static void a_completion_has_settings_of_its_own(void **state)
{
    (void)state;
    struct completion_request q;
    read_completion_request(&q, "{'prompt':'Hi','echo':true,'n':3,'best_of':3,"
                                "'max_tokens':5,'suffix':null}");
    assert_true(q.echo);
    assert_false(q.generation.logprobs);
    assert_int_equal(q.generation.n, 3);
    assert_int_equal(q.best_of, 3);
    assert_int_equal(q.generation.max_tokens, 5);
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':'Hi','n':2,'max_tokens':0}");
    assert_int_equal(q.best_of, 2);
    assert_int_equal(q.generation.max_tokens, 0);
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':'Hi','n':2,'best_of':4}");
    assert_int_equal(q.best_of, 4);
    completion_request_free(&q);
}

static void logprobs_are_wanted_also_of_no_others(void **state)
{
    (void)state;
    struct completion_request q;
    read_completion_request(&q, "{'prompt':'Hi','logprobs':0}");
    assert_true(q.generation.logprobs);
    assert_int_equal(q.generation.top_logprobs, 0);
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':'Hi','logprobs':5}");
    assert_int_equal(q.generation.top_logprobs, 5);
    completion_request_free(&q);
}

/* Elsewhere they are refused, unless they ask for nothing. */
static void chats_parameters_may_ask_for_nothing_elsewhere(void **state)
{
    (void)state;
    struct completion_request q;
    read_completion_request(
        &q, "{'prompt':'Hi','tools':[],'tool_choice':null,'top_logprobs':0,"
            "'functions':[],'enable_thinking':false,'messages':null,"
            "'modalities':['text'],'response_format':{'type':'text'},"
            "'top_a':1}");
    assert_unknown(&q.body, "top_a");
    completion_request_free(&q);
}

/* What a client says that sends every default. */
static void defaults_of_others_may_be_said(void **state)
{
    (void)state;
    struct completion_request q;
    struct embedding_request e;
    struct chat_request c;
    struct api_error a;
    read_completion_request(&q, "{'prompt':'Hi','tool_choice':'auto',"
                                "'parallel_tool_calls':true,"
                                "'add_generation_prompt':true,'':1,"
                                "'reasoning_effort':'none',"
                                "'thinking':{'type':'disabled'}}");
    assert_unknown(&q.body, "\"\"");
    completion_request_free(&q);
    char *body = body_of("{'input':'Hi','n':1,'temperature':1.0,'top_p':1,"
                         "'typical_p':1.0,'repetition_penalty':1,"
                         "'tool_choice':'none','best_of':1,'seed':3,"
                         "'response_format':{'type':'text'},"
                         "'modalities':['text']}");
    assert_served(embedding_request_read(&e, body, strlen(body), &a), &a);
    assert_unknown(&e.body, "");
    embedding_request_free(&e);
    free(body);
    body = body_of("{'messages':[{'role':'user','content':'Hi'}],"
                   "'best_of':1}");
    assert_served(chat_request_read(&c, body, strlen(body), &a), &a);
    chat_request_free(&c);
    free(body);
}

/* But not what only looks like them. */
static void what_is_no_default_is_refused(void **state)
{
    (void)state;
    static const char *const members[] = {
        "'n':[1,1]", "'temperature':{'type':1}", "'seed':'banana'",
        "'modalities':['text','audio']", "'response_format':{'a':'text'}"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct embedding_request e;
        struct api_error a;
        char said[80];
        snprintf(said, sizeof said, "{'input':'Hi',%s}", members[i]);
        char *body = body_of(said);
        assert_int_equal(embedding_request_read(&e, body, strlen(body), &a),
                         -1);
        assert_string_equal(a.code, "unsupported_parameter");
        free(body);
    }
}

/* What is a note of one kind of request is nothing to another. */
static void notes_are_unknown_elsewhere(void **state)
{
    (void)state;
    struct embedding_request q;
    struct api_error a;
    char *body = body_of("{'input':'Hi','user':'me','metadata':{'a':1},"
                         "'temperature':null,'stop':[]}");
    assert_served(embedding_request_read(&q, body, strlen(body), &a), &a);
    assert_unknown(&q.body, "metadata");
    embedding_request_free(&q);
    free(body);
}

static void a_body_may_go_before_its_request(void **state)
{
    (void)state;
    struct completion_request q;
    read_completion_request(&q, "{'prompt':['Hi'],'stop':'END','top_a':1}");
    completion_request_release(&q);
    assert_null(q.body.json);
    assert_null(q.prompts.items[0].text);
    assert_string_equal(q.generation.stops[0], "END");
    assert_unknown(&q.body, "top_a");
    completion_request_free(&q);
    read_completion_request(&q, "{'prompt':[7,8,9]}");
    completion_request_release(&q);
    assert_ids(&q.prompts.items[0], 7, 3);
    completion_request_free(&q);
}

static void read_embedding_request(struct embedding_request *q,
                                   const char *text)
{
    struct api_error a;
    char *body = body_of(text);
    assert_served(embedding_request_read(q, body, strlen(body), &a), &a);
    free(body);
}

static void vectors_come_as_numbers_or_letters(void **state)
{
    (void)state;
    struct embedding_request q;
    read_embedding_request(&q, "{'input':'Hi','model':'m','user':'me'}");
    assert_string_equal(q.model, "m");
    assert_false(q.base64);
    assert_int_equal(q.dimensions, 0);
    assert_text(&q.inputs.items[0], "Hi");
    embedding_request_free(&q);
    read_embedding_request(&q, "{'input':[[1,2],[3]],'dimensions':64,"
                               "'encoding_format':'base64'}");
    assert_true(q.base64);
    assert_int_equal(q.dimensions, 64);
    assert_int_equal(q.inputs.n, 2);
    embedding_request_free(&q);
    read_embedding_request(&q, "{'input':'Hi','encoding_format':'float'}");
    assert_false(q.base64);
    embedding_request_free(&q);
}

static void expect_tokenize(const char *text, bool special, bool pieces)
{
    struct tokenize_request q;
    struct api_error a;
    char *body = body_of(text);
    assert_served(tokenize_request_read(&q, body, strlen(body), &a), &a);
    assert_int_equal(q.size, 2);
    assert_memory_equal(q.text, "Hi", 2);
    assert_int_equal(q.add_special, special);
    assert_int_equal(q.pieces, pieces);
    tokenize_request_free(&q);
    free(body);
}

static void each_name_of_a_text_and_its_switches_counts(void **state)
{
    (void)state;
    expect_tokenize("{'prompt':'Hi'}", true, false);
    expect_tokenize("{'prompt':'Hi','add_special_tokens':false,"
                    "'return_token_strs':true}",
                    false, true);
    expect_tokenize("{'content':'Hi','add_special':false,'with_pieces':true}",
                    false, true);
}

static void tokens_are_ids(void **state)
{
    (void)state;
    struct detokenize_request q;
    struct api_error a;
    char *body = body_of("{'tokens':[3,4],'model':'m'}");
    assert_served(detokenize_request_read(&q, body, strlen(body), &a), &a);
    assert_ids(&q.tokens, 3, 2);
    assert_string_equal(q.model, "m");
    detokenize_request_free(&q);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_is_a_text_or_ids_or_some_of_them),
        cmocka_unit_test(a_completion_has_settings_of_its_own),
        cmocka_unit_test(logprobs_are_wanted_also_of_no_others),
        cmocka_unit_test(chats_parameters_may_ask_for_nothing_elsewhere),
        cmocka_unit_test(defaults_of_others_may_be_said),
        cmocka_unit_test(what_is_no_default_is_refused),
        cmocka_unit_test(notes_are_unknown_elsewhere),
        cmocka_unit_test(a_body_may_go_before_its_request),
        cmocka_unit_test(vectors_come_as_numbers_or_letters),
        cmocka_unit_test(each_name_of_a_text_and_its_switches_counts),
        cmocka_unit_test(tokens_are_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

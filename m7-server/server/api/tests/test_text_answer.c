/* The answers about plain texts. */
#include "text_answer.h"

#include "test_api.h"

static const struct answer_head head = {"cmpl-1", "tiny", 17, "fp", true};
static const struct token_usage usage = {2, 0, 1, 0};
static const struct completion_choice choice = {1, " is", 3, NULL,
                                                FINISH_STOP};

#define HEAD                                                                  \
    "{'id':'cmpl-1','object':'text_completion','created':17,'model':'tiny',"  \
    "'system_fingerprint':'fp','choices':["
#define CHOICE                                                                \
    "{'index':1,'text':' is','logprobs':null,'finish_reason':'stop'}"
#define USAGE                                                                 \
    "'usage':{'prompt_tokens':2,'completion_tokens':1,'total_tokens':3,"      \
    "'prompt_tokens_details':{'cached_tokens':0},"                            \
    "'completion_tokens_details':{'reasoning_tokens':0}}}"

static void a_completion_has_choices_and_usage(void **state)
{
    (void)state;
    assert_body(completion_answer(&head, &choice, 1, &usage),
                HEAD CHOICE "]," USAGE);
}

static void a_chunk_has_the_same_form(void **state)
{
    (void)state;
    assert_body(completion_chunk(&head, &choice, NULL),
                HEAD CHOICE "],'usage':null}");
    assert_body(completion_chunk(&head, NULL, &usage), HEAD "]," USAGE);
}

static void without_usage_nothing_is_said_of_it(void **state)
{
    (void)state;
    struct answer_head plain = head;
    plain.include_usage = false;
    assert_body(completion_chunk(&plain, &choice, NULL), HEAD CHOICE "]}");
}

static void tokens_are_listed_and_counted(void **state)
{
    (void)state;
    static const int ids[] = {5, 7};
    assert_body(tokenize_answer(ids, 2, 512, NULL),
                "{'tokens':[5,7],'count':2,'max_model_len':512}");
    assert_body(tokenize_answer(ids, 2, 512, json_pack("[ss]", "a", "b")),
                "{'tokens':[5,7],'count':2,'max_model_len':512,"
                "'token_strs':['a','b']}");
    assert_body(tokenize_answer(NULL, 0, 512, NULL),
                "{'tokens':[],'count':0,'max_model_len':512}");
}

static void texts_come_back_under_both_names(void **state)
{
    (void)state;
    assert_body(detokenize_answer("Hi", 2), "{'prompt':'Hi','content':'Hi'}");
    assert_body(template_answer("Hi", 2), "{'prompt':'Hi'}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_completion_has_choices_and_usage),
        cmocka_unit_test(a_chunk_has_the_same_form),
        cmocka_unit_test(without_usage_nothing_is_said_of_it),
        cmocka_unit_test(tokens_are_listed_and_counted),
        cmocka_unit_test(texts_come_back_under_both_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

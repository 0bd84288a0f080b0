/* Completions that tell of their prompts, and those chosen of more. */
#include "test_serving.h"

static const char TEXT[] = "/v1/completions";

static struct serving *serving_of(void **state)
{
    return *state;
}

static int start(void **state)
{
    static struct serving s;
    const struct rung_options engine = {.context = 512, .threads = 1};
    serving_start(&s, &engine);
    *state = &s;
    return 0;
}

static int stop(void **state)
{
    serving_stop(*state);
    return 0;
}

/* The part of a body that lies in brackets behind "NAME":; to be freed. */
static char *list_of_values(const char *body, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":[", name);
    const char *at = strstr(body, key);
    if (!at)
        return strdup("");
    at += strlen(key);
    return strndup(at, strcspn(at, "]"));
}

static void assert_list(const char *body, const char *name,
                        const char *expected)
{
    char *list = list_of_values(body, name);
    if (strcmp(list, expected) != 0)
        print_error("%s\n", body);
    assert_string_equal(list, expected);
    free(list);
}

static void ask_text(void **state, const char *body, struct response *r)
{
    ask_post(serving_of(state)->port, TEXT, body, r);
    if (r->status != 200)
        print_error("%s\n", r->body.data);
    assert_int_equal(r->status, 200);
}

/* What is told of a text is the same whether the model wrote it or read it. */
static void an_echo_has_the_prompts_log_probabilities(void **state)
{
    struct response made, read;
    ask_text(state,
             "{'prompt':'The capital of France','logprobs':1,'echo':true,"
             "'temperature':0,'max_tokens':3}",
             &made);
    ask_text(state,
             "{'prompt':'The capital of France is Paris','logprobs':1,"
             "'echo':true,'max_tokens':0}",
             &read);
    assert_value(made.body.data, "text", "\"The capital of France is Paris\"");
    char *values = list_of_values(made.body.data, "token_logprobs");
    char *tops = list_of_values(made.body.data, "top_logprobs");
    assert_memory_equal(values, "null,-", 6);
    assert_memory_equal(tops, "null,{", 6);
    assert_list(made.body.data, "tokens",
                "\"The\",\" capital\",\" of\",\" F\",\"rance\",\" is\","
                "\" Par\",\"is\"");
    assert_list(made.body.data, "text_offset", "0,3,11,14,16,21,24,28");
    assert_list(read.body.data, "token_logprobs", values);
    assert_list(read.body.data, "top_logprobs", tops);
    assert_list(read.body.data, "text_offset", "0,3,11,14,16,21,24,28");
    free(values);
    free(tops);
    response_free(&made);
    response_free(&read);
}

/* Marks and characters of several tokens keep their places. */
static void offsets_are_characters_of_the_text(void **state)
{
    struct response r;
    ask_text(state,
             "{'prompt':'<|im_start|>Zo\xc3\xab \xf0\x9f\x98\x80.','logprobs'"
             ":0,'echo':true,'max_tokens':0}",
             &r);
    assert_value(r.body.data, "text",
                 "\"<|im_start|>Zo\xc3\xab \xf0\x9f\x98\x80.\"");
    assert_list(r.body.data, "text_offset", "0,12,13,14,15,15,17,17,17");
    response_free(&r);
}

static void no_token_is_a_number_of_tokens(void **state)
{
    struct response r;
    ask_text(state,
             "{'prompt':'Once upon','max_tokens':0,'temperature':0,"
             "'stop':' a time~'}", /* which holds back what could begin it */
             &r);
    assert_value(r.body.data, "text", "\"\"");
    assert_value(r.body.data, "completion_tokens", "0");
    assert_value(r.body.data, "finish_reason", "\"length\"");
    response_free(&r);
    ask_text(state,
             "{'prompt':'Once upon','max_tokens':0,'echo':true,'logprobs':0,"
             "'stream':true}",
             &r);
    assert_value(r.body.data, "text", "\"Once upon\"");
    assert_list(r.body.data, "tokens", "\"Once\",\" upon\"");
    assert_non_null(strstr(r.body.data, "data: [DONE]"));
    response_free(&r);
}

/* The mean of the numbers in a list; what is behind them goes to *rest. */
static double mean_of(const char *list)
{
    double sum = 0;
    size_t n = 0;
    for (char *end; *list; list = *end ? end + 1 : end, n++)
        sum += strtod(list, &end);
    assert_true(n > 0);
    return sum / (double)n;
}

/* Of four texts the two that are likeliest, the best one first. */
static void the_best_are_the_likeliest(void **state)
{
    static const char asked[] =
        "{'prompt':['Once upon a time','A cat'],'max_tokens':9,'seed':5,"
        "'logprobs':0,'temperature':1.5,'n':%d,'best_of':4}";
    struct response all, best;
    double means[8], chosen[4];
    char body[256];
    snprintf(body, sizeof body, asked, 4);
    ask_text(state, body, &all);
    snprintf(body, sizeof body, asked, 2);
    ask_text(state, body, &best);
    const char *at = all.body.data;
    for (size_t i = 0; i < 12; i++) {
        if (i == 8)
            at = best.body.data;
        at = strstr(at, "\"token_logprobs\"");
        assert_non_null(at);
        char *list = list_of_values(at++, "token_logprobs");
        *(i < 8 ? &means[i] : &chosen[i - 8]) = mean_of(list);
        free(list);
    }
    for (size_t p = 0; p < 2; p++) {
        assert_true(chosen[2 * p] >= chosen[2 * p + 1]);
        size_t better = 0;
        for (size_t i = 0; i < 4; i++)
            better += means[4 * p + i] > chosen[2 * p + 1];
        assert_int_equal(better, 1);
    }
    assert_value(best.body.data, "completion_tokens", "72");
    assert_value(best.body.data, "prompt_tokens", "6");
    assert_non_null(strstr(best.body.data, "\"index\":3"));
    assert_null(strstr(best.body.data, "\"index\":4"));
    response_free(&all);
    response_free(&best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_echo_has_the_prompts_log_probabilities),
        cmocka_unit_test(offsets_are_characters_of_the_text),
        cmocka_unit_test(no_token_is_a_number_of_tokens),
        cmocka_unit_test(the_best_are_the_likeliest),
    };
    return cmocka_run_group_tests_name("completions", tests, start, stop);
}

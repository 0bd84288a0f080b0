/* A server that guesses sends what one sends that does not, to the byte; and
 * it tells how its guesses went. */
#include "test_serving.h"

#define CHAT "/v1/chat/completions"
#define TEXT "/v1/completions"

static const struct asked_route {
    const char *path, *body;
} requests[] = {
    {TEXT, "{'prompt':'one two one two one two','max_tokens':30,"
           "'temperature':0,'logprobs':2}"},
    {TEXT, "{'prompt':'one two one two one two','max_tokens':30,'stream':true,"
           "'temperature':1,'top_p':0.9,'seed':5}"},
    {TEXT, "{'prompt':'Once upon a time','max_tokens':40,'temperature':0.8,"
           "'presence_penalty':0.5,'frequency_penalty':0.5,'seed':3,'n':3}"},
    {TEXT, "{'prompt':'one two one two one two','max_tokens':40,"
           "'temperature':0,'stop':['o one',' two two']}"},
    {CHAT, "{'messages':[{'role':'user','content':'a b c d a b c d a b'}],"
           "'max_tokens':50,'temperature':0}"},
    {CHAT, "{'messages':[{'role':'user','content':'How is the weather?'}],"
           "'max_tokens':60,'temperature':0,'tools':[{'type':'function',"
           "'function':{'name':'weather','parameters':{'type':'object',"
           "'properties':{'city':{'type':'string'}},'required':['city']}}}],"
           "'tool_choice':'required'}"},
};

enum asked_sizes {
    N_REQUESTS = sizeof requests / sizeof requests[0]
};

/* All that an answer says, without what is new each time. */
static void take_content(int port, size_t i, struct bytes *out)
{
    static const char *const names[] = {"content",       "text",
                                        "arguments",     "token",
                                        "finish_reason", "reasoning_content"};
    static const char *const numbers[] = {"\"logprob\":", "_tokens\":",
                                          "\"token_logprobs\":"};
    struct response r;
    ask_post(port, requests[i].path, requests[i].body, &r);
    assert_int_equal(r.status, 200);
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        join_values(r.body.data, names[n], out);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        for (const char *at = r.body.data; (at = strstr(at, numbers[n]));
             at += strlen(numbers[n]))
            bytes_add(out, at, strcspn(at, "}]"));
    response_free(&r);
}

static void ask_all(const struct rung_options *options, struct bytes *out,
                    struct bytes *log, struct response *metrics)
{
    struct serving s;
    serving_start(&s, options);
    for (size_t i = 0; i < N_REQUESTS; i++)
        take_content(s.port, i, &out[i]);
    ask_get(s.port, "/metrics", metrics);
    serve_drain(s.server);
    serve_wait(s.server, 5);
    bytes_add(log, s.log.data, s.log.size);
    bytes_add(log, "", 1);
    serving_stop(&s);
}

/* The sum of the numbers behind a name. */
static double sum_of(const char *text, const char *name)
{
    double sum = 0;
    for (const char *at = text; (at = strstr(at, name));) {
        at += strlen(name);
        sum += strtod(at, NULL);
    }
    return sum;
}

static void expect_told(const struct bytes *log,
                        const struct response *metrics, double *right)
{
    const char *m = metrics->body.data;
    double made = sum_of(m, "\nrung_draft_tokens_total{model=\"tiny-chat\"} ");
    double kept = sum_of(
        m, "\nrung_draft_tokens_accepted_total{model=\"tiny-chat\"} ");
    print_message("%g guesses, %g right\n", made, kept);
    assert_true(made > 0 && kept < made);
    *right += kept;
    assert_true(sum_of(log->data, "\"draft_tokens\":") == made);
    assert_true(sum_of(log->data, "\"accepted_tokens\":") == kept);
    assert_true(sum_of(log->data, "\"verify_ms\":") > 0);
    assert_true(
        sum_of(m, "\nrung_draft_seconds_total{model=\"tiny-chat\"} ") > 0);
    assert_true(
        sum_of(m, "\nrung_verify_seconds_total{model=\"tiny-chat\"} ") > 0);
}

static void what_is_sent_is_the_same(void **state)
{
    (void)state;
    char *small = test_path("models/tiny-draft");
    const struct rung_options options[] = {
        {.threads = 1},
        {.threads = 1, .draft = "ngram"},
        {.threads = 1, .draft = "ngram", .draft_tokens = 4},
        {.threads = 1, .draft = small, .draft_tokens = 3}};
    struct bytes plain[N_REQUESTS] = {0};
    double right = 0;
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        struct bytes said[N_REQUESTS] = {0}, log = {0};
        struct response metrics;
        ask_all(&options[k], k ? said : plain, &log, &metrics);
        for (size_t i = 0; k && i < N_REQUESTS; i++) {
            assert_int_equal(said[i].size, plain[i].size);
            assert_memory_equal(said[i].data, plain[i].data, plain[i].size);
            bytes_free(&said[i]);
        }
        if (k)
            expect_told(&log, &metrics, &right);
        response_free(&metrics);
        bytes_free(&log);
    }
    assert_true(right > 0);
    for (size_t i = 0; i < N_REQUESTS; i++)
        bytes_free(&plain[i]);
    free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_is_the_same),
    };
    return cmocka_run_group_tests_name("serve_guess", tests, NULL, NULL);
}

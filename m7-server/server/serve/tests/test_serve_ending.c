/* While an answer is written as JSON, the engine goes on. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "test_gate.h"

/* Many values of JSON: they are not written on the engine's thread. */
static const char large[] = "{'prompt':'One','max_tokens':3,'n':16,"
                            "'logprobs':20,'temperature':0}";

/* Nor does it wait for the large one to whom only a little is to be said. */
static void nobody_waits_for(const char *body)
{
    struct serving s;
    struct response r = {0}, small = {0};
    struct bytes rest = {0}, all = {0};
    serving_start(&s, &(struct rung_options){.threads = 1});
    set_gate(AT_WRITING);
    int whole = send_post(s.port, "/v1/completions", body);
    await_waiting();
    int stream = send_post(s.port, "/v1/completions",
                           "{'prompt':'One','max_tokens':3,'stream':true,"
                           "'temperature':0}");
    assert_true(client_until(stream, &rest, "\"finish_reason\":\"length\"",
                             &all));
    assert_true(client_until(stream, &rest, "data: [DONE]", &all));
    int other = send_post(s.port, "/v1/completions",
                          "{'prompt':'One','max_tokens':1}");
    client_next(other, &small, false);
    assert_int_equal(small.status, 200);
    assert_false(set_gate(NO_GATE));
    client_next(whole, &r, false);
    assert_int_equal(r.status, 200);
    close(stream);
    close(whole);
    close(other);
    bytes_free(&rest);
    bytes_free(&all);
    response_free(&r);
    response_free(&small);
    serving_stop(&s);
}

static void an_answer_that_is_written_keeps_nobody_waiting(void **state)
{
    (void)state;
    nobody_waits_for(large);
}

/* Many short choices are as large. */
static void nor_do_many_choices(void **state)
{
    (void)state;
#define FOUR "'One','One','One','One',"
    nobody_waits_for("{'prompt':[" FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
                     FOUR FOUR FOUR "'One'],'max_tokens':1,'n':16,"
                     "'temperature':0}");
}

/* The server has cut the connection, and goes on to its threads: it gets a
 * moment to end without the one that waits. */
static void *open_when_cut(void *argument)
{
    char left[4096];
    while (recv(*(int *)argument, left, sizeof left, 0) > 0)
        continue;
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    set_gate(NO_GATE);
    return NULL;
}

/* One that is large as soon as its prompt is read, and has far to go. */
static const char endless[] =
    "{'prompt':'One two three four five six seven eight nine ten eleven "
    "twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty twenty-one twenty-two twenty-three twenty-four twenty-five',"
    "'max_tokens':200,'n':16,'logprobs':20}";

/* The server ends while this one is there, and waits for it; and for the other
 * one, which it cuts off, and which ends behind it.  The model lasts as long
 * as an answer may say its name. */
static void end_while_one_is(enum gate_place there, const char *body)
{
    struct serving s;
    pthread_t opener;
    serving_start(&s, &(struct rung_options){.threads = 1});
    set_gate(there);
    int behind = send_post(s.port, "/v1/completions", endless);
    int fd = send_post(s.port, "/v1/completions", body);
    await_waiting();
    assert_int_equal(pthread_create(&opener, NULL, open_when_cut, &fd), 0);
    serving_stop(&s);
    assert_false(gate_is_shut());
    assert_string_equal(gate_model, "tiny-chat");
    pthread_join(opener, NULL);
    assert_false(set_gate(NO_GATE));
    close(fd);
    close(behind);
}

/* The first is held on the engine's thread, with more tokens to come; the
 * second when all its tokens are there. */
static void a_server_may_end_before_its_answers(void **state)
{
    (void)state;
    end_while_one_is(AT_WRITING,
                     "{'prompt':'One','max_tokens':50,'stream':true}");
    end_while_one_is(AT_WRITING, large);
}

static void and_its_models_end_after_them(void **state)
{
    (void)state;
    end_while_one_is(AT_MAKING, large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_is_written_keeps_nobody_waiting),
        cmocka_unit_test(nor_do_many_choices),
        cmocka_unit_test(a_server_may_end_before_its_answers),
        cmocka_unit_test(and_its_models_end_after_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

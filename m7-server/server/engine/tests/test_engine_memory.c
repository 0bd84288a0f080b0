/* Whichever allocation of the engine's thread fails, the request ends with
 * that reason, it is counted as that, and the next one is answered. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "test_client.h"

/* Stays when a test ends badly: the engine still tells it. */
static struct client client;

static uint64_t counted(struct rung_model *m, enum rung_reason reason)
{
    struct rung_stats s;
    rung_stats(m, &s);
    const uint64_t counts[] = {[RUNG_STOP] = s.stopped,
                               [RUNG_LENGTH] = s.at_length,
                               [RUNG_CANCELLED] = s.cancelled,
                               [RUNG_FAILED] = s.failed};
    return counts[reason];
}

/* What the client itself needs never fails. */
static int spared_token(void *context, const struct rung_token_event *t)
{
    memory_spared = true;
    int result = client_token(context, t);
    memory_spared = false;
    return result;
}

static void spared_end(void *context, const struct rung_result *r)
{
    memory_spared = true;
    client_end(context, r);
    memory_spared = false;
}

static void run_spared(struct rung_model *m)
{
    struct rung_error e;
    struct rung_request *r = client_request(&client);
    r->on_token = spared_token;
    r->on_end = spared_end;
    client.ticket = rung_submit(m, r, &e);
    assert_non_null(client.ticket);
    client_wait(&client);
}

/* Ask; the n-th allocation fails, if there are so many.  Whether it has. */
static bool ask_without(struct rung_model *m, long n)
{
    uint64_t failed = counted(m, RUNG_FAILED);
    uint64_t at_length = counted(m, RUNG_LENGTH);
    memory_fail_at(n);
    run_spared(m);
    bool lacked = memory_had_failed();
    assert_int_equal(client.result.reason,
                     lacked ? RUNG_FAILED : RUNG_LENGTH);
    assert_int_equal(counted(m, RUNG_FAILED), failed + lacked);
    assert_int_equal(counted(m, RUNG_LENGTH), at_length + !lacked);
    if (lacked)
        assert_int_equal(client.result.error.code, RUNG_MEMORY);
    if (lacked)
        assert_true(strstr(client.result.error.message, "memory") != NULL);
    return lacked;
}

/* All that is written is held back until the end, as the beginning of a stop
 * string: so the end needs memory, too. */
static void each_allocation_may_fail(void **state)
{
    (void)state;
    struct rung_options o = {.threads = 1, .requests = 1};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    memory_spared = true;
    client_init(&client, m, "The capital of France is", 2);
    client.asks.ignore_eos = true;
    client_run(&client, m);
    bytes_add_string(&client.text, "!?");
    bytes_add(&client.text, "", 1);
    const char *stop = strdup(client.text.data);
    client.asks.stops = &stop;
    client.asks.n_stops = 1;
    client.asks.logprobs = true;
    client.asks.top_logprobs = 2;
    long n = 0;
    do {
        client_forget(&client);
    } while (ask_without(m, ++n));
    print_message("%ld allocations\n", n - 1);
    assert_true(n > 5);
    free((char *)stop);
    client_free(&client);
    rung_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("engine_memory", tests, NULL, NULL);
}

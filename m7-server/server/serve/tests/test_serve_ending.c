/* While an answer is written as JSON, the engine goes on. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "test_serving.h"

#include <dlfcn.h>
#include <jansson.h>

/* The next text of JSON is not written before the gate is open; with our
 * patience it opens by itself. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static bool shut, waits, forced;

static void wait_at_gate(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&gate_lock);
    bool first = shut && !waits;
    waits |= first;
    pthread_cond_broadcast(&gate_changed);
    while (first && shut && !forced)
        forced = pthread_cond_timedwait(&gate_changed, &gate_lock, &until);
    pthread_mutex_unlock(&gate_lock);
}

int json_dump_callback(const json_t *json, json_dump_callback_t callback,
                       void *data, size_t flags)
{
    int (*dump)(const json_t *, json_dump_callback_t, void *, size_t);
    void *found = dlsym(RTLD_NEXT, "json_dump_callback");
    memcpy(&dump, &found, sizeof dump);
    wait_at_gate();
    return dump(json, callback, data, flags);
}

/* Whether it has opened by itself before. */
static bool set_gate(bool to)
{
    pthread_mutex_lock(&gate_lock);
    shut = to;
    bool was_forced = forced;
    pthread_cond_broadcast(&gate_changed);
    pthread_mutex_unlock(&gate_lock);
    return was_forced;
}

static void await_waiting(void)
{
    pthread_mutex_lock(&gate_lock);
    while (!waits)
        pthread_cond_wait(&gate_changed, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
}

static void an_answer_that_is_written_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct serving s;
    struct response r = {0};
    struct bytes rest = {0}, all = {0};
    serving_start(&s, &(struct rung_options){.threads = 1});
    set_gate(true);
    int whole = send_post(s.port, "/v1/completions",
                          "{'prompt':'One','max_tokens':1}");
    await_waiting();
    int stream = send_post(s.port, "/v1/completions",
                           "{'prompt':'One','max_tokens':3,'stream':true,"
                           "'temperature':0}");
    assert_true(client_until(stream, &rest, "\"finish_reason\":\"length\"",
                             &all));
    assert_false(set_gate(false));
    assert_true(client_until(stream, &rest, "data: [DONE]", &all));
    client_next(whole, &r, false);
    assert_int_equal(r.status, 200);
    close(stream);
    close(whole);
    bytes_free(&rest);
    bytes_free(&all);
    response_free(&r);
    serving_stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_is_written_keeps_nobody_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

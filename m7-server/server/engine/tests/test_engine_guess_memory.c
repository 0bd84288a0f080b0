/* Whichever allocation fails while a model and its draft are opened, it is an
 * error with words; and without memory for guesses an answer comes without
 * them. */
#define _GNU_SOURCE /* RTLD_NEXT, for test_no_memory.h */
#include "test_no_memory.h"

#include "engine.h"
#include "test_client.h"

#include <jansson.h>

/* jansson 2.14 writes past the end of a text that could not grow: while it
 * reads nothing fails. */
json_t *json_loadb(const char *text, size_t size, size_t flags,
                   json_error_t *error)
{
    static _Atomic(memory_function) known;
    json_t *(*next)(const char *, size_t, size_t, json_error_t *) =
        (json_t * (*)(const char *, size_t, size_t, json_error_t *))
            memory_next("json_loadb", &known);
    bool spared = memory_spared;
    memory_spared = true;
    json_t *json = next(text, size, flags, error);
    memory_spared = spared;
    return json;
}

/* Stays when a test ends badly: the engine still tells it. */
static struct client client;

/* --- opening ------------------------------------------------------------- */

/* What is open in spite of it is whole. */
static void expect_guesses(struct rung_model *m)
{
    client_init(&client, m, "Once upon a time", 4);
    client.asks.ignore_eos = true;
    client_run(&client, m);
    assert_true(client.result.draft_tokens > 0);
    client_free(&client);
}

/* The n-th allocation fails, of this thread, too; where it is one of the C
 * library, that may be the system's error.  Whether there are so many. */
static bool open_without(const char *large, const char *small, long n,
                         size_t *refused)
{
    struct rung_options o = {
        .threads = 1, .requests = 2, .draft = small, .draft_tokens = 2};
    struct rung_error e = {0};
    memory_fail_at(n);
    memory_spared = false;
    struct rung_model *m = rung_open(large, &o, &e);
    memory_spared = true;
    bool lacked = memory_had_failed();
    assert_true(m || lacked);
    assert_true(m || e.message[0]);
    *refused += !m && e.code == RUNG_MEMORY;
    if (m && lacked)
        expect_guesses(m);
    rung_close(m);
    return lacked;
}

static void a_draft_is_opened_or_an_error_told(void **state)
{
    (void)state;
    char *large = test_path("models/tiny-chat");
    char *small = test_path("models/tiny-draft");
    long n = 1;
    size_t refused = 0;
    if (access(large, R_OK))
        skip_without_models();
    while (open_without(large, small, n, &refused))
        n += is_slow() ? 37 : is_long() ? 1 : 5;
    print_message("%ld allocations or less, %zu errors\n", n, refused);
    assert_true(refused > (is_slow() ? 8 : 64));
    free(large);
    free(small);
}

/* --- answering ----------------------------------------------------------- */

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

/* The caches are new each time, so their memory is asked for again. */
static void forget_caches(struct rung_model *m)
{
    for (size_t i = 0; i < m->guesser.small.n; i++)
        guess_model_limit(&m->guesser.small, i, 0);
}

/* The n-th allocation fails: the answer is the same, or there is an error.
 * Whether there are so many. */
static bool ask_without(struct rung_model *m, long n, const struct ids *whole,
                        size_t *unguessed)
{
    forget_caches(m);
    client_forget(&client);
    memory_fail_at(n);
    run_spared(m);
    bool lacked = memory_had_failed(), told = client.result.reason ==
                                              RUNG_FAILED;
    assert_true(lacked || !told);
    if (told)
        assert_int_equal(client.result.error.code, RUNG_MEMORY);
    else
        assert_int_equal(client.ids.size, whole->size);
    assert_memory_equal(client.ids.data ? client.ids.data : whole->data,
                        whole->data, client.ids.size * sizeof *whole->data);
    *unguessed += lacked && !told;
    return lacked;
}

static void without_memory_for_guesses_there_are_none(void **state)
{
    (void)state;
    char *small = test_path("models/tiny-draft");
    struct rung_options o = {
        .threads = 1, .requests = 1, .draft = small, .draft_tokens = 3};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    struct ids whole = {0};
    size_t unguessed = 0;
    long n = 0;
    memory_spared = true;
    client_init(&client, m, "Once upon a time", 8);
    client.asks.ignore_eos = true;
    client_run(&client, m);
    assert_true(client.result.draft_tokens > 0);
    for (size_t i = 0; i < client.ids.size; i++)
        ids_add(&whole, client.ids.data[i]);
    while (ask_without(m, ++n, &whole, &unguessed))
        ;
    print_message("%ld allocations, %zu of guesses\n", n - 1, unguessed);
    assert_true(unguessed > 0);
    assert_true(client.result.draft_tokens > 0); /* the last lacked nothing */
    ids_free(&whole);
    client_free(&client);
    rung_close(m);
    free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_is_opened_or_an_error_told),
        cmocka_unit_test(without_memory_for_guesses_there_are_none),
    };
    return cmocka_run_group_tests_name("engine_guess_memory", tests, NULL,
                                       NULL);
}

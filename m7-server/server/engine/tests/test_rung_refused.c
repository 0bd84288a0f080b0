/* A request that makes no sense, or that there is no room for, is refused with
 * words, before anything happens. */
#include "engine.h"

#include "test_client.h"

static struct rung_model *model;

static int open_once(void **state)
{
    struct rung_options o = {.requests = 2, .queue = 1, .context = 200};
    struct rung_error e;
    char *path = test_path("models/tiny-chat");
    (void)state;
    if (access(path, R_OK) == 0)
        model = rung_open(path, &o, &e);
    free(path);
    return 0;
}

static int close_once(void **state)
{
    (void)state;
    rung_close(model);
    return 0;
}

static const char question[] =
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n"
    "<|im_start|>assistant\n";

/* A client with a question; skips without models. */
static void ask(struct client *c, size_t most)
{
    if (!model)
        skip_without_models();
    client_init(c, model, question, most);
}

static void assert_refused(struct client *c, const char *words)
{
    struct rung_error e;
    assert_null(rung_submit(model, client_request(c), &e));
    assert_int_equal(e.code, RUNG_INPUT);
    assert_string_equal(e.message, words);
    assert_null(rung_submit(model, client_request(c), NULL));
    assert_int_equal(c->ends, 0);
}

static void a_stop_string_has_an_end(void **state)
{
    (void)state;
    static struct client c;
    char last[RUNG_STOP_BYTES + 2] = "";
    const char *stops[] = {"a", last};
    ask(&c, 2);
    memset(last, 'a', RUNG_STOP_BYTES + 1);
    c.asks.stops = stops;
    c.asks.n_stops = 2;
    assert_refused(&c,
                   "stop string 1 has 1025 bytes; it may have up to 1024");
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static struct client c;
    const int none = 4096;
    const char *empty = "";
    struct rung_bias bias = {1, NAN};
    ask(&c, 2);
    c.asks.max_tokens = 0;
    assert_refused(&c, "no tokens are asked for");
    c.asks.max_tokens = 1;
    c.asks.ends = &none;
    c.asks.n_ends = 1;
    assert_refused(&c, "ends: number 0 is 4096, and the model has the ids 0 "
                       "to 4095");
    c.asks.n_ends = 0;
    c.asks.stops = &empty;
    c.asks.n_stops = 1;
    assert_refused(&c, "stop string 0 is empty");
    c.asks.n_stops = 0;
    c.asks.sampling.biases = &bias;
    c.asks.sampling.n_biases = 1;
    assert_refused(&c, "sampling: bias 0 is no number");
    bias = (struct rung_bias){-1, 1};
    assert_refused(&c, "a bias: number 0 is -1, and the model has the ids 0 "
                       "to 4095");
    c.asks.sampling.n_biases = 0;
    c.asks.logprobs = true;
    c.asks.top_logprobs = 4097;
    assert_refused(&c, "4097 log probabilities are more than the model's 4096 "
                       "tokens");
    c.asks.logprobs = false;
    c.prompt.data[1] = -5;
    assert_refused(&c, "the prompt: number 1 is -5, and the model has the ids "
                       "0 to 4095");
    c.prompt.size = 0;
    assert_refused(&c, "the prompt has no token");
    client_free(&c);
}

static void settings_have_bounds(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 2);
    struct rung_sampling *s = &c.asks.sampling, good = *s;
    s->temperature = -1;
    assert_refused(&c, "sampling: temperature is -1; it may be from 0 to "
                       "1e+30");
    *s = good;
    s->top_p = 1.5;
    assert_refused(&c, "sampling: top_p is 1.5; it may be from 0 to 1");
    *s = good;
    s->min_p = (float)NAN;
    assert_int_equal(
        rung_generate(model, client_request(&c), NULL, NULL), -1);
    *s = good;
    s->repetition = 0;
    assert_refused(&c, "sampling: repetition is 0; it may be from 1e-30 to "
                       "1e+30");
    client_free(&c);
}

static void a_text_beyond_the_context_is_refused_with_both_numbers(
    void **state)
{
    (void)state;
    static struct client c;
    struct rung_error e;
    ask(&c, 2);
    c.asks.max_tokens = 200 - c.prompt.size;
    client_submit(&c, model);
    rung_cancel(c.ticket);
    client_wait(&c);
    client_forget(&c);
    c.asks.max_tokens++;
    assert_null(rung_submit(model, client_request(&c), &e));
    assert_int_equal(e.code, RUNG_TOO_LONG);
    assert_int_equal(e.asked, 201);
    assert_int_equal(e.limit, 200);
    c.asks.max_tokens = SIZE_MAX;
    assert_null(rung_submit(model, client_request(&c), &e));
    assert_int_equal(e.code, RUNG_TOO_LONG);
    client_free(&c);
}

/* Two run, and one may wait. */
static void a_full_queue_refuses(void **state)
{
    (void)state;
    static struct client clients[3], last;
    struct rung_error e;
    struct rung_stats s;
    for (size_t i = 0; i < 3; i++) {
        ask(&clients[i], 150);
        clients[i].asks.ignore_eos = true;
        client_submit(&clients[i], model);
    }
    ask(&last, 1);
    assert_null(rung_submit(model, client_request(&last), &e));
    assert_int_equal(e.code, RUNG_BUSY);
    assert_int_equal(e.limit, 3);
    rung_stats(model, &s);
    assert_true(s.refused >= 1);
    for (size_t i = 0; i < 3; i++)
        rung_cancel(clients[i].ticket);
    for (size_t i = 0; i < 3; i++) {
        client_wait(&clients[i]);
        client_free(&clients[i]);
    }
    client_run(&last, model);
    client_free(&last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_string_has_an_end),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(settings_have_bounds),
        cmocka_unit_test(
            a_text_beyond_the_context_is_refused_with_both_numbers),
        cmocka_unit_test(a_full_queue_refuses),
    };
    return cmocka_run_group_tests_name("rung_refused", tests, open_once,
                                       close_once);
}

/* What a request may ask for, and what it is told. */
#include "engine.h"

#include "test_client.h"

#include <math.h>

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

static void assert_said(const struct client *c, const char *text)
{
    assert_int_equal(c->text.size, strlen(text));
    if (c->text.size)
        assert_memory_equal(c->text.data, text, c->text.size);
}

static char *copy_of(const struct client *c)
{
    char *text = malloc(c->text.size + 1);
    assert_non_null(text);
    memcpy(text, c->text.data, c->text.size);
    text[c->text.size] = 0;
    return text;
}

/* --- how an answer ends -------------------------------------------------- */

static void an_answer_ends_after_as_many_tokens(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 3);
    c.asks.ignore_eos = true;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_LENGTH);
    assert_int_equal(c.ids.size, 3);
    assert_int_equal(c.result.new_tokens, 3);
    assert_int_equal(c.result.prompt_tokens, c.prompt.size);
    assert_int_equal(c.result.end_token, -1);
    client_free(&c);
}

static void an_answer_ends_with_a_token_that_nobody_sees(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 5);
    c.asks.ignore_eos = true;
    client_run(&c, model);
    int end = c.ids.data[2];
    size_t before = 0;
    while (c.ids.data[before] != end)
        before++;
    client_forget(&c);
    c.asks.ends = &end;
    c.asks.n_ends = 1;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_STOP);
    assert_int_equal(c.result.end_token, end);
    assert_int_equal(c.ids.size, before);
    assert_int_equal(c.result.new_tokens, before + 1);
    client_free(&c);
}

static void an_answer_ends_before_a_stop_string(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 8);
    c.asks.ignore_eos = true;
    client_run(&c, model);
    char *all = copy_of(&c);
    size_t half = strlen(all) / 2;
    const char *stop = all + half;
    half = (size_t)(strstr(all, stop) - all);
    client_forget(&c);
    c.asks.stops = &stop;
    c.asks.n_stops = 1;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_STOP);
    assert_int_equal(c.text.size, half);
    assert_memory_equal(c.text.data, all, half);
    client_free(&c);
    free(all);
}

/* Whose special tokens are marks puts them in himself. */
static void special_tokens_are_no_text(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 3);
    const struct rung_bias bias = {
        rung_find_token(model, "<|im_start|>"), 100};
    c.asks.sampling.biases = &bias;
    c.asks.sampling.n_biases = 1;
    client_run(&c, model);
    assert_int_equal(c.ids.size, 3);
    assert_int_equal(c.ids.data[1], bias.id);
    assert_said(&c, "");
    client_free(&c);
}

/* Lets the tokens (n,) come one after the other, and no others. */
struct dictation {
    int ids[3];
    size_t n;
};

static void dictate(void *context, const int *ids, size_t n, size_t n_prompt,
                    float *logits, size_t vocab_size)
{
    const struct dictation *d = context;
    (void)ids;
    for (size_t i = 0; i < vocab_size; i++)
        if (i != (size_t)d->ids[(n - n_prompt) % d->n])
            logits[i] = -INFINITY;
}

/* What stands before one is told with it, and not behind it. */
static void no_stop_string_lies_across_a_special_token(void **state)
{
    (void)state;
    static struct client c;
    static const char *const stop = "ab";
    ask(&c, 3);
    struct dictation d = {{rung_find_token(model, "a"),
                           rung_find_token(model, "<|im_start|>"),
                           rung_find_token(model, "b")},
                          3};
    c.asks.sampling.forbid = dictate;
    c.asks.sampling.forbid_context = &d;
    c.asks.stops = &stop;
    c.asks.n_stops = 1;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_LENGTH);
    assert_said(&c, "ab");
    client_free(&c);
}

/* What could have begun a stop string comes with the end. */
static void what_was_held_back_comes_with_the_end(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 6);
    c.asks.ignore_eos = true;
    client_run(&c, model);
    char *all = copy_of(&c);
    char *more = malloc(strlen(all) + 2);
    sprintf(more, "%s~", all + 1);
    const char *stop = more;
    client_forget(&c);
    c.asks.stops = &stop;
    c.asks.n_stops = 1;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_LENGTH);
    assert_said(&c, all);
    client_free(&c);
    free(more);
    free(all);
}

/* --- what is told -------------------------------------------------------- */

static void log_probabilities_come_when_asked_for(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 4);
    c.asks.ignore_eos = true;
    client_run(&c, model);
    assert_true(c.logprobs == 0 && c.others == 0);
    client_forget(&c);
    c.asks.logprobs = true;
    c.asks.top_logprobs = 1; /* which greedily is the token itself */
    client_run(&c, model);
    assert_true(c.logprobs < 0);
    assert_true(c.logprobs == c.others);
    client_free(&c);
}

static void seconds_add_up(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 4);
    double before = engine_clock();
    client_run(&c, model);
    double all = engine_clock() - before;
    const struct rung_result *r = &c.result;
    assert_true(r->queued >= 0 && r->prefill > 0 && r->decode > 0);
    assert_true(r->queued + r->prefill + r->decode <= all);
    client_free(&c);
}

/* --- how it is chosen ---------------------------------------------------- */

/* Nothing but the one token of the context. */
static void only_one(void *context, const int *ids, size_t n, size_t n_prompt,
                     float *logits, size_t vocab_size)
{
    const struct client *c = context;
    assert_int_equal(n_prompt, c->prompt.size);
    assert_int_equal(n, n_prompt + c->ids.size);
    assert_int_equal(ids[0], c->prompt.data[0]);
    for (size_t i = 0; i < vocab_size; i++)
        if (i != 7 + c->ids.size)
            logits[i] = -INFINITY;
}

static void who_asks_may_forbid_tokens(void **state)
{
    (void)state;
    static struct client c;
    ask(&c, 4);
    c.asks.sampling.forbid = only_one;
    c.asks.sampling.forbid_context = &c;
    client_run(&c, model);
    for (int i = 0; i < 4; i++)
        assert_int_equal(c.ids.data[i], 7 + i);
    client_free(&c);
}

static void forbid_all(void *context, const int *ids, size_t n,
                       size_t n_prompt, float *logits, size_t vocab_size)
{
    (void)context;
    (void)ids;
    (void)n;
    (void)n_prompt;
    for (size_t i = 0; i < vocab_size; i++)
        logits[i] = -INFINITY;
}

static void where_all_is_forbidden_a_request_fails(void **state)
{
    (void)state;
    static struct client c;
    struct rung_error e;
    ask(&c, 4);
    c.asks.sampling.forbid = forbid_all;
    client_run(&c, model);
    assert_int_equal(c.result.reason, RUNG_FAILED);
    assert_int_equal(c.result.error.code, RUNG_INPUT);
    assert_string_equal(c.result.error.message,
                        "all 4096 tokens are forbidden");
    client_forget(&c);
    assert_int_equal(rung_generate(model, client_request(&c), NULL, &e), -1);
    assert_string_equal(e.message, "all 4096 tokens are forbidden");
    client_free(&c);
}

static void a_bias_changes_what_is_chosen(void **state)
{
    (void)state;
    static struct client c;
    struct rung_bias bias = {123, 100};
    ask(&c, 2);
    c.asks.sampling.biases = &bias;
    c.asks.sampling.n_biases = 1;
    client_submit(&c, model);
    bias.id = 5; /* it was copied */
    client_wait(&c);
    assert_int_equal(c.ids.data[0], 123);
    client_free(&c);
}

static void a_seed_gives_the_same_again(void **state)
{
    (void)state;
    static struct client a, b;
    ask(&a, 20);
    ask(&b, 20);
    a.asks.sampling.temperature = b.asks.sampling.temperature = 2;
    a.asks.ignore_eos = b.asks.ignore_eos = true;
    client_run(&a, model);
    client_run(&b, model);
    assert_same_answer(&a, &b);
    client_forget(&b);
    b.asks.sampling.seed = 1;
    client_run(&b, model);
    assert_memory_not_equal(a.ids.data, b.ids.data, 20 * sizeof(int));
    client_free(&a);
    client_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_ends_after_as_many_tokens),
        cmocka_unit_test(an_answer_ends_with_a_token_that_nobody_sees),
        cmocka_unit_test(an_answer_ends_before_a_stop_string),
        cmocka_unit_test(special_tokens_are_no_text),
        cmocka_unit_test(no_stop_string_lies_across_a_special_token),
        cmocka_unit_test(what_was_held_back_comes_with_the_end),
        cmocka_unit_test(log_probabilities_come_when_asked_for),
        cmocka_unit_test(seconds_add_up),
        cmocka_unit_test(who_asks_may_forbid_tokens),
        cmocka_unit_test(where_all_is_forbidden_a_request_fails),
        cmocka_unit_test(a_bias_changes_what_is_chosen),
        cmocka_unit_test(a_seed_gives_the_same_again),
    };
    return cmocka_run_group_tests_name("rung_submit", tests, open_once,
                                       close_once);
}

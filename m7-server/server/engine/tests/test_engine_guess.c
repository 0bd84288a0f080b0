/* Guesses change when tokens come, and nothing else: every answer is the one
 * that is given without them, alone and in a crowd, whoever leaves.
 *
 * Clients are static: where a test fails, and is left, an engine still tells
 * them what comes. */
#include "engine.h"

#include "test_client.h"

enum sizes {
    CROWD = 16,
    LOADS = 4, /* crowds, each of other requests */
    WRITTEN = 60
};

static const char *const prompts[] = {
    "<|im_start|>user\nWrite: a b c d a b c d a b c d<|im_end|>\n"
    "<|im_start|>assistant\n",
    "Once upon a time, there was a little", "one two one two one two one two",
    "The", "na\u00efve caf\u00e9 na\u00efve caf\u00e9",
};

static size_t below(struct random *r, size_t n)
{
    return (size_t)(random_bits(r) % n);
}

/* A random request, some long ones among them, that says things again. */
static void make_client(struct random *r, struct client *c,
                        const struct rung_model *m)
{
    const size_t n_prompts = sizeof prompts / sizeof prompts[0];
    client_init(c, m, prompts[below(r, n_prompts)], 1 + below(r, WRITTEN));
    size_t more = below(r, 4) == 0 ? below(r, 200) : 0;
    for (size_t i = 0; i < more; i++)
        ids_add(&c->prompt, 300 + (int)below(r, 30));
    struct rung_sampling *s = &c->asks.sampling;
    s->temperature = below(r, 2) ? 0 : 1;
    s->top_k = below(r, 2) ? 40 : 0;
    s->top_p = below(r, 2) ? 0.9 : 1;
    s->repetition = below(r, 3) ? 1 : 1.1F;
    s->seed = random_bits(r);
    c->asks.logprobs = below(r, 2) == 0;
    c->asks.top_logprobs = 3;
    c->asks.ignore_eos = below(r, 2) == 0;
}

/* --- bits ---------------------------------------------------------------- */

static void expect_same_in_a_crowd(struct rung_model *m,
                                   struct rung_model *without, size_t n,
                                   uint64_t seed)
{
    static struct client crowd[CROWD], single;
    struct random r, again;
    random_init(&r, seed, 0);
    again = r;
    for (size_t i = 0; i < n; i++)
        make_client(&r, &crowd[i], m);
    for (size_t i = 0; i < n; i++)
        client_submit(&crowd[i], m);
    for (size_t i = 0; i < n; i++)
        client_wait(&crowd[i]);
    for (size_t i = 0; i < n; i++) {
        make_client(&again, &single, without);
        client_run(&single, without);
        assert_same_answer(&crowd[i], &single);
        assert_int_equal(single.result.draft_tokens, 0);
        assert_true(crowd[i].result.accepted_tokens <=
                    crowd[i].result.draft_tokens);
        assert_true(crowd[i].result.accepted_tokens <=
                    crowd[i].result.new_tokens);
        client_free(&single);
        client_free(&crowd[i]);
    }
}

/* Crowds of n with guesses, and each of them alone in an engine without. */
static void expect_same(struct rung_options guessing, size_t n, size_t loads)
{
    struct rung_options plain = guessing;
    struct rung_stats s;
    char *small = test_path("models/tiny-draft");
    guessing.draft = guessing.draft ? guessing.draft : small;
    plain.requests = 1;
    plain.draft = NULL;
    plain.draft_tokens = 0;
    struct rung_model *m = open_model("models/tiny-chat", &guessing);
    struct rung_model *without = open_model("models/tiny-chat", &plain);
    for (size_t i = 0; i < loads; i++)
        expect_same_in_a_crowd(m, without, n, i);
    rung_stats(m, &s);
    print_message("%zu together: %zu guesses, %zu right, %zu steps\n", n,
                  (size_t)s.draft_tokens, (size_t)s.accepted_tokens,
                  (size_t)s.steps);
    assert_true(s.accepted_tokens > 0);
    assert_true(s.draft_tokens > s.accepted_tokens);
    rung_close(m);
    rung_close(without);
    free(small);
}

static void an_answer_is_the_same_with_guesses(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram", .requests = CROWD};
    expect_same(o, 1, is_slow() ? 4 : 3 * LOADS);
    o.draft_tokens = 4;
    expect_same(o, 1, is_slow() ? 4 : 3 * LOADS);
}

static void so_it_is_with_a_small_model(void **state)
{
    (void)state;
    struct rung_options o = {.requests = CROWD};
    expect_same(o, 1, is_slow() ? 4 : 3 * LOADS);
    o.draft_tokens = 4;
    expect_same(o, 3, is_slow() ? 1 : LOADS);
}

static void so_it_is_in_a_crowd(void **state)
{
    (void)state;
    struct rung_options o = {
        .draft = "ngram", .draft_tokens = 6, .requests = CROWD};
    expect_same(o, CROWD, is_slow() ? 1 : LOADS / 2);
    o.draft = NULL;
    expect_same(o, CROWD, is_slow() ? 1 : LOADS / 2);
}

static void so_it_is_in_few_rows_and_little_room(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram",
                             .draft_tokens = 16,
                             .requests = 5,
                             .context = 300,
                             .cache_tokens = 500,
                             .step_tokens = 9};
    expect_same(o, CROWD, 1);
    o.cache_form = "k4v3";
    o.draft = NULL;
    expect_same(o, CROWD, 1);
}

static void so_it_is_with_plain_arithmetic(void **state)
{
    (void)state;
    struct rung_options o = {
        .draft = "ngram", .draft_tokens = 3, .exact = true};
    if (is_slow())
        skip();
    expect_same(o, 4, 1);
}

/* A model whose angles change with each token behind a border; nobody runs
 * yet. */
static void set_border(struct rung_model *m, size_t tokens)
{
    struct rope *r = &m->model.ropes[0];
    r->config.scaling = ROPE_DYNAMIC;
    r->config.factor = 4;
    r->config.positions = (double)tokens;
    r->by_length = true;
}

/* A step has one length for all that it reads of a text, so no guess reaches
 * over the border, wherever that is. */
static void so_it_is_where_angles_change(void **state)
{
    (void)state;
    struct rung_options o = {.draft_tokens = 6, .draft = "ngram"};
    size_t guesses = 0;
    for (size_t border = 16; border < 24; border++) {
        static struct client guessed, plain;
        struct rung_model *m = open_model("models/tiny-chat", &o);
        struct rung_model *without = open_model("models/tiny-chat", NULL);
        set_border(m, border);
        set_border(without, border);
        client_init(&guessed, m, prompts[2], 30);
        client_init(&plain, without, prompts[2], 30);
        guessed.asks.ignore_eos = plain.asks.ignore_eos = true;
        guessed.asks.logprobs = plain.asks.logprobs = true;
        client_run(&guessed, m);
        client_run(&plain, without);
        assert_same_answer(&guessed, &plain);
        guesses += guessed.result.draft_tokens;
        client_free(&guessed);
        client_free(&plain);
        rung_close(m);
        rung_close(without);
    }
    print_message("%zu guesses\n", guesses);
    assert_true(guesses > 8);
}

/* --- the last room ------------------------------------------------------- */

/* An answer that fills the context, and the caches, to the last position. */
static void guesses_need_no_room(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram",
                             .draft_tokens = 16,
                             .context = 64,
                             .cache_tokens = 64};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    static struct client c;
    client_init(&c, m, prompts[2], 1);
    c.asks.max_tokens = 64 - c.prompt.size;
    c.asks.ignore_eos = true;
    client_run(&c, m);
    assert_int_equal(c.result.reason, RUNG_LENGTH);
    assert_int_equal(c.ids.size, c.asks.max_tokens);
    assert_true(c.result.accepted_tokens > 0);
    struct rung_stats s;
    rung_stats(m, &s);
    assert_true(s.cache_tokens_used <= 64);
    client_free(&c);
    rung_close(m);
}

/* --- who leaves ---------------------------------------------------------- */

/* After any of the tokens of an answer, right guesses among them, the client
 * may have had enough, and no other token comes. */
static void who_has_enough_gets_no_guess(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram", .draft_tokens = 8};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    static struct client c;
    for (size_t enough = 1; enough <= 30; enough++) {
        client_init(&c, m, prompts[2], 40);
        c.asks.ignore_eos = true;
        c.enough = enough;
        client_run(&c, m);
        assert_int_equal(c.result.reason, RUNG_CANCELLED);
        assert_int_equal(c.ids.size, enough);
        assert_int_equal(c.result.new_tokens, enough);
        client_free(&c);
    }
    rung_close(m);
}

static void who_cancels_is_gone_while_others_guess(void **state)
{
    (void)state;
    struct rung_options o = {
        .draft = "ngram", .draft_tokens = 4, .requests = 3};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    static struct client clients[3];
    for (size_t i = 0; i < 3; i++) {
        client_init(&clients[i], m, prompts[2], 1000);
        clients[i].asks.ignore_eos = true;
        clients[i].model = m;
        client_submit(&clients[i], m);
    }
    for (size_t i = 0; i < 3; i++) {
        struct rung_stats before;
        rung_cancel(clients[i].ticket);
        rung_stats(m, &before);
        client_wait(&clients[i]);
        assert_int_equal(clients[i].result.reason, RUNG_CANCELLED);
        assert_in_range(clients[i].at_end.steps, before.steps,
                        before.steps + 1);
        client_free(&clients[i]);
    }
    rung_close(m);
}

/* --- what is told -------------------------------------------------------- */

static void a_result_tells_of_its_guesses(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram", .draft_tokens = 4};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    static struct client c;
    client_init(&c, m, prompts[2], 40);
    c.asks.ignore_eos = true;
    client_run(&c, m);
    const struct rung_result *r = &c.result;
    struct rung_stats s;
    rung_stats(m, &s);
    assert_true(r->accepted_tokens > 0);
    assert_int_equal(s.draft_tokens, r->draft_tokens);
    assert_int_equal(s.accepted_tokens, r->accepted_tokens);
    assert_int_equal(s.steps, 1 + 40 - 1 - r->accepted_tokens);
    assert_true(r->draft > 0 && r->verify > 0);
    assert_true(r->draft + r->verify <= r->decode);
    struct rung_part parts[64];
    size_t n = rung_timeline(m, parts, 64), guesses = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(parts[i].guesses < parts[i].tokens);
        guesses += parts[i].guesses;
    }
    assert_int_equal(guesses, r->draft_tokens);
    client_free(&c);
    rung_close(m);
}

static void guesses_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct rung_error e;
    char *path = test_path("models/tiny-chat");
    if (access(path, R_OK))
        skip_without_models();
    struct rung_options o = {.draft = "ngram", .draft_tokens = 17};
    assert_null(rung_open(path, &o, &e));
    assert_string_equal(e.message, "17 guesses at once are more than 16");
    o.draft = NULL;
    o.draft_tokens = 3;
    assert_null(rung_open(path, &o, &e));
    assert_string_equal(e.message, "3 guesses are asked for, and no draft to "
                                   "make them");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_the_same_with_guesses),
        cmocka_unit_test(so_it_is_with_a_small_model),
        cmocka_unit_test(so_it_is_in_a_crowd),
        cmocka_unit_test(so_it_is_in_few_rows_and_little_room),
        cmocka_unit_test(so_it_is_with_plain_arithmetic),
        cmocka_unit_test(so_it_is_where_angles_change),
        cmocka_unit_test(guesses_need_no_room),
        cmocka_unit_test(who_has_enough_gets_no_guess),
        cmocka_unit_test(who_cancels_is_gone_while_others_guess),
        cmocka_unit_test(a_result_tells_of_its_guesses),
        cmocka_unit_test(guesses_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("engine_guess", tests, NULL, NULL);
}

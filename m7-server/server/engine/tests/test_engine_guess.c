/* Guesses change when tokens come, and nothing else: every answer is the one
 * that is given without them, alone and in a crowd, whoever leaves.
 *
 * Clients are static: where a test fails, and is left, an engine still tells
 * them what comes. */
#include "engine.h"

#include "test_client.h"

#define READS "models/tiny-chat"
#define SMALL "models/tiny-draft"

enum sizes {
    CROWD = 16,
    LOADS = 4, /* crowds of other requests, in a long test */
    WRITTEN = 60
};

static const char *const prompts[] = {
    "<|im_start|>user\nWrite: a b c d a b c d a b c d<|im_end|>\n"
    "<|im_start|>assistant\n",
    "Once upon a time, there was a little", "one two one two one two one two",
    "The", "na\u00efve caf\u00e9 na\u00efve caf\u00e9",
};

/* Crowds for a test: as many as one has time for. */
static size_t count_loads(void)
{
    return is_slow() ? 1 : is_long() ? LOADS : 1;
}

static size_t below(struct random *r, size_t n)
{
    return (size_t)(random_bits(r) % n);
}

/* Who is asked what must not come next: once before each token, never about a
 * guess that is wrong.  What he forbids depends on how often he was asked. */
struct watch {
    size_t asked, n_before;
    bool orderly;
};

static void forbid_some(void *context, const int *ids, size_t n,
                        size_t n_prompt, float *logits, size_t vocab_size)
{
    struct watch *w = context;
    (void)ids;
    w->orderly = w->asked > 0 ? w->orderly && n == w->n_before + 1
                              : n == n_prompt;
    w->n_before = n;
    w->asked++;
    for (size_t i = w->asked % 5; i < vocab_size; i += 5)
        logits[i] = -INFINITY;
}

static void make_sampling(struct random *r, struct rung_sampling *s,
                          struct watch *w)
{
    *w = (struct watch){.orderly = true};
    s->temperature = below(r, 2) ? 0 : 1;
    s->top_k = below(r, 2) ? 40 : 0;
    s->top_p = below(r, 2) ? 0.9 : 1;
    s->min_p = below(r, 3) ? 0 : 0.05F;
    s->repetition = below(r, 3) ? 1 : 1.1F;
    s->presence = below(r, 3) ? 0 : 0.3F;
    s->frequency = below(r, 3) ? 0 : 0.2F;
    s->seed = random_bits(r);
    s->forbid = below(r, 4) ? NULL : forbid_some;
    s->forbid_context = w;
}

/* A random request, some long ones among them, that says things again. */
static void make_client(struct random *r, struct client *c, struct watch *w,
                        const struct rung_model *m)
{
    static const char *const stops[] = {"one two", "she"};
    const size_t n_prompts = sizeof prompts / sizeof prompts[0];
    client_init(c, m, prompts[below(r, n_prompts)], 1 + below(r, WRITTEN));
    size_t more = below(r, 4) == 0 ? below(r, 200) : 0;
    for (size_t i = 0; i < more; i++)
        ids_add(&c->prompt, 300 + (int)below(r, 30));
    make_sampling(r, &c->asks.sampling, w);
    c->asks.stops = stops;
    c->asks.n_stops = below(r, 3) ? 0 : 2;
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
    static struct watch watches[CROWD], watch;
    struct random r, again;
    random_init(&r, seed, 0);
    again = r;
    for (size_t i = 0; i < n; i++)
        make_client(&r, &crowd[i], &watches[i], m);
    for (size_t i = 0; i < n; i++)
        client_submit(&crowd[i], m);
    for (size_t i = 0; i < n; i++)
        client_wait(&crowd[i]);
    for (size_t i = 0; i < n; i++) {
        make_client(&again, &single, &watch, without);
        client_run(&single, without);
        assert_same_answer(&crowd[i], &single);
        assert_true(watches[i].orderly);
        assert_int_equal(watches[i].asked, watch.asked);
        assert_int_equal(single.result.draft_tokens, 0);
        assert_true(crowd[i].result.accepted_tokens <=
                    crowd[i].result.draft_tokens);
        assert_true(crowd[i].result.accepted_tokens <=
                    crowd[i].result.new_tokens);
        client_free(&single);
        client_free(&crowd[i]);
    }
}

/* Crowds of n with guesses, and each of them alone in an engine without, and
 * with one thread. */
static void expect_same(const char *name, struct rung_options guessing,
                        size_t n, size_t loads)
{
    struct rung_options plain = guessing;
    struct rung_stats s;
    char *small = test_path(SMALL);
    guessing.draft = guessing.draft ? guessing.draft : small;
    plain.requests = plain.threads = 1;
    plain.draft = NULL;
    plain.draft_tokens = 0;
    struct rung_model *m = open_model(name, &guessing);
    struct rung_model *without = open_model(name, &plain);
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
    struct rung_options o = {
        .threads = 1, .draft = "ngram", .requests = CROWD};
    expect_same(READS, o, 1, 4 * count_loads());
    o.draft_tokens = 4;
    expect_same(READS, o, 1, 4 * count_loads());
}

static void so_it_is_with_a_small_model(void **state)
{
    (void)state;
    struct rung_options o = {.threads = 1, .requests = CROWD};
    expect_same(READS, o, 1, 4 * count_loads());
    o.draft_tokens = 4;
    expect_same(READS, o, 3, count_loads());
}

static void so_it_is_in_a_crowd(void **state)
{
    (void)state;
    struct rung_options o = {
        .draft = "ngram", .draft_tokens = 6, .requests = CROWD};
    expect_same(READS, o, CROWD, count_loads());
    o.draft = NULL;
    expect_same(READS, o, CROWD, count_loads());
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
    expect_same(READS, o, CROWD, 1);
    o.cache_form = "k4v3";
    o.draft = NULL;
    expect_same(READS, o, CROWD, 1);
}

static void so_it_is_with_plain_arithmetic(void **state)
{
    (void)state;
    struct rung_options o = {
        .draft = "ngram", .draft_tokens = 3, .exact = true};
    if (is_slow())
        skip();
    expect_same(SMALL, o, 4, 1);
}

/* --- who leaves ---------------------------------------------------------- */

/* After any of the tokens of an answer, right guesses among them, the client
 * may have had enough, and no other token comes. */
static void who_has_enough_gets_no_guess(void **state)
{
    (void)state;
    struct rung_options o = {
        .threads = 1, .draft = "ngram", .draft_tokens = 8};
    struct rung_model *m = open_model(READS, &o);
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
    struct rung_model *m = open_model(READS, &o);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_the_same_with_guesses),
        cmocka_unit_test(so_it_is_with_a_small_model),
        cmocka_unit_test(so_it_is_in_a_crowd),
        cmocka_unit_test(so_it_is_in_few_rows_and_little_room),
        cmocka_unit_test(so_it_is_with_plain_arithmetic),
        cmocka_unit_test(who_has_enough_gets_no_guess),
        cmocka_unit_test(who_cancels_is_gone_while_others_guess),
    };
    return cmocka_run_group_tests_name("engine_guess", tests, NULL, NULL);
}

/* Whoever else is served, an answer is the one that the model gives alone; and
 * who leaves is gone with the next step.
 *
 * Clients are static: where a test fails, and is left, an engine still tells
 * them what comes. */
#include "engine.h"

#include "forward.h"
#include "generate.h"
#include "test_client.h"

#include <stdatomic.h>
#include <time.h>

#define READS "models/tiny-chat"
#define SMALL "models/tiny-draft"

enum sizes {
    CROWD = 16,
    LOADS = 2, /* crowds, each of other requests */
    LONG_LOADS = 6
};

static const char *const prompts[] = {
    "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n"
    "<|im_start|>assistant\n",
    "Once upon a time", "The", "1 2 3 4 5 6",
    "na\u00efve caf\u00e9 \U0001f642 \u4f60\u597d",
    "<|im_start|>user\nWhat is the capital of Spain?<|im_end|>\n"
    "<|im_start|>assistant\n<think>",
};

static size_t below(struct random *r, size_t n)
{
    return (size_t)(random_bits(r) % n);
}

/* A random request: some words, of which there may be hundreds, and any way to
 * choose. */
static void make_client(struct random *r, struct client *c,
                        const struct rung_model *m)
{
    const size_t n_prompts = sizeof prompts / sizeof prompts[0];
    client_init(c, m, prompts[below(r, n_prompts)], 1 + below(r, 24));
    size_t more = below(r, 4) == 0 ? below(r, 300) : below(r, 20);
    for (size_t i = 0; i < more; i++)
        ids_add(&c->prompt, (int)below(r, 4000));
    struct rung_sampling *s = &c->asks.sampling;
    s->temperature = below(r, 3) == 0 ? 0 : 1.5F;
    s->top_k = below(r, 2) ? 40 : 0;
    s->top_p = below(r, 2) ? 0.9 : 1;
    s->repetition = below(r, 2) ? 1.1F : 1;
    s->presence = below(r, 2) ? 0.5F : 0;
    s->seed = random_bits(r);
    c->asks.logprobs = below(r, 2) == 0;
    c->asks.top_logprobs = 3;
    c->asks.ignore_eos = below(r, 2) == 0;
}

/* --- bits ---------------------------------------------------------------- */

static void expect_same_in_a_crowd(struct rung_model *m,
                                   struct rung_model *alone, uint64_t seed)
{
    static struct client crowd[CROWD], single;
    struct random r, again;
    random_init(&r, seed, 0);
    again = r;
    for (size_t i = 0; i < CROWD; i++)
        make_client(&r, &crowd[i], m);
    for (size_t i = 0; i < CROWD; i++)
        client_submit(&crowd[i], m);
    for (size_t i = 0; i < CROWD; i++)
        client_wait(&crowd[i]);
    for (size_t i = 0; i < CROWD; i++) {
        make_client(&again, &single, alone);
        client_run(&single, alone);
        assert_same_answer(&crowd[i], &single);
        client_free(&single);
        client_free(&crowd[i]);
    }
}

/* Whoever is alone is so in an engine that never holds two texts, that reads
 * in other slices, and that computes with one thread. */
static void expect_same(char *name, struct rung_options crowded, size_t loads)
{
    struct rung_options lonely = crowded;
    lonely.requests = 1;
    lonely.step_tokens = 23;
    lonely.threads = 1;
    struct rung_model *m = open_model(name, &crowded);
    struct rung_model *alone = open_model(name, &lonely);
    for (size_t i = 0; i < loads; i++)
        expect_same_in_a_crowd(m, alone, i);
    rung_close(m);
    rung_close(alone);
}

static void an_answer_is_the_same_alone_and_in_a_crowd(void **state)
{
    (void)state;
    struct rung_options o = {.requests = CROWD};
    expect_same(READS, o, is_slow() ? 1 : is_long() ? LONG_LOADS : LOADS);
}

static void so_it_is_in_few_places_and_little_room(void **state)
{
    (void)state;
    struct rung_options o = {.requests = 5,
                             .context = 400,
                             .cache_tokens = 700,
                             .step_tokens = 7};
    expect_same(READS, o, 1);
}

static void so_it_is_with_codes_and_plain_arithmetic(void **state)
{
    (void)state;
    struct rung_options o = {.requests = CROWD, .cache_form = "k4v3"};
    expect_same(READS, o, 1);
    o = (struct rung_options){.requests = 8, .exact = true};
    if (!is_slow())
        expect_same(SMALL, o, 1);
}

static int take_id(void *context, int id, const float *logits,
                   struct error *e)
{
    (void)logits;
    (void)e;
    ids_add(context, id);
    return 0;
}

/* What generate() makes of the same request. */
static void generate_alone(const struct rung_model *m, const struct client *c,
                           struct ids *out)
{
    struct error e;
    struct ids text = {0};
    struct sampler sampler;
    struct sampling how = no_sampling;
    how.temperature = c->asks.sampling.temperature;
    struct generation g = {.most = c->asks.max_tokens, .sampler = &sampler,
                           .put = take_id, .context = out};
    for (size_t i = 0; i < c->prompt.size; i++)
        ids_add(&text, c->prompt.data[i]);
    assert_ok(sampler_init(&sampler, &how, m->facts.vocab_size,
                           c->asks.sampling.seed, 0, &e), &e);
    sampler_use(&sampler, m->model.set);
    assert_ok(generate(&m->model, &m->non_tokens, &text, &g, &e), &e);
    sampler_free(&sampler);
    ids_free(&text);
}

static void the_engine_says_what_generate_says(void **state)
{
    (void)state;
    const struct rung_options o = {.threads = 1};
    struct rung_model *m = open_model(READS, &o);
    for (size_t i = 0; i < sizeof prompts / sizeof prompts[0]; i++) {
        struct ids expected = {0};
        static struct client c;
        client_init(&c, m, prompts[i], 30);
        c.asks.sampling.temperature = (float)(i % 2);
        c.asks.sampling.seed = i;
        client_run(&c, m);
        generate_alone(m, &c, &expected);
        assert_int_equal(c.ids.size, expected.size);
        for (size_t k = 0; k < expected.size; k++)
            assert_int_equal(c.ids.data[k], expected.data[k]);
        ids_free(&expected);
        client_free(&c);
    }
    rung_close(m);
}

/* --- beginnings that are known ------------------------------------------- */

static void a_beginning_that_is_known_is_not_read_again(void **state)
{
    (void)state;
    struct rung_model *m = open_model(READS, NULL);
    static struct client c, other;
    client_init(&c, m, prompts[0], 12);
    client_run(&c, m);
    assert_int_equal(c.result.cached_tokens, 0);
    client_init(&other, m, prompts[0], 12);
    client_run(&other, m);
    assert_int_equal(other.result.cached_tokens, c.prompt.size - 1);
    assert_same_answer(&c, &other);
    client_free(&other);

    client_init(&other, m, prompts[5], 12); /* another question */
    client_run(&other, m);
    assert_in_range(other.result.cached_tokens, 5, c.prompt.size - 2);
    client_forget(&c);
    client_run(&c, m); /* has been kept all the same */
    assert_int_equal(c.result.cached_tokens, c.prompt.size - 1);
    struct rung_stats s;
    rung_stats(m, &s);
    assert_int_equal(s.cache_hits, 3);
    assert_int_equal(s.accepted, 4);
    client_free(&other);
    client_free(&c);
    rung_close(m);
}

/* --- who leaves ---------------------------------------------------------- */

static void assert_empty(struct rung_model *m)
{
    struct rung_stats s;
    rung_stats(m, &s);
    assert_int_equal(s.running, 0);
    assert_int_equal(s.queued, 0);
}

/* One runs, one reads a long prompt, one waits: none of them forever. */
static void who_cancels_is_gone_wherever_he_is(void **state)
{
    (void)state;
    struct rung_options o = {.requests = 2, .step_tokens = 2};
    struct rung_model *m = open_model(READS, &o);
    static struct client runs, reads, waits;
    struct client *const all[] = {&runs, &reads, &waits};
    client_init(&runs, m, "The", 1000);
    client_init(&reads, m, "The", 10);
    client_init(&waits, m, "The", 10);
    for (size_t i = 0; i < 900; i++)
        ids_add(&reads.prompt, 17);
    for (size_t i = 0; i < 3; i++) {
        all[i]->asks.ignore_eos = true;
        all[i]->model = m;
        client_submit(all[i], m);
    }
    for (size_t i = 3; i-- > 0;) {
        struct rung_stats before;
        rung_cancel(all[i]->ticket);
        rung_stats(m, &before);
        client_wait(all[i]);
        assert_int_equal(all[i]->result.reason, RUNG_CANCELLED);
        assert_in_range(all[i]->at_end.steps, before.steps, before.steps + 1);
        assert_int_equal(all[i]->at_end.running + all[i]->at_end.queued, i);
    }
    assert_empty(m);
    assert_int_equal(waits.result.new_tokens, 0);
    assert_int_equal(reads.result.new_tokens, 0);
    struct rung_stats s;
    rung_stats(m, &s);
    assert_int_equal(s.cancelled, 3);
    for (size_t i = 0; i < 3; i++)
        client_free(all[i]);
    rung_close(m);
}

static void a_client_may_say_that_it_is_enough(void **state)
{
    (void)state;
    struct rung_model *m = open_model(READS, NULL);
    static struct client c;
    client_init(&c, m, "The", 100);
    c.asks.ignore_eos = true;
    c.enough = 4;
    client_run(&c, m);
    assert_int_equal(c.result.reason, RUNG_CANCELLED);
    assert_int_equal(c.ids.size, 4);
    client_free(&c);
    rung_close(m);
}

static void closing_ends_all(void **state)
{
    (void)state;
    struct rung_options o = {.requests = 2};
    struct rung_model *m = open_model(READS, &o);
    static struct client clients[5];
    for (size_t i = 0; i < 5; i++) {
        client_init(&clients[i], m, "The", 1000);
        clients[i].asks.ignore_eos = true;
        client_submit(&clients[i], m);
    }
    rung_close(m);
    for (size_t i = 0; i < 5; i++) {
        client_wait(&clients[i]);
        assert_int_equal(clients[i].result.reason, RUNG_CANCELLED);
        client_free(&clients[i]);
    }
}

/* --- many threads -------------------------------------------------------- */

struct caller {
    struct rung_model *model;
    size_t n, tokens;
};

/* Ask for short answers one after the other, and leave one in three. */
static void *call(void *context)
{
    struct caller *caller = context;
    static const int ids[] = {5, 6, 7};
    for (size_t i = 0; i < caller->n; i++) {
        struct rung_request r;
        struct rung_result end;
        rung_request_init(&r);
        r.ids = ids;
        r.n_ids = 3;
        r.max_tokens = 1 + i % 2;
        r.ignore_eos = true;
        struct rung_ticket *t = rung_submit(caller->model, &r, NULL);
        if (i % 3 == 0)
            rung_cancel(t);
        rung_wait(t, &end);
        rung_release(t);
        caller->tokens += end.new_tokens;
    }
    return NULL;
}

/* A lost wake-up would leave all asleep, and the alarm ends the test. */
static void no_request_is_slept_over(void **state)
{
    (void)state;
    enum caller_sizes { CALLERS = 4 };
    pthread_t threads[CALLERS];
    static struct caller callers[CALLERS];
    const struct rung_options o = {.threads = 1};
    struct rung_model *m = open_model(SMALL, &o);
    alarm(300);
    for (size_t i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){m, is_slow() ? 30 : 300, 0};
        assert_int_equal(
            pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (size_t i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(callers[i].tokens >= callers[i].n * 2 / 3);
    }
    alarm(0);
    assert_empty(m);
    rung_close(m);
}

/* A request may ask for the next one when it ends. */
struct chain {
    struct rung_model *model;
    int left;
    atomic_bool over;
};

static void ask_again(void *context, const struct rung_result *r)
{
    static const int id = 5;
    struct chain *c = context;
    struct rung_request next;
    (void)r;
    if (c->left-- == 0) {
        atomic_store(&c->over, true);
        return;
    }
    rung_request_init(&next);
    next.ids = &id;
    next.n_ids = 1;
    next.on_end = ask_again;
    next.context = c;
    rung_release(rung_submit(c->model, &next, NULL));
}

static void a_callback_may_ask_and_release(void **state)
{
    (void)state;
    static struct chain c;
    c.left = 20;
    c.model = open_model(READS, NULL);
    ask_again(&c, NULL);
    const struct timespec moment = {.tv_nsec = 1000000};
    while (!atomic_load(&c.over))
        nanosleep(&moment, NULL);
    rung_close(c.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_the_same_alone_and_in_a_crowd),
        cmocka_unit_test(so_it_is_in_few_places_and_little_room),
        cmocka_unit_test(so_it_is_with_codes_and_plain_arithmetic),
        cmocka_unit_test(the_engine_says_what_generate_says),
        cmocka_unit_test(a_beginning_that_is_known_is_not_read_again),
        cmocka_unit_test(who_cancels_is_gone_wherever_he_is),
        cmocka_unit_test(a_client_may_say_that_it_is_enough),
        cmocka_unit_test(closing_ends_all),
        cmocka_unit_test(no_request_is_slept_over),
        cmocka_unit_test(a_callback_may_ask_and_release),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}

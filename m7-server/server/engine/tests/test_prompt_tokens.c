/* How likely the tokens of a prompt are. */
#include "test_client.h"

enum sizes {
    MOST = 160 /* tokens, more than one step reads and scores */
};

/* What was told, by the place in the whole text. */
struct told {
    int ids[MOST];
    double logprobs[MOST], best[MOST];
    size_t from, n, enough;
};

static struct rung_model *model;

static int open_once(void **state)
{
    struct rung_options o = {.requests = 2, .context = 2 * MOST};
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

static int note_token(void *context, const struct rung_token_event *t)
{
    struct told *told = context;
    size_t at = told->from + t->index;
    assert_true(at < MOST && t->size + 1 > 0);
    assert_int_equal(t->n_top, 1);
    told->ids[at] = t->id;
    told->logprobs[at] = t->logprob;
    told->best[at] = t->top[0].logprob;
    told->n++;
    return told->enough > 0 && told->n >= told->enough;
}

static int note_prompt(void *context, const struct rung_token_event *t)
{
    struct told *told = context;
    assert_int_equal(t->index, told->n + 1);
    assert_int_equal(t->size, 0);
    return note_token(context, t);
}

static int take_nothing(void *context, const struct rung_token_event *t)
{
    (void)context;
    (void)t;
    return 0;
}

/* A text of MOST tokens, and how likely each was when it was made. */
static size_t write_text(struct client *c, struct told *made)
{
    struct rung_error e;
    if (!model)
        skip_without_models();
    client_init(c, model, "Once upon a time", MOST);
    size_t n = c->prompt.size;
    c->asks.ids = c->prompt.data;
    c->asks.n_ids = n;
    c->asks.max_tokens = MOST - n;
    c->asks.ignore_eos = c->asks.logprobs = true;
    c->asks.sampling.temperature = 1;
    c->asks.top_logprobs = 1;
    c->asks.on_token = note_token;
    c->asks.context = made;
    *made = (struct told){.from = n};
    assert_int_equal(rung_generate(model, &c->asks, NULL, &e), 0);
    for (size_t i = n; i < MOST; i++)
        ids_add(&c->prompt, made->ids[i]);
    c->asks.ids = c->prompt.data;
    c->asks.n_ids = MOST;
    c->asks.max_tokens = 1;
    c->asks.on_prompt = note_prompt;
    c->asks.on_token = take_nothing;
    return n;
}

/* Also where another has read the same text before. */
static void they_are_as_likely_as_when_they_were_made(void **state)
{
    (void)state;
    struct client c;
    struct rung_result r;
    struct rung_error e;
    struct told made, read;
    size_t n = write_text(&c, &made);
    for (int again = 0; again < 2; again++) {
        read = (struct told){.from = 0};
        c.asks.context = &read;
        assert_int_equal(rung_generate(model, &c.asks, &r, &e), 0);
        assert_int_equal(read.n, MOST - 1);
        assert_int_equal(r.cached_tokens, 0);
        for (size_t i = n; i < MOST; i++) {
            assert_int_equal(read.ids[i], made.ids[i]);
            assert_true(read.logprobs[i] == made.logprobs[i]);
            assert_true(read.best[i] == made.best[i]);
        }
        for (size_t i = 1; i < n; i++)
            assert_true(read.logprobs[i] < 0 &&
                        read.logprobs[i] <= read.best[i]);
    }
    client_free(&c);
}

static void of_one_token_there_is_nothing_to_tell(void **state)
{
    (void)state;
    struct client c;
    struct rung_error e;
    struct told made, read = {.from = 0};
    write_text(&c, &made);
    c.asks.context = &read;
    c.asks.n_ids = 1;
    assert_int_equal(rung_generate(model, &c.asks, NULL, &e), 0);
    assert_int_equal(read.n, 0);
    client_free(&c);
}

static void who_has_enough_is_told_no_more(void **state)
{
    (void)state;
    struct client c;
    struct rung_result r;
    struct rung_error e;
    struct told made, read = {.enough = 40};
    write_text(&c, &made);
    c.asks.context = &read;
    rung_generate(model, &c.asks, &r, &e);
    assert_int_equal(read.n, 40);
    assert_int_equal(r.reason, RUNG_CANCELLED);
    assert_int_equal(r.new_tokens, 0);
    client_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_as_likely_as_when_they_were_made),
        cmocka_unit_test(of_one_token_there_is_nothing_to_tell),
        cmocka_unit_test(who_has_enough_is_told_no_more),
    };
    return cmocka_run_group_tests_name("prompt_tokens", tests, open_once,
                                       close_once);
}

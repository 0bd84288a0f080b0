/* Guesses at the borders: where angles change, where a window ends, where
 * there is no room; and what is told of them.  test_engine_guess.c has the
 * crowds.
 *
 * Clients are static: where a test fails, and is left, an engine still tells
 * them what comes. */
#include "engine.h"

#include "test_client.h"

static const char prompt[] = "one two one two one two one two";

/* --- bits ---------------------------------------------------------------- */

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

/* A text that says things again, with guesses and without; ends both models.
 * Returns how many guesses were wrong. */
static size_t expect_same_text(struct rung_model *m,
                               struct rung_model *without, size_t tokens)
{
    static struct client guessed, plain;
    client_init(&guessed, m, prompt, tokens);
    client_init(&plain, without, prompt, tokens);
    guessed.asks.ignore_eos = plain.asks.ignore_eos = true;
    guessed.asks.logprobs = plain.asks.logprobs = true;
    client_run(&guessed, m);
    client_run(&plain, without);
    assert_same_answer(&guessed, &plain);
    client_free(&guessed);
    client_free(&plain);
    rung_close(m);
    rung_close(without);
    return guessed.result.draft_tokens - guessed.result.accepted_tokens;
}

/* A step has one length for all that it reads of a text, so no guess reaches
 * over the border, wherever that is. */
static void an_answer_is_the_same_where_angles_change(void **state)
{
    (void)state;
    struct rung_options o = {.draft_tokens = 6, .draft = "ngram"};
    size_t wrong = 0;
    for (size_t border = 16; border < 24; border += 3) {
        struct rung_model *m = open_model("models/tiny-chat", &o);
        struct rung_model *without = open_model("models/tiny-chat", NULL);
        set_border(m, border);
        set_border(without, border);
        wrong += expect_same_text(m, without, 30);
    }
    assert_true(wrong > 1);
}

static void set_windows(struct model *m, size_t tokens)
{
    for (size_t l = 0; l < m->config.n_layers; l += 2)
        m->layers[l].attention.window = tokens;
}

/* Wrong guesses stand in a ring where old tokens stood; what the text needs is
 * still there.  The ring has 32 rows, and none to spare. */
static void so_it_is_where_layers_see_a_window(void **state)
{
    (void)state;
    char *small = test_path("models/tiny-draft");
    for (size_t i = 0; i < 2; i++) {
        struct rung_options o = {.draft = i ? small : "ngram",
                                 .draft_tokens = 16,
                                 .requests = 1,
                                 .exact = true,
                                 .step_tokens = 17};
        struct rung_options plain = {.exact = true};
        struct rung_model *m = open_model("models/tiny-chat", &o);
        struct rung_model *without = open_model("models/tiny-chat", &plain);
        set_windows(&m->model, 16);
        set_windows(&without->model, 16);
        if (i)
            set_windows(&m->guesser.small.model, 16);
        assert_true(expect_same_text(m, without, 60) > 8);
    }
    free(small);
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
    client_init(&c, m, prompt, 1);
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

/* --- what is told -------------------------------------------------------- */

static void a_result_tells_of_its_guesses(void **state)
{
    (void)state;
    struct rung_options o = {.draft = "ngram", .draft_tokens = 4};
    struct rung_model *m = open_model("models/tiny-chat", &o);
    static struct client c;
    client_init(&c, m, prompt, 40);
    c.asks.ignore_eos = true;
    client_run(&c, m);
    const struct rung_result *r = &c.result;
    struct rung_stats s;
    rung_stats(m, &s);
    assert_true(r->accepted_tokens > 0);
    assert_int_equal(s.draft_tokens, r->draft_tokens);
    assert_int_equal(s.accepted_tokens, r->accepted_tokens);
    assert_true(s.draft == r->draft && s.verify == r->verify);
    assert_true(s.draft + s.verify <= s.busy);
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
        cmocka_unit_test(an_answer_is_the_same_where_angles_change),
        cmocka_unit_test(so_it_is_where_layers_see_a_window),
        cmocka_unit_test(guesses_need_no_room),
        cmocka_unit_test(a_result_tells_of_its_guesses),
        cmocka_unit_test(guesses_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("engine_guess_edges", tests, NULL,
                                       NULL);
}

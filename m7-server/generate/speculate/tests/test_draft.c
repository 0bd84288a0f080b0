/* Drafts: what was seen before, or what a small model would say. */
#include "draft.h"

#include "generate.h"

#include "test_numbers.h"
#include "test_run.h"

enum draft_test_sizes {
    N_VOCAB = 10,
    MOST = 4
};

/* --- by looking it up ---------------------------------------------------- */

/* What lookup proposes, up to `most` tokens, after the text ids (n,), as
 * digits in out. */
static void look_up(const int *ids, size_t n, size_t most, char *out)
{
    struct history t = {ids, n, n};
    struct draft d;
    struct error e;
    assert_ok(draft_init(&d, most, N_VOCAB, true, &e), &e);
    assert_null(d.probabilities);
    assert_ok(draft_by_lookup(NULL, &t, &d, &e), &e);
    assert_int_equal(d.most, most);
    assert_true(d.n <= most);
    for (size_t i = 0; i < d.n; i++)
        out[i] = (char)('0' + d.ids[i]);
    out[d.n] = 0;
    draft_free(&d);
}

/* A text of one-digit ids, and what it lets expect. */
static void assert_proposes(const char *text, size_t most,
                            const char *expected)
{
    int ids[40];
    char found[40];
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        ids[i] = text[i] - '0';
    look_up(ids, n, most, found);
    assert_string_equal(found, expected);
}

static void what_followed_may_follow_again(void **state)
{
    (void)state;
    assert_proposes("12345612", MOST, "3456");
    assert_proposes("12345612", 2, "34");
    assert_proposes("123451", MOST, "2345");
}

static void it_ends_where_the_text_does(void **state)
{
    (void)state;
    assert_proposes("1231", MOST, "231");
    assert_proposes("11", MOST, "1");
    assert_proposes("5555", MOST, "5");
}

static void the_last_time_counts(void **state)
{
    (void)state;
    assert_proposes("1231471", 1, "4");
    assert_proposes("9123891249125912", 1, "5");
}

static void a_longer_match_counts_more(void **state)
{
    (void)state;
    assert_proposes("123483523", 1, "4");
    assert_proposes("61238523947123", 2, "85");
    assert_proposes("412385239423", 1, "9");
    assert_proposes("7123471298123", 1, "4");
}

static void more_than_three_tokens_are_not_compared(void **state)
{
    (void)state;
    assert_proposes("91234812359123", 1, "5");
}

static void what_was_never_there_gives_nothing(void **state)
{
    (void)state;
    assert_proposes("1234", MOST, "");
    assert_proposes("1", MOST, "");
}

/* --- by a small model ---------------------------------------------------- */

enum small_sizes {
    N_TOKENS = 40
};

/* A small random model, and a text for it. */
struct proposer {
    struct model m;
    struct small_model small;
    struct draft d;
    int ids[N_TOKENS];
};

static void open_proposer(struct proposer *x, float temperature)
{
    char *path = test_path("checkpoints/qwen3-1");
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = temperature;
    assert_ok(model_open(&x->m, path, &e), &e);
    free(path);
    size_t n_vocab = x->m.config.vocab_size;
    x->small = (struct small_model){.model = &x->m};
    assert_ok(state_init_chunked(&x->small.state, &x->m, N_TOKENS, 8, &e), &e);
    assert_ok(cache_init(&x->small.cache, &x->m, N_TOKENS, 8, &e), &e);
    assert_ok(sampler_init(&x->small.sampler, &how, n_vocab, 1, 0, &e), &e);
    assert_ok(draft_init(&x->d, MOST, n_vocab, false, &e), &e);
    for (size_t i = 0; i < N_TOKENS; i++)
        x->ids[i] = (int)(3 + 7 * i % 60);
}

static void close_proposer(struct proposer *x)
{
    draft_free(&x->d);
    sampler_free(&x->small.sampler);
    cache_free(&x->small.cache);
    state_free(&x->small.state);
    model_close(&x->m);
}

/* Count the tokens that are read. */
static void count_read(void *context, const char *name, int layer,
                       const float *data, struct shape shape)
{
    (void)layer;
    (void)data;
    if (strcmp(name, "embedding") == 0)
        *(size_t *)context += shape.rows;
}

static void propose_after(struct proposer *x, size_t n)
{
    struct history t = {x->ids, n, n};
    struct error e;
    assert_ok(draft_by_model(&x->small, &t, &x->d, &e), &e);
    assert_int_equal(x->d.n, MOST);
}

static int nothing_to_do(void *context, int id, const float *logits,
                         struct error *e)
{
    (void)context;
    (void)id;
    (void)logits;
    (void)e;
    return 0;
}

/* Texts come and go: the second is another, the third goes on with it. */
static void it_says_what_it_would_generate(void **state)
{
    (void)state;
    struct proposer x;
    open_proposer(&x, 0);
    for (size_t n = 10; n < 31; n += 10) {
        struct ids ids = {0};
        struct sampler s;
        struct error e;
        struct generation g = {
            .most = MOST, .sampler = &s, .put = nothing_to_do};
        x.ids[0] += n == 20;
        for (size_t i = 0; i < n; i++)
            ids_add(&ids, x.ids[i]);
        assert_ok(
            sampler_init(&s, &x.small.sampler.how, x.d.n_vocab, 1, 0, &e), &e);
        assert_ok(generate(&x.m, NULL, &ids, &g, &e), &e);
        propose_after(&x, n);
        assert_memory_equal(x.d.ids, ids.data + n, MOST * sizeof(int));
        sampler_free(&s);
        ids_free(&ids);
    }
    close_proposer(&x);
}

static void it_says_how_sure_it_was(void **state)
{
    (void)state;
    struct proposer x;
    open_proposer(&x, 5);
    propose_after(&x, 12);
    for (size_t i = 0; i < MOST; i++) {
        const float *p = x.d.probabilities + i * x.d.n_vocab;
        double sum = 0;
        for (size_t k = 0; k < x.d.n_vocab; k++)
            sum += (double)p[k];
        assert_true(fabs(sum - 1) < 1e-5);
        assert_true(p[x.d.ids[i]] > 0);
    }
    close_proposer(&x);
}

/* Of the first draft two tokens were kept, and another came behind them: that
 * one is read, and each guess but the last.  What is held is not compared: an
 * id that was made another one stays so. */
static void a_growing_text_is_read_token_by_token(void **state)
{
    (void)state;
    struct proposer x;
    struct error e;
    size_t n_read = 0;
    struct observer o = {count_read, &n_read};
    open_proposer(&x, 0);
    propose_after(&x, 10);
    memcpy(x.ids + 10, x.d.ids, 2 * sizeof *x.ids);
    x.ids[12] = (x.d.ids[2] + 1) % 60;
    int expected[MOST];
    propose_after(&x, 13); /* as a text of its own */
    memcpy(expected, x.d.ids, sizeof expected);
    propose_after(&x, 10);
    x.small.cache.ids[0]++;
    x.small.observer = &o;
    struct history t = {x.ids, 13, 10};
    assert_ok(draft_by_model(&x.small, &t, &x.d, &e), &e);
    assert_int_equal(x.d.n, MOST);
    assert_memory_equal(x.d.ids, expected, sizeof expected);
    assert_int_equal(n_read, 1 + MOST - 1);
    assert_int_equal(x.small.cache.ids[0], x.ids[0] + 1);
    assert_int_equal(x.small.cache.length, 13 + MOST - 1);
    close_proposer(&x);
}

static void forbid_everything(void *context, const struct history *h,
                              float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 0; i < n; i++)
        logits[i] = -INFINITY;
}

static void what_cannot_be_drawn_is_an_error(void **state)
{
    (void)state;
    struct proposer x;
    struct error e;
    open_proposer(&x, 1);
    struct history t = {x.ids, 10, 10};
    x.small.sampler.how.forbid = forbid_everything;
    assert_int_equal(draft_by_model(&x.small, &t, &x.d, &e), -1);
    assert_non_null(strstr(e.message, "are forbidden"));
    x.m.logit_scale = INFINITY;
    assert_int_equal(draft_by_model(&x.small, &t, &x.d, &e), -1);
    assert_non_null(strstr(e.message, "the weights are damaged"));
    close_proposer(&x);
}

static bool is_interrupted(void *context)
{
    return --*(int *)context < 0;
}

/* In the text, or behind any guess. */
static void an_interrupted_draft_says_so(void **state)
{
    (void)state;
    for (int passes = 0; passes <= MOST; passes++) {
        struct proposer x;
        struct error e;
        int left = passes;
        open_proposer(&x, 1);
        struct history t = {x.ids, 8, 8};
        x.small.state.cancelled = is_interrupted;
        x.small.state.cancel_context = &left;
        assert_int_equal(draft_by_model(&x.small, &t, &x.d, &e),
                         passes < MOST);
        assert_int_equal(x.d.n, passes);
        close_proposer(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_followed_may_follow_again),
        cmocka_unit_test(it_ends_where_the_text_does),
        cmocka_unit_test(the_last_time_counts),
        cmocka_unit_test(a_longer_match_counts_more),
        cmocka_unit_test(more_than_three_tokens_are_not_compared),
        cmocka_unit_test(what_was_never_there_gives_nothing),
        cmocka_unit_test(it_says_what_it_would_generate),
        cmocka_unit_test(it_says_how_sure_it_was),
        cmocka_unit_test(a_growing_text_is_read_token_by_token),
        cmocka_unit_test(what_cannot_be_drawn_is_an_error),
        cmocka_unit_test(an_interrupted_draft_says_so),
    };
    return cmocka_run_group_tests_name("draft", tests, NULL, NULL);
}

/* The walk through drafts pass by pass, for one small model: what is read,
 * what is kept, and how it ends.  test_guesses.c is about all models. */
#include "test_walk.h"

/* hold_all_but_last() reads the prompt but for its last token, and once only;
 * each pass reads one token and the draft (read_draft, draft_logits), gives
 * the guesses that were right and one token more (run_pass, judge); the last
 * drafts are shorter (propose). */
static void each_pass_gives_one_token_more_than_was_right(void **state)
{
    (void)state;
    for (size_t right = 0; right <= N_DRAFT; right++) {
        struct walk w;
        struct error e;
        open_walk(&w, CHUNK);
        w.right = right;
        for (size_t held = 0; held <= N_PROMPT - 1; held += N_PROMPT - 1) {
            assert_ok(go_on(&w, true, &e), &e);
            assert_written(&w, N_NEW);
            assert_int_equal(w.spec.n_passes, N_NEW / (right + 1));
            assert_int_equal(w.spec.n_kept, N_NEW - w.spec.n_passes);
            assert_int_equal(w.n_read, N_PROMPT - 1 - held + w.spec.n_passes +
                                           w.spec.n_proposed);
            assert_int_equal(w.spec.draft.most, N_DRAFT);
        }
        close_walk(&w);
    }
}

/* propose() and speculate() look how long a chunk is. */
static void a_draft_is_no_longer_than_a_chunk(void **state)
{
    (void)state;
    for (size_t chunk = 1; chunk <= 3; chunk++) {
        struct walk w;
        struct error e;
        open_walk(&w, chunk);
        assert_ok(go_on(&w, true, &e), &e);
        assert_written(&w, N_NEW);
        assert_int_equal(w.spec.n_passes, N_NEW / chunk);
        close_walk(&w);
    }
}

/* run_pass() ends within a draft, when there is enough. */
static void enough_may_come_within_a_draft(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    for (w.enough = 1; w.enough <= 6; w.enough++) {
        assert_int_equal(go_on(&w, true, &e), 0);
        assert_written(&w, w.enough);
        assert_int_equal(w.spec.n_passes, (w.enough + N_DRAFT) / 4);
    }
    close_walk(&w);
}

static int propose_never(void *context, const struct history *t,
                         struct draft *d, struct error *e)
{
    (void)context;
    (void)t;
    (void)d;
    return fail(e, ERROR_SYSTEM, "was asked");
}

static bool is_interrupted(void *context)
{
    return --*(int *)context < 0;
}

/* In hold_all_but_last, which takes two chunks, or in any read_draft, which
 * run_pass() tells on. */
static void whoever_is_interrupted_can_go_on(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    for (int chunks = 0; chunks < 5; chunks++) {
        int left = chunks;
        cache_truncate(&w.reader.cache, 0);
        w.reader.state.cancelled = is_interrupted;
        w.reader.state.cancel_context = &left;
        assert_int_equal(go_on(&w, true, &e), 1);
        assert_written(&w, chunks < 2 ? 0 : 4 * ((size_t)chunks - 2));
        w.reader.state.cancelled = NULL;
        assert_int_equal(go_on(&w, true, &e), 0);
        assert_written(&w, N_NEW);
    }
    close_walk(&w);
}

/* Whoever is interrupted in hold_all_but_last() does not ask for a draft. */
static void nothing_is_proposed_after_an_interruption(void **state)
{
    (void)state;
    struct walk w;
    struct error e = {ERROR_NONE, ""};
    int left = 1;
    open_walk(&w, CHUNK);
    w.spec.propose = propose_never;
    w.reader.state.cancelled = is_interrupted;
    w.reader.state.cancel_context = &left;
    assert_int_equal(go_on(&w, true, &e), 1);
    assert_string_equal(e.message, "");
    close_walk(&w);
}

/* propose() passes on what the drafter says. */
static void a_drafter_can_fail_or_be_interrupted(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    w.answer = -1;
    assert_int_equal(go_on(&w, true, &e), -1);
    assert_string_equal(e.message, "no idea");
    w.answer = 1;
    assert_int_equal(go_on(&w, true, &e), 1);
    assert_written(&w, 0);
    close_walk(&w);
}

static void forbid_everything(void *context, const struct history *h,
                              float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 0; i < n; i++)
        logits[i] = -INFINITY;
}

/* judge() and run_pass() fail where a choice is to be made. */
static void what_cannot_be_chosen_is_an_error(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    w.sampler.how.forbid = forbid_everything;
    assert_int_equal(go_on(&w, true, &e), -1);
    assert_non_null(strstr(e.message, "are forbidden"));
    w.sampler.how.forbid = NULL;
    w.damaged = true;
    assert_int_equal(go_on(&w, true, &e), -1);
    assert_non_null(strstr(e.message, "the weights are damaged"));
    assert_written(&w, N_DRAFT);
    w.damaged = false;
    w.m.logit_scale = INFINITY;
    assert_int_equal(go_on(&w, true, &e), -1);
    assert_non_null(strstr(e.message, "the weights are damaged"));
    assert_written(&w, 0);
    close_walk(&w);
}

/* judge() by chance: a drafter that gives each token what the model gives it
 * is always right. */
static void the_model_agrees_with_itself(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    size_t n = N_PROMPT + N_NEW, n_vocab = w.m.config.vocab_size;
    struct small_model small = {.model = &w.m};
    struct reader drafting;
    reader_open(&drafting, &w.m, n, CHUNK);
    small.state = drafting.state;
    small.cache = drafting.cache;
    w.sampler.how.temperature = 12;
    assert_ok(sampler_init(&small.sampler, &w.sampler.how, n_vocab, 2, 0, &e),
              &e);
    w.spec.propose = draft_by_model;
    w.spec.context = &small;
    draft_free(&w.spec.draft);
    assert_ok(draft_init(&w.spec.draft, N_DRAFT, n_vocab, false, &e), &e);
    assert_ok(go_on(&w, true, &e), &e);
    assert_int_equal(w.n_put, N_NEW);
    assert_int_equal(w.spec.n_passes, N_NEW / (N_DRAFT + 1));
    assert_int_equal(w.spec.n_kept, w.spec.n_proposed);
    sampler_free(&small.sampler);
    reader_close(&drafting);
    close_walk(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pass_gives_one_token_more_than_was_right),
        cmocka_unit_test(a_draft_is_no_longer_than_a_chunk),
        cmocka_unit_test(enough_may_come_within_a_draft),
        cmocka_unit_test(whoever_is_interrupted_can_go_on),
        cmocka_unit_test(nothing_is_proposed_after_an_interruption),
        cmocka_unit_test(a_drafter_can_fail_or_be_interrupted),
        cmocka_unit_test(what_cannot_be_chosen_is_an_error),
        cmocka_unit_test(the_model_agrees_with_itself),
    };
    return cmocka_run_group_tests_name("speculate, its walk", tests, NULL,
                                       NULL);
}

/* The walk through drafts where a text was read before, where a draft holds
 * more than it says, and where angles change. */
#include "test_walk.h"

/* hold_all_but_last() looks what of the prompt is held: not all, where the
 * cache has another third token. */
static void what_is_held_is_compared_with_the_prompt(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    assert_ok(go_on(&w, true, &e), &e);
    w.reader.cache.ids[2]++;
    assert_ok(go_on(&w, true, &e), &e);
    assert_written(&w, N_NEW);
    assert_int_equal(w.n_read, N_PROMPT - 1 - 2 + 3 * (1 + N_DRAFT));
    close_walk(&w);
}

/* run_pass() counts no guess that was not made. */
static void what_is_right_and_not_guessed_is_not_counted(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    w.unsaid = 1;
    assert_ok(go_on(&w, true, &e), &e);
    assert_written(&w, N_NEW);
    assert_int_equal(w.spec.n_passes, N_NEW / N_DRAFT + 1);
    assert_int_equal(w.spec.n_kept, N_NEW - w.spec.n_passes);
    close_walk(&w);
}

static int propose_zeros(void *context, const struct history *t,
                         struct draft *d, struct error *e)
{
    (void)context;
    (void)t;
    (void)e;
    d->n = d->most;
    memset(d->ids, 0, d->n * sizeof *d->ids);
    return 0;
}

/* draft_logits() of a draft that, with one row more, is all that a state can
 * score. */
static void a_draft_may_be_as_long_as_rows_are_scored(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_walk(&w, CHUNK);
    size_t room = N_PROMPT + STATE_SCORED + 1;
    reader_close(&w.reader);
    reader_open(&w.reader, &w.m, room, room);
    draft_free(&w.spec.draft);
    assert_ok(draft_init(&w.spec.draft, STATE_SCORED,
                         w.m.config.vocab_size, true, &e),
              &e);
    w.spec.propose = propose_zeros;
    w.most = STATE_SCORED + 1;
    w.enough = 1;
    assert_ok(go_on(&w, true, &e), &e);
    assert_written(&w, 1);
    assert_int_equal(w.spec.n_proposed, STATE_SCORED - 1);
    close_walk(&w);
}

static void forbid_all_but_the_first(void *context, const struct history *h,
                                     float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 1; i < n; i++)
        logits[i] = -INFINITY;
}

/* run_pass() takes the id 0 for a token, not for a failure. */
static void the_first_id_is_a_token(void **state)
{
    (void)state;
    struct walk w;
    struct error e;
    open_model(&w, "checkpoints/llama-1", CHUNK);
    w.sampler.how.forbid = forbid_all_but_the_first;
    write_text_alone(&w);
    assert_int_equal(w.text[N_PROMPT], 0);
    assert_ok(go_on(&w, true, &e), &e);
    assert_written(&w, N_NEW);
    close_walk(&w);
}

/* What a walk reads where angles change behind so many tokens. */
struct border {
    size_t tokens, right; /* guesses of each draft */
    size_t held;          /* tokens of the prompt, from an earlier time */
    size_t n_passes, n_proposed, n_read;
};

static void assert_border(const struct border *b)
{
    struct walk w;
    struct error e;
    open_model(&w, "checkpoints/phi3-1", N_DRAFT + 1);
    for (size_t i = 0; i < w.m.n_ropes; i++)
        w.m.ropes[i].config.original_positions = (double)b->tokens;
    write_text_alone(&w);
    w.right = b->right;
    assert_ok(go_on(&w, true, &e), &e);
    cache_truncate(&w.reader.cache, b->held);
    assert_ok(go_on(&w, true, &e), &e);
    assert_written(&w, N_NEW);
    assert_int_equal(w.spec.n_passes, b->n_passes);
    assert_int_equal(w.spec.n_proposed, b->n_proposed);
    assert_int_equal(w.n_read, b->n_read);
    close_walk(&w);
}

/* No draft goes past the border (propose), and the text behind it is read
 * again once: where that is within the prompt (hold_all_but_last), at its
 * last token, behind it, and nowhere. */
static void no_pass_goes_past_a_change_of_angles(void **state)
{
    (void)state;
    static const struct border borders[] = {
        {5, 3, 0, 3, 9, 6 + 3 + 9},
        {6, 3, 0, 4, 8, 7 + 3 + 8},
        {6, 3, 5, 4, 8, 2 + 3 + 8},
        {13, 3, 0, 6, 6, 6 + 4 + 14 + 1 + 6},
        {18, 2, 0, 4, 11, 6 + 4 + 11},
    };
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++)
        assert_border(&borders[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_compared_with_the_prompt),
        cmocka_unit_test(what_is_right_and_not_guessed_is_not_counted),
        cmocka_unit_test(a_draft_may_be_as_long_as_rows_are_scored),
        cmocka_unit_test(the_first_id_is_a_token),
        cmocka_unit_test(no_pass_goes_past_a_change_of_angles),
    };
    return cmocka_run_group_tests_name("speculate, at its edges", tests, NULL,
                                       NULL);
}

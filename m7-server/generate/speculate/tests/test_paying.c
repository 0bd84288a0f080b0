/* Guesses that do not pay are not made: whatever a drafter proposes, and
 * whenever it is right, a text costs at most 3% more than without it; and
 * where it is right, much less. */
#include "speculate.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum paying_sizes {
    N_PROMPT = 5,
    N_NEW = 300, /* tokens */
    N_DRAFT = 4, /* guesses at once, at most */
    ROOM = N_PROMPT + N_NEW
};

/* A model and what it writes without guesses. */
struct story {
    struct model m;
    int ids[ROOM];
};

/* A drafter that knows the text, and is right about a part of it. */
struct oracle {
    const struct story *t;
    size_t percent; /* of its tokens */
    size_t run;     /* how many in a row are right, or wrong */
    size_t end;     /* from this position on all are wrong; 0: from none */
    size_t n_beyond; /* guesses there */
};

/* By chance, the same for the same place. */
static bool is_right(const struct oracle *o, size_t at)
{
    if (o->end > 0 && at >= o->end)
        return false;
    uint32_t bits = (uint32_t)(at / o->run + 1) * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    return (bits >> 8) % 100 < o->percent;
}

static int propose_partly_right(void *context, const struct history *so_far,
                                struct draft *d, struct error *e)
{
    struct oracle *o = context;
    int n_vocab = (int)o->t->m.config.vocab_size;
    (void)e;
    for (d->n = 0; d->n < d->most; d->n++) {
        size_t at = so_far->n + d->n;
        int id = o->t->ids[at];
        d->ids[d->n] = is_right(o, at) ? id : (id + 1) % n_vocab;
        o->n_beyond += o->end > 0 && at >= o->end;
    }
    return 0;
}

static int take_token(void *context, int id, const float *logits,
                      struct error *e)
{
    int **next = context;
    (void)logits;
    (void)e;
    if (**next >= 0)
        assert_int_equal(id, **next);
    *(*next)++ = id;
    return 0;
}

/* Write the text, with guesses if there is `spec`. */
static void write_story(struct story *t, struct speculation *spec)
{
    struct sampling how = no_sampling;
    struct sampler sampler;
    struct ids ids = {0};
    struct error e;
    struct reader r;
    int *next = t->ids + N_PROMPT;
    reader_open(&r, &t->m, ROOM, 64);
    struct generation g = {.most = N_NEW, .sampler = &sampler,
                           .put = take_token, .context = &next,
                           .state = &r.state, .cache = &r.cache};
    how.temperature = 0;
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&ids, t->ids[i]);
    assert_ok(sampler_init(&sampler, &how, t->m.config.vocab_size, 1, 0, &e),
              &e);
    if (spec)
        assert_ok(speculate(&t->m, NULL, &ids, &g, spec, &e), &e);
    else
        assert_ok(generate(&t->m, NULL, &ids, &g, &e), &e);
    assert_int_equal(ids.size, ROOM);
    sampler_free(&sampler);
    ids_free(&ids);
    reader_close(&r);
}

/* What it costs with such a drafter, in passes of one token. */
static double cost_of(struct story *t, size_t percent, size_t run,
                      double guess_cost, double late_cost)
{
    struct oracle o = {.t = t, .percent = percent, .run = run};
    struct speculation s = {.propose = propose_partly_right,
                            .context = &o,
                            .guess_cost = guess_cost,
                            .late_cost = late_cost};
    struct error e;
    assert_ok(draft_init(&s.draft, N_DRAFT, t->m.config.vocab_size, true, &e),
              &e);
    write_story(t, &s);
    draft_free(&s.draft);
    assert_int_equal(s.n_passes + s.n_kept, N_NEW);
    double late = s.n_proposed > 0 ? (double)(s.n_silent - s.n_late) : 0;
    double cost = (double)s.n_passes + guess_cost * (double)s.n_proposed +
                  late_cost * late;
    print_message("%zu%% right in runs of %zu: %zu passes, %zu of %zu kept, "
                  "%zu silent: %.1f\n",
                  percent, run, s.n_passes, s.n_kept, s.n_proposed, s.n_silent,
                  cost);
    return cost;
}

static void guesses_cost_no_more_than_they_may(void **state)
{
    static const size_t runs[] = {1, 3, 10, 50};
    struct story *t = *state;
    size_t step = is_long() || is_slow() ? 10 : 25;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (size_t percent = 0; percent <= 100; percent += step)
            assert_true(cost_of(t, percent, runs[i], 0.4, 0) <= 1.03 * N_NEW);
}

/* What is right is kept: four of five tokens, each for less than half. */
static void right_guesses_pay(void **state)
{
    struct story *t = *state;
    assert_true(cost_of(t, 100, 1, 0.2, 0) < 0.4 * N_NEW);
    assert_true(cost_of(t, 100, 1, 0.4, 0) < 0.55 * N_NEW);
    assert_true(cost_of(t, 80, 1, 0.2, 0) < 0.6 * N_NEW);
}

/* Where a drafter has been right for long and then never is, of all that it
 * saved four passes may be lost, beside what may be lost anyway, and beside
 * the draft that reaches over the end of what is right. */
static void what_was_saved_is_not_all_spent(void **state)
{
    struct story *t = *state;
    struct oracle o = {
        .t = t, .percent = 100, .run = 1, .end = N_PROMPT + N_NEW / 2};
    struct speculation s = {
        .propose = propose_partly_right, .context = &o, .guess_cost = 0.4};
    struct error e;
    assert_ok(draft_init(&s.draft, N_DRAFT, t->m.config.vocab_size, true, &e),
              &e);
    write_story(t, &s);
    draft_free(&s.draft);
    print_message("%zu kept, then %zu guesses\n", s.n_kept, o.n_beyond);
    assert_true(s.n_kept > N_NEW / 3);
    assert_true(o.n_beyond > N_DRAFT);
    assert_true(0.4 * (double)(o.n_beyond - N_DRAFT) <=
                4 + 1 + 0.02 * N_NEW);
}

/* A drafter that reads the text itself costs more, and that counts. */
static void what_a_drafter_reads_late_counts(void **state)
{
    struct story *t = *state;
    for (size_t percent = 0; percent <= 100; percent += 20)
        assert_true(cost_of(t, percent, 5, 0.5, 0.015) <= 1.03 * N_NEW);
}

static int open_story(void **state)
{
    static struct story t;
    struct error e;
    char *path = test_path("models/tiny-draft"); /* the smallest: passes are
                                                    counted, not timed */
    if (model_open(&t.m, path, &e)) {
        print_error("%s\n", e.message);
        return -1;
    }
    free(path);
    t.m.config.eos.size = 0;
    for (size_t i = 0; i < ROOM; i++)
        t.ids[i] = i < N_PROMPT ? (int)(300 + 7 * i) : -1;
    write_story(&t, NULL);
    *state = &t;
    return 0;
}

static int close_story(void **state)
{
    struct story *t = *state;
    model_close(&t->m);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_cost_no_more_than_they_may),
        cmocka_unit_test(right_guesses_pay),
        cmocka_unit_test(what_was_saved_is_not_all_spent),
        cmocka_unit_test(what_a_drafter_reads_late_counts),
    };
    return cmocka_run_group_tests_name("paying", tests, open_story,
                                       close_story);
}

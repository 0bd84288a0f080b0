/* The walk through drafts pass by pass, for one small model: what is read,
 * what is kept, and how it ends.  test_guesses.c is about all models. */
#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum walk_sizes {
    N_PROMPT = 7, /* tokens */
    N_NEW = 12,
    N_DRAFT = 3,
    CHUNK = 5
};

static const int prompt[N_PROMPT] = {5, 40, 17, 23, 8, 31, 12};

/* A text that is written with guesses. */
struct walk {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    struct speculation spec;
    struct ids ids;
    int text[N_PROMPT + N_NEW]; /* what comes without guesses */
    size_t right;               /* guesses of each draft that are */
    int answer;                 /* what the drafter says */
    size_t n_put, enough;       /* tokens; enough 0: never */
    size_t n_read;              /* tokens */
};

static int propose_some_right(void *context, const struct history *t,
                              struct draft *d, struct error *e)
{
    const struct walk *w = context;
    int n_vocab = (int)w->m.config.vocab_size;
    for (d->n = 0; d->n < d->most; d->n++) {
        int id = w->text[t->n + d->n];
        d->ids[d->n] = d->n < w->right ? id : (id + 1) % n_vocab;
    }
    return w->answer < 0 ? fail(e, ERROR_SYSTEM, "no idea") : w->answer;
}

static int count_token(void *context, int id, const float *logits,
                       struct error *e)
{
    struct walk *w = context;
    (void)id;
    (void)logits;
    (void)e;
    return ++w->n_put == w->enough;
}

static void count_read(void *context, const char *name, int layer,
                       const float *data, struct shape shape)
{
    struct walk *w = context;
    (void)layer;
    (void)data;
    if (strcmp(name, "embedding") == 0)
        w->n_read += shape.rows;
}

/* Go on with the prompt; returns what was said. */
static int go_on(struct walk *w, bool guesses, struct error *e)
{
    struct observer o = {count_read, w};
    struct generation g = {.most = N_NEW,
                           .sampler = &w->sampler,
                           .put = count_token,
                           .context = w,
                           .observer = &o,
                           .state = &w->reader.state,
                           .cache = &w->reader.cache};
    w->ids.size = w->n_put = w->n_read = 0;
    w->spec.n_passes = w->spec.n_proposed = w->spec.n_kept = 0;
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&w->ids, prompt[i]);
    return guesses ? speculate(&w->m, NULL, &w->ids, &g, &w->spec, e)
                   : generate(&w->m, NULL, &w->ids, &g, e);
}

static void assert_written(const struct walk *w, size_t n)
{
    assert_int_equal(w->n_put, n);
    assert_int_equal(w->ids.size, N_PROMPT + n);
    assert_memory_equal(w->ids.data, w->text, (N_PROMPT + n) * sizeof(int));
}

/* A cache that holds nothing yet, and the text that comes without guesses. */
static void open_walk(struct walk *w, size_t chunk)
{
    char *path = test_path("checkpoints/llama-1");
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 0;
    *w = (struct walk){.right = N_DRAFT};
    assert_ok(model_open(&w->m, path, &e), &e);
    free(path);
    w->m.config.eos.size = 0;
    size_t n_vocab = w->m.config.vocab_size;
    assert_ok(sampler_init(&w->sampler, &how, n_vocab, 1, 0, &e), &e);
    w->spec.propose = propose_some_right;
    w->spec.context = w;
    assert_ok(draft_init(&w->spec.draft, N_DRAFT, n_vocab, true, &e), &e);
    reader_open(&w->reader, &w->m, N_PROMPT + N_NEW, chunk);
    assert_ok(go_on(w, false, &e), &e);
    memcpy(w->text, w->ids.data, sizeof w->text);
    cache_truncate(&w->reader.cache, 0);
}

static void close_walk(struct walk *w)
{
    draft_free(&w->spec.draft);
    ids_free(&w->ids);
    sampler_free(&w->sampler);
    reader_close(&w->reader);
    model_close(&w->m);
}

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

/* In hold_all_but_last, which takes two chunks, or in any read_draft. */
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

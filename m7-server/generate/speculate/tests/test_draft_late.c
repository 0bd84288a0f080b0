/* A small model that is not asked at each step says, when it is asked, what it
 * would say if it had been. */
#include "draft.h"

#include "test_numbers.h"
#include "test_run.h"

enum late_sizes {
    MOST = 4,
    N_PROMPT = 5,
    N_TOKENS = 40
};

struct late {
    struct model m;
    struct small_model small;
    struct draft d;
    int ids[N_TOKENS];
};

static void open_late(struct late *x)
{
    char *path = test_path("checkpoints/qwen3-1");
    struct sampling how = no_sampling;
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 0;
    assert_ok(model_open(&x->m, path, &e), &e);
    free(path);
    size_t n_vocab = x->m.config.vocab_size;
    x->small = (struct small_model){.model = &x->m};
    assert_ok(state_init_chunked(&x->small.state, &x->m, N_TOKENS, 8, &e), &e);
    assert_ok(cache_init(&x->small.cache, &x->m, N_TOKENS, 8, &e), &e);
    assert_ok(sampler_init(&x->small.sampler, &how, n_vocab, 1, 0, &e), &e);
    assert_ok(draft_init(&x->d, MOST, n_vocab, false, &e), &e);
    x->d.begins = true;
    for (size_t i = 0; i < N_TOKENS; i++)
        x->ids[i] = (int)(3 + 7 * i % 60);
}

static void close_late(struct late *x)
{
    draft_free(&x->d);
    sampler_free(&x->small.sampler);
    cache_free(&x->small.cache);
    state_free(&x->small.state);
    model_close(&x->m);
}

static void ask(struct late *x, size_t n)
{
    struct history t = {x->ids, n, N_PROMPT};
    struct error e;
    assert_ok(draft_by_model(&x->small, &t, &x->d, &e), &e);
    assert_int_equal(x->d.n, MOST);
    x->d.begins = false;
}

/* After n tokens: the same as one says that never read anything else. */
static void assert_right_after(struct late *x, size_t n)
{
    struct late fresh;
    open_late(&fresh);
    memcpy(fresh.ids, x->ids, sizeof fresh.ids);
    ask(&fresh, n);
    ask(x, n);
    assert_int_equal(x->small.cache.length, fresh.small.cache.length);
    assert_memory_equal(x->d.ids, fresh.d.ids, MOST * sizeof(int));
    close_late(&fresh);
}

/* The text goes on with `kept` tokens of the last draft, then otherwise. */
static void go_on(struct late *x, size_t n, size_t kept)
{
    memcpy(x->ids + n, x->d.ids, kept * sizeof(int));
    x->ids[n + kept] = (x->d.ids[kept % MOST] + 1) % 60;
}

static void what_was_kept_of_a_draft_is_not_read_again(void **state)
{
    (void)state;
    struct late x;
    open_late(&x);
    ask(&x, N_PROMPT);
    for (size_t kept = 0; kept < MOST; kept++) {
        size_t n = x.small.cache.length - MOST + 1;
        go_on(&x, n, kept);
        assert_right_after(&x, n + kept + 1);
        go_on(&x, n + kept + 1, kept);
        assert_right_after(&x, n + kept + 1 + 2 * kept + 2);
    }
    close_late(&x);
}

static void a_text_may_begin_without_it(void **state)
{
    (void)state;
    struct late x;
    open_late(&x);
    ask(&x, 20);
    x.ids[1]++;
    x.d.begins = true;
    assert_right_after(&x, 22);
    x.ids[12]++;
    x.d.begins = true;
    assert_right_after(&x, 15);
    close_late(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_kept_of_a_draft_is_not_read_again),
        cmocka_unit_test(a_text_may_begin_without_it),
    };
    return cmocka_run_group_tests_name("late drafts", tests, NULL, NULL);
}

/* When a text ends, and what happens when it cannot go on.  The model is one
 * whose weights are all zero: to it every token is as good as any other. */
#include "generate.h"

#include "test_model_files.h"
#include "test_numbers.h"
#include "test_reader.h"

enum small_model {
    N_VOCAB = 5
};

/* Takes tokens until it has enough. */
struct taker {
    int ids[32];
    size_t n, enough;
    int answer; /* then */
};

static int take_token(void *context, int id, const float *logits,
                      struct error *e)
{
    struct taker *t = context;
    for (size_t i = 0; i < N_VOCAB; i++)
        assert_true(logits[i] == 0);
    t->ids[t->n++] = id;
    if (t->n < t->enough)
        return 0;
    return t->answer < 0 ? fail(e, ERROR_SYSTEM, "the pipe is gone")
                         : t->answer;
}

static void open_small(struct model *m, const char *eos)
{
    struct change change = {"eos_token_id", eos};
    struct error e;
    write_small_config(&change, 1);
    write_small_weights(NULL, 0, "F32");
    assert_ok(model_open(m, ".", &e), &e);
}

/* Go on with the text "1", with ten tokens at most; returns how many came. */
static int go_on(const struct model *m, const struct sampling *how,
                 const struct ids *ends, struct taker *t, struct error *e)
{
    struct sampler s;
    struct ids ids = {0};
    struct generation g = {.most = 10,
                           .sampler = &s,
                           .ends = ends,
                           .put = take_token,
                           .context = t};
    ids_add(&ids, 1);
    assert_ok(sampler_init(&s, how, N_VOCAB, 3, 0, e), e);
    int result = generate(m, NULL, &ids, &g, e);
    int n = (int)ids.size - 1;
    assert_true(result == 0 || result == -1);
    sampler_free(&s);
    ids_free(&ids);
    return result ? result : n;
}

static struct sampling greedy(void)
{
    struct sampling how = no_sampling;
    how.temperature = 0;
    return how;
}

static void a_text_ends_when_it_is_long_enough(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct sampling how = greedy();
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    assert_int_equal(go_on(&m, &how, NULL, &t, &e), 10);
    assert_int_equal(t.n, 10);
    t = (struct taker){.enough = 3, .answer = 1};
    assert_int_equal(go_on(&m, &how, NULL, &t, &e), 3);
    assert_int_equal(t.n, 3);
    model_close(&m);
}

static void a_stop_id_ends_it_and_is_not_shown(void **state)
{
    (void)state;
    int zero[] = {3, 0};
    struct ids ends = {.data = zero, .size = 2};
    struct model m;
    struct error e;
    struct sampling how = greedy();
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    assert_int_equal(go_on(&m, &how, &ends, &t, &e), 1);
    assert_int_equal(t.n, 0);
    model_close(&m);
}

/* Its end is 0, which of equal tokens is the first. */
static void assert_ends(const char *eos)
{
    struct model m;
    struct error e;
    struct sampling how = greedy();
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, eos);
    assert_int_equal(go_on(&m, &how, NULL, &t, &e), 1);
    assert_int_equal(t.n, 0);
    model_close(&m);
}

static void the_models_own_end_is_one(void **state)
{
    (void)state;
    assert_ends("[2, 0]");
    assert_ends("[0, 2]");
}

static void who_takes_a_token_can_fail(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct sampling how = greedy();
    struct taker t = {.enough = 2, .answer = -1};
    open_small(&m, "4");
    assert_int_equal(go_on(&m, &how, NULL, &t, &e), -1);
    assert_string_equal(e.message, "the pipe is gone");
    assert_int_equal(t.n, 2);
    model_close(&m);
}

/* Allows the one token that is next to the last one's right. */
static void forbid_all_but_next(void *context, const struct history *h,
                                float *logits, size_t n)
{
    assert_int_equal(h->n_prompt, 1);
    assert_int_equal(*(const int *)context, 7);
    for (size_t i = 0; i < n; i++)
        if (i != ((size_t)h->ids[h->n - 1] + 1) % n)
            logits[i] = -INFINITY;
}

static void a_mask_sees_the_text_and_decides(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct sampling how = no_sampling;
    struct taker t = {.enough = 6, .answer = 1};
    int seven = 7;
    open_small(&m, "[]");
    how.forbid = forbid_all_but_next;
    how.forbid_context = &seven;
    assert_int_equal(go_on(&m, &how, NULL, &t, &e), 6);
    int expected[] = {2, 3, 4, 0, 1, 2};
    assert_memory_equal(t.ids, expected, sizeof expected);
    struct ids ends = {.data = &expected[3], .size = 1};
    t.n = 0;
    assert_int_equal(go_on(&m, &how, &ends, &t, &e), 4);
    assert_int_equal(t.n, 3);
    model_close(&m);
}

static void damaged_weights_are_an_error_not_a_token(void **state)
{
    (void)state;
    float head[N_VOCAB * 8] = {0};
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    head[17] = NAN;
    m.head.data = (const unsigned char *)head;
    assert_int_equal(go_on(&m, &no_sampling, NULL, &t, &e), -1);
    assert_non_null(strstr(e.message, "the logit of token 2 is "));
    assert_non_null(strstr(e.message, "the weights are damaged"));
    assert_int_equal(t.n, 0);
    model_close(&m);
}

static void a_text_that_may_grow_too_long_is_not_begun(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    m.max_positions = 10;
    assert_int_equal(go_on(&m, &no_sampling, NULL, &t, &e), -1);
    assert_string_equal(e.message,
                        "the text has 1 tokens, and 10 more were asked for; "
                        "this model can hold 10");
    assert_int_equal(t.n, 0);
    model_close(&m);
}

/* A sanitizer ends the program where memory is refused, unless it is told
 * not to. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void what_cannot_be_had_is_said(void **state)
{
    (void)state;
    struct model m;
    struct error e;
    struct taker t = {.enough = SIZE_MAX};
    open_small(&m, "4");
    m.config.intermediate_size = (size_t)1 << 58;
    assert_int_equal(go_on(&m, &no_sampling, NULL, &t, &e), -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    model_close(&m);
}

/* A state that the caller has keeps what was read of a text that was
 * interrupted, which is no error. */
static bool is_interrupted(void *context)
{
    return --*(int *)context < 0;
}

static void who_is_interrupted_says_so(void **state)
{
    (void)state;
    struct model m;
    struct reader r;
    struct sampler s;
    struct error e;
    struct sampling how = greedy();
    struct taker t = {.enough = SIZE_MAX};
    struct ids ids = {0};
    int passes = 3; /* the prompt's, and those of two tokens */
    open_small(&m, "4");
    reader_open(&r, &m, 11, 4);
    r.state.cancelled = is_interrupted;
    r.state.cancel_context = &passes;
    struct generation g = {.most = 10,
                           .sampler = &s,
                           .put = take_token,
                           .context = &t,
                           .state = &r.state,
                           .cache = &r.cache};
    ids_add(&ids, 1);
    assert_ok(sampler_init(&s, &how, N_VOCAB, 3, 0, &e), &e);
    assert_int_equal(generate(&m, NULL, &ids, &g, &e), 1);
    assert_int_equal(t.n, 3);
    assert_int_equal(r.cache.length, 3);
    assert_true(r.state.decodes);
    r.state.cancelled = NULL; /* and goes on */
    ids.data[3] = 3;
    g.most = 1;
    assert_int_equal(generate(&m, NULL, &ids, &g, &e), 0);
    assert_int_equal(r.cache.length, 4);
    assert_int_equal(r.cache.ids[3], 3);
    sampler_free(&s);
    ids_free(&ids);
    reader_close(&r);
    model_close(&m);
}

/* generation_add() by itself: the ends are 2 and 3, and two tokens enough. */
static void a_token_is_put_or_ends_the_text(void **state)
{
    (void)state;
    const float logits[N_VOCAB] = {0};
    int three = 3;
    struct ids ids = {0}, ends = {.data = &three, .size = 1};
    struct taker t = {.enough = 2, .answer = -1};
    struct generation g = {.ends = &ends, .put = take_token, .context = &t};
    struct model m;
    struct error e;
    open_small(&m, "2");
    assert_int_equal(generation_add(&m, &ids, &g, 1, logits, &e), 0);
    assert_int_equal(generation_add(&m, &ids, &g, 2, logits, &e), 1);
    assert_int_equal(generation_add(&m, &ids, &g, 3, logits, &e), 1);
    g.ends = NULL;
    assert_int_equal(generation_add(&m, &ids, &g, 3, logits, &e), -1);
    assert_int_equal(t.n, 2);
    assert_memory_equal(t.ids, ((int[]){1, 3}), 2 * sizeof(int));
    assert_int_equal(ids.size, 4);
    assert_memory_equal(ids.data, ((int[]){1, 2, 3, 3}), 4 * sizeof(int));
    ids_free(&ids);
    model_close(&m);
}

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_text_ends_when_it_is_long_enough),
        SCRATCH(a_stop_id_ends_it_and_is_not_shown),
        SCRATCH(the_models_own_end_is_one),
        SCRATCH(who_takes_a_token_can_fail),
        SCRATCH(a_mask_sees_the_text_and_decides),
        SCRATCH(damaged_weights_are_an_error_not_a_token),
        SCRATCH(a_text_that_may_grow_too_long_is_not_begun),
        SCRATCH(what_cannot_be_had_is_said),
        SCRATCH(who_is_interrupted_says_so),
        SCRATCH(a_token_is_put_or_ends_the_text),
    };
    return cmocka_run_group_tests_name("generate_end", tests, NULL, NULL);
}

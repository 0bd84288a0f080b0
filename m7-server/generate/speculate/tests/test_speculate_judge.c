/* Which token a pass gives, number by number: what the rule for one token
 * says, worked out from the model's probabilities and the same draws. */
#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum judge_sizes {
    N_PROMPT = 4, /* tokens */
    N_VOCAB = 80,
    N_SEEDS = 200
};

static const int prompt[N_PROMPT] = {5, 40, 17, 23};

/* A model, what it gives to each token behind the prompt, and a draft. */
struct court {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    float p[N_VOCAB];
    const float *q; /* what the drafter gives; NULL: one token is certain */
    int proposed;   /* below 0: none is */
};

static int propose_it(void *context, const struct history *t, struct draft *d,
                      struct error *e)
{
    const struct court *x = context;
    (void)t;
    (void)e;
    d->n = x->proposed >= 0;
    d->ids[0] = x->proposed;
    if (x->q)
        memcpy(d->probabilities, x->q, N_VOCAB * sizeof *x->q);
    return 0;
}

static int enough(void *context, int id, const float *logits, struct error *e)
{
    (void)context;
    (void)id;
    (void)logits;
    (void)e;
    return 1;
}

static struct generation generation_of(struct court *x)
{
    return (struct generation){.most = 2,
                               .sampler = &x->sampler,
                               .put = enough,
                               .state = &x->reader.state,
                               .cache = &x->reader.cache};
}

/* One token more; -1 on error. */
static int judge_one(struct court *x, struct error *e)
{
    struct ids ids = {0};
    struct speculation spec = {.propose = propose_it, .context = x};
    struct generation g = generation_of(x);
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&ids, prompt[i]);
    assert_ok(draft_init(&spec.draft, 1, N_VOCAB, !x->q, e), e);
    int result = speculate(&x->m, NULL, &ids, &g, &spec, e);
    int id = result < 0 ? -1 : ids.data[N_PROMPT];
    draft_free(&spec.draft);
    ids_free(&ids);
    return id;
}

static void open_court(struct court *x)
{
    char *path = test_path("checkpoints/llama-1");
    struct sampling how = no_sampling;
    struct history t = {prompt, N_PROMPT, N_PROMPT};
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    how.temperature = 12;
    how.top_k = 5;
    *x = (struct court){.proposed = -1};
    assert_ok(model_open(&x->m, path, &e), &e);
    free(path);
    x->m.config.eos.size = 0;
    assert_int_equal(x->m.config.vocab_size, N_VOCAB);
    reader_open(&x->reader, &x->m, N_PROMPT + 2, N_PROMPT + 2);
    assert_ok(sampler_init(&x->sampler, &how, N_VOCAB, 1, 0, &e), &e);
    struct state *s = &x->reader.state;
    assert_ok(forward(&x->m, s, prompt, N_PROMPT, NULL, &e), &e);
    forward_logits(&x->m, s, s->rows - 1, NULL);
    memcpy(x->p, sampler_probabilities(&x->sampler, s->logits, &t, NULL, &e),
           sizeof x->p);
}

static void close_court(struct court *x)
{
    sampler_free(&x->sampler);
    reader_close(&x->reader);
    model_close(&x->m);
}

/* The token by the rule, when the next two draws are these. */
static int by_rule(const struct court *x, double first, double second)
{
    double total = 0, sum = 0, q = x->q ? (double)x->q[x->proposed] : 1;
    if (first * q < (double)x->p[x->proposed])
        return x->proposed;
    double more[N_VOCAB];
    for (int i = 0; i < N_VOCAB; i++) {
        double given = x->q ? (double)x->q[i] : i == x->proposed;
        more[i] = fmax((double)x->p[i] - given, 0);
        total += more[i];
    }
    for (int i = 0; i < N_VOCAB; i++)
        if ((sum += more[i]) > second * total)
            return i;
    return -1;
}

static size_t count_left(const struct court *x)
{
    size_t n = 0;
    for (size_t i = 0; i < N_VOCAB; i++)
        n += x->p[i] > 0;
    return n;
}

/* The first token that is left at or after i, around the end. */
static int left_at(const struct court *x, int i)
{
    while (x->p[i % N_VOCAB] == 0)
        i++;
    return i % N_VOCAB;
}

/* judge() with each draft that may be right, and with each seed. */
static void assert_judged_by_rule(struct court *x)
{
    struct error e;
    size_t kept = 0;
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        struct random r;
        random_init(&r, seed, 0);
        x->sampler.random = r;
        x->proposed = left_at(x, (int)(seed * 7 % N_VOCAB));
        double first = random_share(&r), second = random_share(&r);
        int expected = by_rule(x, first, second);
        assert_int_equal(judge_one(x, &e), expected);
        kept += expected == x->proposed;
    }
    assert_in_range(kept, 20, N_SEEDS - 20);
}

/* judge() keeps a certain token as often as the model gives it. */
static void a_certain_draft_is_judged_by_the_rule(void **state)
{
    (void)state;
    struct court x;
    open_court(&x);
    assert_int_equal(count_left(&x), 5);
    assert_judged_by_rule(&x);
    close_court(&x);
}

/* judge(), which run_pass() asks of each guess, where the drafter gives 0.6 to
 * the first token that is left, and a tenth to each of the other four. */
static void a_drawn_draft_is_judged_by_the_rule(void **state)
{
    (void)state;
    struct court x;
    float q[N_VOCAB] = {0};
    open_court(&x);
    for (int i = 0, id = -1; i < 5; i++)
        q[id = left_at(&x, id + 1)] = i ? 0.1f : 0.6f;
    x.q = q;
    assert_judged_by_rule(&x);
    close_court(&x);
}

/* judge() behind a draft, here of no token, chooses as whoever has none. */
static void without_a_draft_the_model_chooses(void **state)
{
    (void)state;
    struct court x;
    struct error e;
    open_court(&x);
    for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
        struct ids ids = {0};
        struct generation g = generation_of(&x);
        random_init(&x.sampler.random, seed, 0);
        for (size_t i = 0; i < N_PROMPT; i++)
            ids_add(&ids, prompt[i]);
        assert_true(generate(&x.m, NULL, &ids, &g, &e) >= 0);
        random_init(&x.sampler.random, seed, 0);
        assert_int_equal(judge_one(&x, &e), ids.data[N_PROMPT]);
        ids_free(&ids);
    }
    close_court(&x);
}

/* A state whose next share is this one, which has 53 bits: random.c backwards,
 * with the inverses of 5 and 9 modulo 2^64. */
static struct random random_before(double share)
{
    const uint64_t inverse_5 = 0xcccccccccccccccd,
                   inverse_9 = 0x8e38e38e38e38e39;
    uint64_t x = ((uint64_t)(share * 0x1p53) << 11) * inverse_9;
    return (struct random){{1, (x >> 7 | x << 57) * inverse_5, 1, 1}};
}

/* judge() compares a share of 53 bits: one just below the probability keeps
 * the guess, though as a float it would not. */
static void a_share_is_not_rounded(void **state)
{
    (void)state;
    struct court x;
    struct error e;
    open_court(&x);
    x.proposed = left_at(&x, 0);
    double p = (double)x.p[x.proposed], share = p * (1 - 0x1p-40);
    struct random r = random_before(share);
    double drawn = random_share(&r);
    assert_true(drawn < p && (float)drawn == x.p[x.proposed]);
    x.sampler.random = random_before(share);
    assert_int_equal(judge_one(&x, &e), x.proposed);
    x.sampler.random = random_before(p * (1 + 0x1p-40));
    assert_int_not_equal(judge_one(&x, &e), x.proposed);
    close_court(&x);
}

static void forbid_everything(void *context, const struct history *h,
                              float *logits, size_t n)
{
    (void)context;
    (void)h;
    for (size_t i = 0; i < n; i++)
        logits[i] = -INFINITY;
}

/* judge() of a guess, where the model has nothing to say. */
static void a_guess_that_cannot_be_judged_is_an_error(void **state)
{
    (void)state;
    struct court x;
    struct error e = {ERROR_NONE, ""};
    open_court(&x);
    x.proposed = left_at(&x, 0);
    x.sampler.how.forbid = forbid_everything;
    assert_int_equal(judge_one(&x, &e), -1);
    assert_non_null(strstr(e.message, "are forbidden"));
    close_court(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certain_draft_is_judged_by_the_rule),
        cmocka_unit_test(a_drawn_draft_is_judged_by_the_rule),
        cmocka_unit_test(without_a_draft_the_model_chooses),
        cmocka_unit_test(a_share_is_not_rounded),
        cmocka_unit_test(a_guess_that_cannot_be_judged_is_an_error),
    };
    return cmocka_run_group_tests_name("speculate, token by token", tests,
                                       NULL, NULL);
}

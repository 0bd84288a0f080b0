/* Whatever is proposed, what comes out is distributed as the model wants it.
 *
 * Draws are counted and compared by chi-square with what they should be.  The
 * bounds are the values that chance alone exceeds once in a thousand times;
 * the seeds are fixed, so that a test that passes passes always. */
#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

/* --- the rule for one token ---------------------------------------------- */

enum rule_sizes {
    N_KINDS = 5,
    N_DRAWS = 100000
};

static const double most_of_4 = 18.47;  /* 4 degrees of freedom */
static const double most_of_26 = 54.05; /* 26 */

/* How far counts (n,) are from n_draws draws by p (n,).  What has the
 * probability 0 never came. */
static double chi_square(const size_t *counts, const double *p, size_t n,
                         size_t n_draws)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double expected = p[i] * (double)n_draws;
        double off = (double)counts[i] - expected;
        assert_true(p[i] > 0 || counts[i] == 0);
        sum += p[i] > 0 ? off * off / expected : 0;
    }
    return sum;
}

static int draw_by(const float *p, struct random *r)
{
    double share = random_share(r), sum = 0;
    int i = 0;
    for (; i + 1 < N_KINDS; i++) {
        sum += (double)p[i];
        if (sum > share)
            return i;
    }
    return i;
}

/* One token by the rule, when q proposes; q NULL: always token 2. */
static int choose_by_rule(const float *p, const float *q, struct random *r)
{
    int proposed = q ? draw_by(q, r) : 2;
    if (keeps(p[proposed], q ? q[proposed] : 1, random_share(r)))
        return proposed;
    return draw_other(p, q, N_KINDS, proposed, random_share(r));
}

static void assert_rule(const float *p, const float *q)
{
    size_t counts[N_KINDS] = {0};
    double exact[N_KINDS];
    struct random r;
    random_init(&r, 2026, 0);
    for (size_t i = 0; i < N_DRAWS; i++)
        counts[choose_by_rule(p, q, &r)]++;
    for (size_t i = 0; i < N_KINDS; i++)
        exact[i] = (double)p[i];
    double off = chi_square(counts, exact, N_KINDS, N_DRAWS);
    if (off >= most_of_4)
        print_error("chi-square %.1f, expected below %.2f\n", off, most_of_4);
    assert_true(off < most_of_4);
}

static void the_rule_keeps_the_distribution(void **state)
{
    (void)state;
    static const float p[][N_KINDS] = {
        {0.2f, 0.2f, 0.2f, 0.2f, 0.2f},
        {0.5f, 0.25f, 0.125f, 0.0625f, 0.0625f},
        {0.01f, 0.02f, 0.07f, 0.3f, 0.6f},
        {0.4f, 0, 0.6f, 0, 0},
        {0, 0, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
        for (size_t k = 0; k < sizeof p / sizeof p[0]; k++)
            assert_rule(p[i], p[k]);
        assert_rule(p[i], NULL);
    }
}

static void what_the_model_likes_as_well_is_kept(void **state)
{
    (void)state;
    const double most_share = 1 - 0x1p-53;
    assert_true(keeps(0.25f, 0.25f, most_share));
    assert_true(keeps(0.3f, 0.2f, most_share));
    assert_true(keeps(1, 1, most_share));
    assert_true(keeps(0.2f, 0.4f, 0.4999));
    assert_false(keeps(0.2f, 0.4f, 0.5));
    assert_false(keeps(0, 0.4f, 0));
    assert_false(keeps(0, 1, 0));
}

/* Before a drafter is asked or a token read: nothing else is there. */
static void a_full_context_is_an_error_before_any_work(void **state)
{
    (void)state;
    struct error e;
    struct model m = {.max_positions = 100};
    struct state s = {.capacity = 64};
    struct ids ids = {.size = 60};
    struct generation g = {.most = 41, .state = &s};
    struct speculation none = {0};
    assert_int_equal(speculate(&m, NULL, &ids, &g, &none, &e), -1);
    assert_string_equal(e.message,
                        "the text has 60 tokens, and 41 more were asked for; "
                        "this model can hold 100");
}

/* 32 bits may leave nothing over; what the model forbids must not come even
 * then. */
static void rounding_lets_nothing_forbidden_through(void **state)
{
    (void)state;
    const float p[N_KINDS] = {0.3f, 0.6999999f, 0, 0, 0};
    const float q[N_KINDS] = {0.3f, 0.7f, 1e-8f, 0, 0};
    assert_int_equal(draw_other(p, q, N_KINDS, 2, 0), 1);
    assert_int_equal(draw_other(p, q, N_KINDS, 2, 0.999), 1);
    const float even[] = {0.5f, 0.4999999f}, other[] = {0.5f, 0.5000001f};
    assert_int_equal(draw_other(even, other, 2, 1, 0.5), 0);
}

/* --- whole texts --------------------------------------------------------- */

enum text_sizes {
    N_LEFT = 3, /* tokens that top-k leaves */
    LENGTH = 3, /* of the new text */
    N_TEXTS = N_LEFT * N_LEFT * N_LEFT,
    N_PROMPT = 4,
    N_RUNS = 4000
};

static const int prompt[N_PROMPT] = {5, 40, 17, 23};

/* The model, and all texts of three tokens that it can write. */
struct writer {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    int texts[N_TEXTS][LENGTH];
    double p[N_TEXTS];
};

/* How to choose: by chance, from three tokens. */
static struct sampling by_chance(float temperature)
{
    struct sampling how = no_sampling;
    how.temperature = temperature;
    how.top_k = N_LEFT;
    return how;
}

/* The three tokens that may follow the text, and how likely each is. */
static void find_followers(struct writer *w, const int *ids, size_t n,
                           int *followers, double *p)
{
    struct history t = {ids, n, N_PROMPT};
    struct error e;
    size_t n_found = 0;
    struct state *s = &w->reader.state;
    assert_ok(forward(&w->m, s, ids, n, NULL, &e), &e);
    forward_logits(&w->m, s, s->rows - 1, NULL);
    const float *all =
        sampler_probabilities(&w->sampler, s->logits, &t, NULL, &e);
    for (size_t i = 0; i < w->m.config.vocab_size; i++)
        if (all[i] > 0) {
            followers[n_found] = (int)i;
            p[n_found++] = (double)all[i];
        }
    assert_int_equal(n_found, N_LEFT);
}

/* Text number i of all: its digits in base 3 say which follower comes. */
static void find_text(struct writer *w, size_t i)
{
    int ids[N_PROMPT + LENGTH], followers[N_LEFT];
    double p[N_LEFT];
    memcpy(ids, prompt, sizeof prompt);
    w->p[i] = 1;
    for (size_t k = 0, rest = i; k < LENGTH; k++, rest /= N_LEFT) {
        find_followers(w, ids, N_PROMPT + k, followers, p);
        w->texts[i][k] = ids[N_PROMPT + k] = followers[rest % N_LEFT];
        w->p[i] *= p[rest % N_LEFT];
    }
}

static void open_writer(struct writer *w)
{
    char *path = test_path("checkpoints/qwen3-1");
    struct sampling how = by_chance(12);
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    assert_ok(model_open(&w->m, path, &e), &e);
    free(path);
    reader_open(&w->reader, &w->m, N_PROMPT + LENGTH, N_PROMPT + LENGTH);
    assert_ok(
        sampler_init(&w->sampler, &how, w->m.config.vocab_size, 7, 0, &e), &e);
    for (size_t i = 0; i < N_TEXTS; i++)
        find_text(w, i);
}

static void close_writer(struct writer *w)
{
    sampler_free(&w->sampler);
    reader_close(&w->reader);
    model_close(&w->m);
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

/* Write one text; returns its number. */
static size_t write_text_once(struct writer *w, struct speculation *spec)
{
    struct ids ids = {0};
    struct generation g = {.most = LENGTH,
                           .sampler = &w->sampler,
                           .put = nothing_to_do,
                           .state = &w->reader.state,
                           .cache = &w->reader.cache};
    struct error e;
    size_t i = 0;
    for (size_t k = 0; k < N_PROMPT; k++)
        ids_add(&ids, prompt[k]);
    assert_ok(speculate(&w->m, NULL, &ids, &g, spec, &e), &e);
    while (i < N_TEXTS &&
           memcmp(w->texts[i], ids.data + N_PROMPT, sizeof w->texts[i]) != 0)
        i++;
    assert_true(ids.size == N_PROMPT + LENGTH && i < N_TEXTS);
    ids_free(&ids);
    return i;
}

static void assert_distribution(struct writer *w, struct speculation *spec)
{
    size_t counts[N_TEXTS] = {0};
    for (size_t i = 0; i < N_RUNS; i++)
        counts[write_text_once(w, spec)]++;
    double off = chi_square(counts, w->p, N_TEXTS, N_RUNS);
    print_message("%zu of %zu proposed tokens kept, chi-square %.1f\n",
                  spec->n_kept, spec->n_proposed, off);
    assert_true(off < most_of_26);
    assert_true(spec->n_kept > 0 && spec->n_kept < spec->n_proposed);
}

/* The drafter is the model itself, but hotter: it is often wrong. */
static void a_drafter_that_draws_keeps_the_distribution(void **state)
{
    (void)state;
    struct writer w;
    struct sampling hotter = by_chance(60);
    struct error e;
    skip_if_slow();
    open_writer(&w);
    size_t n_vocab = w.m.config.vocab_size;
    struct small_model small = {.model = &w.m};
    struct speculation spec = {.propose = draft_by_model, .context = &small};
    size_t n = N_PROMPT + LENGTH;
    assert_ok(state_init(&small.state, &w.m, n, &e), &e);
    assert_ok(cache_init(&small.cache, &w.m, n, n, &e), &e);
    assert_ok(sampler_init(&small.sampler, &hotter, n_vocab, 8, 0, &e), &e);
    assert_ok(draft_init(&spec.draft, 2, n_vocab, false, &e), &e);
    assert_distribution(&w, &spec);
    draft_free(&spec.draft);
    sampler_free(&small.sampler);
    cache_free(&small.cache);
    state_free(&small.state);
    close_writer(&w);
}

/* Proposes text number 5, always. */
static int propose_one_text(void *context, const struct history *t,
                            struct draft *d, struct error *e)
{
    const struct writer *w = context;
    (void)e;
    for (size_t at = t->n - N_PROMPT; d->n < d->most; at++)
        d->ids[d->n++] = w->texts[5][at];
    return 0;
}

static void a_drafter_that_is_certain_keeps_the_distribution(void **state)
{
    (void)state;
    struct writer w;
    struct error e;
    skip_if_slow();
    open_writer(&w);
    struct speculation spec = {.propose = propose_one_text, .context = &w};
    assert_ok(draft_init(&spec.draft, 2, w.m.config.vocab_size, true, &e), &e);
    assert_distribution(&w, &spec);
    draft_free(&spec.draft);
    close_writer(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_keeps_the_distribution),
        cmocka_unit_test(what_the_model_likes_as_well_is_kept),
        cmocka_unit_test(a_full_context_is_an_error_before_any_work),
        cmocka_unit_test(rounding_lets_nothing_forbidden_through),
        cmocka_unit_test(a_drafter_that_draws_keeps_the_distribution),
        cmocka_unit_test(a_drafter_that_is_certain_keeps_the_distribution),
    };
    return cmocka_run_group_tests_name("speculate", tests, NULL, NULL);
}

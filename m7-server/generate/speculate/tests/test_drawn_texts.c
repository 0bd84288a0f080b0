/* Texts drawn with guesses, through penalties and cuts, come as often as the
 * model alone would write them.
 *
 * How often that is, is computed here from the model's logits: by a chain of
 * its own, in double, that sorts where the sampler does not, and with a
 * forward pass over the whole text for each token.  Pairs of neighbours are
 * counted and compared with it by chi-square; the seeds are fixed, so a test
 * that passes passes always. */
#include "speculate.h"

#include "forward.h"

#include "test_numbers.h"
#include "test_reader.h"
#include "test_run.h"

enum sizes {
    N_VOCAB = 80,
    N_PROMPT = 5,
    LENGTH = 3, /* of the new text */
    TOP_K = 40,
    N_RUNS = 8000
};

static const double temperature = 0.8, top_p = 0.9, repetition = 1.2;
static const int prompt[N_PROMPT] = {5, 40, 17, 23, 12};

/* What a text begins with, and then its pairs: how likely each is, or how
 * often it came. */
struct pairs {
    double first[N_VOCAB][N_VOCAB];  /* of tokens 0 and 1 */
    double second[N_VOCAB][N_VOCAB]; /* of tokens 1 and 2 */
};

/* --- the chain, in double ------------------------------------------------ */

static double sorted_by[N_VOCAB]; /* qsort's comparison gets no context */

static int compare_larger(const void *a, const void *b)
{
    double x = sorted_by[*(const int *)a], y = sorted_by[*(const int *)b];
    return (x < y) - (x > y);
}

static bool is_among(const int *ids, size_t n, int id)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* The logits behind the text ids (n,), once penalized and divided, in
 * sorted_by; order (N_VOCAB,) becomes the tokens, the likeliest first. */
static void sort_tokens(const float *logits, const int *ids, size_t n,
                        int *order)
{
    for (int i = 0; i < N_VOCAB; i++) {
        double x = (double)logits[i];
        if (is_among(ids, n, i))
            x = x < 0 ? x * repetition : x / repetition;
        sorted_by[i] = x / temperature;
        order[i] = i;
    }
    qsort(order, N_VOCAB, sizeof *order, compare_larger);
}

/* How many of the TOP_K first make up the share top_p of them. */
static size_t count_likely(const int *order)
{
    double all = 0, sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < TOP_K; i++)
        all += exp(sorted_by[order[i]] - sorted_by[order[0]]);
    while (sum < top_p * all)
        sum += exp(sorted_by[order[n++]] - sorted_by[order[0]]);
    return n;
}

/* How likely each token is behind the text: p (N_VOCAB,). */
static void find_chances(const float *logits, const int *ids, size_t n,
                         double *p)
{
    int order[N_VOCAB];
    sort_tokens(logits, ids, n, order);
    size_t left = count_likely(order);
    double sum = 0;
    memset(p, 0, N_VOCAB * sizeof *p);
    for (size_t i = 0; i < left; i++)
        sum += exp(sorted_by[order[i]]);
    for (size_t i = 0; i < left; i++)
        p[order[i]] = exp(sorted_by[order[i]]) / sum;
}

/* --- the model ----------------------------------------------------------- */

struct scene {
    struct model m;
    struct reader reader;
    struct sampler sampler;
    struct pairs expected;
    int likeliest[LENGTH];
};

static struct sampling how_to_choose(void)
{
    struct sampling how = no_sampling;
    how.temperature = (float)temperature;
    how.top_k = TOP_K;
    how.top_p = top_p;
    how.repetition = (float)repetition;
    return how;
}

/* The small model's logits are far apart; nearer to each other they leave a
 * choice.  What ends a text is a token like others. */
static void open_flat(struct model *m, float scale)
{
    char *path = test_path("checkpoints/qwen3-1");
    struct error e;
    if (access(path, R_OK))
        skip_without_models();
    assert_ok(model_open(m, path, &e), &e);
    free(path);
    assert_int_equal(m->config.vocab_size, N_VOCAB);
    m->logit_scale *= scale;
    m->config.eos.size = 0;
}

/* How likely each token is behind the prompt and k more: p (N_VOCAB,). */
static void ask(struct scene *s, const int *more, size_t k, double *p)
{
    int ids[N_PROMPT + LENGTH];
    struct state *state = &s->reader.state;
    struct error e;
    memcpy(ids, prompt, sizeof prompt);
    memcpy(ids + N_PROMPT, more, k * sizeof *more);
    assert_ok(forward(&s->m, state, ids, N_PROMPT + k, NULL, &e), &e);
    find_chances(forward_logits(&s->m, state, state->rows - 1, NULL), ids,
                 N_PROMPT + k, p);
}

/* Walk through all texts of two tokens that can be, and what follows them. */
static void find_pairs(struct scene *s)
{
    double first[N_VOCAB], second[N_VOCAB], third[N_VOCAB];
    int ids[2];
    ask(s, NULL, 0, first);
    for (ids[0] = 0; ids[0] < N_VOCAB; ids[0]++) {
        if (first[ids[0]] > 0)
            ask(s, ids, 1, second);
        for (ids[1] = 0; first[ids[0]] > 0 && ids[1] < N_VOCAB; ids[1]++) {
            double p = first[ids[0]] * second[ids[1]];
            s->expected.first[ids[0]][ids[1]] = p;
            if (p > 0)
                ask(s, ids, 2, third);
            for (size_t i = 0; p > 0 && i < N_VOCAB; i++)
                s->expected.second[ids[1]][i] += p * third[i];
        }
    }
}

/* The text of those tokens that are the likeliest, one by one. */
static void find_likeliest(struct scene *s)
{
    for (size_t k = 0; k < LENGTH; k++) {
        double p[N_VOCAB];
        int best = 0;
        ask(s, s->likeliest, k, p);
        for (int i = 1; i < N_VOCAB; i++)
            best = p[i] > p[best] ? i : best;
        s->likeliest[k] = best;
    }
}

static void open_scene(struct scene *s)
{
    struct sampling how = how_to_choose();
    struct error e;
    memset(s, 0, sizeof *s);
    open_flat(&s->m, 0.14f);
    reader_open(&s->reader, &s->m, N_PROMPT + LENGTH, N_PROMPT + LENGTH);
    assert_ok(sampler_init(&s->sampler, &how, N_VOCAB, 11, 0, &e), &e);
    find_pairs(s);
    find_likeliest(s);
}

static void close_scene(struct scene *s)
{
    sampler_free(&s->sampler);
    reader_close(&s->reader);
    model_close(&s->m);
}

/* --- counting ------------------------------------------------------------ */

static int nothing_to_do(void *context, int id, const float *logits,
                         struct error *e)
{
    (void)context;
    (void)id;
    (void)logits;
    (void)e;
    return 0;
}

/* Draw one text, and count its pairs. */
static void draw_text(struct scene *s, struct speculation *spec,
                      struct pairs *counts)
{
    struct ids ids = {0};
    struct generation g = {.most = LENGTH,
                           .sampler = &s->sampler,
                           .put = nothing_to_do,
                           .state = &s->reader.state,
                           .cache = &s->reader.cache};
    struct error e;
    for (size_t i = 0; i < N_PROMPT; i++)
        ids_add(&ids, prompt[i]);
    assert_ok(speculate(&s->m, NULL, &ids, &g, spec, &e), &e);
    assert_int_equal(ids.size, N_PROMPT + LENGTH);
    const int *text = ids.data + N_PROMPT;
    counts->first[text[0]][text[1]]++;
    counts->second[text[1]][text[2]]++;
    ids_free(&ids);
}

enum cells {
    FEWEST = 10 /* expected of a cell; those with fewer are one together */
};

/* What chance alone exceeds once in a thousand times, for so many degrees of
 * freedom (Wilson and Hilferty 1931). */
static double bound_of(double degrees)
{
    double part = 2 / (9 * degrees);
    return degrees * pow(1 - part + 3.0902 * sqrt(part), 3);
}

/* Chi-square of a table (N_VOCAB, N_VOCAB).  What has the probability 0 never
 * came. */
static void assert_table(const char *name, double counts[][N_VOCAB],
                         double p[][N_VOCAB])
{
    double sum = 0, rest = 0, rest_expected = 0, cells = 0;
    for (size_t i = 0; i < (size_t)N_VOCAB * N_VOCAB; i++) {
        double n = counts[i / N_VOCAB][i % N_VOCAB];
        double expected = p[i / N_VOCAB][i % N_VOCAB] * N_RUNS;
        assert_true(expected > 0 || n == 0);
        bool few = expected < FEWEST;
        rest += few ? n : 0;
        rest_expected += few ? expected : 0;
        cells += !few;
        sum += few ? 0 : (n - expected) * (n - expected) / expected;
    }
    if (rest_expected >= FEWEST) {
        cells++;
        sum += (rest - rest_expected) * (rest - rest_expected) / rest_expected;
    }
    print_message("%s: chi-square %.0f of %.0f cells, at most %.0f\n", name,
                  sum, cells, bound_of(cells - 1));
    assert_true(cells > 50);
    assert_true(sum < bound_of(cells - 1));
}

static void assert_drawn(struct scene *s, struct speculation *spec)
{
    struct pairs *counts = calloc(1, sizeof *counts);
    assert_non_null(counts);
    for (size_t i = 0; i < N_RUNS; i++)
        draw_text(s, spec, counts);
    print_message("%zu of %zu proposed tokens kept\n", spec->n_kept,
                  spec->n_proposed);
    assert_true(25 * spec->n_kept > spec->n_proposed);
    assert_true(10 * spec->n_kept < 9 * spec->n_proposed);
    assert_table("first", counts->first, s->expected.first);
    assert_table("second", counts->second, s->expected.second);
    free(counts);
}

/* --- the tests ----------------------------------------------------------- */

static struct scene scene;

/* The small model is sure of more than the large one is, and chooses by the
 * same options, as that of --draft does. */
static void a_drafter_that_draws_changes_nothing(void **state)
{
    (void)state;
    struct sampling how = how_to_choose();
    struct model draft;
    struct error e;
    skip_if_slow();
    open_scene(&scene);
    open_flat(&draft, 0.25f);
    struct small_model small = {.model = &draft};
    struct speculation spec = {.propose = draft_by_model, .context = &small};
    size_t n = N_PROMPT + LENGTH;
    assert_ok(state_init(&small.state, &draft, n, &e), &e);
    assert_ok(cache_init(&small.cache, &draft, n, n, &e), &e);
    assert_ok(sampler_init(&small.sampler, &how, N_VOCAB, 12, 0, &e), &e);
    assert_ok(draft_init(&spec.draft, 2, N_VOCAB, false, &e), &e);
    assert_drawn(&scene, &spec);
    draft_free(&spec.draft);
    sampler_free(&small.sampler);
    cache_free(&small.cache);
    state_free(&small.state);
    model_close(&draft);
    close_scene(&scene);
}

static int propose_likeliest(void *context, const struct history *t,
                             struct draft *d, struct error *e)
{
    const struct scene *s = context;
    (void)e;
    for (size_t at = t->n - N_PROMPT; d->n < d->most; at++)
        d->ids[d->n++] = s->likeliest[at];
    return 0;
}

static void a_drafter_that_is_certain_changes_nothing(void **state)
{
    (void)state;
    struct error e;
    skip_if_slow();
    open_scene(&scene);
    struct speculation spec = {.propose = propose_likeliest,
                               .context = &scene};
    assert_ok(draft_init(&spec.draft, 2, N_VOCAB, true, &e), &e);
    assert_drawn(&scene, &spec);
    draft_free(&spec.draft);
    close_scene(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drafter_that_draws_changes_nothing),
        cmocka_unit_test(a_drafter_that_is_certain_changes_nothing),
    };
    return cmocka_run_group_tests_name("drawn_texts", tests, NULL, NULL);
}

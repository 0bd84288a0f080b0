/* Generating chooses the tokens that transformers chooses.
 *
 * Where the best two logits are nearly equal, another order of additions may
 * choose the other one: texts are compared up to the first lead below 0.01. */
#include "generate.h"

#include "forward.h"
#include "json.h"
#include "test_ids.h"
#include "test_numbers.h"
#include "test_small.h"
#include "tokenizer_parts.h"

#include <stdio.h>
#include <string.h>

static const double least_lead = 0.01;

static int count_token(void *context, int id, const float *logits,
                       struct error *e)
{
    (void)id;
    (void)logits;
    (void)e;
    ++*(size_t *)context;
    return 0;
}

/* --- small random models ------------------------------------------------- */

/* Whether the angles of a model depend on how long its text is. */
static bool turns_by_length(const struct model *m)
{
    for (size_t i = 0; i < m->n_ropes; i++)
        if (m->ropes[i].by_length)
            return true;
    return false;
}

/* The likeliest token, n times; *called becomes how many were put out. */
static void generate_greedily(const struct model *m,
                              const struct ids *non_tokens, struct ids *ids,
                              size_t n, size_t *called)
{
    struct sampling how = no_sampling;
    struct sampler sampler;
    struct error e;
    struct generation g = {
        .most = n, .sampler = &sampler, .put = count_token, .context = called};
    how.temperature = 0;
    *called = 0;
    assert_ok(sampler_init(&sampler, &how, m->config.vocab_size, 0, 0, &e),
              &e);
    assert_ok(generate(m, non_tokens, ids, &g, &e), &e);
    sampler_free(&sampler);
}

/* Goes on from the first half of the golden's text; ends of texts are
 * ordinary tokens here.  Where that takes no other path it is cut short:
 * assert_chosen() tells of all tokens. */
static void assert_continues(struct model *m, const struct checkpoint *c)
{
    size_t n, n_text, called;
    int *expected = golden_ids(c, "greedy", "ids", &n);
    int *text = golden_ids(c, "", "ids", &n_text);
    float *lead = golden_floats(c, "greedy", "margin");
    struct ids ids = {0};
    for (size_t i = 0; i < n_text / 2; i++)
        ids_add(&ids, text[i]);
    m->config.eos.size = 0;
    n = is_slow() || !turns_by_length(m) ? 8 : n;
    generate_greedily(m, NULL, &ids, n, &called);
    assert_int_equal(called, n);
    for (size_t i = 0; i < n && (double)lead[i] >= least_lead; i++)
        assert_int_equal(ids.data[n_text / 2 + i], expected[i]);
    ids_free(&ids);
    free(lead);
    free(text);
    free(expected);
}

/* All tokens of the continuation are the best after those before them. */
static void assert_chosen(const struct model *m, const struct checkpoint *c)
{
    size_t n, n_text;
    int *expected = golden_ids(c, "greedy", "ids", &n);
    int *text = golden_ids(c, "", "ids", &n_text);
    float *lead = golden_floats(c, "greedy", "margin");
    size_t first = n_text / 2;
    struct state s;
    struct error e;
    text = realloc(text, (first + n) * sizeof *text);
    assert_non_null(text);
    memcpy(text + first, expected, n * sizeof *text);
    assert_ok(state_init(&s, m, first + n, &e), &e);
    assert_ok(forward(m, &s, text, first + n, NULL, &e), &e);
    for (size_t i = 0; i < n && (double)lead[i] >= least_lead; i++) {
        const float *logits = forward_logits(m, &s, first + i - 1, NULL);
        assert_int_equal(find_largest(logits, m->config.vocab_size),
                         expected[i]);
    }
    state_free(&s);
    free(lead);
    free(text);
    free(expected);
}

static void small_model(void **state)
{
    struct model m;
    struct checkpoint goldens;
    small_open(*state, &m, &goldens);
    assert_continues(&m, &goldens);
    if (!turns_by_length(&m))
        assert_chosen(&m, &goldens);
    checkpoint_close(&goldens);
    model_close(&m);
}

/* --- the reading model --------------------------------------------------- */

/* tests/models/goldens/greedy.json and its model. */
struct greedy {
    struct model model;
    json_t *prompts;
};

/* NULL when the tests' folder is not there. */
static struct greedy *open_greedy(void)
{
    static struct greedy g;
    char *path = test_path("models/goldens/greedy.json");
    char *model = test_path("models/tiny-chat");
    struct error e;
    bool there = access(path, R_OK) == 0;
    if (there) {
        g.prompts = json_read_file(path, &e);
        assert_ok(g.prompts ? 0 : -1, &e);
        assert_ok(model_open(&g.model, model, &e), &e);
    }
    free(model);
    free(path);
    return there ? &g : NULL;
}

static void close_greedy(struct greedy *g)
{
    json_decref(g->prompts);
    model_close(&g->model);
}

static void add_golden_ids(const json_t *prompt, const char *key, size_t most,
                           struct ids *out)
{
    const json_t *list = json_object_get(prompt, key);
    for (size_t i = 0; i < json_array_size(list) && i < most; i++)
        ids_add(out, (int)json_integer_value(json_array_get(list, i)));
}

/* By how much the logarithm of the best probability led at a step. */
static double lead_at(const json_t *prompt, size_t step)
{
    const json_t *top = json_array_get(json_object_get(prompt, "top5"), step);
    double best[2];
    for (size_t i = 0; i < 2; i++)
        best[i] = json_number_value(json_array_get(json_array_get(top, i), 1));
    return best[0] - best[1];
}

/* The first 64 tokens, each from all before it: one pass tells for all of
 * them. */
static void assert_choices(const struct model *m, const char *name,
                           const json_t *prompt)
{
    struct ids ids = {0};
    struct state s;
    struct error e;
    add_golden_ids(prompt, "prompt_ids", SIZE_MAX, &ids);
    size_t first = ids.size;
    add_golden_ids(prompt, "ids", 64, &ids);
    assert_ok(state_init(&s, m, ids.size, &e), &e);
    assert_ok(forward(m, &s, ids.data, ids.size, NULL, &e), &e);
    for (size_t t = first; t < ids.size; t++) {
        if (lead_at(prompt, t - first) < least_lead)
            break;
        const float *logits = forward_logits(m, &s, t - 1, NULL);
        int id = (int)find_largest(logits, m->config.vocab_size);
        if (id != ids.data[t])
            print_error("%s: token %zu\n", name, t - first);
        assert_int_equal(id, ids.data[t]);
    }
    state_free(&s);
    ids_free(&ids);
}

static void the_reading_model_makes_the_golden_choices(void **state)
{
    (void)state;
    skip_if_slow();
    struct greedy *g = open_greedy();
    if (!g)
        skip_without_models();
    const char *name;
    const json_t *prompt;
    size_t i = 0, every = is_long() ? 1 : 3;
    assert_int_equal(json_object_size(g->prompts), 35);
    json_object_foreach(g->prompts, name, prompt)
    {
        if (i++ % every == 0)
            assert_choices(&g->model, name, prompt);
    }
    if (every > 1)
        print_message("12 prompts of 35; RUNG_LONG=1 reads them all\n");
    close_greedy(g);
}

/* Three whole runs, token by token, up to a token that ends the text. */
static void three_prompts_are_answered_to_the_end(void **state)
{
    (void)state;
    static const char *const names[] = {"capital", "japan", "sum"};
    struct greedy *g = open_greedy();
    if (!g)
        skip_without_models();
    for (size_t i = 0; i < 3; i++) {
        const json_t *prompt = json_object_get(g->prompts, names[i]);
        struct ids ids = {0}, expected = {0};
        size_t called;
        add_golden_ids(prompt, "prompt_ids", SIZE_MAX, &ids);
        add_golden_ids(prompt, "ids", SIZE_MAX, &expected);
        size_t first = ids.size;
        generate_greedily(&g->model, NULL, &ids, 64, &called);
        assert_ids(ids.data + first, ids.size - first, expected.data,
                   expected.size);
        assert_int_equal(called, expected.size - 1);
        ids_free(&expected);
        ids_free(&ids);
    }
    close_greedy(g);
}

/* --- rows without a token ------------------------------------------------ */

/* Three tokens: 1, 2 and 3. */
static struct tokenizer *three_tokens(void)
{
    static const char text[] =
        "{\"model\":{\"type\":\"BPE\",\"merges\":[\"a b\"],"
        "\"vocab\":{\"a\":1,\"b\":2,\"ab\":3}}}";
    struct error e;
    json_t *json = json_parse(text, strlen(text), "t.json", 0, &e);
    struct node root = node_root("t.json", json);
    struct tokenizer *t = tokenizer_read(&root, &e);
    assert_ok(t ? 0 : -1, &e);
    json_decref(json);
    return t;
}

/* The largest of 12 new ids, of all rows or without some. */
static int largest_new_id(const struct model *m, const struct ids *non_tokens)
{
    struct ids ids = {0};
    size_t called;
    ids_add(&ids, 1);
    generate_greedily(m, non_tokens, &ids, 12, &called);
    int most = 0;
    for (size_t i = 1; i < ids.size; i++)
        most = ids.data[i] > most ? ids.data[i] : most;
    ids_free(&ids);
    return most;
}

static void what_is_no_token_is_never_chosen(void **state)
{
    (void)state;
    struct small_models small;
    struct model m;
    struct checkpoint goldens;
    small_models_find(&small);
    if (small.n == 0)
        skip_without_models();
    small_open(small.names[0], &m, &goldens);
    m.config.eos.size = 0;
    struct tokenizer *t = three_tokens();
    struct ids non_tokens = {0};
    struct error e;
    assert_ok(find_non_tokens(t, m.config.vocab_size, &non_tokens, &e), &e);
    assert_int_equal(non_tokens.size, m.config.vocab_size - 3);
    assert_int_equal(non_tokens.data[0], 0);
    assert_int_equal(non_tokens.data[1], 4);
    assert_true(largest_new_id(&m, NULL) > 3);
    assert_true(largest_new_id(&m, &non_tokens) <= 3);
    ids_free(&non_tokens);
    tokenizer_free(t);
    checkpoint_close(&goldens);
    model_close(&m);
}

static void rows_of_no_token_are_minus_infinity(void **state)
{
    (void)state;
    float logits[] = {-1, 2, -3, 4};
    const float expected[] = {-1, -INFINITY, -3, -INFINITY};
    int rows[] = {1, 3};
    struct ids non_tokens = {.data = rows, .size = 2};
    exclude_non_tokens(&non_tokens, logits);
    assert_memory_equal(logits, expected, sizeof logits);
    exclude_non_tokens(NULL, logits);
    assert_memory_equal(logits, expected, sizeof logits);
}

/* --- the rest ------------------------------------------------------------ */

static void the_first_of_equals_is_the_largest(void **state)
{
    (void)state;
    const float x[] = {-3, 5, 5, -INFINITY, 4};
    assert_int_equal(find_largest(x, 5), 1);
    assert_int_equal(find_largest(x, 1), 0);
}

static void logits_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    struct error e;
    float logits[] = {1, -2, 0, INFINITY}; /* of three tokens */
    assert_int_equal(check_logits(logits, 3, &e), 0);
    logits[2] = INFINITY;
    assert_int_equal(check_logits(logits, 3, &e), -1);
    assert_string_equal(e.message,
                        "the logit of token 2 is inf: the weights are "
                        "damaged, or too large for 32-bit numbers");
    logits[1] = NAN;
    assert_int_equal(check_logits(logits, 3, &e), -1);
    assert_non_null(strstr(e.message, "the logit of token 1 is "));
    logits[0] = -INFINITY;
    assert_int_equal(check_logits(logits, 3, &e), -1);
    assert_non_null(strstr(e.message, "the logit of token 0 is -inf"));
}

static void candidates_are_ranked_by_probability(void **state)
{
    (void)state;
    float logits[] = {0, logf(3), -INFINITY, 0, -1000};
    struct candidate c[5];
    assert_int_equal(rank_candidates(logits, 5, c), 4);
    const int order[] = {1, 0, 3, 4};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(c[i].id, order[i]);
    assert_true(fabsf(c[0].probability - 0.6f) < 1e-6f);
    assert_true(fabsf(c[1].probability - 0.2f) < 1e-6f);
    assert_true(c[3].probability == 0);
    float last[] = {-1000, -1000, 0};
    assert_int_equal(rank_candidates(last, 3, c), 3);
    const int last_order[] = {2, 0, 1};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(c[i].id, last_order[i]);
    assert_true(c[0].probability == 1);
}

enum test_sizes {
    N_OTHER = 7
};

int main(void)
{
    struct small_models small;
    struct CMUnitTest tests[N_OTHER + MAX_SMALL] = {
        cmocka_unit_test(the_reading_model_makes_the_golden_choices),
        cmocka_unit_test(three_prompts_are_answered_to_the_end),
        cmocka_unit_test(what_is_no_token_is_never_chosen),
        cmocka_unit_test(rows_of_no_token_are_minus_infinity),
        cmocka_unit_test(the_first_of_equals_is_the_largest),
        cmocka_unit_test(logits_that_are_no_numbers_are_refused),
        cmocka_unit_test(candidates_are_ranked_by_probability),
    };
    small_models_find(&small);
    if (!tests[N_OTHER - 1].name || tests[N_OTHER].name)
        return fprintf(stderr, "N_OTHER is not the number of tests\n"), 1;
    for (size_t i = 0; i < small.n; i++)
        tests[N_OTHER + i] =
            (struct CMUnitTest){.name = small.names[i],
                                .test_func = small_model,
                                .initial_state = small.names[i]};
    return _cmocka_run_group_tests("generate", tests, N_OTHER + small.n, NULL,
                                   NULL);
}

/* How well the reading model foresees a text it has never seen: the same as
 * with transformers.
 *
 * The perplexity of a text is exp(mean of -ln p), p being the probability that
 * the model gave to each token that came: among how many tokens it was, so to
 * speak, undecided.  The text is cut into windows of 512 tokens; the first
 * token of each is not scored. */
#include "forward.h"
#include "json.h"
#include "test_numbers.h"
#include "test_run.h"
#include "tokenizer.h"

enum text_sizes {
    WINDOW = 512,
    N_TOKENS = 20000
};

/* -ln p of one token, in 64 bits. */
static double surprise(const float *logits, size_t n, int id)
{
    double most = logits[0], sum = 0;
    for (size_t i = 1; i < n; i++)
        most = fmax(most, (double)logits[i]);
    for (size_t i = 0; i < n; i++)
        sum += exp((double)logits[i] - most);
    return most + log(sum) - (double)logits[id];
}

/* The sum over all tokens of a window but the first. */
static double score_window(const struct model *m, struct state *s,
                           const int *ids, size_t n)
{
    double sum = 0;
    struct error e;
    assert_ok(forward(m, s, ids, n, NULL, &e), &e);
    for (size_t t = 1; t < n; t++)
        sum += surprise(forward_logits(m, s, t - 1, NULL),
                        m->config.vocab_size, ids[t]);
    return sum;
}

/* A sum of -ln p over `scored` tokens. */
struct score {
    double sum;
    size_t scored;
};

static struct score score_text(const struct model *m, const int *ids, size_t n)
{
    struct state s;
    struct error e;
    struct score score = {0, 0};
    assert_ok(state_init(&s, m, WINDOW, &e), &e);
    for (size_t at = 0; at < n; at += WINDOW) {
        size_t size = n - at < WINDOW ? n - at : WINDOW;
        score.sum += score_window(m, &s, ids + at, size);
        score.scored += size - 1;
    }
    state_free(&s);
    return score;
}

/* --- the text and its goldens -------------------------------------------- */

/* The held-out text, as ids; none when the tests' models are not there. */
static struct ids read_heldout(void)
{
    char *path = test_path("models/goldens/heldout.txt");
    char *model = test_path("models/tiny-chat");
    struct bytes text = {0};
    struct ids ids = {0};
    struct error e;
    FILE *f = fopen(path, "rb");
    if (f) {
        struct tokenizer *t = tokenizer_load(model, &e);
        assert_ok(t ? 0 : -1, &e);
        assert_ok(bytes_read(&text, f, path, &e), &e);
        assert_ok(tokenizer_encode(t, text.data, text.size, false, &ids, &e),
                  &e);
        tokenizer_free(t);
        fclose(f);
    }
    bytes_free(&text);
    free(model);
    free(path);
    return ids;
}

/* Compare with the goldens nll_sum and scored; 4 digits of the perplexity. */
static void assert_score(struct score found, const json_t *golden)
{
    double sum = json_number_value(json_object_get(golden, "nll_sum"));
    size_t scored =
        (size_t)json_integer_value(json_object_get(golden, "scored"));
    double perplexity = exp(found.sum / (double)found.scored);
    double expected = exp(sum / (double)scored);
    assert_int_equal(found.scored, scored);
    if (!(fabs(perplexity - expected) < 5e-5 * expected))
        print_error("perplexity %.5f, not %.5f\n", perplexity, expected);
    assert_true(fabs(perplexity - expected) < 5e-5 * expected);
}

/* --- windows ------------------------------------------------------------ */

/* The text and the model; false when the tests' models are not there. */
static bool open_all(struct model *m, struct ids *ids)
{
    struct error e;
    *ids = read_heldout();
    if (ids->size == 0)
        return false;
    char *path = test_path("models/tiny-chat");
    assert_true(ids->size >= N_TOKENS);
    assert_ok(model_open(m, path, &e), &e);
    free(path);
    return true;
}

static json_t *read_golden(const char *path)
{
    struct error e;
    json_t *root = json_read_file(path, &e);
    assert_ok(root ? 0 : -1, &e);
    return root;
}

/* Whether window i is among the four that are read where time matters: the
 * first, the last, which is short, and two between them.  With sanitizers it
 * is the last alone. */
static bool is_read(size_t i)
{
    if (is_slow())
        return i == 39;
    return is_long() || i % 13 == 0;
}

static struct score score_windows(const struct model *m, const struct ids *ids,
                                  const json_t *goldens)
{
    struct score all = {0, 0};
    size_t i;
    const json_t *golden;
    json_array_foreach(goldens, i, golden)
    {
        size_t n =
            (size_t)json_integer_value(json_object_get(golden, "tokens"));
        if (!is_read(i))
            continue;
        struct score one = score_text(m, ids->data + i * WINDOW, n);
        assert_score(one, golden);
        all.sum += one.sum;
        all.scored += one.scored;
    }
    return all;
}

static void the_model_foresees_as_well_as_with_transformers(void **state)
{
    (void)state;
    struct model m;
    struct ids ids;
    if (!open_all(&m, &ids))
        skip_without_models();
    json_t *windows = read_golden("golden/windows.json");
    char *path = test_path("models/goldens/ppl.json");
    json_t *whole = read_golden(path);
    const json_t *golden =
        json_object_get(json_object_get(whole, "bf16_weights"), "windows");

    struct score all =
        score_windows(&m, &ids, json_object_get(windows, "windows"));
    if (is_long())
        assert_score(all, golden);
    else
        print_message("%zu tokens of 19960; RUNG_LONG=1 reads them all\n",
                      all.scored);
    json_decref(whole);
    free(path);
    json_decref(windows);
    model_close(&m);
    ids_free(&ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_foresees_as_well_as_with_transformers),
    };
    return cmocka_run_group_tests_name("perplexity", tests, NULL, NULL);
}

/* What kernels cost in quality is a gate: they round what a matrix of codes is
 * multiplied with to 8 bits, and they sum in another order.  Held against the
 * arithmetic of --exact, with the same weights:
 *
 *     perplexity    of the held-out text within 1%
 *     KL            the mean divergence, in nats a token
 *     logits        none is off by more than `error`
 *     greedy texts  so the likeliest token can change only where it leads by
 *                   less than 2 * error: one logit too high by that, the other
 *                   too low
 *
 * `error` is measured, with the held-out text, and is a bound as far as that
 * text goes; the greedy texts, which are others, may deny it.  `make gate`
 * reads all windows of the text, and 1,000 prompts; a test, some of them. */
#include "test_commands.h"

#include "comparison.h"
#include "forward.h"
#include "generate.h"
#include "pair.h"
#include "test_numbers.h"
#include "test_reader.h"

enum kernel_gate_sizes {
    TEXT_WINDOW = 512,
    TEXT_TOKENS = 20000,
    PROMPT = 16, /* tokens; then as many as ANSWER are written */
    ANSWER = 24,
    APART = 20, /* tokens from one prompt's first to the next one's */
    ALL_PROMPTS = 1000
};

/* A way to keep the reading model's weights, and what kernels may do to it. */
struct gated {
    char *format;  /* --to; NULL: bf16, as they are */
    double error;  /* of a logit, at most */
    double kl;     /* mean */
    double change; /* of the perplexity, as a share of it */
};

static struct gated as_they_are = {NULL, 1e-4, 1e-10, 1e-6};
static struct gated of_8_bits = {"int8", 0.5, 0.001, 0.01};
static struct gated of_4_bits = {"int4", 0.5, 0.001, 0.01};

/* The same model twice, a exactly and b by kernels, and the text. */
struct gate {
    struct pair pair;
    struct threads *threads; /* of b */
    const struct gated *limits;
};

/* In the scratch folder, which the test stands in. */
static const char *make_gated(const struct gated *limits)
{
    char *format = limits->format;
    if (!format)
        return getenv("RUNG_MODEL");
    struct outcome o =
        run_rung(WORDS("quantize", getenv("RUNG_MODEL"), format, "--to",
                       format, "--group", "128", "--keep", "embed,head"),
                 "", 0);
    if (o.status)
        print_error("%s", o.err.data);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
    return format;
}

static void open_kernel_gate(struct gate *g, const struct gated *limits)
{
    char path[4200];
    struct bytes text = {0};
    struct error e;
    const char *model = make_gated(limits);
    *g = (struct gate){.limits = limits};
    snprintf(path, sizeof path, "%s/../goldens/heldout.txt",
             getenv("RUNG_MODEL"));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&text, f, path, &e), &e);
    fclose(f);
    assert_ok(pair_open(&g->pair, model, model, text.data, text.size, &e), &e);
    assert_true(g->pair.ids.size >= TEXT_TOKENS);
    bytes_free(&text);
    assert_ok(threads_open(&g->threads, 2, &e), &e);
    assert_ok(model_pack(&g->pair.b.model, g->threads, &e), &e);
}

static void close_kernel_gate(struct gate *g)
{
    pair_close(&g->pair);
    threads_close(g->threads);
}

/* --- the held-out text --------------------------------------------------- */

static void compare_text(struct gate *g, size_t n, struct comparison *c)
{
    const struct windows w = {TEXT_WINDOW, TEXT_WINDOW};
    struct window_reader readers[2];
    struct evaluation v = {.readers = readers, .windows = w};
    struct error e;
    assert_ok(window_reader_init(&readers[0], &g->pair.a.model, &w, &e), &e);
    assert_ok(window_reader_init(&readers[1], &g->pair.b.model, &w, &e), &e);
    assert_ok(comparison_init(c, &v, g->pair.ids.data, n, &e), &e);
    window_reader_free(&readers[0]);
    window_reader_free(&readers[1]);
}

static void assert_text(struct gate *g, size_t n)
{
    const struct gated *most = g->limits;
    struct comparison c;
    struct comparison_summary s;
    struct error e;
    compare_text(g, n, &c);
    assert_ok(comparison_summarize(&c, &s, &e), &e);
    double change = perplexity(&s.b) / perplexity(&s.a) - 1;
    print_message("%s: %zu tokens: perplexity %.5g exactly, %+.4f%% by "
                  "kernels; KL %.3g; logits off by %.4g at most; likeliest "
                  "token the same %.2f%%\n",
                  most->format ? most->format : "bf16", c.n, perplexity(&s.a),
                  100 * change, s.kl_mean, c.logit_error, 100 * s.agreement);
    assert_true(fabs(change) <= most->change);
    assert_true(s.kl_mean >= 0 && s.kl_mean <= most->kl);
    assert_true(c.logit_error <= most->error);
    comparison_free(&c);
}

/* --- greedy texts -------------------------------------------------------- */

/* Prompts that are read and gone on with. */
struct greedy {
    struct gate *gate;
    struct reader exact;
    struct state kernels;
    size_t read, changed; /* tokens */
    double widest;        /* lead of one that changed */
};

/* By how much the logit of `id` is above all others. */
static double lead_of(const float *logits, size_t n, size_t id)
{
    float next = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (i != id && logits[i] > next)
            next = logits[i];
    return (double)logits[id] - (double)next;
}

/* Write an answer behind the prompt, exactly, and how much each of its tokens
 * led. */
static void answer_exactly(struct greedy *g, int *ids, double *leads)
{
    const struct model *m = &g->gate->pair.a.model;
    struct reader *r = &g->exact;
    size_t n_vocab = m->config.vocab_size;
    cache_truncate(&r->cache, 0);
    assert_int_equal(prefill(m, &r->state, &r->cache, ids, PROMPT, NULL), 0);
    for (size_t i = 0; i < ANSWER; i++) {
        const float *logits =
            forward_logits(m, &r->state, r->state.rows - 1, NULL);
        size_t id = find_largest(logits, n_vocab);
        ids[PROMPT + i] = (int)id;
        leads[i] = lead_of(logits, n_vocab, id);
        decode(m, &r->state, &r->cache, (int)id, NULL);
    }
}

/* Behind each part of the text, what kernels hold for likeliest. */
static void check_answer(struct greedy *g, const int *ids,
                         const double *leads)
{
    const struct model *m = &g->gate->pair.b.model;
    size_t rows[ANSWER], n_vocab = m->config.vocab_size;
    struct error e;
    assert_ok(forward(m, &g->kernels, ids, PROMPT + ANSWER - 1, NULL, &e), &e);
    for (size_t i = 0; i < ANSWER; i++)
        rows[i] = PROMPT - 1 + i;
    const float *logits = logits_of_rows(m, &g->kernels, rows, ANSWER, NULL);
    for (size_t i = 0; i < ANSWER; i++, logits += n_vocab, g->read++) {
        if ((int)find_largest(logits, n_vocab) == ids[PROMPT + i])
            continue;
        g->changed++;
        g->widest = leads[i] > g->widest ? leads[i] : g->widest;
    }
}

static void assert_greedy(struct gate *gate, size_t n_prompts)
{
    struct greedy g = {.gate = gate};
    const struct gated *most = gate->limits;
    double leads[ANSWER];
    int ids[PROMPT + ANSWER];
    struct error e;
    reader_open(&g.exact, &gate->pair.a.model, PROMPT + ANSWER, PROMPT);
    assert_ok(state_init(&g.kernels, &gate->pair.b.model, PROMPT + ANSWER, &e),
              &e);
    for (size_t i = 0; i < n_prompts; i++) {
        memcpy(ids, gate->pair.ids.data + i * APART, PROMPT * sizeof *ids);
        answer_exactly(&g, ids, leads);
        check_answer(&g, ids, leads);
    }
    print_message("%s: %zu greedy texts: %zu of %zu tokens change, leads of "
                  "up to %.4g (bound %.4g)\n",
                  most->format ? most->format : "bf16", n_prompts, g.changed,
                  g.read, g.widest, 2 * most->error);
    assert_true(g.widest < 2 * most->error);
    state_free(&g.kernels);
    reader_close(&g.exact);
}

/* --- all of it ----------------------------------------------------------- */

static void kernels_keep_the_quality(void **state)
{
    const struct gated *limits = *state;
    void *scratch = NULL;
    struct gate g;
    bool whole = getenv("RUNG_GATE");
    size_t n_tokens = whole ? TEXT_TOKENS : is_slow() ? 60 : 2 * TEXT_WINDOW;
    size_t n_prompts = whole ? ALL_PROMPTS : is_slow() ? 1 : 20;
    need_model();
    assert_int_equal(scratch_enter(&scratch), 0);
    open_kernel_gate(&g, limits);
    assert_text(&g, n_tokens);
    assert_greedy(&g, n_prompts);
    close_kernel_gate(&g);
    scratch_leave(&scratch);
}

static void both_answer_on_the_command_line(void **state)
{
    (void)state;
    assert_output(WORDS("generate", "-q", france), "", " Paris.");
    assert_output(WORDS("generate", "-q", "--exact", france), "", " Paris.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_answer_on_the_command_line),
        {"weights_as_they_are", kernels_keep_the_quality, NULL, NULL,
         &as_they_are},
        {"weights_of_8_bits", kernels_keep_the_quality, NULL, NULL,
         &of_8_bits},
        {"weights_of_4_bits", kernels_keep_the_quality, NULL, NULL,
         &of_4_bits},
    };
    return cmocka_run_group_tests_name("kernel_gate", tests, name_model, NULL);
}

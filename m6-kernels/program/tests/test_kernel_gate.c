/* What kernels cost in quality is a gate: they round what a matrix of codes is
 * multiplied with to 8 bits, and they sum in another order.  Held against the
 * arithmetic of --exact, with the same weights and the same form of a cache:
 *
 *     perplexity    of the held-out text within 1%
 *     KL            the mean divergence, in nats a token
 *     logits        none is off by more than `error`
 *     greedy texts  so the likeliest token can change only where it leads by
 *                   less than 2 * error: one logit too high by that, the other
 *                   too low
 *
 * `error` is measured, with the held-out text, and is a bound as far as that
 * text goes; the greedy texts, which are others, may deny it.  `lead` and
 * `changed` say more of them: about half again what was found, so that what
 * gets worse is seen.
 *
 * All is more with a cache of few bits: a number that is off by almost nothing
 * may lie between two codes, and then is stored as the other one.  Where the
 * weights are codes, too, so that inputs are rounded to 8 bits, one token in
 * 16 is another one with k4v3; the perplexity says that the text is no worse
 * for it.  `make gate` reads all windows of the text, and 1,000 prompts, with
 * four forms; a test, some of them, with floats. */
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

/* A way to keep the reading model's weights, and what kernels may do to it
 * with a form of a cache. */
struct gated {
    char *name;
    char *format;     /* --to; NULL: bf16, as they are */
    const char *form; /* of both caches */
    double error;     /* of a logit, at most */
    double kl;        /* mean */
    double change;    /* of the perplexity, as a share of it */
    double lead;      /* of a likeliest token that is not it any more */
    double changed;   /* tokens of greedy texts that are others, of all */
};

static const struct gated gates[] = {
    {"as_they_are", NULL, "f32", 1e-4, 1e-10, 1e-6, 2e-4, 0},
    {"as_they_are", NULL, "f16", 0.01, 1e-6, 1e-4, 0.001, 2e-4},
    {"as_they_are", NULL, "int8", 0.25, 1e-4, 1e-3, 0.02, 7e-4},
    {"as_they_are", NULL, "k4v3", 1.5, 0.001, 1e-3, 0.5, 7e-4},
    {"of_8_bits", "int8", "f32", 0.5, 0.001, 0.01, 0.35, 0.013},
    {"of_8_bits", "int8", "f16", 0.75, 0.001, 0.01, 0.35, 0.013},
    {"of_8_bits", "int8", "int8", 0.75, 0.001, 0.01, 0.45, 0.017},
    {"of_8_bits", "int8", "k4v3", 6, 0.02, 0.01, 3, 0.09},
    {"of_4_bits", "int4", "f32", 0.5, 0.001, 0.01, 0.35, 0.014},
    {"of_4_bits", "int4", "f16", 0.75, 0.001, 0.01, 0.35, 0.014},
    {"of_4_bits", "int4", "int8", 0.75, 0.001, 0.01, 0.7, 0.017},
    {"of_4_bits", "int4", "k4v3", 6, 0.02, 0.01, 3, 0.09},
};
enum gate_counts { N_GATES = sizeof gates / sizeof gates[0] };

/* The same model twice, a exactly and b by kernels, and the text. */
struct gate {
    struct pair pair;
    struct threads *threads; /* of b */
    const struct gated *limits;
    const struct cache_form *form;
};

static const char *weights_name(const struct gated *limits)
{
    return limits->format ? limits->format : "bf16";
}

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
    *g = (struct gate){.limits = limits,
                       .form = cache_form_named(limits->form)};
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
    assert_ok(window_reader_init_form(&readers[0], &g->pair.a.model, &w,
                                      g->form, &e),
              &e);
    assert_ok(window_reader_init_form(&readers[1], &g->pair.b.model, &w,
                                      g->form, &e),
              &e);
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
    print_message("%s, cache %s: %zu tokens: perplexity %.5g exactly, "
                  "%+.4f%% by kernels; KL %.3g; logits off by %.4g at most; "
                  "likeliest token the same %.2f%%\n",
                  weights_name(most), most->form, c.n, perplexity(&s.a),
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
    struct reader exact, kernels;
    size_t read, changed, texts, equal; /* tokens; texts */
    double widest;                      /* lead of a token that changed */
    double widest_first;                /* and is its text's first */
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
static const float *read_answer(struct greedy *g, const int *ids)
{
    const struct model *m = &g->gate->pair.b.model;
    struct reader *r = &g->kernels;
    size_t rows[ANSWER];
    cache_truncate(&r->cache, 0);
    assert_int_equal(prefill(m, &r->state, &r->cache, ids, PROMPT + ANSWER - 1,
                             NULL),
                     0);
    for (size_t i = 0; i < ANSWER; i++)
        rows[i] = PROMPT - 1 + i;
    return logits_of_rows(m, &r->state, rows, ANSWER, NULL);
}

static void check_answer(struct greedy *g, const int *ids,
                         const double *leads)
{
    size_t n_vocab = g->gate->pair.b.model.config.vocab_size, changed = 0;
    const float *logits = read_answer(g, ids);
    for (size_t i = 0; i < ANSWER; i++, logits += n_vocab) {
        if ((int)find_largest(logits, n_vocab) == ids[PROMPT + i])
            continue;
        g->widest = fmax(g->widest, leads[i]);
        if (changed++ == 0)
            g->widest_first = fmax(g->widest_first, leads[i]);
    }
    g->read += ANSWER;
    g->changed += changed;
    g->texts++;
    g->equal += changed == 0;
}

static void print_greedy(const struct greedy *g)
{
    const struct gated *most = g->gate->limits;
    print_message("%s, cache %s: %zu of %zu greedy texts are equal; the first "
                  "token that changes leads by up to %.4g; %zu of %zu tokens "
                  "change, leads of up to %.4g (bounds %.4g, %.4g)\n",
                  weights_name(most), most->form, g->equal, g->texts,
                  g->widest_first, g->changed, g->read, g->widest, most->lead,
                  2 * most->error);
}

static void assert_greedy(struct gate *gate, size_t n_prompts)
{
    struct greedy g = {.gate = gate};
    double leads[ANSWER];
    int ids[PROMPT + ANSWER];
    reader_open_form(&g.exact, &gate->pair.a.model, gate->form,
                     PROMPT + ANSWER, PROMPT);
    reader_open_form(&g.kernels, &gate->pair.b.model, gate->form,
                     PROMPT + ANSWER, PROMPT + ANSWER);
    for (size_t i = 0; i < n_prompts; i++) {
        memcpy(ids, gate->pair.ids.data + i * APART, PROMPT * sizeof *ids);
        answer_exactly(&g, ids, leads);
        check_answer(&g, ids, leads);
    }
    print_greedy(&g);
    assert_true(g.widest < 2 * gate->limits->error);
    assert_true(g.widest <= gate->limits->lead);
    if (n_prompts == ALL_PROMPTS)
        assert_true((double)g.changed <=
                    gate->limits->changed * (double)g.read);
    reader_close(&g.kernels);
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
    size_t n_prompts = whole       ? ALL_PROMPTS
                       : is_long() ? 20
                       : is_slow() ? 1
                                   : 5;
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

/* A gate's name; false where it is not asked for: with RUNG_GATE=all each is,
 * with RUNG_GATE=cache_int8 those that have this in their name, and else those
 * with a cache of floats. */
static bool name_gate(const struct gated *g, char *name, size_t room)
{
    const char *asked = getenv("RUNG_GATE");
    bool plain = strcmp(g->form, "f32") == 0;
    snprintf(name, room, "weights_%s%s%s", g->name, plain ? "" : "_cache_",
             plain ? "" : g->form);
    return asked ? strcmp(asked, "all") == 0 || strstr(name, asked) != NULL
                 : plain;
}

int main(void)
{
    static char names[N_GATES][48];
    struct CMUnitTest tests[1 + N_GATES] = {
        cmocka_unit_test(both_answer_on_the_command_line)};
    size_t n = 1;
    for (size_t i = 0; i < N_GATES; i++)
        if (name_gate(&gates[i], names[i], sizeof names[i]))
            tests[n++] = (struct CMUnitTest){names[i],
                                             kernels_keep_the_quality, NULL,
                                             NULL, (void *)&gates[i]};
    if (n == 1) {
        fprintf(stderr, "RUNG_GATE=%s: no gate has this in its name\n",
                getenv("RUNG_GATE"));
        return 1;
    }
    return _cmocka_run_group_tests("kernel_gate", tests, n, name_model, NULL);
}

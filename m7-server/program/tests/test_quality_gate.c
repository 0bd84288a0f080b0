/* Quality is a gate: what `rung quantize` makes of the reading model foresees
 * a text as well as it must, and still does its tasks.
 *
 * The goldens are not this program's: perplexity is that of transformers
 * (tests/models/goldens/ppl.json), as are the tokens of the tasks
 * (greedy_quant.json); divergence, and figures of single windows, are numpy's
 * (golden/quality_windows.json).  int8 and int4 are defined bit for bit, so
 * that what remains is the order of sums: 4 digits are held. */
#include "test_commands.h"

#include "comparison.h"
#include "forward.h"
#include "generate.h"
#include "json.h"
#include "pair.h"
#include "test_numbers.h"

enum gate_sizes {
    GATE_WINDOW = 512,
    GATE_TOKENS = 20000
};

/* The scratch folder of all tests here, with the models int8 and int4. */
static struct scratch *made;

static void make_model(char *format)
{
    struct outcome o =
        run_rung(WORDS("quantize", getenv("RUNG_MODEL"), format, "--to",
                       format, "--group", "128", "--keep", "embed,head"),
                 "", 0);
    if (o.status)
        print_error("%s", o.err.data);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static int make_models(void **state)
{
    void *scratch = NULL;
    name_model(state);
    if (access(getenv("RUNG_MODEL"), R_OK) != 0)
        return 0;
    if (scratch_enter(&scratch))
        return -1;
    made = scratch;
    make_model("int8");
    make_model("int4");
    return 0;
}

static int remove_models(void **state)
{
    void *scratch = made;
    (void)state;
    return made ? scratch_leave(&scratch) : 0;
}

/* --- goldens ------------------------------------------------------------ */

/* A file beside the reading model: "../goldens/ppl.json". */
static json_t *read_beside(const char *name)
{
    char path[4200];
    struct error e;
    snprintf(path, sizeof path, "%s/%s", getenv("RUNG_MODEL"), name);
    json_t *root = json_read_file(path, &e);
    assert_ok(root ? 0 : -1, &e);
    return root;
}

/* The rung's own goldens; they are found before the scratch folder is
 * entered. */
static json_t *read_windows(void)
{
    char path[4200];
    struct error e;
    snprintf(path, sizeof path, "%s/golden/quality_windows.json",
             made->before);
    json_t *root = json_read_file(path, &e);
    assert_ok(root ? 0 : -1, &e);
    return root;
}

static double real_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void assert_digits(const char *what, double found, double expected,
                          double share)
{
    if (!(fabs(found - expected) <= share * fabs(expected)))
        print_error("%s: %.7g, not %.7g\n", what, found, expected);
    assert_true(fabs(found - expected) <= share * fabs(expected));
}

/* --- how well they foresee ---------------------------------------------- */

/* The reading model, one made of it, and the text. */
static void open_gate(struct pair *p, const char *format)
{
    char path[4200];
    struct bytes text = {0};
    struct error e;
    snprintf(path, sizeof path, "%s/../goldens/heldout.txt",
             getenv("RUNG_MODEL"));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&text, f, path, &e), &e);
    fclose(f);
    assert_ok(
        pair_open(p, getenv("RUNG_MODEL"), format, text.data, text.size, &e),
        &e);
    assert_true(p->ids.size >= GATE_TOKENS);
    bytes_free(&text);
}

/* Both models on the tokens from .. from + n - 1. */
static void compare_part(struct pair *p, size_t from, size_t n,
                         struct comparison *c)
{
    const struct windows w = {GATE_WINDOW, GATE_WINDOW};
    struct window_reader readers[2];
    struct evaluation v = {.readers = readers, .windows = w};
    struct error e;
    assert_ok(window_reader_init(&readers[0], &p->a.model, &w, &e), &e);
    assert_ok(window_reader_init(&readers[1], &p->b.model, &w, &e), &e);
    assert_ok(comparison_init(c, &v, p->ids.data + from, n, &e), &e);
    window_reader_free(&readers[0]);
    window_reader_free(&readers[1]);
}

/* A window against its goldens.  Two tokens of nearly the same logit may
 * change places where sums run in another order: one in a window. */
static void assert_window(struct pair *p, const char *format, size_t i,
                          const json_t *golden)
{
    const json_t *own = json_object_get(golden, format);
    size_t n = 1 + (size_t)real_at(golden, "scored");
    struct comparison c;
    struct comparison_summary s;
    struct error e;
    compare_part(p, i * GATE_WINDOW, n, &c);
    assert_ok(comparison_summarize(&c, &s, &e), &e);
    double count = (double)c.n;
    assert_int_equal(c.n, n - 1);
    assert_digits("perplexity", perplexity(&s.b),
                  exp(real_at(own, "nll_sum") / count), 5e-5);
    assert_digits(
        "perplexity of the original", perplexity(&s.a),
        exp(real_at(json_object_get(golden, "bf16"), "nll_sum") / count),
        5e-5);
    assert_digits("KL", s.kl_mean, real_at(own, "kl_sum") / count, 1e-3);
    assert_true(fabs((double)c.n_agree - real_at(own, "same")) <= 1);
    comparison_free(&c);
}

/* The last window, which is short, and the first; with sanitizers the last
 * alone. */
static void assert_windows_of(char *format)
{
    struct pair p;
    json_t *root = read_windows();
    const json_t *list = json_object_get(root, "windows");
    assert_int_equal(json_array_size(list), 40);
    open_gate(&p, format);
    assert_window(&p, format, 39, json_array_get(list, 39));
    if (!is_slow())
        assert_window(&p, format, 0, json_array_get(list, 0));
    pair_close(&p);
    json_decref(root);
}

/* The whole text, by the command, to the figures in tests/models/README. */
static void assert_whole(char *format, const char *golden)
{
    char path[4200];
    struct bytes text = {0};
    struct error e;
    json_t *ppl = read_beside("../goldens/ppl.json");
    snprintf(path, sizeof path, "%s/../goldens/heldout.txt",
             getenv("RUNG_MODEL"));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&text, f, path, &e), &e);
    fclose(f);
    struct outcome o =
        run_rung(WORDS("perplexity", "-", "-m", format, "-n", "20000",
                       "--window", "512", "--stride", "512", "--json", "-q",
                       "--exact"),
                 text.data, text.size);
    assert_int_equal(o.status, 0);
    json_t *found = json_loads(o.out.data, 0, NULL);
    const json_t *one =
        json_object_get(json_object_get(ppl, golden), "windows");
    assert_digits(golden, real_at(found, "perplexity"), real_at(one, "ppl"),
                  5e-5);
    assert_true(real_at(found, "scored") == real_at(one, "scored"));
    json_decref(found);
    json_decref(ppl);
    outcome_free(&o);
    bytes_free(&text);
}

static void int8_foresees_as_well_as_it_must(void **state)
{
    (void)state;
    need_model();
    assert_windows_of("int8");
    if (is_long())
        assert_whole("int8", "int8_g128");
}

static void int4_foresees_as_well_as_it_must(void **state)
{
    (void)state;
    need_model();
    assert_windows_of("int4");
    if (is_long())
        assert_whole("int4", "int4_g128");
    else
        print_message("2 windows of 40; RUNG_LONG=1 reads them all\n");
}

/* --- tasks -------------------------------------------------------------- */

static void add_list(const json_t *list, size_t most, struct ids *out)
{
    for (size_t i = 0; i < json_array_size(list) && i < most; i++)
        ids_add(out, (int)json_integer_value(json_array_get(list, i)));
}

/* The golden tokens of an answer, each from all before it, as far as none
 * leads by less than 0.01 (`compare`): one pass tells for all of them. */
static void assert_answer(struct model *m, const char *name,
                          const json_t *prompt, const json_t *golden)
{
    struct ids ids = {0};
    struct state s;
    struct error e;
    add_list(json_object_get(prompt, "prompt_ids"), SIZE_MAX, &ids);
    size_t first = ids.size;
    add_list(json_object_get(golden, "ids"),
             (size_t)real_at(golden, "compare"), &ids);
    assert_ok(state_init(&s, m, ids.size, &e), &e);
    assert_ok(forward(m, &s, ids.data, ids.size, NULL, &e), &e);
    for (size_t t = first; t < ids.size; t++) {
        const float *logits = forward_logits(m, &s, t - 1, NULL);
        int id = (int)find_largest(logits, m->config.vocab_size);
        if (id != ids.data[t])
            print_error("%s: token %zu\n", name, t - first);
        assert_int_equal(id, ids.data[t]);
    }
    state_free(&s);
    ids_free(&ids);
}

/* What must be right at int4, as it is at full: capitals, sums with and
 * without thinking, tool calls and what follows them, JSON, names, a word to
 * be kept, a text to be repeated. */
static const char *const tasks[] = {
    "capital", "japan",       "sum",       "sum_think", "tool",
    "tool2",   "tool_result", "primes",    "extract",   "name",
    "secret",  "repeat",      "tool_think"};

enum task_sizes {
    N_TASKS = sizeof tasks / sizeof tasks[0]
};

/* The golden answer is right: the unrounded model's, letter by letter. */
static void assert_kept(const json_t *prompt, const json_t *golden)
{
    assert_true(json_is_true(json_object_get(golden, "same_as_fp32")));
    assert_string_equal(json_string_value(json_object_get(golden, "text")),
                        json_string_value(json_object_get(prompt, "text")));
}

static void assert_tasks(const char *format)
{
    json_t *prompts = read_beside("../goldens/greedy.json");
    json_t *answers = read_beside("../goldens/greedy_quant.json");
    const json_t *own = json_object_get(answers, format);
    struct model m;
    struct error e;
    assert_ok(model_open(&m, format, &e), &e);
    for (size_t i = 0; i < (is_slow() ? 1 : N_TASKS); i++) {
        const json_t *prompt = json_object_get(prompts, tasks[i]);
        const json_t *golden = json_object_get(own, tasks[i]);
        assert_kept(prompt, golden);
        assert_answer(&m, tasks[i], prompt, golden);
    }
    model_close(&m);
    json_decref(answers);
    json_decref(prompts);
}

static void int4_does_its_tasks(void **state)
{
    (void)state;
    need_model();
    assert_tasks("int4");
}

static void int8_does_its_tasks(void **state)
{
    (void)state;
    need_model();
    assert_tasks("int8");
}

/* Stories, which rounding leads elsewhere: where transformers says. */
static void rounding_leads_where_transformers_says(void **state)
{
    (void)state;
    static const char *const names[] = {"opp", "dragon", "cat_think", "one",
                                        "story"};
    size_t n = is_slow() ? 1 : is_long() ? 5 : 2;
    need_model();
    json_t *prompts = read_beside("../goldens/greedy.json");
    json_t *answers = read_beside("../goldens/greedy_quant.json");
    struct model m;
    struct error e;
    assert_ok(model_open(&m, "int4", &e), &e);
    for (size_t i = 0; i < n; i++) {
        const json_t *golden =
            json_object_get(json_object_get(answers, "int4"), names[i]);
        assert_true(json_is_false(json_object_get(golden, "same_as_fp32")));
        assert_answer(&m, names[i], json_object_get(prompts, names[i]),
                      golden);
    }
    model_close(&m);
    json_decref(answers);
    json_decref(prompts);
}

static void int4_answers_on_the_command_line(void **state)
{
    (void)state;
    assert_output(WORDS("generate", "-m", "int4", "-q", france), "",
                  " Paris.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(int8_foresees_as_well_as_it_must),
        cmocka_unit_test(int4_foresees_as_well_as_it_must),
        cmocka_unit_test(int8_does_its_tasks),
        cmocka_unit_test(int4_does_its_tasks),
        cmocka_unit_test(rounding_leads_where_transformers_says),
        cmocka_unit_test(int4_answers_on_the_command_line),
    };
    return cmocka_run_group_tests_name("quality_gate", tests, make_models,
                                       remove_models);
}

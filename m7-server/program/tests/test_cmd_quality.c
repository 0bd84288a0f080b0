/* rung perplexity, rung compare, and the picture of the same. */
#include "test_commands.h"

#include "colour.h"
#include "compare_picture.h"
#include "json.h"
#include "test_numbers.h"
#include "test_png.h"

static char *path_of(const char *model)
{
    static char paths[2][4200];
    static size_t next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/../%s", getenv("RUNG_MODEL"), model);
    return path;
}

/* A command's JSON; json_decref it. */
static json_t *run_json(char **words, const char *input)
{
    need_model();
    struct outcome o = run_rung(words, input, strlen(input));
    if (o.status)
        print_error("%s", o.err.data);
    assert_int_equal(o.status, 0);
    json_t *found = json_loads(o.out.data, 0, NULL);
    assert_non_null(found);
    outcome_free(&o);
    return found;
}

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-6 * fabs(expected)))
        print_error("%.9g, not %.9g\n", found, expected);
    assert_true(fabs(found - expected) <= 1e-6 * fabs(expected));
}

/* --- perplexity --------------------------------------------------------- */

static void perplexity_is_shown(void **state)
{
    (void)state;
    assert_output(WORDS("perplexity", "-q", "The capital of France is Paris."),
                  "",
                  "perplexity  2.5371\n"
                  "nats        0.9310 a token, 0.2660 a byte\n"
                  "bits        1.3432 a token, 0.3838 a byte\n"
                  "scored      8 of 9 tokens, 28 bytes\n"
                  "windows     1, of 512 tokens at most, 256 from one to the "
                  "next\n");
}

/* One number follows from the other; the text's "The" is not scored. */
static void its_figures_agree(void **state)
{
    (void)state;
    json_t *p = run_json(WORDS("perplexity", "-", "--json", "-q", "--window",
                               "6", "--stride", "2"),
                         "The capital of France is Paris.");
    double nats = real_of(p, "nats_per_token");
    assert_near(real_of(p, "perplexity"), exp(nats));
    assert_near(real_of(p, "bits_per_token"), nats / log(2));
    assert_near(real_of(p, "nats_per_byte"), nats * 8 / 28);
    assert_near(real_of(p, "bits_per_byte"), nats * 8 / 28 / log(2));
    assert_true(real_of(p, "scored") == 8 && real_of(p, "tokens") == 9);
    assert_true(real_of(p, "bytes") == 28 && real_of(p, "windows") == 3);
    assert_true(real_of(p, "window") == 6 && real_of(p, "stride") == 2);
    json_decref(p);
}

static void the_time_is_no_part_of_the_result(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run_rung(WORDS("perplexity", france), "", 0);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.err.data, "6 tokens read in "));
    assert_null(strstr(o.out.data, "tokens/s"));
    outcome_free(&o);
}

static void a_part_of_a_text_is_as_good_as_that_text(void **state)
{
    (void)state;
    json_t *part = run_json(WORDS("perplexity", "-n", "6", "--json", "-q",
                                  "The capital of France is Paris."),
                            "");
    json_t *alone = run_json(WORDS("perplexity", "--json", "-q", france), "");
    assert_int_equal(json_equal(part, alone), 1);
    json_decref(part);
    json_decref(alone);
}

static void texts_and_windows_that_cannot_be_are_refused(void **state)
{
    (void)state;
    assert_error(WORDS("perplexity", ""), 1,
                 "rung: the text is empty: there is no token to score\n");
    assert_error(WORDS("perplexity", "a"), 1,
                 "rung: the text is one token: there is none to score, since "
                 "the first has nothing before it\n");
    assert_error(WORDS("perplexity", "--window", "1", france), 2,
                 "rung: a window of 1 token has none to score: it takes 2 at "
                 "least\n");
    assert_error(WORDS("perplexity", "--window", "1025", france), 2,
                 "rung: a window of 1025 tokens is more than this model can "
                 "hold: 1024\n");
    assert_error(WORDS("perplexity", "--window", "8", "--stride", "9", france),
                 2,
                 "rung: a stride of 9 tokens leaves some out between windows "
                 "of 8\n");
    assert_error(WORDS("perplexity", "--stride", "0", france), 2,
                 "rung: option --stride must be a whole number from 1 to "
                 "1000000, not \"0\"\n");
}

/* --- compare ------------------------------------------------------------ */

static void two_models_are_compared(void **state)
{
    (void)state;
    char *chat = path_of("tiny-chat"), *draft = path_of("tiny-draft");
    json_t *c = run_json(WORDS("compare", chat, draft, "-", "--json"), france);
    json_t *a =
        run_json(WORDS("perplexity", "-m", chat, france, "--json", "-q",
                       "--exact"), "");
    json_t *b =
        run_json(WORDS("perplexity", "-m", draft, france, "--json", "-q"), "");
    assert_true(real_of(json_object_get(c, "a"), "perplexity") ==
                real_of(a, "perplexity"));
    assert_true(real_of(json_object_get(c, "b"), "perplexity") ==
                real_of(b, "perplexity"));
    assert_true(real_of(c, "kl_mean") > 0);
    assert_true(real_of(c, "kl_99") <= real_of(c, "kl_most"));
    assert_true(real_of(c, "scored") == 5);
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

static void a_model_is_no_way_from_itself(void **state)
{
    (void)state;
    char *chat = path_of("tiny-chat");
    assert_output(
        WORDS("compare", chat, chat, "The capital of France is Paris."), "",
        "                       a           b\n"
        "perplexity        2.5371      2.5371\n"
        "nats a token      0.9310      0.9310\n"
        "KL divergence   0.000000 nats of b from a, the mean of 8 "
        "tokens\n"
        "                0.000000 nats, which 1 token in 100 "
        "exceeds; 0.000000 at most\n"
        "top-1            100.00% of the tokens: the same is "
        "likeliest\n"
        "logit error       0.0000 at most\n");
}

static void models_with_other_tokens_are_not_compared(void **state)
{
    (void)state;
    char message[9000];
    char *chat = path_of("tiny-chat"), *embed = path_of("tiny-embed");
    snprintf(message, sizeof message,
             "rung: %s and %s cut the text otherwise from its token 6 on: "
             "their logits cannot be compared\n",
             chat, embed);
    assert_error(WORDS("compare", chat, embed, france), 1, message);
}

/* --- the picture -------------------------------------------------------- */

/* 7 tokens in at most 3 points: of 3, 3 and 1. */
static void points_are_means_of_their_tokens(void **state)
{
    (void)state;
    struct compared tokens[7];
    const struct comparison c = {.tokens = tokens, .n = 7};
    struct compare_points p;
    struct error e;
    for (size_t i = 0; i < 7; i++)
        tokens[i] = (struct compared){(double)(3 * i), (double)i, 6};
    assert_ok(compare_points_init(&p, &c, 3, &e), &e);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.block, 3);
    assert_near(p.kl[0], 3);
    assert_near(p.kl[1], 12);
    assert_near(p.kl[2], 18);
    assert_near(p.a_nats[2], 6);
    assert_near(p.b_nats[1], 6);
    compare_points_free(&p);
    assert_ok(compare_points_init(&p, &c, 7, &e), &e);
    assert_int_equal(p.n, 7);
    assert_true(p.kl[5] == 15);
    compare_points_free(&p);
}

static void a_comparison_is_drawn(void **state)
{
    (void)state;
    assert_output(WORDS("picture", "compare", path_of("tiny-chat"),
                        path_of("tiny-draft"), france, "-o", "c.png"),
                  "", "");
    struct image m = read_png("c.png");
    assert_true(find_colour(&m, colour_signed(-0.8f)).width > 200);
    assert_true(find_colour(&m, colour_signed(0.8f)).height > 300);
    image_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perplexity_is_shown),
        cmocka_unit_test(its_figures_agree),
        cmocka_unit_test(the_time_is_no_part_of_the_result),
        cmocka_unit_test(a_part_of_a_text_is_as_good_as_that_text),
        cmocka_unit_test(texts_and_windows_that_cannot_be_are_refused),
        cmocka_unit_test(two_models_are_compared),
        cmocka_unit_test(a_model_is_no_way_from_itself),
        cmocka_unit_test(models_with_other_tokens_are_not_compared),
        cmocka_unit_test(points_are_means_of_their_tokens),
        SCRATCH(a_comparison_is_drawn),
    };
    return cmocka_run_group_tests_name("cmd_quality", tests, name_model, NULL);
}

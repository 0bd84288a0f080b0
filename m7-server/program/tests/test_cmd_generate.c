/* The command that goes on with a text, in all ways that it can be asked. */
#include "commands.h"
#include "json.h"
#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define WORDS(...)                                                            \
    (char *[])                                                                \
    {                                                                         \
        "rung", __VA_ARGS__, NULL                                             \
    }

static char france[] = "The capital of France is";
static char story[] = "Once upon a time";

static int name_model(void **state)
{
    (void)state;
    char *model = test_path("models/tiny-chat");
    setenv("RUNG_MODEL", model, 1);
    free(model);
    return 0;
}

static struct outcome run(char **words)
{
    if (access(getenv("RUNG_MODEL"), R_OK)) {
        print_message("SKIPPED: there is no %s (set RUNG_TESTS)\n",
                      getenv("RUNG_MODEL"));
        skip();
    }
    return run_rung(words, "", 0);
}

static void assert_output(char **words, const char *expected)
{
    struct outcome o = run(words);
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static void assert_error(char **words, int status, const char *message)
{
    struct outcome o = run(words);
    assert_string_equal(o.err.data, message);
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

/* What it prints, to be freed. */
static char *output_of(char **words)
{
    struct outcome o = run(words);
    assert_string_equal(o.err.data, "");
    assert_int_equal(o.status, 0);
    bytes_free(&o.err);
    return o.out.data;
}

/* --- chance -------------------------------------------------------------- */

static void without_a_word_about_chance_there_is_none(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q"), " Paris.");
    assert_output(
        WORDS("generate", france, "-q", "--temperature", "0", "--seed", "7"),
        " Paris.");
    assert_output(
        WORDS("generate", france, "-q", "--top-k", "1", "--seed", "7"),
        " Paris.");
}

static void a_seed_says_which_text_comes(void **state)
{
    (void)state;
    static char *const seeds[] = {"7", "7", "8"};
    char *texts[3];
    for (size_t i = 0; i < 3; i++)
        texts[i] = output_of(
            WORDS("generate", story, "-q", "-n", "12", "--seed", seeds[i]));
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

static void each_continuation_has_its_own_stream(void **state)
{
    (void)state;
    char *three = output_of(WORDS("generate", story, "-q", "-n", "8",
                                  "--samples", "3", "--seed", "5", "--json"));
    char *one = output_of(
        WORDS("generate", story, "-q", "-n", "8", "--seed", "5", "--json"));
    struct error e;
    json_t *list = json_parse(three, strlen(three), "three", 0, &e);
    json_t *first = json_parse(one, strlen(one), "one", 0, &e);
    assert_int_equal(json_array_size(list), 3);
    assert_true(json_equal(json_array_get(list, 0), first));
    assert_false(json_equal(json_array_get(list, 1), first));
    assert_false(json_equal(json_array_get(list, 1), json_array_get(list, 2)));
    json_decref(first);
    json_decref(list);
    free(one);
    free(three);
}

static void several_continuations_have_headings(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "--samples", "2",
                        "--temperature", "0"),
                  "--- 1 of 2 ---\n Paris.\n\n--- 2 of 2 ---\n Paris.\n");
}

static void a_bias_decides(void **state)
{
    (void)state;
    char *text = output_of(
        WORDS("generate", france, "-q", "--bias", "2993=-100", "-n", "1"));
    assert_string_equal(text, " Port");
    free(text);
    text =
        output_of(WORDS("generate", france, "-q", "--bias=13=100", "-n", "2"));
    assert_string_equal(text, "..");
    free(text);
}

/* --- the end ------------------------------------------------------------- */

static void a_text_ends_before_a_stop_string(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "--stop", "aris"), " P");
    assert_output(
        WORDS("generate", france, "-q", "--stop", "no", "--stop", "."),
        " Paris");
    assert_output(WORDS("generate", france, "-q", "--stop", "Paris. "),
                  " Paris.");
}

static void a_text_ends_at_a_stop_id(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "--stop-id", "13"),
                  " Paris");
    assert_output(
        WORDS("generate", france, "-q", "--stop-id", "263", "--json"),
        "[2993, 263]\n");
}

static void stop_strings_end_json_too(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "--stop", "aris", "--json"),
                  "[2993, 263]\n");
}

/* --- log probabilities --------------------------------------------------- */

static void log_probabilities_are_a_table(void **state)
{
    (void)state;
    assert_output(
        WORDS("generate", france, "-q", "-n", "2", "--logprobs", "2"),
        " logprob  token           the likeliest\n"
        " -0.0013  \" Par\"         -0.0013  \" Par\"         -6.7008  "
        "\" Port\"\n"
        " -0.0004  \"is\"           -0.0004  \"is\"           -8.6718  "
        "\"it\"\n");
    assert_output(
        WORDS("generate", france, "-q", "-n", "1", "--logprobs", "0"),
        " logprob  token\n -0.0013  \" Par\"\n");
}

static void log_probabilities_are_json_when_asked(void **state)
{
    (void)state;
    char *text = output_of(WORDS("generate", france, "-q", "-n", "1",
                                 "--logprobs", "2", "--json"));
    struct error e;
    json_t *list = json_parse(text, strlen(text), "output", 0, &e);
    const json_t *one = json_array_get(list, 0);
    const json_t *top = json_object_get(one, "top");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_integer_value(json_object_get(one, "id")), 2993);
    assert_string_equal(json_string_value(json_object_get(one, "token")),
                        "\u0120Par");
    assert_int_equal(json_array_size(top), 2);
    double other =
        json_real_value(json_object_get(json_array_get(top, 1), "logprob"));
    assert_true(other > -6.702 && other < -6.700);
    json_decref(list);
    free(text);
}

/* The token that ends the text is an id of the list; but nothing of it was
 * shown, so there is no word on how sure the model was. */
static void the_end_is_an_id_and_no_probability(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "--json"),
                  "[2993, 263, 13, 4087]\n");
    char *text = output_of(
        WORDS("generate", france, "-q", "--json", "--logprobs", "0"));
    struct error e;
    json_t *list = json_parse(text, strlen(text), "output", 0, &e);
    assert_int_equal(json_array_size(list), 3);
    json_decref(list);
    free(text);
}

/* Chance does not change what the model thinks. */
static void log_probabilities_are_the_models_own(void **state)
{
    (void)state;
    assert_output(WORDS("generate", france, "-q", "-n", "1", "--logprobs", "0",
                        "--bias", "2993=-50", "--temperature", "0"),
                  " logprob  token\n -6.7008  \" Port\"\n");
}

/* --- chat ---------------------------------------------------------------- */

static char question[] = "What is the capital of France?";

static void a_question_is_answered(void **state)
{
    (void)state;
    assert_output(WORDS("generate", "--chat", question, "-q"),
                  "The capital of France is Paris.");
    struct outcome o = run_rung(WORDS("generate", "--chat", "-", "-q"),
                                question, strlen(question));
    assert_string_equal(o.out.data, "The capital of France is Paris.");
    outcome_free(&o);
}

static void the_model_can_be_somebody_and_think(void **state)
{
    (void)state;
    char *text =
        output_of(WORDS("generate", "--chat", "Who are you?", "--system",
                        "You are Pip, a small robot.", "-q", "--think"));
    assert_memory_equal(text, "<think>\n", 8);
    assert_non_null(strstr(text, "</think>\n\nI am Pip"));
    free(text);
}

static void chats_options_need_it(void **state)
{
    (void)state;
    assert_error(WORDS("generate", question, "--system", "You are Pip."), 2,
                 "rung: option --system goes with --chat\n");
    assert_error(WORDS("generate", question, "--think"), 2,
                 "rung: option --think goes with --chat\n");
}

static void a_question_holds_no_zero_byte(void **state)
{
    (void)state;
    struct outcome o = run_rung(WORDS("generate", "--chat", "-"), "a\0b", 3);
    assert_string_equal(o.err.data, "rung: the question holds a zero byte\n");
    assert_int_equal(o.status, 1);
    outcome_free(&o);
}

/* --- what cannot be ------------------------------------------------------ */

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    assert_error(WORDS("generate", "a", "--temperature", "-1"), 2,
                 "rung: option --temperature must be a number from 0 to 100, "
                 "not \"-1\"\n");
    assert_error(WORDS("generate", "a", "--top-p", "1.5"), 2,
                 "rung: option --top-p must be a number from 0 to 1, not "
                 "\"1.5\"\n");
    assert_error(WORDS("generate", "a", "--logprobs", "21"), 2,
                 "rung: option --logprobs must be a whole number from 0 to "
                 "20, not \"21\"\n");
    assert_error(
        WORDS("generate", "a", "--samples", "0"), 2,
        "rung: option --samples must be a whole number from 1 to 1000, "
        "not \"0\"\n");
}

static void tokens_must_be_the_models(void **state)
{
    (void)state;
    assert_error(WORDS("generate", "a", "--bias", "4096=1"), 2,
                 "rung: option --bias: token 4096 is none of the model's "
                 "4096\n");
    assert_error(WORDS("generate", "a", "--stop-id", "4096"), 2,
                 "rung: option --stop-id: token 4096 is none of the model's "
                 "4096\n");
}

/* --- standard error ------------------------------------------------------ */

static char *own_name; /* this test program's */

/* This program's clock: from one look at it to the next a second passes.  So
 * what is to be said of the time is known, however fast the machine is. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    static time_t now;
    (void)clock;
    *t = (struct timespec){.tv_sec = ++now};
    return 0;
}

/* What `rung generate` does, in this program, by its clock. */
static int be_rung(int argc, char **argv)
{
    static const struct command generate = {
        "generate", "", "", "model tokens seed top-k", 1, 1, cmd_generate};
    struct settings s;
    struct error e;
    return options_parse(&generate, argc - 2, argv + 2, &s, &e) ||
           cmd_generate(&s, &e);
}

/* Hold what it says on standard error, by that clock, against this. */
static void assert_timing(char **words, const char *expected)
{
    const char *given = getenv("RUNG");
    char *kept = given ? strdup(given) : NULL;
    setenv("RUNG", own_name, 1);
    struct outcome o = run(words);
    if (kept)
        setenv("RUNG", kept, 1);
    else
        unsetenv("RUNG");
    free(kept);
    assert_string_equal(o.err.data, expected);
    outcome_free(&o);
}

static void what_was_not_timed_has_no_speed(void **state)
{
    (void)state;
    assert_timing(WORDS("generate", france, "-n", "1"),
                  "\n6 read in 1.000 s: 6.0 tokens/s\n1 written\n");
    assert_timing(WORDS("generate", france, "-n", "0"),
                  "\n0 read\n0 written\n");
}

/* The first token came with reading. */
static void a_line_of_timing_ends_it(void **state)
{
    (void)state;
    assert_timing(WORDS("generate", france, "--seed", "7", "--top-k", "1"),
                  "\n6 read in 1.000 s: 6.0 tokens/s\n"
                  "4 written in 1.000 s: 3.0 tokens/s, seed 7\n");
}

int main(int argc, char **argv)
{
    own_name = argv[0];
    if (argc > 1 && strcmp(argv[1], "generate") == 0)
        return be_rung(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_word_about_chance_there_is_none),
        cmocka_unit_test(a_seed_says_which_text_comes),
        cmocka_unit_test(each_continuation_has_its_own_stream),
        cmocka_unit_test(several_continuations_have_headings),
        cmocka_unit_test(a_bias_decides),
        cmocka_unit_test(a_text_ends_before_a_stop_string),
        cmocka_unit_test(a_text_ends_at_a_stop_id),
        cmocka_unit_test(stop_strings_end_json_too),
        cmocka_unit_test(log_probabilities_are_a_table),
        cmocka_unit_test(log_probabilities_are_json_when_asked),
        cmocka_unit_test(the_end_is_an_id_and_no_probability),
        cmocka_unit_test(log_probabilities_are_the_models_own),
        cmocka_unit_test(a_question_is_answered),
        cmocka_unit_test(the_model_can_be_somebody_and_think),
        cmocka_unit_test(chats_options_need_it),
        cmocka_unit_test(a_question_holds_no_zero_byte),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(tokens_must_be_the_models),
        cmocka_unit_test(a_line_of_timing_ends_it),
        cmocka_unit_test(what_was_not_timed_has_no_speed),
    };
    return cmocka_run_group_tests_name("cmd_generate", tests, name_model,
                                       NULL);
}

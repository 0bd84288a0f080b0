/* Guessing ahead changes how fast a text comes, and nothing else. */
#include "test_copies.h"

#include <signal.h>
#include <sys/resource.h>

static char story[] = "Once upon a time";

static struct outcome run(char **words)
{
    need_model();
    return run_rung(words, "", 0);
}

/* The small model that was trained as the reading model's draft. */
static char *drafter(void)
{
    static char path[PATH_MAX];
    find_model("tiny-draft", path);
    return path;
}

/* What the last line of standard error says. */
struct counts {
    size_t proposed, kept, passes, percent;
};

static struct counts counts_of(const struct outcome *o)
{
    struct counts c = {0, 0, 0, 0};
    const char *line = strstr(o->err.data, " written");
    line = line ? strchr(line, '\n') : NULL;
    assert_non_null(line);
    assert_int_equal(sscanf(line,
                            "\n%zu tokens proposed, %zu kept (%zu%%), in %zu "
                            "passes",
                            &c.proposed, &c.kept, &c.percent, &c.passes),
                     4);
    return c;
}

/* Prints the same with and without the words that ask for guesses, which end
 * both lists; returns what it counted. */
static struct counts assert_same(char **with, char **without)
{
    struct outcome a = run(with), b = run(without);
    struct counts c = counts_of(&a);
    assert_int_equal(a.status, 0);
    assert_string_equal(a.out.data, b.out.data);
    assert_null(strstr(b.err.data, "proposed"));
    assert_true(c.kept <= c.proposed);
    outcome_free(&a);
    outcome_free(&b);
    return c;
}

#define ASSERT_SAME(draft, ...)                                               \
    assert_same(WORDS("generate", __VA_ARGS__, "--draft", draft,              \
                      "--draft-tokens", "4"),                                 \
                WORDS("generate", __VA_ARGS__))

/* --- the same text ------------------------------------------------------- */

static void the_reading_draft_is_often_right(void **state)
{
    (void)state;
    struct counts c = ASSERT_SAME(drafter(), story, "-n", "40");
    assert_true(c.kept * 2 > c.proposed);
    assert_int_equal(c.kept + c.passes, 40);
    assert_true(
        2 * labs((long)(c.percent * c.proposed) - (long)(100 * c.kept)) <=
        (long)c.proposed);
}

static void what_was_said_before_is_a_guess(void **state)
{
    (void)state;
    static char dogs[] = "The dog ran. The cat ran. The dog ran. The";
    struct counts c = ASSERT_SAME("ngram", dogs, "-n", "20");
    assert_true(c.kept > 0 && c.kept < c.proposed);
}

static void the_scores_are_the_same(void **state)
{
    (void)state;
    ASSERT_SAME(drafter(), story, "-n", "12", "--logprobs", "5", "--json");
    ASSERT_SAME(drafter(), story, "-n", "12", "--logprobs", "2");
}

/* Wherever in a draft the end comes. */
static void a_text_ends_where_it_ends_without(void **state)
{
    (void)state;
    static char *const stops[] = {"there", "a little", "girl", "named",
                                  "Lily",  "y.",       "She",  "to pl"};
    ASSERT_SAME(drafter(), france);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        ASSERT_SAME(drafter(), story, "--stop", stops[i]);
    for (char *n = (char[]){"0"}; *n < '8'; ++*n)
        ASSERT_SAME(drafter(), story, "-n", n);
}

static void penalties_are_heeded(void **state)
{
    (void)state;
    ASSERT_SAME(drafter(), story, "--repetition-penalty", "1.4", "--bias",
                "13=-3", "-n", "20");
    /* of what was generated, so not of the prompt */
    ASSERT_SAME(drafter(), "the dog and the cat and the dog and the cat and",
                "--presence-penalty", "1", "--frequency-penalty", "1.5", "-n",
                "20");
}

static void however_long_the_drafts_are(void **state)
{
    (void)state;
    struct counts one = assert_same(
        WORDS("generate", story, "--draft", drafter(), "--draft-tokens", "1"),
        WORDS("generate", story));
    struct counts many = assert_same(
        WORDS("generate", story, "--draft", drafter(), "--draft-tokens", "16"),
        WORDS("generate", story));
    assert_true(many.passes < one.passes);
}

static void a_session_goes_well_with_it(void **state)
{
    (void)state;
    struct outcome o = run(WORDS("generate", story, "-q", "-n", "9", "--save",
                                 "s", "--draft", drafter()));
    outcome_free(&o);
    struct outcome a = run(WORDS("generate", story, "-n", "20", "--load", "s",
                                 "--draft", drafter()));
    struct outcome b = run(WORDS("generate", story, "-q", "-n", "20"));
    assert_string_equal(a.out.data, b.out.data);
    assert_non_null(strstr(a.err.data, "\n3 known, 1 read in "));
    outcome_free(&a);
    outcome_free(&b);
}

static void what_one_pass_wrote_has_no_speed(void **state)
{
    (void)state;
    struct outcome o = run(WORDS("generate", france, "--draft", drafter(),
                                 "--draft-tokens", "4"));
    assert_non_null(strstr(o.err.data, " tokens/s\n4 written\n4 tokens "));
    outcome_free(&o);
}

/* --- whether it pays ----------------------------------------------------- */

/* Where nobody says how many: the model itself, whose guesses cost as much as
 * what they save, and a text that says the same again and again. */
static void guesses_are_made_where_they_pay(void **state)
{
    (void)state;
    need_model();
    static char dogs[] = "The dog ran. The dog ran. The dog ran. The dog ran.";
    struct counts c = assert_same(WORDS("generate", story, "-n", "100",
                                        "--draft", getenv("RUNG_MODEL")),
                                  WORDS("generate", story, "-n", "100"));
    assert_true(c.proposed <= 5);
    struct outcome o = run(WORDS("generate", story, "-n", "100", "--draft",
                                 getenv("RUNG_MODEL")));
    assert_non_null(strstr(o.err.data, " of these guesses did not pay\n"));
    outcome_free(&o);
    o = run(WORDS("generate", dogs, "-n", "100", "--draft", "ngram",
                  "--repetition-penalty", "0.5"));
    c = counts_of(&o);
    assert_true(c.passes < 60);
    outcome_free(&o);
    o = run(WORDS("generate", story, "-n", "40", "--exact", "--draft",
                  drafter()));
    c = counts_of(&o);
    assert_null(strstr(o.err.data, "pay"));
    assert_true(c.passes < 30);
    outcome_free(&o);
}

/* --- by chance ----------------------------------------------------------- */

static void a_seed_says_which_text_comes(void **state)
{
    (void)state;
    struct outcome o[3];
    static char *const seeds[] = {"5", "5", "6"};
    for (size_t i = 0; i < 3; i++)
        o[i] = run(WORDS("generate", story, "-q", "-n", "15", "--seed",
                         seeds[i], "--draft", drafter()));
    assert_string_equal(o[0].out.data, o[1].out.data);
    assert_string_not_equal(o[0].out.data, o[2].out.data);
    for (size_t i = 0; i < 3; i++)
        outcome_free(&o[i]);
}

/* A drafter that gives every token the model's own probability. */
static void the_model_itself_is_always_right(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run(WORDS("generate", story, "-n", "15", "--seed", "5",
                                 "--draft", getenv("RUNG_MODEL"),
                                 "--draft-tokens", "4"));
    struct counts c = counts_of(&o);
    assert_int_equal(c.proposed, 12);
    assert_int_equal(c.kept, 12);
    assert_int_equal(c.passes, 3);
    assert_non_null(strstr(o.err.data, "in 3 passes\n"));
    outcome_free(&o);
}

static void one_pass_is_no_plural(void **state)
{
    (void)state;
    need_model();
    struct outcome o = run(
        WORDS("generate", story, "-n", "2", "--draft", getenv("RUNG_MODEL"),
              "--draft-tokens", "4"));
    assert_non_null(strstr(o.err.data, "in 1 pass\n"));
    outcome_free(&o);
}

/* --- what cannot draft --------------------------------------------------- */

static void its_options_need_it(void **state)
{
    (void)state;
    assert_error(WORDS("generate", story, "--draft-tokens", "3"), 2,
                 "rung: option --draft-tokens goes with --draft\n");
    assert_error(
        WORDS("generate", story, "--draft", "ngram", "--draft-tokens", "0"), 2,
        "rung: --draft-tokens takes a number from 1 to 16, not 0\n");
    assert_error(
        WORDS("generate", story, "--draft", "ngram", "--draft-tokens", "17"),
        2, "rung: --draft-tokens takes a number from 1 to 16, not 17\n");
    assert_error(
        WORDS("generate", story, "--draft", "ngram", "--chunk", "3"), 2,
        "rung: 3 guesses and the token before them are read at once: --chunk "
        "must be at least 4, not 3\n");
    assert_error(WORDS("generate", story, "--draft", "none"), 1,
                 "rung: none/config.json: No such file or directory\n");
}

static void a_drafter_must_have_the_models_tokens(void **state)
{
    (void)state;
    char path[PATH_MAX], message[PATH_MAX + 100];
    find_model("../checkpoints/qwen3-1", path);
    snprintf(message, sizeof message,
             "rung: %s: knows 80 tokens, the model 4096: it cannot draft for "
             "it\n",
             path);
    assert_error(WORDS("generate", story, "--draft", path), 1, message);

    copy_model(drafter(), "tokenizer.json", "<|endoftext|>", "<|theend|>");
    assert_error(WORDS("generate", story, "--draft", "."), 1,
                 "rung: .: token 4087 is \"<|theend|>\", in the model "
                 "\"<|endoftext|>\": it cannot draft for it\n");

    static const char last[] = ",\n"
                               "    {\n"
                               "      \"id\": 4095,\n"
                               "      \"content\": \"</tool_response>\",\n"
                               "      \"single_word\": false,\n"
                               "      \"lstrip\": false,\n"
                               "      \"rstrip\": false,\n"
                               "      \"normalized\": false,\n"
                               "      \"special\": false\n"
                               "    }";
    remove_files();
    copy_model(drafter(), "tokenizer.json", last, "");
    assert_error(WORDS("generate", story, "--draft", "."), 1,
                 "rung: .: token 4095 is \"\", in the model "
                 "\"</tool_response>\": it cannot draft for it\n");
}

static void a_drafter_must_hold_the_text(void **state)
{
    (void)state;
    need_model();
    copy_model(drafter(), "config.json", "\"max_position_embeddings\": 1024",
               "\"max_position_embeddings\": 30");
    assert_error(WORDS("generate", story, "-n", "27", "--draft", "."), 1,
                 "rung: .: can hold 30 tokens, and the text will have 31: it "
                 "cannot draft for it\n");
    ASSERT_SAME(".", story, "-n", "26");
}

/* --- Ctrl-C -------------------------------------------------------------- */

/* Start a text that only Ctrl-C ends; *out is the end of a pipe to read its
 * standard output from. */
static pid_t start_text(int *out, FILE **err)
{
    int ends[2];
    char *words[] = {"rung",    "generate",  story,    "-n",        "900",
                     "--bias",  "4087=-100", "--bias", "4089=-100", "--draft",
                     drafter(), "--save",    "s",      NULL};
    *err = tmpfile();
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        FILE *const files[3] = {tmpfile(), fdopen(ends[1], "w"), *err};
        signal(SIGINT, SIG_DFL);
        close(ends[0]);
        become_rung(words, files);
    }
    close(ends[1]);
    *out = ends[0];
    return child;
}

static void ctrl_c_ends_it_and_keeps_the_session(void **state)
{
    (void)state;
    char some[4096];
    int out, status = 0;
    size_t n_written = 900;
    FILE *err;
    struct bytes told = {0};
    need_model();
    pid_t child = start_text(&out, &err);
    assert_int_equal(read(out, some, 1), 1);
    kill(child, SIGINT);
    while (read(out, some, sizeof some) > 0)
        continue;
    waitpid(child, &status, 0);
    close(out);
    read_back(err, &told);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_non_null(strstr(told.data, ", interrupted\n"));
    sscanf(told.data, "\n4 read in %*f s: %*f tokens/s\n%zu written in ",
           &n_written);
    assert_true(n_written < 900);
    struct outcome o = run(WORDS("session", "show", "s"));
    snprintf(some, sizeof some, "tokens       %zu\n", 4 + n_written);
    assert_memory_equal(o.out.data, some, strlen(some));
    outcome_free(&o);
    bytes_free(&told);
}

/* A limit on the size of files stands for a disk that is full. */
static void what_is_lost_is_said_after_ctrl_c(void **state)
{
    (void)state;
    char some[4096];
    int out, status = 0;
    FILE *err;
    struct bytes told = {0};
    struct rlimit before, small;
    need_model();
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    pid_t child = start_text(&out, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(read(out, some, 1), 1);
    kill(child, SIGINT);
    while (read(out, some, sizeof some) > 0)
        continue;
    waitpid(child, &status, 0);
    close(out);
    read_back(err, &told);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_string_equal(told.data,
                        "rung: s: File too large; nothing was changed\n");
    bytes_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reading_draft_is_often_right),
        cmocka_unit_test(what_was_said_before_is_a_guess),
        cmocka_unit_test(the_scores_are_the_same),
        cmocka_unit_test(a_text_ends_where_it_ends_without),
        cmocka_unit_test(penalties_are_heeded),
        cmocka_unit_test(however_long_the_drafts_are),
        SCRATCH(a_session_goes_well_with_it),
        cmocka_unit_test(what_one_pass_wrote_has_no_speed),
        cmocka_unit_test(guesses_are_made_where_they_pay),
        cmocka_unit_test(a_seed_says_which_text_comes),
        cmocka_unit_test(the_model_itself_is_always_right),
        cmocka_unit_test(one_pass_is_no_plural),
        cmocka_unit_test(its_options_need_it),
        SCRATCH(a_drafter_must_have_the_models_tokens),
        SCRATCH(a_drafter_must_hold_the_text),
        SCRATCH(ctrl_c_ends_it_and_keeps_the_session),
        SCRATCH(what_is_lost_is_said_after_ctrl_c),
    };
    return cmocka_run_group_tests_name("cmd_draft", tests, name_model, NULL);
}

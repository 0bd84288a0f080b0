/* --cache: the form in which keys and values are kept is a choice, and what a
 * command says of it is true. */
#include "test_kept.h"

static char story[] = "Once upon a time";

/* A form, and the bytes of a token in it: the reading model has 8 layers of
 * two heads of 64 numbers, for keys and for values; four layers are ends. */
struct choice {
    char *name;
    size_t bytes;
};

static const struct choice choices[] = {
    {"f32", 8 * 2 * 2 * 64 * 4},
    {"f16", 8 * 2 * 2 * 64 * 2},
    {"int8", 8 * 2 * 2 * (4 + 64)},
    {"k4v4", 8 * 2 * 2 * (2 + 32)},
    {"k4v3", 8 * 2 * (2 + 32) + 4 * 2 * (2 + 24) + 4 * 2 * (2 + 32)},
    {"K3V2", 8 * 2 * (2 + 24) + 4 * 2 * (2 + 16) + 4 * 2 * (2 + 24)},
};

enum choice_count {
    N_CHOICES = sizeof choices / sizeof choices[0]
};

static void a_trace_counts_the_bytes_of_the_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CHOICES; i++) {
        char written[80];
        struct outcome o = run(WORDS("trace", france, "-n", "1", "--json",
                                     "--cache", choices[i].name));
        snprintf(written, sizeof written,
                 "\"cache_read\": %zu, \"cache_written\": %zu, \"held\": %zu",
                 7 * choices[i].bytes, choices[i].bytes, 7 * choices[i].bytes);
        if (!strstr(o.out.data, written))
            print_error("%s: no %s\n", choices[i].name, written);
        assert_non_null(strstr(o.out.data, written));
        outcome_free(&o);
    }
}

static void a_session_has_the_bytes_of_the_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CHOICES; i++) {
        char said[80];
        prepare(WORDS("generate", france, "-n", "0", "--save", "s", "--cache",
                      choices[i].name));
        struct outcome o = run(WORDS("session", "show", "s"));
        snprintf(said, sizeof said, "\nbytes        %zu\n",
                 6 * (choices[i].bytes + 4));
        assert_non_null(strstr(o.out.data, said));
        outcome_free(&o);
    }
}

/* What the file holds, to be freed. */
static struct bytes read_all(const char *path)
{
    struct bytes b = {0};
    struct error e;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_ok(bytes_read(&b, f, path, &e), &e);
    fclose(f);
    return b;
}

static void assert_same_file(const char *a, const char *b)
{
    struct bytes x = read_all(a), y = read_all(b);
    assert_true(x.size > 0);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.data, y.data, x.size);
    bytes_free(&x);
    bytes_free(&y);
}

/* Not the chunk, not a guess, not that it was read on another day: what is
 * kept has the same bits. */
static void nothing_but_the_form_changes_a_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CHOICES; i++) {
        char *form = choices[i].name;
        prepare(WORDS("generate", story, "-n", "12", "--cache", form, "--save",
                      "s"));
        prepare(WORDS("generate", story, "-n", "12", "--cache", form, "--save",
                      "t", "--chunk", "1"));
        assert_same_file("s", "t");
        prepare(WORDS("generate", story, "-n", "12", "--cache", form, "--save",
                      "t", "--draft", "ngram"));
        assert_same_file("s", "t");
        prepare(WORDS("generate", story, "-n", "0", "--cache", form, "--save",
                      "t"));
        prepare(WORDS("generate", story, "-n", "12", "--cache", form, "--load",
                      "t", "--save", "t"));
        assert_same_file("s", "t");
    }
}

/* The small model keeps what it reads in the same form. */
static void a_small_model_may_guess_in_any_form(void **state)
{
    (void)state;
    char path[PATH_MAX];
    find_model("tiny-draft", path);
    struct outcome alone = run(
        WORDS("generate", story, "-q", "-n", "12", "--cache", "k3v2"));
    struct outcome helped = run(WORDS("generate", story, "-q", "-n", "12",
                                      "--cache", "k3v2", "--draft", path));
    assert_int_equal(helped.status, 0);
    assert_string_equal(alone.out.data, helped.out.data);
    outcome_free(&alone);
    outcome_free(&helped);
}

static void a_session_goes_on_in_its_own_form(void **state)
{
    (void)state;
    prepare(WORDS("generate", france, "-n", "0", "--save", "s", "--cache",
                  "k4v3"));
    struct outcome o = run(WORDS("generate", france, "--load", "s"));
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.err.data,
                           "note: s: its cache is stored as k4v3, that of "
                           "this text as f32; all of the text is read\n"));
    assert_non_null(strstr(o.err.data, "\n0 known, 6 read"));
    outcome_free(&o);
    o = run(WORDS("generate", france, "--load", "s", "--cache", "k4v3"));
    assert_non_null(strstr(o.err.data, "\n5 known, 1 read"));
    outcome_free(&o);
    assert_error(WORDS("generate", france, "--load", "s", "--save", "s"), 1,
                 "rung: s: its cache is stored as k4v3, that of this text as "
                 "f32; --save would replace it\n");
    o = run(WORDS("session", "show", "s"));
    assert_non_null(strstr(o.out.data, "\ncache        k4v3\n"));
    outcome_free(&o);
}

/* The answer's probabilities change, and so it is one that was asked. */
static void whatever_runs_the_model_takes_a_form(void **state)
{
    (void)state;
    static char *const commands[] = {"next", "sample", "layers", "embed"};
    for (size_t i = 0; i < 4; i++) {
        struct outcome o = run(WORDS(commands[i], france));
        struct outcome p = run(WORDS(commands[i], france, "--cache", "k3v2"));
        assert_int_equal(p.status, 0);
        assert_string_not_equal(o.out.data, p.out.data);
        outcome_free(&o);
        outcome_free(&p);
    }
}

static void the_forms_are_named_to_whoever_asks_for_another(void **state)
{
    (void)state;
    assert_error(WORDS("next", france, "--cache", "k9"), 2,
                 "rung: option --cache must be one of f32, f16, int8, k4v4, "
                 "k4v3, k3v2, not \"k9\"\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_counts_the_bytes_of_the_form),
        SCRATCH(a_session_has_the_bytes_of_the_form),
        SCRATCH(nothing_but_the_form_changes_a_bit),
        cmocka_unit_test(a_small_model_may_guess_in_any_form),
        SCRATCH(a_session_goes_on_in_its_own_form),
        cmocka_unit_test(whatever_runs_the_model_takes_a_form),
        cmocka_unit_test(the_forms_are_named_to_whoever_asks_for_another),
    };
    return cmocka_run_group_tests_name("cmd_cache", tests, name_model, NULL);
}

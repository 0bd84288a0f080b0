/* The command line is understood, or refused with a hint. */
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct command encode = {
    "encode", "[TEXT|-]", "text to ids", "model json jsonl", 0, 1, NULL};
static const struct command pair = {"pair", "A B", "two", "model jsonl",
                                    2,      2,     NULL};
static const struct command many = {"many", "[X...]", "any number", "model",
                                    0,      -1,       NULL};

/* Parse up to seven words. */
static int parse(const struct command *c, char **words, struct settings *s,
                 struct error *e)
{
    int n = 0;
    while (words[n])
        n++;
    return options_parse(c, n, words, s, e);
}

static void assert_refused(const struct command *c, char **words,
                           const char *message)
{
    struct settings s;
    struct error e = {ERROR_NONE, ""};
    assert_int_equal(parse(c, words, &s, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_string_equal(e.message, message);
}

static void options_stand_anywhere(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *orders[3][5] = {{"--json", "-m", "M", "text", NULL},
                          {"text", "--json", "-m", "M", NULL},
                          {"-m", "M", "text", "--json", NULL}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(parse(&encode, orders[i], &s, &e), 0);
        assert_true(s.json);
        assert_false(s.jsonl);
        assert_string_equal(s.model, "M");
        assert_int_equal(s.n_arguments, 1);
        assert_string_equal(s.arguments[0], "text");
    }
}

static void a_value_stands_behind_its_option_or_is_the_next_word(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *spellings[5][3] = {{"--model=a=b", NULL},
                             {"--model", "a=b", NULL},
                             {"-m", "a=b", NULL},
                             {"-ma=b", NULL},
                             {"-m=a=b", NULL}};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(parse(&encode, spellings[i], &s, &e), 0);
        assert_string_equal(s.model, "a=b");
        assert_int_equal(s.n_arguments, 0);
    }
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *words[] = {"--json", "--", "--jsonl", NULL};
    assert_int_equal(parse(&encode, words, &s, &e), 0);
    assert_true(s.json);
    assert_false(s.jsonl);
    assert_string_equal(s.arguments[0], "--jsonl");
}

static void one_dash_is_an_argument(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *words[] = {"-", NULL};
    assert_int_equal(parse(&encode, words, &s, &e), 0);
    assert_string_equal(s.arguments[0], "-");
}

static void arguments_keep_their_order(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *words[] = {"1", "-m", "M", "2", "3", NULL};
    assert_int_equal(parse(&many, words, &s, &e), 0);
    assert_int_equal(s.n_arguments, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(s.arguments[i][0], '1' + i);
}

static void the_model_falls_back_to_the_environment(void **state)
{
    (void)state;
    struct settings s;
    struct error e;
    char *words[] = {NULL};
    setenv("RUNG_MODEL", "from-environment", 1);
    assert_int_equal(parse(&encode, words, &s, &e), 0);
    assert_string_equal(s.model, "from-environment");
    setenv("RUNG_MODEL", "", 1);
    assert_int_equal(parse(&encode, words, &s, &e), 0);
    assert_string_equal(s.model, "../tests/models/tiny-chat");
    unsetenv("RUNG_MODEL");
    assert_int_equal(parse(&encode, words, &s, &e), 0);
    assert_string_equal(s.model, "../tests/models/tiny-chat");
}

static void what_cannot_be_understood_is_refused(void **state)
{
    (void)state;
    assert_refused(&encode, (char *[]){"--wrong", NULL},
                   "unknown option --wrong (see: rung help encode)");
    assert_refused(&encode, (char *[]){"--jso", NULL},
                   "unknown option --jso (see: rung help encode)");
    assert_refused(&encode, (char *[]){"--jsonx", NULL},
                   "unknown option --jsonx (see: rung help encode)");
    assert_refused(&encode, (char *[]){"-x", NULL},
                   "unknown option -x (see: rung help encode)");
    assert_refused(&encode, (char *[]){"-model", "M", NULL},
                   "unknown option -model: write --model");
    assert_refused(&encode, (char *[]){"-json=1", NULL},
                   "unknown option -json=1: write --json");
    assert_refused(&pair, (char *[]){"--json", NULL},
                   "rung pair takes no option --json");
    assert_refused(&encode, (char *[]){"--json=1", NULL},
                   "option --json takes no value");
    assert_refused(&encode, (char *[]){"x", "-m", NULL},
                   "option --model needs a value: MODEL");
    assert_refused(&encode, (char *[]){"--model=", NULL},
                   "option --model is empty");
    assert_refused(&encode, (char *[]){"-m=", NULL},
                   "option --model is empty");
}

static void the_number_of_arguments_is_checked(void **state)
{
    (void)state;
    assert_refused(&encode, (char *[]){"a", "b", NULL},
                   "too many arguments: rung encode [TEXT|-]");
    assert_refused(&pair, (char *[]){"a", NULL},
                   "too few arguments: rung pair A B");
    assert_refused(&pair, (char *[]){"a", "b", "c", NULL},
                   "too many arguments: rung pair A B");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_stand_anywhere),
        cmocka_unit_test(a_value_stands_behind_its_option_or_is_the_next_word),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(one_dash_is_an_argument),
        cmocka_unit_test(arguments_keep_their_order),
        cmocka_unit_test(the_model_falls_back_to_the_environment),
        cmocka_unit_test(what_cannot_be_understood_is_refused),
        cmocka_unit_test(the_number_of_arguments_is_checked),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}

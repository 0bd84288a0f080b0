/* For the tests of commands that run a model: the program, started with the
 * reading model, and what it must print. */
#ifndef TEST_COMMANDS_H
#define TEST_COMMANDS_H

#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define WORDS(...)                                                            \
    (char *[])                                                                \
    {                                                                         \
        "rung", __VA_ARGS__, NULL                                             \
    }

/* In a folder of its own, which is empty. */
#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

static char france[] = "The capital of France is";

/* Every run finds the reading model without being told, and the program and
 * the model are found from every folder. */
static inline int name_model(void **state)
{
    (void)state;
    char program[4096], folder[2048], whole[2048];
    char *model = test_path("models/tiny-chat");
    if (!getcwd(folder, sizeof folder))
        return -1;
    program_path(folder, program);
    setenv("RUNG", program, 1);
    setenv("RUNG_MODEL", model, 1);
    if (chdir(model) == 0 && getcwd(whole, sizeof whole))
        setenv("RUNG_MODEL", whole, 1);
    free(model);
    return chdir(folder);
}

/* Skips the test when the tests' folder is not there. */
static inline void need_model(void)
{
    if (access(getenv("RUNG_MODEL"), R_OK) == 0)
        return;
    print_message("SKIPPED: there is no %s (set RUNG_TESTS)\n",
                  getenv("RUNG_MODEL"));
    skip();
}

static inline void assert_output(char **words, const char *input,
                                 const char *expected)
{
    need_model();
    struct outcome o = run_rung(words, input, strlen(input));
    assert_string_equal(o.err.data, "");
    assert_string_equal(o.out.data, expected);
    assert_int_equal(o.status, 0);
    outcome_free(&o);
}

static inline void assert_error(char **words, int status, const char *message)
{
    need_model();
    struct outcome o = run_rung(words, "", 0);
    assert_string_equal(o.err.data, message);
    assert_string_equal(o.out.data, "");
    assert_int_equal(o.status, status);
    outcome_free(&o);
}

#endif

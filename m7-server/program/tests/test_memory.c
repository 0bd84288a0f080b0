/* When memory runs out, the program says so; it never crashes.
 *
 * The program runs under ever higher limits of memory (ulimit -v), so
 * that one allocation after another is the first to fail. */
#include "test_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

static const size_t step = (size_t)256 << 10;
static const size_t plenty = (size_t)1 << 30;

/* The program to test; a shell takes its place, sets the limit, and makes
 * room for it. */
static char program[4096] = "./rung";

/* Run with at most `limit` bytes of address space. */
static struct outcome run_within(size_t limit, char *command,
                                 const char *input, size_t size)
{
    char script[80], *model = test_path("models/tiny-chat");
    char *arguments[] = {"sh", "-c",  script, program, command,
                         "-m", model, "-",    NULL};
    snprintf(script, sizeof script, "ulimit -v %zu && exec \"$0\" \"$@\"",
             limit / 1024);
    struct outcome o = run_rung(arguments, input, size);
    free(model);
    return o;
}

/* False when there was too little memory even to start: then the system's
 * loader says so, with a status of its own. */
static bool started(const struct outcome *o)
{
    return o->status == 0 || (o->status == 1 && o->err.size > 6 &&
                              memcmp(o->err.data, "rung: ", 6) == 0);
}

/* Raise the limit until the program does its work; from its start to there it
 * must end with an error in words.  (Of a failed allocation, jansson says now
 * and then that the text is wrong.) */
static void expect_words(char *command, char *input, size_t size,
                         const struct outcome *whole)
{
    bool has_started = false, done = false;
    int failures = 0;
    for (size_t limit = step; !done && limit < plenty; limit += step) {
        struct outcome o = run_within(limit, command, input, size);
        has_started = has_started || started(&o);
        done = o.status == 0;
        if (has_started && !done) {
            failures++;
            assert_true(started(&o));
            assert_true(strstr(o.err.data, "memory") ||
                        strstr(o.err.data, "not JSON"));
        }
        if (done) {
            assert_int_equal(o.out.size, whole->out.size);
            assert_memory_equal(o.out.data, whole->out.data, o.out.size);
        }
        outcome_free(&o);
    }
    assert_true(done);
    print_message("%d limits too low\n", failures);
}

static void expect_words_for(char *command, char *input, size_t size)
{
    struct outcome whole = run_within(plenty, command, input, size);
    bool works = whole.status == 0;
    if (works)
        expect_words(command, input, size, &whole);
    else
        print_message("limits of memory do not work here\n");
    outcome_free(&whole);
    if (!works)
        skip();
}

static void encoding_needs_memory(void **state)
{
    (void)state;
    static char text[200000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i < sizeof text / 2 ? 'a' : (char)(' ' + i * i % 90);
    expect_words_for("encode", text, sizeof text);
}

static void decoding_needs_memory(void **state)
{
    (void)state;
    static char ids[400000];
    for (size_t i = 0; i + 4 <= sizeof ids; i += 4)
        memcpy(ids + i, "777 ", 4);
    expect_words_for("decode", ids, sizeof ids);
}

/* run_rung runs what RUNG names. */
static int put_shell_first(void **state)
{
    (void)state;
    const char *named = getenv("RUNG");
    if (named)
        snprintf(program, sizeof program, "%s", named);
    return setenv("RUNG", "/bin/sh", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_needs_memory),
        cmocka_unit_test(decoding_needs_memory),
    };
    return cmocka_run_group_tests(tests, put_shell_first, NULL);
}

/* A text is read in chunks by every command that runs one: what the layers
 * compute with then has the room of a chunk, and not of the text. */
#include "test_commands.h"

enum room {
    STEP = 256,           /* KiB: limits of memory are tried this exactly */
    PLENTY = 1024 * 1024, /* KiB */
    SENTENCES = 160       /* of six tokens */
};

/* Whether a command (ended by NULL) reads a long text within `limit` KiB of
 * address space. */
static bool runs_within(size_t limit, char *const *command)
{
    char script[80], text[SENTENCES * sizeof france] = "";
    char *arguments[12] = {"sh", "-c", script, getenv("RUNG_PROGRAM")};
    for (size_t i = 0; command[i]; i++)
        arguments[4 + i] = command[i];
    for (int i = 0; i < SENTENCES; i++)
        strcat(strcat(text, france), " ");
    snprintf(script, sizeof script, "ulimit -v %zu && exec \"$0\" \"$@\"",
             limit);
    struct outcome o = run_rung(arguments, text, strlen(text) - 1);
    bool done = o.status == 0;
    outcome_free(&o);
    return done;
}

/* The least limit in KiB that is enough. */
static size_t least_limit(char *const *command)
{
    size_t low = 0, high = PLENTY;
    if (!runs_within(PLENTY, command)) {
        print_message("limits of memory do not work here\n");
        skip();
    }
    while (high - low > STEP) {
        size_t middle = (low + high) / 2;
        if (runs_within(middle, command))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void what_comes_next_has_the_room_of_a_chunk(void **state)
{
    (void)state;
    char *const chunk[] = {"generate", "-n", "1", "-", NULL};
    char *const whole[] = {"generate", "-n", "1", "--chunk",
                           "1000",     "-",  NULL};
    char *const next[] = {"next", "-", NULL};
    char *const sample[] = {"sample", "-", NULL};
    size_t enough = least_limit(chunk) + 2 * 1024;
    assert_false(runs_within(enough, whole));
    assert_true(runs_within(enough, next));
    assert_true(runs_within(enough, sample));
}

/* run_rung runs what RUNG names: a shell, which sets the limit.  The small
 * model reads a long text in little time. */
static int put_shell_first(void **state)
{
    char *small = test_path("models/tiny-draft");
    int failed = name_model(state) || setenv("RUNG_MODEL", small, 1);
    free(small);
    return failed || setenv("RUNG_PROGRAM", getenv("RUNG"), 1) ||
           setenv("RUNG", "/bin/sh", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_next_has_the_room_of_a_chunk),
    };
    return cmocka_run_group_tests(tests, put_shell_first, NULL);
}

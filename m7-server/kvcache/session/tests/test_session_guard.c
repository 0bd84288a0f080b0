/* A session's file that loses its bytes while it is read ends the program with
 * its name, and not with a signal that says nothing.
 *
 * This program has an XXH3_64bits of its own, which is called where the file
 * has been opened and its bytes are about to be used: at that moment another
 * program cuts the file off. */
#include "test_made_session.h"

#include <signal.h>
#include <sys/wait.h>
#include <xxhash.h>

XXH64_hash_t XXH3_64bits(const void *data, size_t size)
{
    const volatile unsigned char *bytes = data;
    if (truncate("s", 0))
        _exit(101);
    return bytes[size - 1];
}

/* Load it in a child, whose standard error goes to the file "said". */
static void a_file_that_shrinks_is_named(void **state)
{
    (void)state;
    char said[200] = "";
    int status = 0;
    save_filled("s", LENGTH);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct session s;
        struct error e;
        signal(SIGBUS, SIG_DFL);
        if (!freopen("said", "w", stderr))
            _exit(102);
        session_load("s", &s, &e);
        _exit(103);
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    assert_non_null(fgets(said, sizeof said, f));
    fclose(f);
    assert_non_null(strstr(said, "s: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_file_that_shrinks_is_named),
    };
    return cmocka_run_group_tests_name("session guard", tests, NULL, NULL);
}

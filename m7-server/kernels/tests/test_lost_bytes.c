/* Threads that all come to bytes that a file has lost: the message is there,
 * once, and the program ends as it does with one thread. */
#include "guard.h"
#include "threads.h"

#include "test_files.h"
#include "test_run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

enum lost_sizes {
    LOST_BYTES = 1 << 16,
    LOST_THREADS = 4,
    LOST_TRIES = 40
};

static void read_last_byte(void *work, size_t index, size_t count)
{
    const struct mapping *m = work;
    const volatile unsigned char *bytes = m->data;
    (void)index;
    (void)count;
    (void)bytes[LOST_BYTES - 1];
}

/* In a child. */
static void read_lost_bytes(void)
{
    struct mapping m;
    struct guard guard;
    struct threads *t;
    struct error e;
    if (mapping_open(&m, "lost", &e) || threads_open(&t, LOST_THREADS, &e))
        _exit(100);
    guard_begin(&guard, &m, 1);
    if (truncate("lost", 1))
        _exit(101);
    threads_run(t, read_last_byte, &m);
    _exit(0);
}

static int status_of_child(void)
{
    static const char zeros[LOST_BYTES];
    int status = 0;
    write_file("lost", zeros, sizeof zeros);
    write_text("said", "");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("said", "w", stderr))
            _exit(102);
        read_lost_bytes();
    }
    waitpid(child, &status, 0);
    return status;
}

static void assert_message(void)
{
    char said[500] = "";
    FILE *f = fopen("said", "r");
    assert_non_null(f);
    said[fread(said, 1, sizeof said - 1, f)] = 0;
    fclose(f);
    assert_string_equal(said,
                        "rung: lost: byte 65535 cannot be read: the file has "
                        "shrunk since it was opened, or its disk has "
                        "failed\n");
}

static void the_first_thread_says_it_for_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < LOST_TRIES; i++) {
        int status = status_of_child();
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
        assert_message();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_thread_says_it_for_all,
                                        scratch_enter, scratch_leave),
    };
    return cmocka_run_group_tests_name("lost_bytes", tests, NULL, NULL);
}

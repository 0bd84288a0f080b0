/* Linked into every test program, not into ./rung: how a test ends that
 * meets a function which is not written yet, and how one test of a program
 * is run alone: $ONLY_TEST names it. */
#include "not_written.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static pthread_t test_thread;
static pid_t test_process;

/* cmocka jumps out of the test, which only its own thread can do. */
static void end_test(const char *name)
{
    if (getpid() == test_process && pthread_equal(pthread_self(), test_thread))
        fail_msg("not written yet: %s", name);
    fprintf(stderr, "not written yet: %s\n", name);
    _exit(3);
}

__attribute__((constructor)) static void before_main(void)
{
    const char *only = getenv("ONLY_TEST");
    test_thread = pthread_self();
    test_process = getpid();
    not_written_ends(end_test);
    if (only && *only)
        cmocka_set_test_filter(only);
}

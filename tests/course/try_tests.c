
/* --- only where small mistakes are tried --------------------------------
 *
 * Appended to end_test.c.  The tests are compiled so that what they call
 * instead of cmocka is try_tests.  $TRY_TESTS is a file of lines "SECONDS
 * TEST": it runs these tests in this order, each in a process of its own, for
 * each of $TRY_MUTANTS, numbers, until one fails; and says which. */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define MOST_TESTS 4096

#undef _cmocka_run_group_tests
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests,
                            size_t n, CMFixtureFunction setup,
                            CMFixtureFunction teardown);

int try_tests(const char *name, const struct CMUnitTest *tests, size_t n,
              CMFixtureFunction setup, CMFixtureFunction teardown);

static void set_limit(int what, rlim_t most, rlim_t end)
{
    struct rlimit limit = {most, end};
    setrlimit(what, &limit);
}

/* Between two alarms, by the clock on the wall. */
static unsigned alarm_seconds;

/* Ends a test that waits and does nothing.  One that works, however slowly on
 * a busy machine, has its limit of processor time. */
static void look_after(int number)
{
    static clock_t before;
    clock_t now = clock();
    if (now - before < CLOCKS_PER_SEC / 100) {
        signal(number, SIG_DFL);
        raise(number);
    }
    before = now;
    alarm(alarm_seconds);
}

/* In a child. */
static void set_limits(unsigned seconds)
{
    struct sigaction act = {.sa_handler = look_after, .sa_flags = SA_RESTART};
    set_limit(RLIMIT_CORE, 0, 0);
    if (!getenv("TRY_ALL_MEMORY"))
        set_limit(RLIMIT_DATA, (rlim_t)2 << 30, (rlim_t)2 << 30);
    set_limit(RLIMIT_CPU, seconds, seconds + 1);
    sigaction(SIGALRM, &act, NULL);
    alarm(alarm_seconds = 4 * seconds);
    if (!freopen("/dev/null", "w", stdout) ||
        !freopen("/dev/null", "w", stderr))
        exit(1);
}

/* What the end of a child shows; NULL when its test passed. */
static const char *seen(int status)
{
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status) ? "killed" : NULL;
    int signal = WTERMSIG(status);
    return signal == SIGXCPU || signal == SIGALRM || signal == SIGKILL
               ? "hangs"
               : "killed";
}

static const char *try_test(const struct CMUnitTest *test, unsigned seconds,
                            CMFixtureFunction setup,
                            CMFixtureFunction teardown)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        set_limits(seconds);
        exit(_cmocka_run_group_tests(test->name, test, 1, setup, teardown));
    }
    return child < 0 || waitpid(child, &status, 0) != child ? "killed"
                                                            : seen(status);
}

/* The wanted tests, in their order, those that have seen mistakes first. */
struct trial {
    const struct CMUnitTest *tests[MOST_TESTS];
    unsigned seconds[MOST_TESTS];
    size_t n;
    CMFixtureFunction setup, teardown;
};

static void read_tests(struct trial *t, FILE *file,
                       const struct CMUnitTest *tests, size_t n)
{
    char wanted[512];
    unsigned seconds;
    while (fscanf(file, "%u %511[^\n]", &seconds, wanted) == 2)
        for (size_t i = 0; i < n && t->n < MOST_TESTS; i++)
            if (!strcmp(tests[i].name, wanted)) {
                t->tests[t->n] = &tests[i];
                t->seconds[t->n++] = seconds;
            }
}

static void to_front(struct trial *t, size_t i)
{
    const struct CMUnitTest *test = t->tests[i];
    unsigned seconds = t->seconds[i];
    memmove(t->tests + 1, t->tests, i * sizeof *t->tests);
    memmove(t->seconds + 1, t->seconds, i * sizeof *t->seconds);
    t->tests[0] = test;
    t->seconds[0] = seconds;
}

/* Prints what becomes of a mutant, and by which test. */
static void try_mutant(struct trial *t, const char *mutant)
{
    int *number = dlsym(dlopen(NULL, RTLD_LAZY), "mutant_number");
    setenv("MUTANT", mutant, 1);
    if (number)
        *number = atoi(mutant);
    for (size_t i = 0; i < t->n; i++) {
        const char *result = try_test(t->tests[i], t->seconds[i], t->setup,
                                      t->teardown);
        if (result) {
            printf("TRIED %s %s %s\n", mutant, result, t->tests[i]->name);
            to_front(t, i);
            return;
        }
    }
    printf("TRIED %s alive\n", mutant);
}

int try_tests(const char *name, const struct CMUnitTest *tests, size_t n,
              CMFixtureFunction setup, CMFixtureFunction teardown)
{
    static struct trial t;
    const char *mutants = getenv("TRY_MUTANTS");
    FILE *file = mutants ? fopen(getenv("TRY_TESTS"), "r") : NULL;
    if (!file)
        return _cmocka_run_group_tests(name, tests, n, setup, teardown);
    t = (struct trial){.setup = setup, .teardown = teardown};
    read_tests(&t, file, tests, n);
    fclose(file);
    char *list = strdup(mutants);
    for (char *m = strtok(list, " "); m && t.n; m = strtok(NULL, " "))
        try_mutant(&t, m);
    free(list);
    return 0;
}

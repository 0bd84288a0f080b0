/* Ctrl-C ends a text, and not the program before it has said how far it
 * came. */
#include "test_commands.h"

#include <signal.h>

static char story[] = "Once upon a time";

/* A program that writes into a pipe, of which `out` is the end to read. */
struct running {
    pid_t child;
    int out;
    FILE *err;
    char text[8192]; /* what it has written so far */
    size_t size;
    struct bytes told; /* at the end: what it said on standard error */
    int status;
};

/* Start it; `heeds` is SIG_DFL, or SIG_IGN as for a job in the background. */
static void start_rung(struct running *r, char **words, void (*heeds)(int))
{
    int ends[2];
    need_model();
    *r = (struct running){.err = tmpfile()};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    r->child = fork();
    if (r->child == 0) {
        FILE *const files[3] = {tmpfile(), fdopen(ends[1], "w"), r->err};
        signal(SIGINT, heeds);
        close(ends[0]);
        become_rung(words, files);
    }
    close(ends[1]);
    r->out = ends[0];
}

/* Read until these words have come, or the end. */
static void read_until(struct running *r, const char *words)
{
    while (!words || !strstr(r->text, words)) {
        ssize_t n =
            read(r->out, r->text + r->size, sizeof r->text - 1 - r->size);
        if (n <= 0)
            return;
        r->size += (size_t)n;
    }
}

/* Press Ctrl-C, and see what comes then. */
static void interrupt(struct running *r)
{
    kill(r->child, SIGINT);
    read_until(r, NULL);
    waitpid(r->child, &r->status, 0);
    close(r->out);
    read_back(r->err, &r->told);
}

static void assert_interrupted(const struct running *r)
{
    assert_true(WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGINT);
    assert_non_null(strstr(r->told.data, ", interrupted\n"));
}

/* Nothing but Ctrl-C ends this text early: 4087 and 4089 would. */
static void ctrl_c_ends_it_cleanly(void **state)
{
    (void)state;
    struct running r;
    struct outcome whole =
        run_rung(WORDS("generate", story, "-q", "-n", "4"), "", 0);
    start_rung(&r,
               WORDS("generate", story, "-n", "300", "--bias", "4087=-100",
                     "--bias", "4089=-100"),
               SIG_DFL);
    read_until(&r, ",");
    interrupt(&r);
    assert_interrupted(&r);
    size_t n_read = 0, n_written = 300;
    sscanf(r.told.data, "\n%zu read, %zu written in ", &n_read, &n_written);
    assert_true(n_read == 4 && n_written < 300);
    size_t n = r.size < whole.out.size ? r.size : whole.out.size;
    assert_memory_equal(r.text, whole.out.data, n);
    bytes_free(&r.told);
    outcome_free(&whole);
}

static void ctrl_c_ends_all_continuations(void **state)
{
    (void)state;
    struct running r;
    start_rung(&r,
               WORDS("generate", france, "--samples", "2", "-n", "40",
                     "--seed", "1", "--bias", "4087=-100", "--bias",
                     "4089=-100"),
               SIG_DFL);
    read_until(&r, "--- 1 of 2 ---\n");
    interrupt(&r);
    assert_interrupted(&r);
    assert_null(strstr(r.text, "--- 2 of 2 ---"));
    bytes_free(&r.told);
}

static void who_ignores_ctrl_c_goes_on_doing_so(void **state)
{
    (void)state;
    struct running r;
    struct outcome whole =
        run_rung(WORDS("generate", story, "-q", "-n", "12"), "", 0);
    start_rung(&r, WORDS("generate", story, "-n", "12"), SIG_IGN);
    read_until(&r, ",");
    interrupt(&r);
    assert_true(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0);
    assert_int_equal(r.size, whole.out.size);
    assert_memory_equal(r.text, whole.out.data, r.size);
    bytes_free(&r.told);
    outcome_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctrl_c_ends_it_cleanly),
        cmocka_unit_test(ctrl_c_ends_all_continuations),
        cmocka_unit_test(who_ignores_ctrl_c_goes_on_doing_so),
    };
    return cmocka_run_group_tests_name("interrupt", tests, name_model, NULL);
}

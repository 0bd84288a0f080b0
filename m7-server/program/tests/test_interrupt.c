/* Ctrl-C ends a text, and not the program before it has said how far it
 * came. */
#include "test_commands.h"

#include <signal.h>
#include <time.h>

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

/* Wait until it has a handler for Ctrl-C; where the system does not tell, for
 * a while. */
static void wait_for_handler(const struct running *r)
{
    char path[64], line[200];
    unsigned long long caught = 0;
    const struct timespec moment = {.tv_nsec = 1000000},
                          longer = {.tv_nsec = 300000000};
    snprintf(path, sizeof path, "/proc/%ld/status", (long)r->child);
    if (access(path, R_OK) != 0)
        nanosleep(&longer, NULL);
    while ((caught >> (SIGINT - 1) & 1) == 0) {
        FILE *f = fopen(path, "r");
        if (!f)
            return;
        while (fgets(line, sizeof line, f))
            sscanf(line, "SigCgt: %llx", &caught);
        fclose(f);
        nanosleep(&moment, NULL);
    }
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
    sscanf(r.told.data, "\n%zu read in %*f s: %*f tokens/s\n%zu written in ",
           &n_read, &n_written);
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

/* A prompt of many tokens, read one by one. */
static char *long_prompt(void)
{
    static const char words[] = "The dog ran. ";
    static char text[200 * sizeof words];
    for (size_t i = 0; i < 200; i++)
        memcpy(text + i * (sizeof words - 1), words, sizeof words);
    return text;
}

/* How many tokens a session's file holds. */
static size_t count_kept(char *path)
{
    size_t n = 0;
    struct outcome o = run_rung(WORDS("session", "show", path), "", 0);
    assert_int_equal(o.status, 0);
    assert_int_equal(sscanf(o.out.data, "tokens %zu", &n), 1);
    outcome_free(&o);
    return n;
}

/* It says how much it has read of the prompt, and --save keeps that. */
static void ctrl_c_ends_the_reading_of_a_prompt(void **state)
{
    (void)state;
    struct running r;
    char folder[] = "/tmp/rung-interrupt-XXXXXX", path[60];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kept", folder);
    start_rung(&r,
               WORDS("generate", long_prompt(), "--chunk", "1", "-n", "1",
                     "--save", path),
               SIG_DFL);
    wait_for_handler(&r);
    interrupt(&r);
    assert_interrupted(&r);
    size_t n_read = 0;
    assert_int_equal(sscanf(r.told.data, "%zu read", &n_read), 1);
    assert_true(n_read < 800 && r.size == 0);
    assert_non_null(strstr(r.told.data, "\n0 written, interrupted\n"));
    assert_int_equal(count_kept(path), n_read);
    unlink(path);
    rmdir(folder);
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
        cmocka_unit_test(ctrl_c_ends_the_reading_of_a_prompt),
        cmocka_unit_test(who_ignores_ctrl_c_goes_on_doing_so),
    };
    return cmocka_run_group_tests_name("interrupt", tests, name_model, NULL);
}

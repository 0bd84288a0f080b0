/* The command that quantizes a model: what it says, what it refuses, and that
 * one which is stopped or killed leaves no half of a model. */
#include "folder.h"
#include "random.h"
#include "test_commands.h"

#include <signal.h>
#include <time.h>

enum kill_sizes { KILLS = 12 };

static struct outcome quantize(char **words)
{
    need_model();
    return run_rung(words, "", 0);
}

#define QUANTIZE(...) WORDS("quantize", getenv("RUNG_MODEL"), __VA_ARGS__)

static void it_says_what_has_become_of_the_weights(void **state)
{
    (void)state;
    need_model();
    assert_output(
        QUANTIZE("out", "--to", "int4", "--keep", "embed"), "",
        "out: int4, groups of 128\n"
        "\n"
        "                                               values  MB before  "
        " MB after    bits\n"
        "rounded                               56      6291456     12.583  "
        "    3.342   4.250\n"
        "kept, as asked                         1      1048576      2.097  "
        "    2.097  16.000\n"
        "kept: norms, biases, others           33         5376      0.011  "
        "    0.011  16.000\n"
        "all                                   90      7345408     14.691  "
        "    5.450   5.936\n");
    assert_output(WORDS("generate", "-q", "-m", "out", france, "-n", "3"), "",
                  " Paris.");
    struct outcome o = quantize(WORDS("quantize", "out", "again", "--to",
                                      "int8", "--group", "32", "--search"));
    assert_int_equal(o.status, 0);
    assert_string_equal(o.err.data,
                        "note: 56 matrices had been quantized before: what "
                        "was lost then stays lost, and rounding again adds to "
                        "it\n");
    outcome_free(&o);
}

static void its_configuration_says_what_it_is(void **state)
{
    (void)state;
    struct outcome o = quantize(QUANTIZE("out", "--to", "int8", "--keep",
                                         "embed,head", "--group", "64"));
    assert_int_equal(o.status, 0);
    outcome_free(&o);
    o = quantize(WORDS("config", "out"));
    assert_non_null(strstr(o.out.data, "quantization         rung\n"
                                       "bits                 8\n"
                                       "group_size           64\n"));
    outcome_free(&o);
    static const char *const beside[] = {
        "config.json", "generation_config.json", "model.safetensors",
        "tokenizer.json", "tokenizer_config.json"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char path[60];
        snprintf(path, sizeof path, "out/%s", beside[i]);
        assert_true(path_exists(path));
    }
}

static void what_it_does_not_know_is_refused(void **state)
{
    (void)state;
    need_model();
    assert_error(QUANTIZE("out"), 2,
                 "rung: quantize needs --to: int8 or int4\n");
    assert_error(QUANTIZE("out", "--to", "int5"), 2,
                 "rung: option --to must be int8 or int4, not \"int5\"\n");
    assert_error(QUANTIZE("out", "--to", "int4", "--group", "48"), 2,
                 "rung: option --group must be 32, 64 or 128, not 48\n");
    assert_error(QUANTIZE("out", "--to", "int4", "--keep", "embed,norm"), 2,
                 "rung: option --keep takes embed, head, or both with a "
                 "comma, not \"embed,norm\"\n");
    assert_error(QUANTIZE("out", "--to", "int4", "--calibrate", "none"), 1,
                 "rung: none: No such file or directory\n");
    assert_error(WORDS("quantize", "none", "out", "--to", "int4"), 1,
                 "rung: none/config.json: No such file or directory\n");
    assert_false(path_exists("out"));
}

/* --- one that is stopped ------------------------------------------------- */

static pid_t start_quantizing(char **words, FILE *err)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        FILE *const files[3] = {tmpfile(), tmpfile(), err};
        signal(SIGINT, SIG_DFL); /* a job in the background ignores it */
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        become_rung(words, files);
    }
    return child;
}

static size_t count_all(void)
{
    size_t n = 0;
    DIR *directory = opendir(".");
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2; /* "." and ".." */
}

static void pause_for(double seconds)
{
    struct timespec t = {(time_t)seconds,
                         (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* Wait until it has begun its folder. */
static void wait_for_folder(size_t before)
{
    for (int i = 0; i < 20000 && count_all() == before; i++)
        pause_for(0.001);
    assert_true(count_all() > before);
}

/* A text that takes a while to be read. */
static void write_long_text(void)
{
    FILE *f = fopen("text", "w");
    for (int i = 0; i < 40000; i++)
        fputs("The dog ran. ", f);
    fclose(f);
}

static void a_signal_that_asks_leaves_nothing(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    need_model();
    write_long_text();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int status;
        struct bytes said = {0};
        FILE *err = tmpfile();
        pid_t child = start_quantizing(
            QUANTIZE("out", "--to", "int4", "--calibrate", "text"), err);
        wait_for_folder(1);
        kill(child, signals[i]);
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        read_back(err, &said);
        assert_string_equal(said.data,
                            "rung: interrupted; nothing was written\n");
        bytes_free(&said);
        assert_int_equal(count_all(), 1);
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What is there by this name can be used. */
static void assert_whole(void)
{
    struct outcome o =
        quantize(WORDS("next", "-m", "out", france, "-k", "1"));
    assert_string_equal(o.err.data, "");
    assert_int_equal(o.status, 0);
    outcome_free(&o);
    remove_folder("out");
}

/* Killed by a signal that nothing can catch, at moments over the time that it
 * takes.  What it leaves has another name, and the next one removes it. */
static void a_kill_at_any_moment_leaves_no_half_of_a_model(void **state)
{
    (void)state;
    struct random r;
    size_t left = 0, whole = 0;
    random_init(&r, 2026, 0);
    double began = seconds_now();
    struct outcome o = quantize(QUANTIZE("out", "--to", "int4"));
    double longest = seconds_now() - began;
    outcome_free(&o);
    assert_whole();
    for (int i = 0; i < KILLS; i++) {
        FILE *err = tmpfile();
        pid_t child =
            start_quantizing(QUANTIZE("out", "--to", "int4"), err);
        pause_for(random_share(&r) * longest);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        fclose(err);
        whole += path_exists("out");
        left = count_all() - path_exists("out");
        if (path_exists("out"))
            assert_whole();
        /* one killed before it has swept leaves another folder */
    }
    print_message("%.0f ms; killed %d times: %zu whole, %zu left behind\n",
                  longest * 1e3, KILLS, whole, left);
    o = quantize(QUANTIZE("out", "--to", "int4"));
    assert_int_equal(o.status, 0);
    outcome_free(&o);
    assert_int_equal(count_all(), 1);
    assert_whole();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(it_says_what_has_become_of_the_weights),
        SCRATCH(its_configuration_says_what_it_is),
        SCRATCH(what_it_does_not_know_is_refused),
        SCRATCH(a_signal_that_asks_leaves_nothing),
        SCRATCH(a_kill_at_any_moment_leaves_no_half_of_a_model),
    };
    return cmocka_run_group_tests_name("cmd_quantize", tests, name_model,
                                       NULL);
}

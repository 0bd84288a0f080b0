/* The line that says how far long work is. */
#include "progress.h"

#include "test_run.h"

static void assert_line(const char *what, size_t first, size_t done,
                        size_t all, double seconds, const char *expected)
{
    char line[160];
    struct progress p = {.first = first};
    snprintf(p.what, sizeof p.what, "%s", what);
    progress_text(&p, done, all, seconds, line, sizeof line);
    assert_string_equal(line, expected);
}

static void a_line_says_how_much_is_done_and_how_long_it_takes(void **state)
{
    (void)state;
    assert_line("writing", 0, 0, 100, 0,
                "writing      [------------------------------]   0%");
    assert_line("writing", 0, 50, 100, 10,
                "writing      [###############---------------]  50%"
                "  0:10 left");
    assert_line("writing", 0, 99, 100, 99,
                "writing      [#############################-]  99%"
                "  0:01 left");
    assert_line("calibrating", 0, 1, 100, 300,
                "calibrating  [------------------------------]   1%"
                "  8:15:00 left");
    assert_line("writing", 0, 7, 7, 2,
                "writing      [##############################] 100%"
                "  0:00 left");
}

/* What was done before the line began tells nothing of the speed. */
static void the_time_left_is_by_what_was_seen(void **state)
{
    (void)state;
    assert_line("writing", 60, 80, 100, 30,
                "writing      [########################------]  80%"
                "  0:30 left");
    assert_line("writing", 60, 60, 100, 30,
                "writing      [##################------------]  60%");
    assert_line("writing", 0, 50, 100, 0.9,
                "writing      [###############---------------]  50%");
    assert_line("writing", 0, 0, 0, 5,
                "writing      [##############################] 100%");
}

/* Standard error is a file here. */
static void without_a_terminal_nothing_is_shown(void **state)
{
    (void)state;
    int kept = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    struct progress p = {0};
    dup2(fileno(file), STDERR_FILENO);
    progress_show(&p, "writing", 1, 2);
    progress_end(&p);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_how_much_is_done_and_how_long_it_takes),
        cmocka_unit_test(the_time_left_is_by_what_was_seen),
        cmocka_unit_test(without_a_terminal_nothing_is_shown),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}

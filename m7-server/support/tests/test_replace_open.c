/* What a replacement opens and names: the new file stands beside the old one,
 * nothing stays open, and nothing else is closed. */
#include "replace.h"

#include "test_files.h"
#include "test_open_files.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

static void begin(struct replacement *r, const char *path)
{
    struct error e = {ERROR_NONE, ""};
    int result = replace_begin(r, path, &e);
    assert_string_equal(e.message, "");
    assert_int_equal(result, 0);
}

static void assert_nothing_held(const struct replacement *r)
{
    assert_true(!r->file && !r->name && !r->target);
    assert_int_equal(r->folder, -1);
}

static void assert_named(const char *path, const char *start)
{
    struct replacement r;
    begin(&r, path);
    assert_string_equal(r.target, path);
    assert_int_equal(strncmp(r.name, start, strlen(start)), 0);
    assert_int_equal(strlen(r.name), strlen(start) + 6);
    assert_int_equal(access(r.name, F_OK), 0);
    assert_true(fcntl(r.folder, F_GETFD) & FD_CLOEXEC);
    replace_cancel(&r);
    assert_nothing_held(&r);
}

/* open_folder() of the folder that both are in, which no program that is
 * started meanwhile has open too. */
static void the_new_file_stands_beside_the_old_one(void **state)
{
    (void)state;
    mkdir("f", 0700);
    mkdir("f/g", 0700);
    assert_named("x", ".rung.");
    assert_named("f/x", "f/.rung.");
    assert_named("f/g/x", "f/g/.rung.");
    write_text("x", "old");
    assert_named("x", ".rung.");
}

static void nothing_stays_open(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    int before = count_open();
    mkdir("folder", 0700);
    assert_int_equal(replace_check("folder", &e), -1);
    assert_int_equal(replace_check("none/x", &e), -1);
    assert_int_equal(count_open(), before);
    write_text(".rung.k3Yp0a", "left");
    begin(&r, "x");
    replace_cancel(&r);
    assert_int_equal(count_open(), before);
    begin(&r, "x");
    assert_int_equal(replace_end(&r, &e), 0);
    assert_nothing_held(&r);
    assert_int_equal(count_open(), before);
}

static void what_is_refused_closes_nothing_else(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    int before[3];
    mkdir("folder", 0700);
    for (int file = 0; file < 3; file++)
        before[file] = fcntl(file, F_GETFD);
    assert_int_equal(replace_begin(&r, "folder", &e), -1);
    assert_nothing_held(&r);
    for (int file = 0; file < 3; file++)
        assert_int_equal(fcntl(file, F_GETFD), before[file]);
}

/* The new file may then be number 0. */
static void a_program_may_have_no_standard_input(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    int before = dup(0);
    close(0);
    int began = replace_begin(&r, "x", &e);
    int ended = began ? -1 : replace_end(&r, &e);
    int closed = fcntl(0, F_GETFD);
    if (before >= 0)
        dup2(before, 0);
    close(before);
    assert_int_equal(began, 0);
    assert_int_equal(ended, 0);
    assert_int_equal(closed, -1);
    assert_int_equal(access("x", F_OK), 0);
}

/* Nobody here leaves a link or a pipe; a pipe would never open,
 * and what a link leads to is somebody else's. */
static void only_files_are_swept(void **state)
{
    (void)state;
    struct replacement r;
    struct stat s;
    write_text("other", "kept");
    assert_int_equal(symlink("other", ".rung.link00"), 0);
    assert_int_equal(mkfifo(".rung.pipe00", 0600), 0);
    begin(&r, "x");
    replace_cancel(&r);
    assert_int_equal(lstat(".rung.link00", &s), 0);
    assert_int_equal(lstat(".rung.pipe00", &s), 0);
    assert_int_equal(access("other", F_OK), 0);
}

/* That some may stay is no error. */
static void what_cannot_be_swept_stays(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    struct rlimit before;
    write_text(".rung.k3Yp0a", "left");
    assert_true(let_open(2, &before));
    int result = replace_begin(&r, "x", &e);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(result, 0);
    assert_int_equal(access(".rung.k3Yp0a", F_OK), 0);
    replace_cancel(&r);
}

/* For the folder there is no number left. */
static void a_folder_that_cannot_be_opened_is_an_error(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    struct rlimit before;
    assert_true(let_open(1, &before));
    int result = replace_begin(&r, "x", &e);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, ".: Too many open files");
    assert_nothing_held(&r);
}

/* open_folder() where the new file has taken the last descriptor. */
static void a_folder_that_cannot_be_opened_keeps_the_old_one(void **state)
{
    (void)state;
    struct replacement r;
    struct error asked, e;
    struct rlimit before;
    mkdir("f", 0700);
    write_text("f/x", "old");
    assert_true(let_open(1, &before));
    int checked = replace_check("f/x", &asked);
    int result = replace_begin(&r, "f/x", &e);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(checked, -1);
    assert_string_equal(asked.message, "f: Too many open files");
    assert_int_equal(result, -1);
    assert_string_equal(e.message, "f: Too many open files");
    assert_int_equal(unlink("f/x"), 0);
    assert_int_equal(rmdir("f"), 0); /* nothing was left beside it */
}

/* An old file that is there, but cannot be asked. */
static void an_old_file_that_leads_nowhere_stays(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    begin(&r, "x");
    assert_int_equal(symlink("x", "x"), 0);
    assert_int_equal(replace_end(&r, &e), -1);
    assert_string_equal(e.message, "x: Too many levels of symbolic links; "
                                   "nothing was changed");
    assert_nothing_held(&r);
}

/* What a thread does that ends the process while another one writes. */
static void a_process_that_stops_leaves_no_new_file(void **state)
{
    (void)state;
    struct replacement r[3];
    struct error e;
    int status;
    mkdir("f", 0700);
    pid_t child = fork();
    if (child == 0) {
        begin(&r[0], "x");
        begin(&r[1], "f/y");
        begin(&r[2], "z");
        int failed = replace_end(&r[2], &e) || access(r[0].name, F_OK) ||
                     access(r[1].name, F_OK);
        replace_stop();
        _exit(failed || access(r[0].name, F_OK) == 0 ||
              access(r[1].name, F_OK) == 0);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(access("z", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(the_new_file_stands_beside_the_old_one),
        SCRATCH(nothing_stays_open),
        SCRATCH(what_is_refused_closes_nothing_else),
        SCRATCH(a_program_may_have_no_standard_input),
        SCRATCH(only_files_are_swept),
        SCRATCH(what_cannot_be_swept_stays),
        SCRATCH(a_folder_that_cannot_be_opened_is_an_error),
        SCRATCH(a_folder_that_cannot_be_opened_keeps_the_old_one),
        SCRATCH(an_old_file_that_leads_nowhere_stays),
        SCRATCH(a_process_that_stops_leaves_no_new_file),
    };
    return cmocka_run_group_tests_name("replace, what is open", tests, NULL,
                                       NULL);
}

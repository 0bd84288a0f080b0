/* A file has its old content or its new one, and nothing is left beside it. */
#include "replace.h"

#include "test_files.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>
#undef fail /* cmocka's; here it is ours */

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

static void assert_content(const char *path, const char *expected)
{
    char found[100];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(found, 1, sizeof found - 1, f);
    fclose(f);
    found[n] = 0;
    assert_string_equal(found, expected);
}

static size_t count_files(const char *folder)
{
    size_t n = 0;
    DIR *directory = opendir(folder);
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2; /* "." and ".." */
}

static void assert_replaced(const char *path, const char *text)
{
    struct error e;
    assert_int_equal(replace_file(path, text, strlen(text), &e), 0);
    assert_content(path, text);
}

static void assert_fails(const char *path, const char *text,
                         const char *message)
{
    struct error e;
    assert_int_equal(replace_file(path, text, strlen(text), &e), -1);
    assert_string_equal(e.message, message);
}

static void a_file_is_made_or_replaced(void **state)
{
    (void)state;
    assert_replaced("x", "old, and longer");
    assert_replaced("x", "new");
    assert_replaced("x", "");
    assert_int_equal(count_files("."), 1);
    mkdir("f", 0700);
    assert_replaced("f/x", "in a folder");
    assert_int_equal(count_files("f"), 1);
}

static void only_its_owner_may_read_it(void **state)
{
    (void)state;
    struct stat s;
    write_text("x", "old");
    chmod("x", 0644);
    assert_replaced("x", "new");
    assert_int_equal(stat("x", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
}

static void whoever_has_the_old_one_open_keeps_it(void **state)
{
    (void)state;
    char found[4] = "";
    write_text("x", "old");
    FILE *f = fopen("x", "rb");
    assert_replaced("x", "new");
    assert_int_equal(fread(found, 1, 3, f), 3);
    assert_string_equal(found, "old");
    fclose(f);
}

enum users {
    ROOT = 0,
    NOBODY = 65534
};

/* To root every folder is writable, so root becomes nobody for a while. */
static void become(uid_t user)
{
    if (seteuid(user) == 0)
        return;
    print_message("SKIPPED: root may write everywhere\n");
    skip();
}

static void a_folder_that_refuses_keeps_the_old_one(void **state)
{
    (void)state;
    bool root = geteuid() == ROOT;
    chmod(".", 0711);
    mkdir("f", 0700);
    write_text("f/x", "old");
    chmod("f", 0500);
    assert_int_equal(root ? chown("f", NOBODY, (gid_t)-1) : 0, 0);
    if (root)
        become(NOBODY);
    assert_fails("f/x", "new", "f/x: Permission denied");
    chmod("f", 0300);
    assert_fails("f/x", "new", "f: Permission denied");
    if (root)
        become(ROOT);
    chmod("f", 0700);
    assert_content("f/x", "old");
    assert_int_equal(count_files("f"), 1);
}

static void a_path_that_cannot_be_is_an_error(void **state)
{
    (void)state;
    assert_fails("f/x", "new", "f/x: No such file or directory");
    mkdir("f", 0700);
    assert_fails("f", "new", "f: Is a directory");
    assert_int_equal(count_files("f"), 0);
    assert_int_equal(count_files("."), 1);
}

/* A limit on the size of files stands for a disk that is full: of the new
 * content 10 bytes are written, then no more. */
static void a_full_disk_keeps_the_old_one(void **state)
{
    (void)state;
    struct rlimit before, small;
    struct error e;
    write_text("x", "old");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){10, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    int result = replace_file("x", "more than ten bytes", 19, &e);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, "x: File too large");
    assert_content("x", "old");
    assert_int_equal(count_files("."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_file_is_made_or_replaced),
        SCRATCH(only_its_owner_may_read_it),
        SCRATCH(whoever_has_the_old_one_open_keeps_it),
        SCRATCH(a_folder_that_refuses_keeps_the_old_one),
        SCRATCH(a_path_that_cannot_be_is_an_error),
        SCRATCH(a_full_disk_keeps_the_old_one),
    };
    return cmocka_run_group_tests_name("replace", tests, NULL, NULL);
}

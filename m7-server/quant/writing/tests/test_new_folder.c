/* A new folder comes whole or not at all, whichever call of the system fails,
 * and what a killed process has left is swept.
 *
 * This program has its own fwrite, fsync, rename, fstatvfs and flock, which
 * fail when they are told to. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "new_folder.h"

#include "test_files.h"
#include "test_numbers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#define SCRATCH(test)                                                         \
    cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

static const char *failing; /* the function that fails, or NULL */

static bool fails_now(const char *name, int why)
{
    if (!failing || strcmp(failing, name) != 0)
        return false;
    errno = why;
    return true;
}

size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
    size_t (*real)(const void *, size_t, size_t, FILE *);
    *(void **)&real = dlsym(RTLD_NEXT, "fwrite");
    return real(data, size, fails_now("fwrite", ENOSPC) ? n - 1 : n, file);
}

int fsync(int file)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    return fails_now("fsync", EIO) ? -1 : real(file);
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "rename");
    return fails_now("rename", EACCES) ? -1 : real(from, to);
}

int fstatvfs(int file, struct statvfs *s)
{
    int (*real)(int, struct statvfs *);
    *(void **)&real = dlsym(RTLD_NEXT, "fstatvfs");
    int result = real(file, s);
    if (fails_now("fstatvfs", 0))
        s->f_bavail = 1;
    return result;
}

static const char *finishing; /* a folder that is finished just before
                                 somebody else locks it; or NULL */
static int locks_that_fail, why_locks_fail;

static bool is_folder(int file, const char *path)
{
    struct stat a, b;
    return path && fstat(file, &a) == 0 && stat(path, &b) == 0 &&
           a.st_ino == b.st_ino;
}

int flock(int file, int operation)
{
    int (*real)(int, int);
    *(void **)&real = dlsym(RTLD_NEXT, "flock");
    if (is_folder(file, finishing))
        assert_int_equal(rename(finishing, "finished"), 0);
    if (locks_that_fail > 0) {
        locks_that_fail--;
        errno = why_locks_fail;
        return -1;
    }
    return real(file, operation);
}

static int write_one(const struct new_folder *f, struct error *e)
{
    FILE *file = new_folder_file(f, "one", e);
    if (!file)
        return -1;
    int added = new_folder_add(f, file, "12345", 5, e);
    struct error unused;
    int closed = new_folder_close(f, file, added ? &unused : e);
    return added ? added : closed;
}

/* Make a folder "new" with one file in it. */
static int make_new(struct error *e)
{
    struct new_folder f;
    if (new_folder_begin(&f, "new", e))
        return -1;
    if (new_folder_check_room(&f, 1000000, e) || write_one(&f, e)) {
        new_folder_cancel(&f);
        return -1;
    }
    return new_folder_end(&f, e);
}

/* How many things are in the current folder. */
static size_t count_here(void)
{
    size_t n = 0;
    DIR *directory = opendir(".");
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2; /* "." and ".." */
}

static void it_has_its_files_and_the_users_permissions(void **state)
{
    (void)state;
    struct stat s;
    struct error e;
    mode_t mask = umask(027);
    int result = make_new(&e);
    umask(mask);
    assert_ok(result, &e);
    assert_int_equal(stat("new", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0750);
    assert_int_equal(stat("new/one", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0640);
    assert_int_equal(s.st_size, 5);
    assert_int_equal(count_here(), 1);
}

static void a_call_that_fails_leaves_nothing(void **state)
{
    (void)state;
    static const char *const calls[][2] = {
        {"fwrite", "new: No space left on device; nothing was written"},
        {"fsync", "new: Input/output error; nothing was written"},
        {"rename", "new: Permission denied; nothing was written"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct error e;
        failing = calls[i][0];
        int result = make_new(&e);
        failing = NULL;
        assert_int_equal(result, -1);
        assert_string_equal(e.message, calls[i][1]);
        assert_int_equal(e.code, ERROR_SYSTEM);
        assert_int_equal(count_here(), 0);
    }
}

static void a_disk_without_room_is_known_before(void **state)
{
    (void)state;
    struct error e;
    failing = "fstatvfs";
    int result = make_new(&e);
    failing = NULL;
    assert_int_equal(result, -1);
    assert_memory_equal(e.message,
                        "new: 1.0 MB are needed, and the disk has room for "
                        "0.0 MB; nothing was written",
                        70);
    assert_int_equal(count_here(), 0);
}

/* A file that takes the name while the folder is being written stays. */
static void a_name_that_is_taken_meanwhile_is_kept(void **state)
{
    (void)state;
    struct new_folder f;
    struct error e;
    assert_ok(new_folder_begin(&f, "new", &e), &e);
    write_text("new", "mine");
    assert_int_equal(new_folder_end(&f, &e), -1);
    assert_string_equal(e.message, "new: Not a directory; nothing was "
                                   "written");
    assert_int_equal(count_here(), 1);
    assert_int_equal(unlink("new"), 0);
}

static void make_left(const char *name)
{
    char file[40];
    mkdir(name, 0700);
    snprintf(file, sizeof file, "%s/model.safetensors", name);
    write_text(file, "half");
}

/* Only what nobody has locked, by this name, in this folder. */
static void what_was_left_is_swept(void **state)
{
    (void)state;
    struct error e;
    make_left(".rung-folder.abcdef");
    make_left(".rung-folder.ghijkl");
    make_left(".rung-folder.abcdefg");
    make_left("other");
    int locked = open(".rung-folder.ghijkl", O_RDONLY);
    assert_int_equal(flock(locked, LOCK_EX), 0);
    assert_ok(make_new(&e), &e);
    close(locked);
    assert_int_equal(access(".rung-folder.abcdef", F_OK), -1);
    assert_int_equal(access(".rung-folder.ghijkl/model.safetensors", F_OK), 0);
    assert_int_equal(count_here(), 4);
}

/* Between a sweep's look at a folder and its locking it may be finished: then
 * it has its name, and its lock is gone. */
static void what_is_finished_meanwhile_is_not_swept(void **state)
{
    (void)state;
    struct new_folder f;
    struct error e;
    make_left(".rung-folder.abcdef");
    assert_ok(new_folder_begin(&f, "new", &e), &e);
    new_folder_cancel(&f);
    assert_int_equal(access(".rung-folder.abcdef", F_OK), -1);
    make_left(".rung-folder.abcdef");
    finishing = ".rung-folder.abcdef";
    assert_ok(new_folder_begin(&f, "new", &e), &e);
    finishing = NULL;
    new_folder_cancel(&f);
    assert_int_equal(access("finished/model.safetensors", F_OK), 0);
    assert_int_equal(count_here(), 1);
}

/* Somebody's sweep has locked it first, and removes it. */
static void a_folder_that_another_has_locked_is_left_to_it(void **state)
{
    (void)state;
    struct new_folder f;
    struct error e;
    locks_that_fail = 1;
    why_locks_fail = EWOULDBLOCK;
    assert_ok(new_folder_begin(&f, "new", &e), &e);
    assert_int_equal(count_here(), 1);
    new_folder_cancel(&f);
    locks_that_fail = INT_MAX;
    assert_int_equal(new_folder_begin(&f, "new", &e), -1);
    locks_that_fail = 0;
    assert_string_equal(e.message, "new: Device or resource busy; nothing was "
                                   "written");
    assert_ok(make_new(&e), &e);
    assert_int_equal(count_here(), 1);
}

/* Where folders cannot be locked at all, nobody sweeps. */
static void a_disk_without_locks_will_do(void **state)
{
    (void)state;
    struct error e;
    make_left(".rung-folder.abcdef");
    locks_that_fail = INT_MAX;
    why_locks_fail = ENOLCK;
    int result = make_new(&e);
    locks_that_fail = 0;
    assert_ok(result, &e);
    assert_int_equal(access("new/one", F_OK), 0);
    assert_int_equal(access(".rung-folder.abcdef/model.safetensors", F_OK), 0);
}

static void a_name_may_not_be_empty(void **state)
{
    (void)state;
    struct new_folder f;
    struct error e;
    char *parent = new_folder_parent("");
    assert_string_equal(parent, ".");
    free(parent);
    assert_int_equal(new_folder_begin(&f, "", &e), -1);
    assert_string_equal(e.message, "a folder's name is empty");
}

static void two_at_once_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct new_folder a, b;
    struct error e;
    assert_ok(new_folder_begin(&a, "a", &e), &e);
    assert_ok(new_folder_begin(&b, "b/", &e), &e);
    assert_ok(write_one(&a, &e), &e);
    assert_ok(new_folder_end(&b, &e), &e);
    assert_ok(new_folder_end(&a, &e), &e);
    assert_int_equal(access("a/one", F_OK), 0);
    assert_int_equal(count_here(), 2);
}

static void its_parent_is_found(void **state)
{
    (void)state;
    static const char *const paths[][2] = {{"a/b/c", "a/b"}, {"c", "."},
                                           {"/c", "/"},      {"a/c//", "a"},
                                           {"../c/", ".."}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *parent = new_folder_parent(paths[i][0]);
        assert_string_equal(parent, paths[i][1]);
        free(parent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(it_has_its_files_and_the_users_permissions),
        SCRATCH(a_call_that_fails_leaves_nothing),
        SCRATCH(a_disk_without_room_is_known_before),
        SCRATCH(a_name_that_is_taken_meanwhile_is_kept),
        SCRATCH(what_was_left_is_swept),
        SCRATCH(what_is_finished_meanwhile_is_not_swept),
        SCRATCH(a_folder_that_another_has_locked_is_left_to_it),
        SCRATCH(a_disk_without_locks_will_do),
        SCRATCH(a_name_may_not_be_empty),
        SCRATCH(two_at_once_do_not_disturb_each_other),
        SCRATCH(its_parent_is_found),
    };
    return cmocka_run_group_tests_name("new_folder", tests, NULL, NULL);
}

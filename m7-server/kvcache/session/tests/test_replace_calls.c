/* The order of the calls that make a replacement safe, and each of them
 * failing.
 *
 * No test cuts the power.  What can be said is which calls the system gets,
 * and what it was told before: fsync of the file, when all bytes are in it,
 * comes before the renaming; fsync of its folder comes behind that.  This
 * program has an fsync and a rename of its own, which note what they are
 * called for and then call the real ones, or fail. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "session.h"

#include "replace.h"
#include "test_files.h"
#include "test_made_session.h"
#include "test_open_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

enum calls {
    MOST_CALLS = 8
};

struct call {
    const char *name;  /* "fsync file", "fsync folder" or "rename" */
    unsigned long who; /* the inode */
    long size;         /* of the file, when it was called */
};

static struct call calls[MOST_CALLS];
static size_t n_calls;
static size_t failing; /* the call that fails, counted from 1; 0: none */
static int reason;     /* its errno */

/* Note a call.  Returns -1, as it should, when it has to fail. */
static int note_call(const char *name, const struct stat *s)
{
    assert_true(n_calls < MOST_CALLS);
    calls[n_calls++] = (struct call){name, s->st_ino, (long)s->st_size};
    if (n_calls != failing)
        return 0;
    errno = reason;
    return -1;
}

int fsync(int file)
{
    struct stat s;
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    assert_int_equal(fstat(file, &s), 0);
    if (note_call(S_ISDIR(s.st_mode) ? "fsync folder" : "fsync file", &s))
        return -1;
    return real(file);
}

int rename(const char *from, const char *to)
{
    struct stat s;
    int (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "rename");
    assert_int_equal(stat(from, &s), 0);
    return note_call("rename", &s) ? -1 : real(from, to);
}

static bool cuts; /* whether a write has no room for its last byte */

size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
    size_t (*real)(const void *, size_t, size_t, FILE *);
    *(void **)&real = dlsym(RTLD_NEXT, "fwrite");
    if (!cuts || n < 2)
        return real(data, size, n, file);
    errno = ENOSPC;
    return real(data, size, n - 1, file);
}

static bool refuses; /* whether modes cannot be set */

int fchmod(int file, mode_t mode)
{
    int (*real)(int, mode_t);
    *(void **)&real = dlsym(RTLD_NEXT, "fchmod");
    if (!refuses)
        return real(file, mode);
    errno = EPERM;
    return -1;
}

static int n_taken, taken_at_most; /* new files, before they are locked */

static void remove_new_files(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while ((entry = readdir(directory)))
        if (strncmp(entry->d_name, ".rung.", 6) == 0)
            unlink(entry->d_name);
    closedir(directory);
}

/* As another process that sweeps the folder at this moment would. */
int flock(int file, int how)
{
    int (*real)(int, int);
    *(void **)&real = dlsym(RTLD_NEXT, "flock");
    if (n_taken < taken_at_most) {
        n_taken++;
        remove_new_files();
    }
    return real(file, how);
}

static bool lacks; /* whether there is no memory for a FILE */

FILE *fdopen(int file, const char *mode)
{
    FILE *(*real)(int, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "fdopen");
    if (!lacks)
        return real(file, mode);
    errno = ENOMEM;
    return NULL;
}

static void begin_noting(size_t fails, int why)
{
    n_calls = 0;
    failing = fails;
    reason = why;
}

/* The three calls, for this file in this folder. */
static void assert_order(const char *path, const char *folder)
{
    struct stat file, holder;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(stat(folder, &holder), 0);
    assert_int_equal(n_calls, 3);
    assert_string_equal(calls[0].name, "fsync file");
    assert_true(calls[0].who == file.st_ino);
    assert_int_equal(calls[0].size, file.st_size);
    assert_string_equal(calls[1].name, "rename");
    assert_true(calls[1].who == file.st_ino);
    assert_string_equal(calls[2].name, "fsync folder");
    assert_true(calls[2].who == holder.st_ino);
}

static void a_session_is_on_the_disk_before_it_has_its_name(void **state)
{
    (void)state;
    mkdir("f", 0700);
    begin_noting(0, 0);
    save_filled("s", LENGTH);
    assert_order("s", ".");
    begin_noting(0, 0);
    save_filled("f/s", LENGTH);
    assert_order("f/s", "f");
    begin_noting(0, 0);
    save_filled("f/s", LENGTH - 1);
    assert_order("f/s", "f");
    assert_int_equal(symlink("f/s", "link"), 0);
    begin_noting(0, 0);
    save_filled("link", LENGTH);
    assert_order("link", "f");
}

static size_t count_entries(void)
{
    size_t n = 0;
    DIR *directory = opendir(".");
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2; /* "." and ".." */
}

static int try_to_save(size_t n, struct error *e)
{
    struct cache c;
    open_cache(&c, CAPACITY, CHUNK);
    fill_cache(&c, n);
    int result = session_save("s", &c, model_number, e);
    cache_free(&c);
    return result;
}

static void assert_holds(size_t n)
{
    struct session s;
    load("s", &s);
    assert_filled(&s.cache, n);
    session_free(&s);
    assert_int_equal(count_entries(), 1);
}

static void a_call_that_fails_keeps_the_old_session(void **state)
{
    (void)state;
    for (size_t call = 1; call <= 2; call++) {
        struct error e;
        begin_noting(0, 0);
        save_filled("s", 3);
        begin_noting(call, ENOSPC);
        assert_int_equal(try_to_save(LENGTH, &e), -1);
        assert_string_equal(e.message,
                            "s: No space left on device; nothing was changed");
        assert_int_equal(n_calls, call);
        assert_holds(3);
    }
}

static void a_mode_that_cannot_be_kept_keeps_the_old_session(void **state)
{
    (void)state;
    struct error e;
    begin_noting(0, 0);
    save_filled("s", 3);
    refuses = true;
    int result = try_to_save(LENGTH, &e);
    refuses = false;
    assert_int_equal(result, -1);
    assert_string_equal(e.message,
                        "s: Operation not permitted; nothing was changed");
    assert_holds(3);
}

/* sync_folder: the new session has its name by then; that it will keep it is
 * not sure. */
static void a_folder_that_is_not_written_is_an_error(void **state)
{
    (void)state;
    struct error e;
    begin_noting(0, 0);
    save_filled("s", 3);
    begin_noting(3, EIO);
    assert_int_equal(try_to_save(LENGTH, &e), -1);
    assert_string_equal(e.message, "s: Input/output error");
    assert_holds(LENGTH);
}

/* sync_folder: some kinds of folders say so. */
static void a_folder_that_cannot_be_written_so_is_none(void **state)
{
    (void)state;
    struct error e;
    begin_noting(3, EINVAL);
    assert_int_equal(try_to_save(LENGTH, &e), 0);
    assert_holds(LENGTH);
}

/* Most of it may be in memory still, so nobody else would notice. */
static void a_write_that_is_cut_short_is_an_error(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    write_text("s", "old");
    begin_noting(0, 0);
    assert_ok(replace_begin(&r, "s", &e), &e);
    cuts = true;
    int result = replace_add(&r, "newer", 5, &e);
    cuts = false;
    assert_int_equal(result, -1);
    assert_string_equal(e.message,
                        "s: No space left on device; nothing was changed");
    replace_cancel(&r);
    assert_int_equal(count_entries(), 1);
}

static void a_file_is_on_the_disk_before_it_has_its_name(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    begin_noting(0, 0);
    assert_ok(replace_begin(&r, "s", &e), &e);
    assert_ok(replace_add(&r, "new", 3, &e), &e);
    assert_ok(replace_end(&r, &e), &e);
    assert_order("s", ".");
}

/* --- a new file that does not live long ---------------------------------- */

static int begin_taken(int times, struct replacement *r, struct error *e)
{
    n_taken = 0;
    taken_at_most = times;
    int result = replace_begin(r, "s", e);
    taken_at_most = 0;
    return result;
}

/* Of 100 tries the last may be the good one. */
static void a_new_file_that_is_taken_away_is_made_again(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    int before = count_open();
    begin_noting(0, 0);
    for (int times = 0; times < 100; times += 33) {
        assert_ok(begin_taken(times, &r, &e), &e);
        assert_int_equal(n_taken, times);
        assert_int_equal(access(r.name, F_OK), 0);
        replace_cancel(&r);
    }
    assert_int_equal(begin_taken(100, &r, &e), -1);
    assert_int_equal(n_taken, 100);
    assert_string_equal(e.message, "s: Device or resource busy");
    assert_int_equal(count_open(), before);
    assert_int_equal(count_entries(), 0);
}

/* What was made is removed. */
static void without_memory_for_a_file_there_is_none(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    int before = count_open();
    write_text("s", "old");
    lacks = true;
    int result = replace_begin(&r, "s", &e);
    lacks = false;
    assert_int_equal(result, -1);
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_int_equal(access("s", F_OK), 0);
    assert_int_equal(count_entries(), 1);
    assert_int_equal(count_open(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_write_that_is_cut_short_is_an_error),
        SCRATCH(a_session_is_on_the_disk_before_it_has_its_name),
        SCRATCH(a_call_that_fails_keeps_the_old_session),
        SCRATCH(a_mode_that_cannot_be_kept_keeps_the_old_session),
        SCRATCH(a_folder_that_is_not_written_is_an_error),
        SCRATCH(a_folder_that_cannot_be_written_so_is_none),
        SCRATCH(a_file_is_on_the_disk_before_it_has_its_name),
        SCRATCH(a_new_file_that_is_taken_away_is_made_again),
        SCRATCH(without_memory_for_a_file_there_is_none),
    };
    return cmocka_run_group_tests_name("replace_calls", tests, NULL, NULL);
}

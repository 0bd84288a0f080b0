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

/* Add the text, word by word. */
static int add_words(struct replacement *r, const char *text, struct error *e)
{
    for (size_t length; *text; text += length) {
        length = strcspn(text + 1, " ") + 1;
        if (replace_add(r, text, length, e))
            return -1;
    }
    return 0;
}

static int replace_with(const char *path, const char *text, struct error *e)
{
    struct replacement r;
    if (replace_begin(&r, path, e))
        return -1;
    if (add_words(&r, text, e) == 0)
        return replace_end(&r, e);
    replace_cancel(&r);
    return -1;
}

static void assert_replaced(const char *path, const char *text)
{
    struct error e;
    assert_int_equal(replace_check(path, &e), 0);
    assert_int_equal(replace_with(path, text, &e), 0);
    assert_content(path, text);
}

/* What is said of a path by replace_check, and where it is replaced. */
struct refusal {
    int checked, replaced;
    struct error before, e;
};

static struct refusal try_to_replace(const char *path)
{
    struct refusal r;
    r.checked = replace_check(path, &r.before);
    r.replaced = replace_with(path, "new", &r.e);
    return r;
}

/* It cannot even begin; and that can be asked without beginning. */
static void assert_refusal(const struct refusal *r, const char *message)
{
    assert_int_equal(r->checked, -1);
    assert_string_equal(r->before.message, message);
    assert_int_equal(r->replaced, -1);
    assert_string_equal(r->e.message, message);
}

static void assert_refused(const char *path, const char *message)
{
    struct refusal r = try_to_replace(path);
    assert_refusal(&r, message);
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

/* As long as the system allows: the file on its way has a name of its own. */
static void a_name_may_be_long(void **state)
{
    (void)state;
    char name[256] = "";
    memset(name, 'n', sizeof name - 1);
    assert_replaced(name, "new");
    assert_int_equal(count_files("."), 1);
}

static unsigned mode_of(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_mode & 07777;
}

/* While the system takes these permissions from new files. */
static void assert_replaced_under(mode_t mask, const char *path)
{
    struct error e;
    mode_t before = umask(mask);
    int result = replace_with(path, "new", &e);
    umask(before);
    assert_int_equal(result, 0);
}

static void only_its_owner_may_read_what_is_new(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    assert_replaced_under(0, "x");
    assert_int_equal(mode_of("x"), 0600);
    chmod("x", 0644);
    assert_int_equal(replace_begin(&r, "x", &e), 0);
    assert_int_equal(mode_of(r.name), 0600); /* until it is whole */
    replace_cancel(&r);
}

static void permissions_are_kept(void **state)
{
    (void)state;
    static const unsigned modes[] = {0644, 0400, 0660, 0777, 0600};
    write_text("x", "old");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod("x", modes[i]), 0);
        assert_replaced_under(077, "x");
        assert_int_equal(mode_of("x"), modes[i]);
    }
    assert_int_equal(chmod("x", 04755), 0);
    assert_replaced_under(077, "x");
    assert_int_equal(mode_of("x"), 0755);
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
    STRANGERS = 65533, /* a group that neither of the two belongs to */
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

/* Root may give a file any group; nobody only one of its own. */
static void what_a_group_may_is_for_that_group(void **state)
{
    (void)state;
    struct stat s;
    struct error e;
    if (geteuid() != ROOT) {
        print_message("SKIPPED: only root may give a file another group\n");
        skip();
    }
    chmod(".", 0777);
    write_text("x", "old");
    chmod("x", 0664);
    assert_int_equal(chown("x", NOBODY, NOBODY), 0);
    assert_replaced("x", "new");
    assert_int_equal(stat("x", &s), 0);
    assert_int_equal(s.st_gid, NOBODY);
    assert_int_equal(s.st_uid, ROOT); /* who made it */
    assert_int_equal(mode_of("x"), 0664);
    assert_int_equal(chown("x", NOBODY, STRANGERS), 0);
    become(NOBODY);
    int result = replace_with("x", "newer", &e);
    become(ROOT);
    assert_int_equal(result, 0);
    assert_int_equal(mode_of("x"), 0604);
}

/* open_folder() of one that may not be written, and of one that may be written
 * and not read. */
static void a_folder_that_refuses_keeps_the_old_one(void **state)
{
    (void)state;
    bool root = geteuid() == ROOT;
    chmod(".", 0711);
    mkdir("f", 0700);
    assert_replaced("f/x", "old");
    chmod("f", 0500);
    assert_int_equal(root ? chown("f", NOBODY, (gid_t)-1) : 0, 0);
    if (root)
        become(NOBODY);
    struct refusal unwritten = try_to_replace("f/x");
    chmod("f", 0300);
    struct refusal unread = try_to_replace("f/x");
    if (root)
        become(ROOT);
    chmod("f", 0700);
    assert_refusal(&unwritten, "f/x: Permission denied");
    assert_refusal(&unread, "f: Permission denied");
    assert_content("f/x", "old");
    assert_int_equal(count_files("f"), 1);
}

static void a_path_that_cannot_be_is_an_error(void **state)
{
    (void)state;
    assert_refused("f/x", "f/x: No such file or directory");
    assert_int_equal(count_files("."), 0);
}

/* A new file in the place of a device would be no help to anybody. */
static void only_a_regular_file_is_replaced(void **state)
{
    (void)state;
    struct stat s;
    mkdir("folder", 0700);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("pipe", "link"), 0);
    assert_refused("folder", "folder: is no regular file, which is all that "
                             "may be replaced");
    assert_refused("pipe", "pipe: is no regular file, which is all that may "
                           "be replaced");
    assert_refused("link", "link: is no regular file, which is all that may "
                           "be replaced");
    assert_int_equal(lstat("pipe", &s), 0);
    assert_true(S_ISFIFO(s.st_mode));
    assert_int_equal(count_files("."), 3);
}

static void assert_link(const char *path, const char *expected)
{
    char found[100] = "";
    assert_true(readlink(path, found, sizeof found - 1) > 0);
    assert_string_equal(found, expected);
}

/* Where there is room for it, perhaps. */
static void a_link_stays_and_its_file_is_replaced(void **state)
{
    (void)state;
    mkdir("near", 0700);
    mkdir("far", 0700);
    write_text("far/x", "old");
    chmod("far/x", 0640);
    assert_int_equal(symlink("../far/x", "near/link"), 0);
    assert_int_equal(symlink("near/link", "second"), 0);
    assert_replaced("near/link", "new");
    assert_replaced("second", "newer");
    assert_content("far/x", "newer");
    assert_int_equal(mode_of("far/x"), 0640);
    assert_link("near/link", "../far/x");
    assert_link("second", "near/link");
    assert_int_equal(count_files("near"), 1);
    assert_int_equal(count_files("far"), 1);
}

static void a_link_that_leads_nowhere_is_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("none", "link"), 0);
    assert_int_equal(symlink("round", "round"), 0);
    assert_refused("link", "link: is a link that leads nowhere: No such file "
                           "or directory");
    assert_refused("round", "round: is a link that leads nowhere: Too many "
                            "levels of symbolic links");
    assert_int_equal(count_files("."), 2);
}

static void another_name_of_the_old_file_keeps_it(void **state)
{
    (void)state;
    write_text("x", "old");
    assert_int_equal(link("x", "other"), 0);
    assert_replaced("x", "new");
    assert_content("other", "old");
}

static void a_replacement_can_be_cancelled(void **state)
{
    (void)state;
    struct replacement r;
    struct error e;
    write_text("x", "old");
    assert_int_equal(replace_begin(&r, "x", &e), 0);
    assert_int_equal(replace_add(&r, "new", 3, &e), 0);
    replace_cancel(&r);
    assert_content("x", "old");
    assert_int_equal(count_files("."), 1);
}

/* What a killed process has left is removed; not what one still writes, and
 * nothing that only looks like it. */
static void what_was_left_behind_is_swept(void **state)
{
    (void)state;
    struct replacement first, second;
    struct error e;
    write_text(".rung.k3Yp0a", "left");
    write_text(".rung.longer1", "kept");
    write_text("x.rung.k3Yp0a", "kept");
    mkdir(".rung.folder", 0700);
    assert_int_equal(replace_begin(&first, "s", &e), 0);
    assert_int_equal(access(".rung.k3Yp0a", F_OK), -1);
    assert_int_equal(replace_begin(&second, "s", &e), 0);
    assert_int_equal(replace_add(&first, "one", 3, &e), 0);
    assert_int_equal(replace_end(&first, &e), 0);
    assert_content("s", "one");
    assert_int_equal(replace_add(&second, "two", 3, &e), 0);
    assert_int_equal(replace_end(&second, &e), 0);
    assert_content("s", "two");
    assert_int_equal(access(".rung.longer1", F_OK), 0);
    assert_int_equal(access("x.rung.k3Yp0a", F_OK), 0);
    assert_int_equal(rmdir(".rung.folder"), 0);
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
    int result = replace_with("x", "more than ten bytes", &e);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(result, -1);
    assert_string_equal(e.message, "x: File too large; nothing was changed");
    assert_content("x", "old");
    assert_int_equal(count_files("."), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH(a_file_is_made_or_replaced),
        SCRATCH(a_name_may_be_long),
        SCRATCH(only_its_owner_may_read_what_is_new),
        SCRATCH(permissions_are_kept),
        SCRATCH(what_a_group_may_is_for_that_group),
        SCRATCH(whoever_has_the_old_one_open_keeps_it),
        SCRATCH(a_folder_that_refuses_keeps_the_old_one),
        SCRATCH(a_path_that_cannot_be_is_an_error),
        SCRATCH(only_a_regular_file_is_replaced),
        SCRATCH(a_link_stays_and_its_file_is_replaced),
        SCRATCH(a_link_that_leads_nowhere_is_refused),
        SCRATCH(another_name_of_the_old_file_keeps_it),
        SCRATCH(a_replacement_can_be_cancelled),
        SCRATCH(what_was_left_behind_is_swept),
        SCRATCH(a_full_disk_keeps_the_old_one),
    };
    return cmocka_run_group_tests_name("replace", tests, NULL, NULL);
}

/* A new folder of files: see new_folder.h.  Knows no format. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "new_folder.h"

#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char first_name[] = ".rung-folder.XXXXXX";

enum folder_sizes {
    LETTERS_OF_NAME = 6, /* that mkdtemp chooses */
    MOST_TRIES = 100
};

/* What went wrong before the folder took its name. */
static int fail_unmade(const struct new_folder *f, struct error *e)
{
    return fail(e, ERROR_SYSTEM, "%s: %s; nothing was written", f->path,
                strerror(errno));
}

/* --- its names ----------------------------------------------------------- */

static int check_free(const struct new_folder *f, struct error *e)
{
    struct stat s;
    if (lstat(f->target, &s) == 0)
        return fail(e, ERROR_INPUT,
                    "%s: is there already, and nothing is ever replaced: "
                    "choose another name, or remove it first",
                    f->path);
    return errno == ENOENT ? 0 : fail_unmade(f, e);
}

/* The path without slashes at its end. */
static char *without_slashes(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return strndup(path, length);
}

/* "a/b" of "a/b/c", "." of "c", "/" of "/c". */
char *new_folder_parent(const char *path)
{
    char *target = without_slashes(path);
    char *slash = target ? strrchr(target, '/') : NULL;
    if (slash)
        slash[slash == target] = 0;
    else if (target) {
        free(target);
        target = strdup(".");
    }
    return target;
}

static int find_names(struct new_folder *f, struct error *e)
{
    if (!*f->path)
        return fail(e, ERROR_INPUT, "a folder's name is empty");
    f->target = without_slashes(f->path);
    f->parent = new_folder_parent(f->path);
    if (!f->target || !f->parent)
        return fail_memory(e, "a folder's name");
    if (check_free(f, e))
        return -1;
    f->name = folder_file(f->parent, first_name, e);
    return f->name ? 0 : -1;
}

/* --- what others have left ----------------------------------------------- */

/* Remove the files of an open folder, and then the folder `name` of `parent`,
 * unless it holds folders, which this program never makes. */
static void remove_files(int parent, const char *name, int folder)
{
    DIR *files = fdopendir(folder);
    struct dirent *entry;
    while (files && (entry = readdir(files)))
        unlinkat(folder, entry->d_name, 0);
    if (files)
        closedir(files);
    else
        close(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Whether an open folder still has the name that it was opened by. */
static bool still_has_name(int folder, int parent, const char *name)
{
    struct stat s, now;
    return fstat(folder, &s) == 0 &&
           fstatat(parent, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           s.st_dev == now.st_dev && s.st_ino == now.st_ino;
}

/* Remove a folder whose process was killed: nobody has it locked.  One that
 * was finished while it was looked at has another name by now, and stays. */
static void remove_left_folder(int parent, const char *name)
{
    int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int folder = openat(parent, name, flags);
    if (folder < 0)
        return;
    if (flock(folder, LOCK_EX | LOCK_NB) == 0 &&
        still_has_name(folder, parent, name))
        remove_files(parent, name, folder);
    else
        close(folder);
}

/* The same for all of them beside *f.  That some may stay is no error. */
static void sweep_folders(const struct new_folder *f)
{
    size_t length = strlen(first_name) - LETTERS_OF_NAME;
    DIR *parent = opendir(f->parent);
    struct dirent *entry;
    while (parent && (entry = readdir(parent)))
        if (strncmp(entry->d_name, first_name, length) == 0 &&
            strlen(entry->d_name) == length + LETTERS_OF_NAME)
            remove_left_folder(dirfd(parent), entry->d_name);
    if (parent)
        closedir(parent);
}

/* --- making it ----------------------------------------------------------- */

/* Lock a folder that was just made.  Not when somebody has taken it for one
 * that was left behind, and removes it; where folders cannot be locked at all,
 * nobody does. */
static bool lock_folder(int folder)
{
    struct stat s;
    if (flock(folder, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return false;
    return fstat(folder, &s) == 0 && s.st_nlink > 0;
}

/* Another is made when the first is taken away before it is locked. */
static int make_locked_folder(struct new_folder *f)
{
    char *letters = f->name + strlen(f->name) - LETTERS_OF_NAME;
    for (int i = 0; i < MOST_TRIES; i++) {
        memset(letters, 'X', LETTERS_OF_NAME);
        if (!mkdtemp(f->name))
            return -1;
        f->lock = open(f->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (f->lock >= 0 && lock_folder(f->lock))
            return 0;
        if (f->lock >= 0)
            close(f->lock);
        f->lock = -1;
    }
    errno = EBUSY;
    return -1;
}

static void forget_names(struct new_folder *f)
{
    free(f->target);
    free(f->parent);
    free(f->name);
    *f = (struct new_folder){.lock = -1};
}

int new_folder_begin(struct new_folder *f, const char *path, struct error *e)
{
    *f = (struct new_folder){.path = path, .lock = -1};
    int result = find_names(f, e);
    if (result == 0 && make_locked_folder(f))
        result = fail_unmade(f, e);
    if (result == 0)
        sweep_folders(f);
    else
        forget_names(f);
    return result;
}

int new_folder_check_room(const struct new_folder *f, size_t bytes,
                          struct error *e)
{
    struct statvfs s;
    if (fstatvfs(f->lock, &s) || s.f_frsize == 0)
        return 0; /* then the writing will show it */
    double room = (double)s.f_bavail * (double)s.f_frsize;
    if ((double)bytes <= room)
        return 0;
    return fail(e, ERROR_SYSTEM,
                "%s: %.1f MB are needed, and the disk has room for %.1f MB; "
                "nothing was written",
                f->path, (double)bytes / 1e6, room / 1e6);
}

FILE *new_folder_file(const struct new_folder *f, const char *name,
                      struct error *e)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int file = openat(f->lock, name, flags, 0666);
    FILE *out = file < 0 ? NULL : fdopen(file, "wb");
    if (out)
        return out;
    fail_unmade(f, e);
    if (file >= 0)
        close(file);
    return NULL;
}

int new_folder_add(const struct new_folder *f, FILE *file, const void *data,
                   size_t size, struct error *e)
{
    return fwrite(data, 1, size, file) == size ? 0 : fail_unmade(f, e);
}

int new_folder_close(const struct new_folder *f, FILE *file, struct error *e)
{
    int result = 0;
    if (fflush(file) || fsync(fileno(file)))
        result = fail_unmade(f, e);
    if (fclose(file) && result == 0)
        result = fail_unmade(f, e);
    return result;
}

/* --- its end ------------------------------------------------------------- */

void new_folder_cancel(struct new_folder *f)
{
    int parent = open(f->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *slash = strrchr(f->name, '/');
    remove_files(parent, slash ? slash + 1 : f->name, f->lock);
    if (parent >= 0)
        close(parent);
    forget_names(f);
}

/* Who may read it is what the user has settled for new folders; mkdtemp lets
 * the owner alone. */
static int open_to_others(const struct new_folder *f)
{
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(f->lock, (S_IRWXU | S_IRWXG | S_IRWXO) & ~mask);
}

/* Some kinds of folders, of other machines for instance, cannot be written
 * through. */
static int sync_opened(int folder)
{
    return fsync(folder) && errno != EINVAL ? -1 : 0;
}

/* What its name means is written to the disk with the folder around it. */
static int sync_parent(const struct new_folder *f, struct error *e)
{
    int parent = open(f->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int result = 0;
    if (parent < 0 || sync_opened(parent))
        result = fail_errno(e, f->path);
    if (parent >= 0)
        close(parent);
    return result;
}

/* A name that was taken meanwhile stays what it is: a folder only takes the
 * place of an empty one. */
int new_folder_end(struct new_folder *f, struct error *e)
{
    if (open_to_others(f) || sync_opened(f->lock) ||
        rename(f->name, f->target)) {
        fail_unmade(f, e);
        new_folder_cancel(f);
        return -1;
    }
    int result = sync_parent(f, e);
    close(f->lock);
    forget_names(f);
    return result;
}

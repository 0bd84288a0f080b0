/* Replacing a file: see replace.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "replace.h"

#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The replacements of this process whose new files have their first names. */
static struct replacement *begun;
static pthread_mutex_t begun_lock = PTHREAD_MUTEX_INITIALIZER;

/* The lock is held. */
static void forget(const struct replacement *r)
{
    struct replacement **at = &begun;
    while (*at && *at != r)
        at = &(*at)->next;
    if (*at)
        *at = r->next;
}

void replace_stop(void)
{
    pthread_mutex_lock(&begun_lock);
    for (const struct replacement *r = begun; r; r = r->next)
        unlink(r->name);
}

/* What went wrong before the new file took the name. */
static int fail_unchanged(const struct replacement *r, struct error *e)
{
    return fail(e, ERROR_SYSTEM, "%s: %s; nothing was changed", r->path,
                strerror(errno));
}

/* The file that the path means: a link, or a link to one, means another. */
static int find_target(struct replacement *r, struct error *e)
{
    struct stat s;
    bool is_link = lstat(r->path, &s) == 0 && S_ISLNK(s.st_mode);
    r->target = is_link ? realpath(r->path, NULL) : strdup(r->path);
    if (r->target)
        return 0;
    if (is_link)
        return fail(e, ERROR_SYSTEM, "%s: is a link that leads nowhere: %s",
                    r->path, strerror(errno));
    return fail_memory(e, "a file's name");
}

static int check_target(const struct replacement *r, struct error *e)
{
    struct stat s;
    if (lstat(r->target, &s) || S_ISREG(s.st_mode))
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: is no regular file, which is all that may be replaced",
                r->path);
}

enum new_file_sizes {
    LETTERS = 6, /* that mkstemp chooses */
    TRIES = 100
};

/* Between its making and its locking a new file may be taken for one that was
 * left behind, and removed: then another is made.  Where there are no locks,
 * none is ever removed.  -1: errno says why. */
static int make_locked(char *name)
{
    for (int i = 0; i < TRIES; i++) {
        struct stat s;
        memset(name + strlen(name) - LETTERS, 'X', LETTERS);
        int file = mkstemp(name);
        if (file < 0)
            return -1;
        flock(file, LOCK_EX | LOCK_NB);
        if (fstat(file, &s) == 0 && s.st_nlink > 0)
            return file;
        close(file);
    }
    errno = EBUSY;
    return -1;
}

/* The same, of which replace_stop knows. */
static int make_begun(struct replacement *r)
{
    pthread_mutex_lock(&begun_lock);
    int file = make_locked(r->name);
    if (file >= 0) {
        r->next = begun;
        begun = r;
    }
    pthread_mutex_unlock(&begun_lock);
    return file;
}

static int make_file(struct replacement *r, struct error *e)
{
    static const char name[] = ".rung.XXXXXX";
    const char *slash = strrchr(r->target, '/');
    size_t length = slash ? (size_t)(slash + 1 - r->target) : 0;
    r->name = malloc(length + sizeof name);
    if (!r->name)
        return fail_memory(e, "a file's name");
    memcpy(r->name, r->target, length);
    memcpy(r->name + length, name, sizeof name);
    int file = make_begun(r);
    if (file < 0)
        return fail_errno(e, r->path);
    r->file = fdopen(file, "wb");
    if (r->file)
        return 0;
    close(file);
    unlink(r->name);
    return fail_memory(e, "a file");
}

/* The folder is opened before anything is written, since it may refuse. */
static int open_folder(struct replacement *r, struct error *e)
{
    char *folder = folder_of(r->name, e);
    if (!folder)
        return -1;
    r->folder = open(folder, O_RDONLY | O_CLOEXEC);
    int result = r->folder < 0 ? fail_errno(e, folder) : 0;
    free(folder);
    return result;
}

/* Remove a new file whose process was killed: nobody has it locked. */
static void remove_left(int folder, const char *name)
{
    struct stat s;
    int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int file = openat(folder, name, flags);
    if (file < 0)
        return;
    if (fstat(file, &s) == 0 && S_ISREG(s.st_mode) &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

/* The same for all of them in the folder.  That some may stay is no error. */
static void sweep(const struct replacement *r)
{
    static const char begin[] = ".rung.";
    size_t length = strlen(begin);
    int copy = openat(r->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strncmp(entry->d_name, begin, length) == 0 &&
            strlen(entry->d_name) == length + LETTERS)
            remove_left(r->folder, entry->d_name);
    if (folder)
        closedir(folder);
    else if (copy >= 0)
        close(copy);
}

int replace_begin(struct replacement *r, const char *path, struct error *e)
{
    *r = (struct replacement){.path = path, .folder = -1};
    if (find_target(r, e) || check_target(r, e) || make_file(r, e) ||
        open_folder(r, e)) {
        replace_cancel(r);
        return -1;
    }
    sweep(r);
    return 0;
}

int replace_add(struct replacement *r, const void *data, size_t size,
                struct error *e)
{
    return fwrite(data, 1, size, r->file) == size ? 0 : fail_unchanged(r, e);
}

static void close_all(struct replacement *r)
{
    pthread_mutex_lock(&begun_lock);
    forget(r);
    pthread_mutex_unlock(&begun_lock);
    if (r->file)
        fclose(r->file);
    if (r->folder >= 0)
        close(r->folder);
    free(r->name);
    free(r->target);
    *r = (struct replacement){.folder = -1};
}

void replace_cancel(struct replacement *r)
{
    if (r->file)
        unlink(r->name);
    close_all(r);
}

/* What a name means is written to the disk by writing its folder.  Some kinds
 * of folders, of other machines for instance, cannot be written so. */
static int sync_folder(const struct replacement *r, struct error *e)
{
    if (fsync(r->folder) && errno != EINVAL)
        return fail_errno(e, r->path);
    return 0;
}

/* Who might read and write the old file may do so with the new one.  What its
 * group may is for that group alone: where the new file cannot have it, no
 * group may anything. */
static int keep_mode(const struct replacement *r)
{
    struct stat old, new;
    int file = fileno(r->file);
    if (stat(r->target, &old))
        return errno == ENOENT ? 0 : -1;
    mode_t mode = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (fstat(file, &new))
        return -1;
    if (new.st_gid != old.st_gid && fchown(file, (uid_t)-1, old.st_gid))
        mode &= ~(mode_t)S_IRWXG;
    return fchmod(file, mode);
}

/* Once it has the name it is not to be removed any more. */
static int take_name(struct replacement *r)
{
    pthread_mutex_lock(&begun_lock);
    int result = rename(r->name, r->target);
    if (result == 0)
        forget(r);
    pthread_mutex_unlock(&begun_lock);
    return result;
}

int replace_end(struct replacement *r, struct error *e)
{
    if (fflush(r->file) || keep_mode(r) || fsync(fileno(r->file)) ||
        take_name(r)) {
        fail_unchanged(r, e);
        replace_cancel(r);
        return -1;
    }
    int result = sync_folder(r, e);
    close_all(r);
    return result;
}

int replace_check(const char *path, struct error *e)
{
    struct replacement r;
    if (replace_begin(&r, path, e))
        return -1;
    replace_cancel(&r);
    return 0;
}

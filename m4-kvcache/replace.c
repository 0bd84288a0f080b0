/* Replacing a file: see replace.h. */
#include "replace.h"

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        data += done;
        size -= (size_t)done;
    }
    return 0;
}

/* A folder with a new file, which has a name of its own so far. */
struct replacement {
    const char *path; /* the name that it shall have */
    char *name;       /* the one that it has; owned */
    int file, folder; /* open, or -1 */
};

/* What a name means is written to the disk by writing its folder.  Some kinds
 * of folders, of other machines for instance, cannot be written so. */
static int sync_folder(const struct replacement *r, struct error *e)
{
    if (fsync(r->folder) && errno != EINVAL)
        return fail_errno(e, r->path);
    return 0;
}

/* The folder is opened before anything is done, since it may refuse. */
static int open_replacement(struct replacement *r, struct error *e)
{
    size_t length = strlen(r->path);
    r->name = malloc(length + sizeof ".XXXXXX");
    if (!r->name)
        return fail_memory(e, "a file's name");
    memcpy(r->name, r->path, length);
    memcpy(r->name + length, ".XXXXXX", sizeof ".XXXXXX");
    r->file = mkstemp(r->name);
    if (r->file < 0)
        return fail_errno(e, r->path);
    char *folder = folder_of(r->name, e);
    if (!folder)
        return -1;
    r->folder = open(folder, O_RDONLY | O_CLOEXEC);
    int result = r->folder < 0 ? fail_errno(e, folder) : 0;
    free(folder);
    return result;
}

static int fill_and_rename(const struct replacement *r, const void *data,
                           size_t size, struct error *e)
{
    if (write_all(r->file, data, size) || fsync(r->file) ||
        rename(r->name, r->path))
        return fail_errno(e, r->path);
    return 0;
}

static void close_replacement(struct replacement *r)
{
    if (r->file >= 0)
        close(r->file);
    if (r->folder >= 0)
        close(r->folder);
    free(r->name);
}

int replace_file(const char *path, const void *data, size_t size,
                 struct error *e)
{
    struct replacement r = {path, NULL, -1, -1};
    int result = open_replacement(&r, e);
    if (result == 0)
        result = fill_and_rename(&r, data, size, e);
    if (result && r.file >= 0)
        unlink(r.name);
    if (result == 0)
        result = sync_folder(&r, e);
    close_replacement(&r);
    return result;
}

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

/* What a name is in a folder is written to the disk by writing the folder. */
static int sync_folder(const char *path, struct error *e)
{
    char *folder = folder_of(path, e);
    if (!folder)
        return -1;
    int file = open(folder, O_RDONLY);
    int result = file < 0 || fsync(file) ? fail_errno(e, folder) : 0;
    if (file >= 0)
        close(file);
    free(folder);
    return result;
}

/* Fill the open file `name` and give it the name `path`. */
static int fill_and_rename(int file, const char *name, const char *path,
                           const void *data, size_t size, struct error *e)
{
    if (write_all(file, data, size) || fsync(file))
        return fail_errno(e, name);
    if (rename(name, path))
        return fail_errno(e, path);
    return 0;
}

int replace_file(const char *path, const void *data, size_t size,
                 struct error *e)
{
    size_t length = strlen(path);
    char *name = malloc(length + sizeof ".XXXXXX");
    if (!name)
        return fail_memory(e, "a file's name");
    memcpy(name, path, length);
    memcpy(name + length, ".XXXXXX", sizeof ".XXXXXX");
    int file = mkstemp(name);
    int result = file < 0 ? fail_errno(e, path) : 0;
    if (file >= 0) {
        result = fill_and_rename(file, name, path, data, size, e);
        if (result)
            unlink(name);
        close(file);
    }
    free(name);
    return result ? result : sync_folder(path, e);
}

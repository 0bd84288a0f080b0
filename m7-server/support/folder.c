/* A model's folder: see folder.h.  Knows no format. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool path_exists(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0;
}

bool path_is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool path_ends(const char *path, const char *end)
{
    size_t length = strlen(path), size = strlen(end);
    return length > size && strcmp(path + length - size, end) == 0;
}

/* How many bytes of `model` name its folder; 0 for the current one. */
static size_t folder_length(const char *model)
{
    const char *end = model + strlen(model);
    if (path_exists(model) && !path_is_folder(model)) {
        const char *slash = strrchr(model, '/');
        end = slash ? slash + 1 : model;
    }
    while (end > model + 1 && end[-1] == '/')
        end--;
    return (size_t)(end - model);
}

/* "folder", "folder/name", or with "." or "/" for the folder. */
static char *folder_join(const char *model, const char *name, struct error *e)
{
    size_t length = folder_length(model);
    const char *folder = length ? model : ".";
    length += !length;
    char *path = malloc(length + 1 + strlen(name) + 1);
    if (!path) {
        fail_memory(e, model);
        return NULL;
    }
    memcpy(path, folder, length);
    if (*name && folder[length - 1] != '/')
        path[length++] = '/';
    strcpy(path + length, name);
    return path;
}

char *folder_of(const char *model, struct error *e)
{
    return folder_join(model, "", e);
}

char *folder_file(const char *model, const char *name, struct error *e)
{
    return folder_join(model, name, e);
}

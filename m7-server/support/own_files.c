/* What came with the program: see folder.h.
 *
 * /proc/self/exe is Linux's; where it is missing, the prefix that `make
 * install` was given says where things are.  The current folder, in which
 * anybody may have put a model, counts only for a program that is not
 * installed. */
#include "folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where models are looked for last; `make install` says another place. */
#ifndef LAST_PLACE
#define LAST_PLACE "../tests/models"
#endif

enum own_sizes {
    OWN_PATH = 4096 /* bytes of a path, its zero among them */
};

/* The whole path of the program, or false. */
static bool find_program(char path[OWN_PATH])
{
    ssize_t size = readlink("/proc/self/exe", path, OWN_PATH);
    if (size <= 0 || size == OWN_PATH)
        return false;
    path[size] = 0;
    return *path == '/';
}

const char *own_program(void)
{
    static char called[OWN_PATH + 2];
    char path[OWN_PATH], here[OWN_PATH];
    if (!find_program(path))
        return "rung";
    size_t size = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = size > 0 && strncmp(path, here, size) == 0 &&
                 path[size] == '/';
    const char *rest = below ? path + size + 1 : path;
    snprintf(called, sizeof called, "%s%s", strchr(rest, '/') ? "" : "./",
             rest);
    return called;
}

/* folder with more behind it, if that is a folder. */
static bool take_folder(char out[OWN_PATH], const char *folder,
                        const char *more)
{
    int size = snprintf(out, OWN_PATH, "%s%s", folder, more);
    return size > 0 && size < OWN_PATH && path_is_folder(out);
}

static bool find_own_models(char out[OWN_PATH])
{
    char program[OWN_PATH];
    if (find_program(program)) {
        *strrchr(program, '/') = 0;
        if (take_folder(out, program, "/../tests/models") ||
            take_folder(out, program, "/../share/rungs/models"))
            return true;
    }
    return take_folder(out, LAST_PLACE, "");
}

const char *own_models(void)
{
    static char folder[OWN_PATH];
    static bool asked, found;
    if (!asked)
        found = find_own_models(folder);
    asked = true;
    return found ? folder : NULL;
}

const char *own_chat_model(void)
{
    static char path[OWN_PATH + 16];
    const char *folder = own_models();
    snprintf(path, sizeof path, "%s/tiny-chat",
             folder ? folder : LAST_PLACE);
    return path;
}

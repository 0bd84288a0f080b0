/* Keeps the names of the functions that are called, once a process each: a
 * line in the file that $NOT_WRITTEN names.  Only in the copies in which
 * the course finds out which test calls what. */
#ifndef CALLED_H
#define CALLED_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A test may let no file grow: then an empty folder beside the file keeps the
 * name. */
static inline void called(const char *line)
{
    char folder[4096];
    int size = (int)strlen(line);
    const char *path = getenv("NOT_WRITTEN");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    if (file < 0)
        return;
    if (write(file, line, (size_t)size) != size &&
        snprintf(folder, sizeof folder, "%s.%.*s", path, size - 1, line) > 0)
        mkdir(folder, 0755);
    close(file);
}

#define CALLED(line)                                                          \
    {                                                                         \
        static char seen;                                                     \
        if (!seen) {                                                          \
            seen = 1;                                                         \
            called(line);                                                     \
        }                                                                     \
    }

#endif

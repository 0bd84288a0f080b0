/* Keeps the names of the functions that are called, once a process each: a
 * line in the file that $NOT_WRITTEN names.  Only in the copies in which
 * the course finds out which test calls what. */
#ifndef CALLED_H
#define CALLED_H

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void called(const char *line)
{
    const char *path = getenv("NOT_WRITTEN");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    if (file < 0)
        return;
    if (write(file, line, strlen(line)) < 0)
        abort();
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

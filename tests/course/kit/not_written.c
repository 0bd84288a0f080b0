/* Ends whatever called a function that is not written yet, and keeps its
 * name for `make check`: a line in the file that $NOT_WRITTEN names, if any.
 * Knows nothing of tests; end_test.c does. */
#include "not_written.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void (*end_test)(const char *name);

void not_written_ends(void (*end)(const char *name))
{
    end_test = end;
}

/* Programs that a test starts write to the same file, so it is one call.  A
 * test may let no file grow: then an empty folder beside it keeps the name. */
static void keep(const char *name)
{
    const char *path = getenv("NOT_WRITTEN");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0644) : -1;
    char line[256], folder[4096];
    int length = snprintf(line, sizeof line, "%.250s\n", name);
    if (file < 0)
        return;
    if (write(file, line, (size_t)length) != length &&
        snprintf(folder, sizeof folder, "%s.%.250s", path, name) > 0)
        mkdir(folder, 0755);
    close(file);
}

void not_written(const char *name)
{
    keep(name);
    if (end_test)
        end_test(name);
    fprintf(stderr, "not written yet: %s\n", name);
    exit(3);
}

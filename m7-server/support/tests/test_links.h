/* For the tests that change one file of a model: the others, linked. */
#ifndef TEST_LINKS_H
#define TEST_LINKS_H

#include "test_files.h"
#include "test_run.h"

#include <limits.h>

/* The tests' folder, by a path that holds in every folder, in out
 * (PATH_MAX,). */
static inline void find_tests(const struct scratch *s, char *out)
{
    const char *folder = test_folder();
    snprintf(out, PATH_MAX, "%s%s%s", *folder == '/' ? "" : s->before,
             *folder == '/' ? "" : "/", folder);
}

/* Empty the current folder. */
static inline void remove_files(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            remove(entry->d_name);
    closedir(directory);
}

/* Link all files of `folder`, but for the one called `but`, into the current
 * folder; false when there is no such folder. */
static inline bool link_files(const char *folder, const char *but)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char from[2 * PATH_MAX];
        snprintf(from, sizeof from, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, but) != 0)
            assert_int_equal(symlink(from, entry->d_name), 0);
    }
    return directory && closedir(directory) == 0;
}

#endif

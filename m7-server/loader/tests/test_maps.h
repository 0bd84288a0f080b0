/* For the tests of mappings: what of a file this process has mapped. */
#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include <stdio.h>
#include <string.h>

/* How many bytes are mapped of the files whose path ends with `end`; -1 where
 * the system does not say. */
static inline long mapped_bytes(const char *end)
{
    FILE *f = fopen("/proc/self/maps", "r");
    if (!f)
        return -1;
    long bytes = 0;
    char line[4096];
    while (fgets(line, sizeof line, f)) {
        unsigned long first, last;
        size_t length = strcspn(line, "\n"), size = strlen(end);
        line[length] = 0;
        if (length >= size && strcmp(line + length - size, end) == 0 &&
            sscanf(line, "%lx-%lx", &first, &last) == 2)
            bytes += (long)(last - first);
    }
    fclose(f);
    return bytes;
}

#endif

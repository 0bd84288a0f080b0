/* Cores: see cores.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cores.h"

#include <stdio.h>
#include <unistd.h>
#if defined __linux__
#include <sched.h>
#endif

enum cores_limits { MOST_PROCESSORS = 1024 };

/* The first of the processors that are one core with this one: of a list such
 * as "3,67" or "6-7". */
static size_t first_of_core(const char *folder, size_t processor)
{
    char path[200];
    unsigned first = (unsigned)processor;
    snprintf(path, sizeof path, "%s/cpu%zu/topology/thread_siblings_list",
             folder, processor);
    FILE *list = fopen(path, "r");
    if (!list)
        return processor;
    if (fscanf(list, "%u", &first) != 1)
        first = (unsigned)processor;
    fclose(list);
    return first;
}

size_t count_cores_of(const char *folder, const bool *allowed, size_t n)
{
    bool counted[MOST_PROCESSORS] = {false};
    size_t count = 0;
    for (size_t i = 0; i < n && i < MOST_PROCESSORS; i++) {
        size_t first = allowed[i] ? first_of_core(folder, i) : 0;
        if (!allowed[i] || (first < MOST_PROCESSORS && counted[first]))
            continue;
        if (first < MOST_PROCESSORS)
            counted[first] = true;
        count++;
    }
    return count;
}

size_t count_cores(void)
{
#if defined __linux__
    cpu_set_t set;
    bool allowed[CPU_SETSIZE];
    size_t n = 0;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (size_t i = 0; i < CPU_SETSIZE; i++)
            allowed[i] = CPU_ISSET(i, &set);
        n = count_cores_of("/sys/devices/system/cpu", allowed, CPU_SETSIZE);
    }
    if (n > 0)
        return n;
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

/* Cores: see cores.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cores.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#if defined __linux__
#include <sched.h>
#else /* nobody says which processors a process may use */
typedef int cpu_set_t;
#define sched_getaffinity(process, size, set) ((void)(set), -1)
#define CPU_ISSET(i, set)                     false
#define CPU_SETSIZE                           MOST_PROCESSORS
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

size_t count_quota(const char *path)
{
    unsigned long long quota, period;
    FILE *limit = fopen(path, "r");
    if (!limit)
        return SIZE_MAX;
    bool said = fscanf(limit, "%llu %llu", &quota, &period) == 2;
    fclose(limit);
    if (!said || quota == 0 || period == 0)
        return SIZE_MAX;
    return (size_t)(quota / period + (quota % period > 0));
}

/* What the system allows this process, and how many that are; 0: not
 * known. */
static size_t find_allowed(bool allowed[MOST_PROCESSORS])
{
    size_t count = 0;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 0;
    for (size_t i = 0; i < MOST_PROCESSORS && i < CPU_SETSIZE; i++) {
        allowed[i] = CPU_ISSET(i, &set);
        count += allowed[i];
    }
    return count;
}

/* All that the system has. */
static size_t count_online(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

/* So many, or as many as there is time for. */
static size_t with_time(size_t count)
{
    size_t quota = count_quota("/sys/fs/cgroup/cpu.max");
    return count < quota ? count : quota;
}

size_t count_cores(void)
{
    bool allowed[MOST_PROCESSORS] = {false};
    if (find_allowed(allowed) == 0)
        return with_time(count_online());
    return with_time(count_cores_of("/sys/devices/system/cpu", allowed,
                                    MOST_PROCESSORS));
}

size_t count_processors(void)
{
    bool allowed[MOST_PROCESSORS] = {false};
    size_t count = find_allowed(allowed);
    return with_time(count > 0 ? count : count_online());
}

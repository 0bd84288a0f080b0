/* How many cores there are.  Two processors that the system counts may be one
 * core, which runs two programs in turn with the same units for vectors: a
 * second thread there finds nothing left to multiply with. */
#ifndef CORES_H
#define CORES_H

#include <stdbool.h>
#include <stddef.h>

/* How many cores this process may use, or has time for; at least 1. */
size_t count_cores(void);

/* The same of processors, of which a core may have two. */
size_t count_processors(void);

/* How many cores those of the processors 0 to n - 1 have that are allowed.
 * `folder` tells which of them share one: as Linux's /sys/devices/system/cpu
 * does, in cpuN/topology/thread_siblings_list.  A processor of which it says
 * nothing is a core. */
size_t count_cores_of(const char *folder, const bool *allowed, size_t n);

/* How many processors' time a file gives a group of processes, such as a
 * container: as Linux's cpu.max does (cgroup v2), with microseconds and of how
 * many, "250000 100000" for two and a half.  Rounded up; SIZE_MAX without a
 * limit, or such a file. */
size_t count_quota(const char *path);

#endif

/* Files in memory: see mapping.h.  Knows nothing of what they hold. */
#define _DEFAULT_SOURCE /* madvise */
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fail unless a file of this kind and size can be mapped. */
static int check_kind(const struct stat *s, const char *path, struct error *e)
{
    if (S_ISDIR(s->st_mode))
        return fail(e, ERROR_INPUT, "%s: is a folder, expected a file", path);
    if (!S_ISREG(s->st_mode))
        return fail(e, ERROR_INPUT, "%s: is not a regular file", path);
    if (s->st_size == 0)
        return fail(e, ERROR_INPUT, "%s: is empty", path);
    if ((uintmax_t)s->st_size > SIZE_MAX)
        return fail(e, ERROR_INPUT, "%s: is too large to be mapped", path);
    return 0;
}

/* What systems call by two names, or lack. */
#if defined __APPLE__
#define st_mtim st_mtimespec
#endif
#if !defined MADV_HUGEPAGE
#define MADV_HUGEPAGE MADV_NORMAL
#endif

static int map_file(struct mapping *m, int file, const char *path,
                    struct error *e)
{
    struct stat s;
    if (fstat(file, &s))
        return fail_errno(e, path);
    if (check_kind(&s, path, e))
        return -1;
    m->size = (size_t)s.st_size;
    m->device = s.st_dev;
    m->inode = s.st_ino;
    m->changed = s.st_mtim;
    void *data = mmap(NULL, m->size, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        return fail_errno(e, path);
    m->data = data;
    return 0;
}

int mapping_open(struct mapping *m, const char *path, struct error *e)
{
    *m = (struct mapping){0};
    /* Without O_NONBLOCK, opening a pipe would wait for its writer. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return fail_errno(e, path);
    m->path = strdup(path);
    int result = m->path ? map_file(m, file, path, e) : fail_memory(e, path);
    close(file); /* the mapping stays */
    if (result)
        mapping_close(m);
    return result;
}

void mapping_close(struct mapping *m)
{
    if (m->data)
        munmap((void *)m->data, m->size);
    free(m->path);
    *m = (struct mapping){0};
}

int mapping_check(const struct mapping *m, struct error *e)
{
    struct stat s;
    bool mapped = stat(m->path, &s) == 0 && s.st_dev == m->device &&
                  s.st_ino == m->inode;
    if (mapped && (uintmax_t)s.st_size < m->size)
        return fail(e, ERROR_INPUT,
                    "%s: has shrunk from %zu to %jd bytes since it was opened",
                    m->path, m->size, (intmax_t)s.st_size);
    return 0;
}

void mapping_favour(const struct mapping *m)
{
    madvise((void *)(uintptr_t)m->data, m->size, MADV_HUGEPAGE);
}

void mapping_release(const struct mapping *m, const unsigned char *data,
                     size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)data, end = first + bytes;
    uintptr_t start = (uintptr_t)m->data, stop = start + m->size;
    first = first > start ? first : start;
    end = end < stop ? end : stop;
    first = (first + page - 1) / page * page;
    end = end / page * page;
    if (first < end)
        madvise((void *)first, end - first, MADV_DONTNEED);
}

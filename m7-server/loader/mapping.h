/* A file, mapped into memory read-only: the bytes are read by the operating
 * system when they are first touched, and dropped again when it needs the
 * room, so that opening a file of any size takes no time and no memory.
 *
 * The only file that knows mmap. */
#ifndef MAPPING_H
#define MAPPING_H

#include "error.h"

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct mapping {
    char *path;                /* owned */
    const unsigned char *data; /* (size,), read only */
    size_t size;
    dev_t device; /* which file it is, whatever its name is by now */
    ino_t inode;
    struct timespec changed; /* when its bytes were, before it was mapped */
};

/* Map the whole of a regular file that is not empty.  Fails on anything else:
 * a directory, a pipe, no permission.  After an error *m holds nothing. */
int mapping_open(struct mapping *m, const char *path, struct error *e);
void mapping_close(struct mapping *m);

/* Fail when the file has become smaller than the mapping: its lost pages can
 * no longer be read.  A file that was deleted, or replaced by another of its
 * name, is still there for whoever mapped it. */
int mapping_check(const struct mapping *m, struct error *e);

/* The mapping will be read again and again: what is read of it from the disk
 * from now on may stand in large pages, where the system has these for files.
 */
void mapping_favour(const struct mapping *m);

/* The bytes at `data` (bytes,) will not be needed for a while: pages that lie
 * wholly among them are given back to the system, and read from the file again
 * when they are touched.  Bytes outside the mapping do not count. */
void mapping_release(const struct mapping *m, const unsigned char *data,
                     size_t bytes);

#endif

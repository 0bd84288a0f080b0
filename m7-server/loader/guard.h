/* A guard against files that shrink while they are mapped.
 *
 * Bytes of a mapping that its file has lost cannot be read: the system stops
 * the program with the signal SIGBUS, which says nothing about a file.  While
 * files are guarded, that signal prints which file it was and at which byte,
 * and ends the program with status 1. */
#ifndef GUARD_H
#define GUARD_H

#include "mapping.h"

#include <stddef.h>

/* The guarded files of one owner.  It must stay where it is, and the files
 * too, until guard_end. */
struct guard {
    const struct mapping *files; /* (n_files,), not owned */
    size_t n_files;
    struct guard *next; /* those that began before */
};

/* Begin to guard files (n,), and end it.  To be called by the main thread. */
void guard_begin(struct guard *g, const struct mapping *files, size_t n);
void guard_end(struct guard *g);

#endif

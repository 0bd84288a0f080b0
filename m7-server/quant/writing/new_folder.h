/* A new folder of files: there whole, or not at all.
 *
 * The files are written into a folder beside the one that is to be, and to the
 * disk; then the folder takes its name, which no system does by halves.  A
 * process that is killed leaves its folder behind under its first name,
 * ".rung-folder." and six letters; the next one that makes a folder there
 * removes it, with the files in it.  While a process lives its folder is
 * locked, and so not removed.
 * support/replace.h does the same for a file.
 *
 * What else is there already is never touched: a name that is taken is
 * refused. */
#ifndef NEW_FOLDER_H
#define NEW_FOLDER_H

#include "error.h"

#include <stddef.h>
#include <stdio.h>

struct new_folder {
    const char *path; /* as it was said: for messages */
    char *target;     /* the same without a slash at its end; owned */
    char *parent;     /* the folder in which it will stand; owned */
    char *name;       /* the name that it has until then; owned */
    int lock;         /* open, or -1 */
};

/* Begin a folder that is to be called `path`.  Fails when there is something
 * of that name, or no folder to put it in.  After an error there is nothing to
 * end. */
int new_folder_begin(struct new_folder *f, const char *path, struct error *e);

/* Fail when the disk has no room for so many bytes, now that nothing is
 * written yet. */
int new_folder_check_room(const struct new_folder *f, size_t bytes,
                          struct error *e);

/* A new file in it, to be written and then given to new_folder_close, which
 * closes it in any case.  NULL after an error. */
FILE *new_folder_file(const struct new_folder *f, const char *name,
                      struct error *e);
int new_folder_close(const struct new_folder *f, FILE *file, struct error *e);

/* Add bytes (size,) to such a file. */
int new_folder_add(const struct new_folder *f, FILE *file, const void *data,
                   size_t size, struct error *e);

/* Let it take its name.  After an error there is nothing left of it; but where
 * only the folder around it could not be written to the disk, it stands. */
int new_folder_end(struct new_folder *f, struct error *e);

/* The path of the folder in which one of this path stands, to be freed; NULL
 * without memory. */
char *new_folder_parent(const char *path);

/* Leave everything as it was. */
void new_folder_cancel(struct new_folder *f);

#endif

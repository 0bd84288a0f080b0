/* Replacing a file: after a crash at any moment there is the old one or the
 * new one, whole.
 *
 * The bytes go to a new file beside the old one, and to the disk; then the new
 * one takes the name, which no system does by halves; then the folder, which
 * says what the name means, goes to the disk, too.  Until that name is taken
 * every failure leaves the old file as it was, and no other.  A process that
 * is killed leaves the new file behind under its first name, ".rung." and six
 * letters, in the same folder, readable for its owner only; the next
 * replacement in that folder removes it.  While a process lives its new file
 * is locked, and so not removed. */
#ifndef REPLACE_H
#define REPLACE_H

#include "error.h"

#include <stddef.h>
#include <stdio.h>

/* A new file on its way, and its folder. */
struct replacement {
    const char *path; /* as it was said: for messages */
    char *target;     /* the name that it shall have; owned */
    char *name;       /* the one that it has; owned */
    FILE *file;       /* owned; NULL: it was not made */
    int folder;       /* open, or -1 */
    struct replacement *next; /* of this process's, while its file is new */
};

/* Begin to replace the file `path`, if there is one.  The new file keeps the
 * permissions of the old one, but no other owner.  Where there is none, only
 * its owner may read it: it may hold what somebody said.
 *
 * A symbolic link stays, and the file that it leads to is replaced, in that
 * file's folder.  Other names (hard links) of the old file keep the old one.
 * Fails, too, where a link leads nowhere, and where there is no regular file:
 * a device would be gone.  After an error there is nothing to end. */
int replace_begin(struct replacement *r, const char *path, struct error *e);

/* Add bytes (size,).  After an error the replacement must be cancelled. */
int replace_add(struct replacement *r, const void *data, size_t size,
                struct error *e);

/* Let the new file take the old one's place.  Only when the disk fails at the
 * very last step, an error leaves the new file there, perhaps not for good. */
int replace_end(struct replacement *r, struct error *e);

/* Leave everything as it was. */
void replace_cancel(struct replacement *r);

/* The process is about to end, on any of its threads: the new files of all
 * replacements are removed, and from now on none is begun, ended or cancelled;
 * who tries waits for the end. */
void replace_stop(void);

/* Fail when a replacement could not even begin.  Changes nothing. */
int replace_check(const char *path, struct error *e);

#endif

/* Replacing a file: after a crash at any moment there is the old one or the
 * new one, whole. */
#ifndef REPLACE_H
#define REPLACE_H

#include "error.h"

#include <stddef.h>

/* Make `data` (size,) the content of the file `path`, which may exist.  The
 * bytes go to a new file beside it, and to the disk; then that one takes the
 * name, which no system does by halves; then the folder goes to the disk, too.
 * Only its owner may read it: it may hold what somebody said.
 *
 * After an error the old file is as it was, and no other is left; only when
 * the disk fails at the very last step, the new file is there, perhaps not for
 * good.  A process that is killed leaves the new file behind under its first
 * name, `path`, a dot and six letters. */
int replace_file(const char *path, const void *data, size_t size,
                 struct error *e);

#endif

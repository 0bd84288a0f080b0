/* Progress: how far long work is, and how long it will still take.
 *
 *     writing      [##########----------]  52%  0:41 left
 *
 * One line on standard error, which is drawn again in its place, and wiped at
 * the end.  Where that is no terminal nothing is shown at all, so that no file
 * is filled with it. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

enum progress_sizes { PROGRESS_NAME = 24 };

/* Begins as {0}, and is ended by progress_end. */
struct progress {
    char what[PROGRESS_NAME]; /* the work that the line is about */
    size_t first;             /* what was done of it when it began, */
    double began, drawn;      /* seconds: when that was, and the last line */
    bool shown;               /* whether there is a line to be wiped */
};

/* `done` of `all` of the work `what` are behind us.  May be called as often as
 * there is anything new: a line is drawn ten times a second at most.  Another
 * `what` begins another line. */
void progress_show(struct progress *p, const char *what, size_t done,
                   size_t all);

/* Wipe the line. */
void progress_end(struct progress *p);

/* The line as text, in out (size,): after `seconds` of work that has come from
 * `first` to `done` of `all`.  How long is left is said once a second has
 * shown how fast it goes. */
void progress_text(const struct progress *p, size_t done, size_t all,
                   double seconds, char *out, size_t size);

#endif

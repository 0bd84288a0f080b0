/* The timeline: what each of the latest steps has read, and when.
 *
 * A ring of parts: the newest takes the place of the oldest.  Knows no clock:
 * who records says what time it is. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "rung.h"

#include <stddef.h>

enum timeline_sizes {
    TIMELINE_PARTS = 4096 /* 512 steps of eight requests */
};

/* Start it as {0}. */
struct timeline {
    struct rung_part parts[TIMELINE_PARTS];
    size_t n; /* that were ever added: part i stands at i % TIMELINE_PARTS */
};

void timeline_add(struct timeline *t, const struct rung_part *part);

/* The latest parts, at most `room`, the oldest first, in out (room,).  Returns
 * how many there are. */
size_t timeline_read(const struct timeline *t, struct rung_part *out,
                     size_t room);

#endif

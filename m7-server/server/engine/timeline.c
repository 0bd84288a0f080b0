/* The timeline: see timeline.h. */
#include "timeline.h"

#include "sizes.h"

void timeline_add(struct timeline *t, const struct rung_part *part)
{
    t->parts[t->n++ % TIMELINE_PARTS] = *part;
}

size_t timeline_read(const struct timeline *t, struct rung_part *out,
                     size_t room)
{
    size_t kept = smaller_size(t->n, TIMELINE_PARTS);
    size_t n = smaller_size(kept, room);
    for (size_t i = 0; i < n; i++)
        out[i] = t->parts[(t->n - n + i) % TIMELINE_PARTS];
    return n;
}

/* What rungs do each in their own way. */
#ifndef DUMP_H
#define DUMP_H

#include "state.h"

/* Make room for a text of n tokens, to be read in chunks of at most `chunk`,
 * where the rung has chunks. */
int make_room(struct state *s, const struct model *m, size_t n, size_t chunk,
              struct error *e);

#endif

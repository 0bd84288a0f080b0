/* A rung with a cache reads a text in chunks. */
#include "dump.h"

int make_room(struct state *s, const struct model *m, size_t n, size_t chunk,
              struct error *e)
{
    return state_init_chunked(s, m, n, chunk, e);
}

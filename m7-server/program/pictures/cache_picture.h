/* The picture of the cache as it fills: which position stands in which slot of
 * which layer, and how large the values of each head are there. */
#ifndef CACHE_PICTURE_H
#define CACHE_PICTURE_H

#include "error.h"
#include "options.h"

/* Read the text arguments[0], in chunks of s->chunk tokens or token by token,
 * and draw the cache behind a third, two thirds and all of it, to
 * s->output. */
int draw_cache(const struct settings *s, char **arguments, struct error *e);

#endif

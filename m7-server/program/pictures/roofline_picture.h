/* The picture of the roofline: what this machine can do at most, and how near
 * each kernel comes to it. */
#ifndef ROOFLINE_PICTURE_H
#define ROOFLINE_PICTURE_H

#include "error.h"
#include "options.h"
#include "points.h"

/* Draw what was measured. */
int roofline_draw(const struct roofline *r, const char *path,
                  struct error *e);

/* Measure, and draw to s->output. */
int draw_roofline(const struct settings *s, char **arguments,
                  struct error *e);

#endif
